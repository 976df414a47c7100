/** The parts of a memory file, whole to the last byte. An entry: - [2026-05-07] I live in Porto. <!-- mneme:3f9a --> */
import { hash } from 'node:crypto'
import { MEMORY_FILE_SECTIONS, type MemoryFileHeadings, type MemoryFileSection } from '../domain/memory-file.ts'
import { readOnce } from '../domain/read-once.ts'

/** One part. `section`: its heading among the five; null: none of them. */
export type FilePart =
  | { readonly kind: 'other' | 'heading'; readonly raw: string; readonly section: MemoryFileSection | null }
  | FileEntry

/** A list item under one of the five headings, or anywhere with an id. */
export interface FileEntry {
  readonly kind: 'entry'
  readonly raw: string
  readonly section: MemoryFileSection | null
  /** null: a person wrote it and it has none yet. */
  readonly id: string | null
  readonly text: string
}

const ATX = /^ {0,3}(#{1,6})(.*)$/
const BOLD = /^ {0,3}(?:\*\*|__)(.+?)(?:\*\*|__)[:：]?\s*$/
/** How deep a heading in bold letters lies: below every other. */
const BOLD_LEVEL = 7
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const INDENTED = /^(?: {2}|\t)\s*\S/

export function parseNotes(text: string): readonly FilePart[] {
  const lines = text === '' ? [] : text.split(/(?<=\n)/)
  const parts: FilePart[] = []
  let section: MemoryFileSection | null = null
  let level = 0
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!
    const verbatim = verbatimEnd(lines, at)
    if (verbatim > at) {
      parts.push({ kind: 'other', raw: lines.slice(at, verbatim).join(''), section })
      at = verbatim
      continue
    }
    const heading = headingIn(line)
    if (heading !== null) {
      // A heading of the person's below one of ours stays within it.
      if (heading.section !== null || heading.level <= level || section === null) {
        section = heading.section
        level = heading.level
      }
      parts.push({ kind: 'heading', raw: line, section: heading.section })
      at += 1
      continue
    }
    const end = beginsItem(line) ? entryEnd(lines, at) : at + 1
    const raw = end === at + 1 ? line : lines.slice(at, end).join('')
    const entry = beginsItem(line) || wasItem(line) ? entryOf(raw, section) : null
    parts.push(entry ?? { kind: 'other', raw: line, section })
    at = entry === null ? at + 1 : end
  }
  return parts
}

function entryOf(raw: string, section: MemoryFileSection | null): FileEntry | null {
  const id = idIn(raw)
  if (section === null && id === null) return null
  const text = textIn(raw)
  return hasWords(text) ? { kind: 'entry', raw, section, id, text } : null
}

export function joinParts(parts: readonly FilePart[]): string {
  return parts.map(({ raw }) => raw).join('')
}

export function entriesOf(parts: readonly FilePart[]): readonly FileEntry[] {
  return parts.filter((part) => part.kind === 'entry')
}

export function emptyNotes(headings: MemoryFileHeadings): string {
  return `# MEMORY\n\n${MEMORY_FILE_SECTIONS.map((section) => `## ${sectionName(section, headings)}\n`).join('\n')}`
}

/** The parts with other raw text for some entries, '' taking them out, and new ones behind the last of their sections. */
export function editParts(
  parts: readonly FilePart[],
  changes: ReadonlyMap<FileEntry, string>,
  entries: readonly { readonly section: MemoryFileSection; readonly line: string }[],
  headings: MemoryFileHeadings,
): readonly FilePart[] {
  const file = parts
    .map((part) => ({ ...part, raw: (part.kind === 'entry' ? changes.get(part) : undefined) ?? part.raw }))
    .filter(({ kind, raw }) => kind !== 'entry' || raw !== '')
  const eol = parts.some(({ raw }) => raw.endsWith('\r\n')) ? '\r\n' : '\n'
  const headingOf = (section: MemoryFileSection): number =>
    file.findIndex((part) => part.kind === 'heading' && part.section === section)
  for (const [order, section] of MEMORY_FILE_SECTIONS.entries()) {
    const raw = entries.flatMap((entry) => (entry.section === section ? [entry.line + eol] : [])).join('')
    if (raw === '') continue
    const block: FilePart = { kind: 'other', raw, section }
    const last = file.findLastIndex((part) => part.kind === 'entry' && part.section === section)
    const place = last >= 0 ? last : headingOf(section)
    if (place >= 0) {
      file.splice(place + 1, 0, block)
      continue
    }
    const heading: FilePart = { kind: 'heading', raw: `## ${sectionName(section, headings)}${eol}`, section }
    const gap: FilePart = { kind: 'other', raw: eol, section: null }
    const next = MEMORY_FILE_SECTIONS.slice(order + 1).map(headingOf)
    const before = next.find((at) => at >= 0)
    if (before !== undefined) file.splice(before, 0, heading, block, gap)
    else file.push(...(file.length === 0 ? [] : [gap]), heading, block)
  }
  return file.map((part, at) =>
    at === file.length - 1 || part.raw.endsWith('\n') ? part : { ...part, raw: part.raw + eol },
  )
}

