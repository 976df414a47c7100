/** The places of the parts of a valid JSON text, so that one can change and every other byte stays. */

/** A stretch of the text. */
export interface JsonPart {
  readonly from: number
  /** The place after its last character. */
  readonly to: number
}

/** A member of an object: the stretch of `"name": value`. */
export interface JsonMember extends JsonPart {
  readonly name: string
  readonly value: JsonPart
}

/** The members of the object that begins at or, after white space, behind `at`. */
export function jsonMembers(text: string, at = 0): readonly JsonMember[] {
  const members: JsonMember[] = []
  let from = afterSpace(text, afterSpace(text, at) + 1)
  while (text[from] === '"') {
    const nameEnd = endOf(text, from)
    const name = JSON.parse(text.slice(from, nameEnd)) as string
    const start = afterSpace(text, afterSpace(text, nameEnd) + 1)
    const to = endOf(text, start)
    members.push({ name, from, to, value: { from: start, to } })
    from = afterSpace(text, afterSpace(text, to) + 1)
  }
  return members
}

/** The items of the list that begins at or, after white space, behind `at`. */
export function jsonItems(text: string, at = 0): readonly JsonPart[] {
  const items: JsonPart[] = []
  let from = afterSpace(text, afterSpace(text, at) + 1)
  while (from < text.length && text[from] !== ']') {
    const to = endOf(text, from)
    items.push({ from, to })
    const comma = afterSpace(text, to)
    if (text[comma] !== ',') break
    from = afterSpace(text, comma + 1)
  }
  return items
}

function afterSpace(text: string, at: number): number {
  let here = at
  while (here < text.length && text.charCodeAt(here) <= 0x20) here += 1
  return here
}

const MARK = /["{}[\]]/g
const PLAIN = /[^\s,\]}]*/y

/** The place after the value that begins at `at`. */
function endOf(text: string, at: number): number {
  const first = text[at]
  if (first === '"') return stringEnd(text, at)
  if (first !== '{' && first !== '[') {
    PLAIN.lastIndex = at
    PLAIN.exec(text)
    return PLAIN.lastIndex
  }
  let depth = 0
  let here = at
  do {
    MARK.lastIndex = here
    const mark = MARK.exec(text)
    if (mark === null) return text.length
    here = mark[0] === '"' ? stringEnd(text, mark.index) : mark.index + 1
    if (mark[0] === '{' || mark[0] === '[') depth += 1
    else if (mark[0] !== '"') depth -= 1
  } while (depth > 0)
  return here
}

/** The place after the quote that ends the string, one with an even number of backslashes before it. */
function stringEnd(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return quote + 1
  }
  return text.length
}
