/** What does a profile say, line by line, and where does a new line go? Only that line ever changes. */
import { readOnce } from '../domain/read-once.ts'
import { hasHan } from './character-class.ts'

export interface DocumentLine {
  readonly kind: 'heading' | 'blank' | 'statement'
  /** The section that it stands in, of those that the machine knows; else null. */
  readonly section: string | null
  /** A statement without the mark of a list; a heading without its marks; '' for a blank line. */
  readonly text: string
}

/** Sections with the headings that they may have, the one to write first: English, then Chinese. */
const SECTIONS = [
  {
    section: 'reply_style',
    english: ['Reply style', 'Reply preferences', 'Response style', 'Style'],
    chinese: ['回复风格', '回答风格', '回复偏好', '风格'],
  },
  {
    section: 'language',
    english: ['Language', 'Languages', 'Language habits'],
    chinese: ['语言习惯', '语言'],
  },
  { section: 'background', english: ['Background', 'About me'], chinese: ['背景', '主要背景', '关于我'] },
]

const SECTION_NAMES = new Map(
  SECTIONS.flatMap(({ section, english, chinese }) =>
    [...english, ...chinese].map((name) => [name.toLowerCase(), section] as const),
  ),
)

const HEADING_MARK = /^\s{0,3}#{1,6}\s+/
const LIST_MARK = /^\s*(?:[-*+•·]\s+|\d{1,3}(?:[.)]\s+|、\s*))/
const SENTENCE_END = /[\s.。!！?？,，;；:：、…]{1,40}$/u

/** The lines of a document, in order. */
export const profileLines = readOnce('profile', (document): readonly DocumentLine[] => {
  let section: string | null = null
  const lines: DocumentLine[] = []
  for (const raw of document.split(/\r\n|\n|\r/)) {
    if (raw.trim() === '') {
      lines.push({ kind: 'blank', section, text: '' })
      continue
    }
    const isMarked = HEADING_MARK.test(raw)
    const heading = isMarked ? beforeMarks(raw.replace(HEADING_MARK, '')) : beforeColon(raw)
    const known = heading === '' ? null : sectionOf(heading)
    // "Works at:" is a statement of its own kind unless it is marked as a heading or names a section.
    const isHeading = isMarked || known !== null
    if (isHeading) section = known
    lines.push(
      isHeading
        ? { kind: 'heading', section, text: heading }
        : { kind: 'statement', section, text: raw.replace(LIST_MARK, '').trim() },
    )
  }
  return lines
})

/** "Languages" of "Languages ##". */
function beforeMarks(heading: string): string {
  const text = heading.trim()
  let end = text.length
  while (text[end - 1] === '#') end -= 1
  return text.slice(0, end).trim()
}

/** "Languages" of "Languages:"; '' without a colon at the end. */
function beforeColon(line: string): string {
  const text = line.trim()
  return /[:：]/.test(text.slice(-1)) ? text.slice(0, -1).trim() : ''
}

/** A statement in its comparable form, without differences of width, case, spaces and final mark; '' says nothing. */
export function comparableStatement(statement: string): string {
  return statement.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').replace(SENTENCE_END, '').trim()
}

/** The document with the statement at the end of its section; a missing section is added at the end. */
export function withStatement(document: string, section: string, statement: string): string {
  const item = `- ${statement.replaceAll(/\s+/gu, ' ').trim()}`
  const lines = profileLines(document)
  const heading = lines.findLastIndex((line) => line.kind === 'heading' && line.section === section)
  if (heading === -1) {
    const body = document.trimEnd()
    const begun = lines.find((line) => line.kind === 'heading' && line.section !== null)
    return `${body === '' ? '' : `${body}\n\n`}## ${headingFor(section, begun?.text ?? statement)}\n${item}`
  }
  let last = heading
  for (let at = heading + 1; at < lines.length && lines[at]!.kind !== 'heading'; at += 1)
    if (lines[at]!.kind === 'statement') last = at
  const rows = rowsOf(document)
  // The last row of a document has no end of its own.
  const before = rows.slice(0, last + 1).join('')
  const after = rows.slice(last + 1).join('')
  return last === lines.length - 1 ? `${before}\n${item}` : `${before}${item}\n${after}`
}

/** The document without the statements that read exactly so; headings stay. */
export function withoutStatements(document: string, statements: ReadonlySet<string>): string {
  const lines = profileLines(document)
  return rowsOf(document)
    .filter((_, at) => lines[at]!.kind !== 'statement' || !statements.has(lines[at]!.text))
    .join('')
}

/** The document without headings of known sections that nothing stands under. */
export function withoutEmptySections(document: string): string {
  const lines = profileLines(document)
  const rows = rowsOf(document)
  let isFollowed = false
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const { kind, section } = lines[at]!
    if (kind === 'blank') continue
    const isKnown = kind === 'heading' && section !== null
    if (isKnown && !isFollowed) rows[at] = ''
    isFollowed = !isKnown
  }
  return rows.join('')
}

/** The document with something behind the statements that it is given for, such as the day of their saying. */
export function withBehind(document: string, behind: ReadonlyMap<string, string>): string {
  const lines = profileLines(document)
  return rowsOf(document)
    .map((row, at) => {
      const more = lines[at]!.kind === 'statement' ? behind.get(lines[at]!.text) : undefined
      const said = row.trimEnd()
      return more === undefined ? row : `${said}${more}${row.slice(said.length)}`
    })
    .join('')
}

/** The lines, each with its line end, so that joined they are the document. */
function rowsOf(document: string): string[] {
  const parts = document.split(/(\r\n|\n|\r)/)
  return Array.from({ length: (parts.length + 1) / 2 }, (_, at) => parts[2 * at]! + (parts[2 * at + 1] ?? ''))
}

function sectionOf(heading: string): string | null {
  const plain = heading.normalize('NFKC').replaceAll(/^[*_\s]+|[*_\s]{1,40}$/gu, '')
  const name = plain.replace(SENTENCE_END, '').replaceAll('_', ' ').toLowerCase()
  return SECTION_NAMES.get(name) ?? null
}

/** The heading of a section, in the language of a text. */
function headingFor(section: string, text: string): string {
  const known = SECTIONS.find((one) => one.section === section)
  return (hasHan(text) ? known?.chinese[0] : known?.english[0]) ?? section
}
