/** One entry in a memory file: - [2026-05-07] I live in Porto. <!-- mneme:3f9a1c07d2b4 --> */
import { hash } from 'node:crypto'

const ID_DIGITS = 12
const COMMENT = /<!--\s{0,40}mneme:([0-9a-f]{12})\b([^>]{0,200})-->/
/** Any comment of ours, even with a broken id. */
const COMMENTS = /[ \t]{0,40}<!--\s{0,40}mneme:[^>]{0,200}-->/g
/** A comment of ours that ends with its line before it is closed. */
const CUT_COMMENTS =
  /[ \t]{0,40}<!--[ \t]{0,40}(?:m(?:n(?:em?)?)?|mneme(?::[^>\n]{0,200}?)?)?[ \t]{0,40}-{0,2}[ \t]{0,40}(?=\r?\n|$)/g
const HEAD = /^( {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+)(?:\[(\d{4}-\d{2}-\d{2})\][ \t]*)?/
const STRUCK = /^~~([\s\S]*)~~$/
const OVER = 'over since'
const IN_DOUBT = 'in doubt since'
/** Letters, numbers and signs that can be seen. */
const SEEN = /[[\p{L}\p{N}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800\ufffc]]/v
const STRUCK_OUT = /^~~[^~]+~~[.。]?$/

/** The marks of a line: an id and words for people in the comment, struck through or not. */
export interface Marks {
  readonly id: string
  /** Words in the comment behind the id; '' for none. */
  readonly note: string
  readonly isOver: boolean
}

/** The id that stands for a memory in the file. */
export function entryId(memoryId: string): string {
  return hash('sha256', memoryId).slice(0, ID_DIGITS)
}

/** Names a text of an entry without holding it; white space makes no other text. */
export function textHash(text: string): string {
  return hash('sha256', text.replace(/\s+/g, ' ').trim())
}

/** Whether a text can be the words of an entry: not mere signs, and not struck out by a person from end to end. */
export function hasWords(text: string): boolean {
  return SEEN.test(text) && !STRUCK_OUT.test(text)
}

/** Whether a line begins a list item. */
export function beginsItem(line: string): boolean {
  return HEAD.test(line)
}

/** The id in the raw text of an entry; null when it has none. */
export function idIn(raw: string): string | null {
  return COMMENT.exec(raw)?.[1] ?? null
}

/** The day that the entry shows, YYYY-MM-DD; null when it shows none. */
export function dateIn(raw: string): string | null {
  return HEAD.exec(raw)?.[2] ?? null
}

/** The text of an entry: its lines without bullet, day, comment, and the mark that it is over. */
export function textIn(raw: string): string {
  const lines = withoutComment(raw)
    .replace(HEAD, '')
    .trim()
    .split(/\s{0,40}\n\s*/)
  const text = lines.length === 1 ? lines[0]! : lines.filter((line) => line !== '').join('\n')
  return isOver(raw) ? text.replace(STRUCK, '$1') : text
}

/** Whether the comment says that the entry holds no longer. */
export function isOver(raw: string): boolean {
  return COMMENT.exec(raw)?.[2]?.includes(OVER) === true
}

/** Whether the comment says that the entry is in doubt. */
export function isInDoubt(raw: string): boolean {
  return COMMENT.exec(raw)?.[2]?.includes(IN_DOUBT) === true
}

/** The words for the comment; `since` as YYYY-MM-DD. */
export function markNote(mark: 'over' | 'doubt', since: string): string {
  return `${mark === 'over' ? OVER : IN_DOUBT} ${since}`
}

/** A new entry, without the end of its line. */
export function entryLine(date: string, text: string, marks: Marks): string {
  return marked(`- [${date}] ${oneLine(text)}`, marks)
}

/** The person's lines with these marks; `change` rewrites the words, and `isAnew` makes all lines one. */
export function marked(
  raw: string,
  { id, note, isOver: over }: Marks,
  change: (words: string) => string = (words) => words,
  isAnew = false,
): string {
  const bare = withoutComment(raw)
  const head = HEAD.exec(bare)?.[0] ?? ''
  const end = /\r?\n$/.exec(bare)?.[0] ?? ''
  const body = bare.slice(head.length, bare.length - end.length)
  const words = change(isOver(raw) ? body.replace(STRUCK, '$1') : body)
  const said = isAnew ? oneLine(words) : words
  const at = said.search(/\r?\n/)
  const [first, rest] = at < 0 ? [said.trimEnd(), ''] : [said.slice(0, at).trimEnd(), said.slice(at)]
  const shown = over && rest === '' && !STRUCK.test(first) ? `~~${first}~~` : first
  return `${head}${shown} <!-- mneme:${id}${note === '' ? '' : ` ${note.replaceAll('>', '')}`} -->${rest}${end}`
}

/** The text on one line, unable to end or begin a comment. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replaceAll('<!--', '<\u200b!--')
}

/** The lines without our comments, and without the rest of a cut-off one. */
function withoutComment(raw: string): string {
  return raw.includes('<!--') ? raw.replace(COMMENTS, '').replace(CUT_COMMENTS, '') : raw
}
