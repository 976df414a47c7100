/**
 * How does one entry look in a memory file? A list item with its day, and behind it a comment with its id:
 * `- [2026-05-07] I live in Porto. <!-- mneme:3f9a1c07d2b4 -->`. What a person writes into the line stays as written.
 */
import { hash } from 'node:crypto'

const ID_DIGITS = 12
/** The comment behind an entry; further words in it are for people. */
const COMMENT = /[ \t]{0,40}<!--\s{0,40}mneme:([0-9a-f]{12})\b[^>]{0,200}-->/
/** Any of ours, even one whose id somebody broke. */
const COMMENTS = /[ \t]{0,40}<!--\s{0,40}mneme:[^>]{0,200}-->/g
const DATE = /^\[(\d{4}-\d{2}-\d{2})\][ \t]*/
const BULLET = /^( {0,3})([-*+]|\d{1,9}[.)])([ \t]+)/

const UNEVEN_SPACE = /\s\s|[^\S ]/

/** What an entry is made of. */
export interface EntryParts {
  /** YYYY-MM-DD. */
  readonly date: string
  readonly text: string
  readonly id: string
  /** Words for people in the comment: where a masked value can be read. */
  readonly note?: string
}

/** The id that stands for a memory in the file. */
export function entryId(memoryId: string): string {
  return hash('sha256', memoryId).slice(0, ID_DIGITS)
}

/** The line of a new entry, without its end. */
export function entryLine({ date, text, id, note }: EntryParts): string {
  return `- [${date}] ${asOneLine(text)} ${comment(id, note)}`
}

/** Text of a memory as it stands in a line: on one line, and unable to end or begin a comment. */
export function asOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replaceAll('<!--', '<\u200b!--')
}

/** Whether a line begins a list item. */
export function beginsItem(line: string): boolean {
  return BULLET.test(line)
}

/** The id in the raw text of an entry; null when it has none. */
export function idIn(raw: string): string | null {
  return COMMENT.exec(raw)?.[1] ?? null
}

/** An entry of one line that looks as `entryLine` writes it: mostly all do. null: it has to be looked at more closely. */
export function usualEntry(raw: string): { readonly id: string; readonly text: string } | null {
  const end = raw.length - USUAL_END
  if (!raw.endsWith(' -->\n') || !raw.startsWith(' <!-- mneme:', end) || !USUAL_BEGINNING.test(raw)) return null
  const id = raw.slice(end + ID_FROM, end + ID_FROM + ID_DIGITS)
  const text = raw.slice(TEXT_FROM, end)
  return !ID.test(id) || !ENDS_WELL.test(text) || text.includes('mneme:') ? null : { id, text }
}

const USUAL_BEGINNING = /^- \[\d{4}-\d{2}-\d{2}\] \S/
const TEXT_FROM = '- [2026-05-07] '.length
const ID_FROM = ' <!-- mneme:'.length
const USUAL_END = ID_FROM + ID_DIGITS + ' -->\n'.length
const ID = /^[0-9a-f]+$/
const ENDS_WELL = /\S$/

/** What the entry says: its lines as one, without bullet, day and comment. */
export function textIn(raw: string): string {
  const lines = withoutId(raw).trimEnd().split(/\r?\n/)
  const first = (lines[0] ?? '').replace(BULLET, '').replace(DATE, '')
  if (lines.length === 1) return first.trim()
  return [first, ...lines.slice(1)]
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** The day that the entry shows; null when it shows none. */
export function dateIn(raw: string): string | null {
  return DATE.exec(raw.replace(BULLET, ''))?.[1] ?? null
}

/** The person's lines with a comment behind the first; all else stays as it is. */
export function withId(raw: string, id: string, note?: string): string {
  const bare = withoutId(raw)
  const end = /\r?\n/.exec(bare)?.index ?? bare.length
  return `${bare.slice(0, end)} ${comment(id, note)}${bare.slice(end)}`
}

/** Words in the comment of an entry whose memory may hold no longer; `since`: YYYY-MM-DD. */
export function doubtNote(since: string): string {
  return `${IN_DOUBT} ${since}`
}

/** Whether the comment says so. */
export function isInDoubt(raw: string): boolean {
  return raw.includes(IN_DOUBT) && COMMENT.exec(raw)?.[0].includes(IN_DOUBT) === true
}

const IN_DOUBT = 'in doubt since'

/** The lines without any such comment, and without what is left of one that was cut off. */
export function withoutId(raw: string): string {
  const bare = raw.includes('mneme:') ? raw.replace(COMMENTS, '') : raw
  return bare.includes('<!--') ? bare.replace(CUT_COMMENTS, '') : bare
}

/** A comment behind an entry that ends with its line before it is closed. */
const CUT_COMMENTS =
  /[ \t]{0,40}<!--[ \t]{0,40}(?:m(?:n(?:em?)?)?|mneme(?::[^>\n]{0,200}?)?)?[ \t]{0,40}-{0,2}[ \t]{0,40}(?=\r?\n|$)/g

/** The same entry with another text; bullet, day and end of line stay. */
export function withText(raw: string, text: string, id: string, note?: string): string {
  const bullet = BULLET.exec(raw)?.[0] ?? '- '
  const date = dateIn(raw)
  const end = /\r?\n$/.exec(raw)?.[0] ?? ''
  return `${bullet}${date === null ? '' : `[${date}] `}${asOneLine(text)} ${comment(id, note)}${end}`
}

/** Names a text of an entry without holding it; white space makes no other text. */
export function textHash(text: string): string {
  return hash('sha256', (UNEVEN_SPACE.test(text) ? text.replace(/\s+/g, ' ') : text).trim())
}

function comment(id: string, note: string | undefined): string {
  return `<!-- mneme:${id}${note === undefined ? '' : ` ${note.replaceAll('>', '')}`} -->`
}
