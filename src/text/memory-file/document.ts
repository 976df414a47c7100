/**
 * What stands in a memory file? A list of parts whose raw texts, put together, are the file to the last byte: headings,
 * entries, and whatever else a person wrote, which is left alone.
 */
import type { MemoryFileHeadings, MemoryFileSection } from '../../domain/memory-file.ts'
import { beginsItem, idIn, textIn, usualEntry } from './entry-line.ts'
import { sectionNamed } from './headings.ts'

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

/** Takes a file apart. */
export function parseMemoryFile(text: string, headings: MemoryFileHeadings): readonly FilePart[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const parts: FilePart[] = []
  let section: MemoryFileSection | null = null
  let level = 0
  for (let at = 0; at < lines.length; ) {
    const raw = lines[at]!
    const usual = isContinued(lines[at + 1]) ? null : usualEntry(raw)
    if (usual !== null && hasWords(usual.text)) {
      parts.push({ kind: 'entry', raw, section, id: usual.id, text: usual.text, plain: true })
      at += 1
      continue
    }
    const end = verbatimEnd(lines, at)
    if (end > at) {
      parts.push({ kind: 'other', raw: lines.slice(at, end).join(''), section })
      at = end
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
      at += 1
      continue
    }
    if (beginsItem(raw)) {
      const next = entryEnd(lines, at)
      const whole = next === at + 1 ? raw : lines.slice(at, next).join('')
      const id = idIn(whole)
      const text = section !== null || id !== null ? textIn(whole) : ''
      if (hasWords(text)) {
        parts.push({ kind: 'entry', raw: whole, section, id, text, plain: false })
        at = next
        continue
      }
    }
    parts.push({ kind: 'other', raw, section })
    at += 1
  }
  return parts
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

/** Where code or a comment that begins here ends; `at` when none begins, or it never ends and so is none. */
function verbatimEnd(lines: readonly string[], at: number): number {
  const line = lines[at]!
  const fence = FENCE.exec(line)?.[1]
  if (fence !== undefined) {
    for (let next = at + 1; next < lines.length; next += 1) {
      const closing = FENCE.exec(lines[next]!)?.[1]
      if (closing?.startsWith(fence) && lines[next]!.trim() === closing) return next + 1
    }
    return at
  }
  if (!/^\s{0,3}<!--/.test(line) || line.includes('-->')) return at
  for (let next = at + 1; next < lines.length; next += 1) if (lines[next]!.includes('-->')) return next + 1
  return at
}

/** An entry goes on in indented lines, and in the line to which a person's editor has moved its comment. */
function entryEnd(lines: readonly string[], at: number): number {
  let end = at + 1
  if (end < lines.length && beginsItem(lines[end]!)) return end
  while (end < lines.length && INDENTED.test(lines[end]!)) end += 1
  const next = lines[end]
  if (next !== undefined && !beginsItem(next) && idIn(next) !== null && idIn(lines.slice(at, end).join('')) === null)
    return end + 1
  return end
}

/** Whether this next line may belong to an entry that has its comment. */
function isContinued(next: string | undefined): boolean {
  return next !== undefined && (next.startsWith(' ') || next.startsWith('\t'))
}

/** What is struck out from end to end says nothing any more. */
function hasWords(text: string): boolean {
  return /[\p{L}\p{N}\p{S}]/u.test(text) && !STRUCK.test(text)
}

const STRUCK = /^~~[^~]+~~[.。]?$/
