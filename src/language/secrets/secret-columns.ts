/** Secrets in tables and lists: the cells below a head that names one, in Markdown, HTML or with commas, semicolons or tabs. */
import type { Secret } from './issued-keys.ts'
import { NAMES_A_PIECE, type Named, secretNameOf } from './secret-names.ts'
import { isUnlikeWords, looksSecret, type SecretName } from './value-shape.ts'

const LONGEST_LINE = 500
const RULE = /^[\s|:-]+$/
/** Lines that are read before others run. */
const LINES_A_PIECE = 256

/** The head of a table, whose rows are read. */
interface Table {
  readonly mark: string
  columns: readonly (SecretName | null)[]
}

/** The cells of the columns that a name stands at the head of; `names` are the places of names, in order. */
export function* columnSecrets(
  text: string,
  names: readonly { readonly at: number }[],
): Generator<void, readonly Secret[]> {
  const found: Secret[] = []
  let table: Table | null = null
  let [from, named, lines] = [0, 0, 0]
  // Each line is read once: a head inside a table adds its columns to it.
  while (from < text.length) {
    while (named < names.length && names[named]!.at < from) named += 1
    if (table === null) {
      if (named === names.length) break
      from = text.lastIndexOf('\n', names[named]!.at) + 1
    }
    lines += 1
    if (lines % LINES_A_PIECE === 0) yield
    const line = lineAt(text, from)
    const cells = table === null ? [] : line.text.slice(0, LONGEST_LINE).split(table.mark)
    if (table !== null && cells.length !== table.columns.length) table = null
    if (table !== null && !RULE.test(line.text)) found.push(...secretsOfRow(cells, table, from))
    const head = named < names.length && names[named]!.at <= line.to ? headOf(line.text) : null
    if (table === null) table = head
    else if (head?.mark === table.mark) table.columns = table.columns.map((name, at) => name ?? head.columns[at]!)
    from = line.to + 1
  }
  return found
}

/** What stands above the columns of a table; null for a line that names no secret there. */
function headOf(line: string): Table | null {
  const mark = line.length > LONGEST_LINE ? undefined : /<\/t(?=[dh]>)|[|\t;,]/.exec(line)?.[0]
  if (mark === undefined) return null
  const cells = line.split(mark)
  const columns = cells.map((cell) => secretNameOf(undressed(cell).trim()))
  return columns.every((name) => name === null) || isOneColumn(cells) ? null : { mark, columns }
}

/** true for a list: a name and the mark behind it. */
function isOneColumn(cells: readonly string[]): boolean {
  return cells.length < 3 && cells.filter((cell) => cell.trim() !== '').length < 2
}

/** The cell with blanks for its tags and marks. */
function undressed(cell: string): string {
  return cell.replace(/^[dh]>|<[^<>]{1,60}>|[*"'`\s]/g, (mark) => ' '.repeat(mark.length))
}

function secretsOfRow(cells: readonly string[], { mark, columns }: Table, rowFrom: number): readonly Secret[] {
  let from = rowFrom
  return cells.flatMap((cell, column) => {
    const plain = undressed(cell)
    const value = plain.trim()
    const start = from + plain.indexOf(value)
    from += cell.length + mark.length
    const name = columns[column] ?? null
    if (name === null || (name === 'password' && !/[A-Za-z]/.test(value))) return []
    const isSecret = isUnlikeWords(value, name) && looksSecret(value, { name, quoted: true, foreign: false })
    return isSecret ? [{ from: start, to: start + value.length, shown: '' }] : []
  })
}

function lineAt(text: string, from: number): { readonly text: string; readonly to: number } {
  const end = text.indexOf('\n', from)
  const to = end < 0 ? text.length : end
  return { text: text.slice(from, to).replace(/\r$/, ''), to }
}

/** A heading of several, alone in its line, and a line of a list with a label before its value. */
const HEADING =
  /(?<=[s码碼令])(?:(?: (?:for|of|to|on|at|in) [^\n:：]{1,30})? ?[:：]\*{0,2}|\*{1,2}[:：]?|(?=\s{1,4}[-*•\d]))[ \t]{0,4}\r?\n(?:[ \t]{0,4}\r?\n)?/y
const LABELLED =
  /[ \t]{0,8}(?:[-*•] |\d{1,2}[.)] )?[^\s:：=–—][^\n:：=–—]{0,39}?(?:[:：=]| [-–—]|(?<=[\u3400-\u9fff]))[ \t]{0,4}([^\s:：=]{4,80}?)[.,;。，；]?[ \t]{0,4}(?:\r?\n|$)/dy
/** Lines of one list that are read. */
const MOST_LABELLED = 64

/** The values of a list below a heading: "Passwords:", "- router: …". */
export function* listedSecrets(text: string, names: readonly Named[]): Generator<void, readonly Secret[]> {
  const found: Secret[] = []
  for (const [number, { name, end }] of names.entries()) {
    if (number % NAMES_A_PIECE === NAMES_A_PIECE - 1) yield
    HEADING.lastIndex = end
    if (!HEADING.test(text)) continue
    LABELLED.lastIndex = HEADING.lastIndex
    for (let line = 0; line < MOST_LABELLED; line += 1) {
      const match = LABELLED.exec(text)
      if (match === null) break
      const [from, to] = match.indices![1]!
      const isSecret = isUnlikeWords(match[1]!, name) && looksSecret(match[1]!, { name, quoted: true, foreign: false })
      if (isSecret) found.push({ from, to, shown: '' })
    }
  }
  return found
}
