/** Where in this text might JSON stand? One pass, whatever the text is; what stands in strings opens and closes nothing. */

/** A stretch that begins with `{` or `[`. */
export interface JsonSpan {
  readonly text: string
  /** The text ended before what was opened was closed. */
  readonly cut: boolean
}

const LONGEST_NAME = 120
const LOOSE_NAME = /,?\s*"[^"\\]*"\s*:\s*$/
const BEGINS_AS_JSON = /^[{[]\s*(?:["{[]|$)/

/** The stretches of a text, in order, at most `most`; one that lies in another is not listed by itself. */
export function jsonSpans(text: string, most: number): readonly JsonSpan[] {
  const spans: JsonSpan[] = []
  let at = nextOpening(text, 0)
  while (at >= 0 && spans.length < most) {
    const found = scan(text, at)
    const cut = found.end === null
    const stretch = text.slice(at, found.end ?? found.cutAt)
    spans.push({ text: cut ? withoutLooseName(stretch) : stretch, cut })
    // A brace in prose may never be closed; JSON that was cut begins with a name and is the last thing in the text.
    if (cut && BEGINS_AS_JSON.test(text.slice(at, at + 80))) break
    at = nextOpening(text, found.end ?? at + 1)
  }
  return spans
}

/** `{"a": 1, "b":` → `{"a": 1`: a name whose value was cut off says nothing. */
function withoutLooseName(text: string): string {
  const end = text.slice(-LONGEST_NAME)
  return text.slice(0, text.length - end.length) + end.replace(LOOSE_NAME, '')
}

function nextOpening(text: string, from: number): number {
  const offset = text.slice(from).search(/[{[]/)
  return offset < 0 ? -1 : from + offset
}

/** Where the stretch that begins here ends; if it never does, where the last complete piece of it ends. */
function scan(text: string, start: number): { readonly end: number | null; readonly cutAt: number } {
  let depth = 0
  let string = -1
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (string >= 0) {
      if (character === '\\') at++
      else if (character === '"') string = -1
    } else if (character === '"') string = at
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      depth--
      if (depth === 0) return { end: at + 1, cutAt: at + 1 }
    }
  }
  // Half a sentence is not kept: it might say the opposite of the whole.
  return { end: null, cutAt: string >= 0 ? string : text.length }
}