/** `##用户信息` without a space and `**偏好设置**` are headings if they name one of the five. */
function headingIn(line: string): { readonly level: number; readonly section: MemoryFileSection | null } | null {
  const bare = line.trimEnd()
  const atx = ATX.exec(bare)
  if (atx !== null) {
    const words = atx[2] ?? ''
    const section = sectionNamed(words)
    return section !== null || words === '' || /^\s/.test(words) ? { level: atx[1]!.length, section } : null
  }
  const bold = BOLD.exec(bare)?.[1]
  const section = bold === undefined ? null : sectionNamed(bold)
  return section === null ? null : { level: BOLD_LEVEL, section }
}

/** The line behind code or a comment that begins here; `at` when none begins, or it never ends and so is none. */
function verbatimEnd(lines: readonly string[], at: number): number {
  const line = lines[at]!
  const fence = FENCE.exec(line)?.[1]
  const isComment = fence === undefined && /^\s{0,3}<!--/.test(line) && !line.includes('-->')
  if (fence === undefined && !isComment) return at
  const isEnd = (other: string): boolean => {
    if (fence === undefined) return other.includes('-->')
    const closing = FENCE.exec(other)?.[1]
    return closing?.startsWith(fence) === true && other.trim() === closing
  }
  for (let next = at + 1; next < lines.length; next += 1) if (isEnd(lines[next]!)) return next + 1
  return at
}

/** An entry goes on in indented lines, and in the line to which an editor has moved its comment. */
function entryEnd(lines: readonly string[], at: number): number {
  let end = at + 1
  while (end < lines.length && !beginsItem(lines[end]!) && INDENTED.test(lines[end]!)) end += 1
  const next = lines[end]
  const isMoved = next !== undefined && !beginsItem(next) && idIn(next) !== null
  return isMoved && idIn(lines.slice(at, end).join('')) === null ? end + 1 : end
}

const NAMES: Readonly<Record<MemoryFileSection, { readonly zh: string; readonly en: string }>> = {
  user: { zh: '用户信息', en: 'User information' },
  preferences: { zh: '偏好设置', en: 'Preferences' },
  configuration: { zh: '技术配置', en: 'Technical configuration' },
  decisions: { zh: '重要决定', en: 'Important decisions' },
  problems: { zh: '技术问题', en: 'Technical problems' },
}

export function sectionName(section: MemoryFileSection, headings: MemoryFileHeadings): string {
  const { zh, en } = NAMES[section]
  if (headings === 'zh') return zh
  if (headings === 'en') return en
  return `${zh} / ${en}`
}

/** The section that a heading's words name in any of the languages; null: one of the person's own. */
function sectionNamed(words: string): MemoryFileSection | null {
  const forms = [words, ...words.split(/[/／|｜]/)].map(folded).filter((form) => form !== '')
  for (const section of MEMORY_FILE_SECTIONS) {
    const { zh, en } = NAMES[section]
    if (forms.includes(folded(zh)) || forms.includes(folded(en))) return section
  }
  return null
}

/** The words without marks, numbers in front, and case. */
function folded(words: string): string {
  return words
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[\s#*_\d.、)（(]+|[\s#*_:：]{1,40}$/g, '')
    .replace(/\s+/g, ' ')
}

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
export const textHash = readOnce('text hash', (text) => hash('sha256', text.replace(/\s+/g, ' ').trim()))

/** Whether a text can be the words of an entry: not mere signs, and not struck out by a person from end to end. */
export function hasWords(text: string): boolean {
  return SEEN.test(text) && !STRUCK_OUT.test(text)
}

function beginsItem(line: string): boolean {
  return HEAD.test(line)
}

/** A line of ours whose first signs are damaged. */
function wasItem(line: string): boolean {
  return /^[^\n]{0,4}\[\d{4}-\d{2}-\d{2}\] /.test(line) && idIn(line) !== null
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

export function isOver(raw: string): boolean {
  return markIn(raw) === 'over'
}

/** `over`: the line says that it holds no longer; `doubt`: that it may not; null: neither. */
export function markIn(raw: string): 'over' | 'doubt' | null {
  const note = COMMENT.exec(raw)?.[2] ?? ''
  return note.includes(OVER) ? 'over' : note.includes(IN_DOUBT) ? 'doubt' : null
}

/** The words for the comment; `since` as YYYY-MM-DD. */
export function markNote(mark: 'over' | 'doubt', since: string): string {
  return `${mark === 'over' ? OVER : IN_DOUBT} ${since}`
}

/** A new entry, without the end of its line. */
export function entryLine(date: string, text: string, marks: Marks): string {
  return withMarks(`- [${date}] ${oneLine(text)}`, marks)
}

/** The person's lines with these marks; `change` rewrites the words, and `isAnew` makes all lines one. */
export function withMarks(
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
  return text
    .replace(/[^\S\ufeff]+/g, ' ')
    .trim()
    .replaceAll('<!--', '<\u200b!--')
}

/** The lines without our comments, and without the rest of a cut-off one. */
function withoutComment(raw: string): string {
  return raw.includes('<!--') ? raw.replace(COMMENTS, '').replace(CUT_COMMENTS, '') : raw
}
