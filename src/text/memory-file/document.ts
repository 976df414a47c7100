/**
 * What stands in a memory file? A list of parts whose raw texts, put together, are the file to the last byte: headings,
 * entries, and whatever else a person wrote, which is left alone.
 */
import type { MemoryFileHeadings, MemoryFileSection } from '../../domain/memory-file.ts'
import { beginsItem, idIn, textIn, usualEntry } from './entry-line.ts'
import { sectionNamed } from './headings.ts'
import { isContinued, type TextWithParts, unchangedEntries } from './unchanged-entries.ts'

/** One part. `section`: under which of the five headings it stands; null: under none of them. */
export type FilePart =
  | { readonly kind: 'other'; readonly raw: string; readonly section: MemoryFileSection | null }
  | { readonly kind: 'heading'; readonly raw: string; readonly section: MemoryFileSection | null }
  | FileEntry

/** A list item under one of the five headings, or anywhere with an id. */
export interface FileEntry {
  readonly kind: 'entry'
  readonly raw: string
  readonly section: MemoryFileSection | null
  /** null: a person wrote it and it has none yet. */
  readonly id: string | null
  readonly text: string
  /** It looks as an entry is written that hides nothing and says nothing in its comment but its id. */
  readonly plain: boolean
}

const ATX = /^ {0,3}(#{1,6})(.*)$/
const BOLD = /^ {0,3}(?:\*\*|__)(.+?)(?:\*\*|__)[:：]?\s*$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const INDENTED = /^(?: {2}|\t)\s*\S/
/** How deep a heading in bold letters lies: below every other. */
const BOLD_LEVEL = 7

/**
 * Takes a file apart. `before`: the file as it was, with its parts; entries that stand in it as they did are the same
 * objects again, and cost next to nothing.
 */
export function parseMemoryFile(
  text: string,
  headings: MemoryFileHeadings,
  before: TextWithParts = { text: '', parts: [] },
): readonly FilePart[] {
  const unchanged = unchangedEntries(text, before)
  const parts: FilePart[] = []
  let section: MemoryFileSection | null = null
  let level = 0
  for (let at = 0; at < text.length; at += parts.at(-1)!.raw.length) {
    const same = unchanged(at, section)
    if (same !== null) {
      parts.push(same)
      continue
    }
    const line = lineAt(text, at)
    const next = at + line.length
    const raw = before.text === '' ? line : detached(line)
    const usual = isContinued(text, next) ? null : usualEntry(raw)
    if (usual !== null && hasWords(usual.text)) {
      parts.push({ kind: 'entry', raw, section, id: usual.id, text: usual.text, plain: true })
      continue
    }
    const end = verbatimEnd(text, at, line)
    if (end > at) {
      parts.push({ kind: 'other', raw: text.slice(at, end), section })
      continue
    }
    const heading = headingIn(raw, headings)
    if (heading !== null) {
      // A heading of the person's below one of ours stays within it.
      if (heading.section !== null || heading.level <= level || section === null) {
        section = heading.section
        level = heading.level
      }
      parts.push({ kind: 'heading', raw, section: heading.section })
      continue
    }
    if (beginsItem(raw)) {
      const whole = text.slice(at, entryEnd(text, at, next))
      const id = idIn(whole)
      const said = section !== null || id !== null ? textIn(whole) : ''
      if (hasWords(said)) {
        parts.push({ kind: 'entry', raw: whole, section, id, text: said, plain: false })
        continue
      }
    }
    parts.push({ kind: 'other', raw, section })
  }
  return parts
}

/** The same characters, which keep no more of the file in memory than themselves: a slice keeps all that it was cut from. */
function detached(line: string): string {
  return ` ${line}`.slice(1)
}

/** Puts it together again. */
export function joinParts(parts: readonly FilePart[]): string {
  return parts.map(({ raw }) => raw).join('')
}

/** The entries in order. */
export function entriesOf(parts: readonly FilePart[]): readonly FileEntry[] {
  return parts.filter((part) => part.kind === 'entry')
}

/** The end of line that the file uses. */
export function lineEnd(text: string): '\n' | '\r\n' {
  return /\r\n/.test(text.slice(0, 10_000)) ? '\r\n' : '\n'
}

interface Heading {
  readonly level: number
  readonly section: MemoryFileSection | null
}

/** `##用户信息` without a space and `**偏好设置**` are headings if they name one of the five. */
function headingIn(line: string, headings: MemoryFileHeadings): Heading | null {
  const bare = line.trimEnd()
  const atx = ATX.exec(bare)
  if (atx !== null) {
    const words = atx[2] ?? ''
    const section = sectionNamed(words, headings)
    return section !== null || words === '' || /^\s/.test(words) ? { level: atx[1]!.length, section } : null
  }
  const bold = BOLD.exec(bare)?.[1]
  const section = bold === undefined ? null : sectionNamed(bold, headings)
  return section === null ? null : { level: BOLD_LEVEL, section }
}

/** Where code or a comment that begins with this line ends; `at` when none begins, or it never ends and so is none. */
function verbatimEnd(text: string, at: number, line: string): number {
  const fence = FENCE.exec(line)?.[1]
  if (fence !== undefined) {
    for (let next = at + line.length; next < text.length; ) {
      const other = lineAt(text, next)
      next += other.length
      const closing = FENCE.exec(other)?.[1]
      if (closing?.startsWith(fence) && other.trim() === closing) return next
    }
    return at
  }
  if (!/^\s{0,3}<!--/.test(line) || line.includes('-->')) return at
  const closing = text.indexOf('-->', at + line.length)
  return closing < 0 ? at : lineEndAt(text, closing)
}

/**
 * An entry goes on in indented lines, and in the line to which a person's editor has moved its comment. `next`: where the
 * line behind its first one begins.
 */
function entryEnd(text: string, at: number, next: number): number {
  let end = next
  if (end < text.length && beginsItem(lineAt(text, end))) return end
  while (end < text.length && INDENTED.test(lineAt(text, end))) end = lineEndAt(text, end)
  if (end === text.length) return end
  const last = lineAt(text, end)
  return !beginsItem(last) && idIn(last) !== null && idIn(text.slice(at, end)) === null ? end + last.length : end
}

/** The line that begins here, with its end. */
function lineAt(text: string, at: number): string {
  return text.slice(at, lineEndAt(text, at))
}

/** Where the line ends in which this place is. */
function lineEndAt(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

/**
 * Whether a text can be the words of an entry: what consists of stops, or of letters and signs that nobody sees, cannot, and
 * what is struck out from end to end says nothing any more.
 */
export function hasWords(text: string): boolean {
  return SEEN.test(text) && !(text.startsWith('~~') && STRUCK.test(text))
}

const SEEN = /[[\p{L}\p{N}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800\ufffc]]/v

const STRUCK = /^~~[^~]+~~[.。]?$/
