/** Secrets in tables and lists: the cells below a head that names one, in Markdown, boxes, HTML, SQL, or with commas, semicolons, tabs or blanks. */
import type { Secret } from './issued-keys.ts'
import { NAMES_A_PIECE, type Named, secretNameOf } from './secret-names.ts'
import { isUnlikeWords, looksSecret, type SecretName } from './value-shape.ts'

const LONGEST_ROW = 500
/** Rows that are read before others run. */
const ROWS_A_PIECE = 256
/** A line that is drawn between rows. */
const RULE = /^(?=.{0,500}[-=\u2500-\u257f])[\s|:+=\u2500-\u257f-]+$/
/** What stands between the cells of a line, which its first one decides; else blanks. */
const MARKS = [/[|│┃║]{1,2}/g, /\t/g, /;/g, /,/g] as const
const BLANKS = /(?<=\S) {2,40}(?=\S)/g
/** A cell in quotes, which may hold marks. */
const QUOTED = /(?<=(?:^|[,;|\t])\s{0,3})(?:'(?:[^'\n]|''){0,200}'|"[^"\n]{0,200}")(?=\s{0,3}(?:[,;|\t]|$))/g

/** A type or a function in a cell. */
const CALL = /^\w{1,40}\([\w, ]{0,40}\)$/

/** A way to write tables. */
interface Form {
  readonly hint: RegExp
  /** The end of a row; that of a head matches `headEnds`. */
  readonly ends: RegExp
  readonly headEnds?: RegExp
  /** The text right before the cells. */
  readonly opens?: string
  /** What stands between the cells; undefined where each table has its own. */
  readonly mark?: RegExp
  /** What no row of a table holds; undefined where a row of other cells ends it. */
  readonly over?: RegExp
}
const FORMS: readonly Form[] = [
  { hint: /\n/, ends: /\r?\n/g },
  {
    hint: /<t[dh][\s>]/i,
    ends: /<\/?tr(?:\s[^<>]{0,200})?>/gi,
    mark: /<t[dh](?:\s[^<>]{0,200})?>/gi,
    over: /<\/table/i,
  },
  {
    hint: /\bvalues\b/i,
    ends: /\)(?:\s{0,20}values\b)?/gi,
    headEnds: /values/i,
    opens: '(',
    mark: MARKS[3],
    over: /^\s*;/,
  },
]

/** The head of a table, whose rows are read. */
interface Table {
  readonly mark: RegExp
  columns: readonly (SecretName | null)[]
}

/** A cell and where it begins in its row. */
interface Cell {
  readonly text: string
  readonly at: number
}

/** The cells of the columns that a name stands at the head of; `names` are the places of names, in order. */
export function* columnSecrets(
  text: string,
  names: readonly { readonly at: number }[],
): Generator<void, readonly Secret[]> {
  const found: Secret[] = []
  for (const form of FORMS) if (form.hint.test(text)) found.push(...(yield* secretsOfForm(text, names, form)))
  return found
}

function* secretsOfForm(
  text: string,
  names: readonly { readonly at: number }[],
  { ends, headEnds, opens, mark, over }: Form,
): Generator<void, readonly Secret[]> {
  const found: Secret[] = []
  let table: Table | null = null
  let [named, rows] = [0, 0]
  // Each row is read once: a head inside a table adds its columns to it.
  for (let from = 0; from < text.length; ) {
    rows += 1
    if (rows % ROWS_A_PIECE === 0) yield
    while (named < names.length && names[named]!.at < from) named += 1
    if (table === null && named === names.length) break
    ends.lastIndex = from
    const end = ends.exec(text)
    const to = end?.index ?? text.length
    const row = text.slice(from, to)
    const begin = opens === undefined ? 0 : row.indexOf(opens) + 1
    if (table !== null && !RULE.test(row.slice(0, LONGEST_ROW))) {
      const cells = cellsOf(row.slice(begin, begin + LONGEST_ROW), table.mark)
      const isRow = cells.length === table.columns.length
      if (isRow) found.push(...secretsOfRow(cells, table, from + begin))
      if (over === undefined ? !isRow : over.test(row.slice(0, LONGEST_ROW))) table = null
    }
    const isHead = named < names.length && names[named]!.at <= to && headEnds?.test(end?.[0] ?? '') !== false
    const head = isHead ? headOf(opens === undefined ? row : row.slice(row.lastIndexOf(opens) + 1), mark) : null
    if (table === null || (over !== undefined && head !== null)) table = head ?? table
    else if (head?.mark === table.mark) table.columns = table.columns.map((name, at) => name ?? head.columns[at]!)
    from = to + (end?.[0].length ?? 0)
  }
  return found
}

/** What stands above the columns of a table; null for a row that names no secret there. */
function headOf(row: string, ofForm: RegExp | undefined): Table | null {
  if (row.length > LONGEST_ROW) return null
  const first = /[|│┃║\t;,]/.exec(row)?.[0] ?? ''
  const mark = ofForm ?? MARKS.find((one) => first.search(one) === 0) ?? BLANKS
  const cells = cellsOf(row, mark)
  const columns = cells.map((cell) => secretNameOf(undressed(cell.text).trim()))
  return columns.every((name) => name === null) || isOneColumn(cells) ? null : { mark, columns }
}

/** true for a list: a name and the mark behind it. */
function isOneColumn(cells: readonly Cell[]): boolean {
  return cells.length < 3 && cells.filter(({ text }) => text.trim() !== '').length < 2
}

function cellsOf(row: string, mark: RegExp): readonly Cell[] {
  const open = row.replace(QUOTED, (cell) => cell.replace(/[,;|\t]/g, ' '))
  let at = 0
  return [...open.matchAll(mark), { 0: '', index: row.length }].map(({ 0: between, index }) => {
    const cell = { text: row.slice(at, index), at }
    at = index + between.length
    return cell
  })
}

/** The cell with blanks for its tags and marks. */
function undressed(cell: string): string {
  return cell.replace(/<[^<>]{1,60}>|[*"'`\s]/g, (mark) => ' '.repeat(mark.length))
}

function secretsOfRow(cells: readonly Cell[], { columns }: Table, from: number): readonly Secret[] {
  return cells.flatMap((cell, column) => {
    const plain = undressed(cell.text)
    const value = plain.trim()
    const start = from + cell.at + plain.indexOf(value)
    const name = columns[column] ?? null
    if (name === null || CALL.test(value) || (name === 'password' && !/[A-Za-z]/.test(value))) return []
    const isSecret = isUnlikeWords(value, name) && looksSecret(value, { name, quoted: true, foreign: false })
    return isSecret ? [{ from: start, to: start + value.length, shown: '' }] : []
  })
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
