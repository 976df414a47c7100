/** How are entries put into a memory file and taken out? Nothing but the entries themselves and missing headings changes. */
import { MEMORY_FILE_SECTIONS, type MemoryFileHeadings, type MemoryFileSection } from '../../domain/memory-file.ts'
import { type FileEntry, type FilePart, joinParts, lineEnd } from './document.ts'
import { sectionName } from './headings.ts'

/** A new entry for a section. */
export interface NewEntry {
  readonly section: MemoryFileSection
  /** Without the end of line. */
  readonly line: string
}

/** So many parts tell how lines end in a file. */
const ENOUGH_PARTS = 1000

/** A file with the five headings and nothing below them. */
export function emptyMemoryFile(headings: MemoryFileHeadings): string {
  return `# MEMORY\n\n${MEMORY_FILE_SECTIONS.map((section) => `## ${sectionName(section, headings)}\n`).join('\n')}`
}

/** The parts with some entries replaced by other raw text, '' taking them out. */
export function changeEntries(
  parts: readonly FilePart[],
  changes: ReadonlyMap<FileEntry, string>,
): readonly FilePart[] {
  if (changes.size === 0) return parts
  const changed: FilePart[] = []
  for (const part of parts) {
    const raw = part.kind === 'entry' ? changes.get(part) : undefined
    if (raw === undefined) changed.push(part)
    else if (raw !== '') changed.push({ ...part, raw })
  }
  return changed
}

/** The parts with new entries, each behind the last one of its section; sections that are missing are made in order. */
export function insertEntries(
  parts: readonly FilePart[],
  entries: readonly NewEntry[],
  headings: MemoryFileHeadings,
): readonly FilePart[] {
  if (entries.length === 0) return parts
  const eol = lineEnd(joinParts(parts.slice(0, ENOUGH_PARTS)))
  const file = [...parts]
  for (const section of MEMORY_FILE_SECTIONS) {
    const lines = entries.filter((entry) => entry.section === section).map(({ line }) => line + eol)
    if (lines.length === 0) continue
    const place = placeIn(file, section)
    if (place !== null) {
      file[place] = { ...file[place]!, raw: ended(file[place]!.raw, eol) }
      file.splice(place + 1, 0, { kind: 'other', raw: lines.join(''), section })
      continue
    }
    const heading: FilePart = { kind: 'heading', raw: `## ${sectionName(section, headings)}${eol}`, section }
    const block: FilePart = { kind: 'other', raw: lines.join(''), section }
    const later = placeBefore(file, section)
    if (later !== null) file.splice(later, 0, heading, { ...block, raw: block.raw + eol })
    else {
      const last = file.at(-1)
      if (last !== undefined) file[file.length - 1] = { ...last, raw: ended(last.raw, eol) }
      const gap = last === undefined ? [] : [{ kind: 'other', raw: eol, section: null } as const]
      file.push(...gap, heading, block)
    }
  }
  return file
}

/** The last entry of the section, else its heading; null when the file has neither. */
function placeIn(parts: readonly FilePart[], section: MemoryFileSection): number | null {
  const last = parts.findLastIndex((part) => part.kind === 'entry' && part.section === section)
  if (last >= 0) return last
  const heading = parts.findIndex((part) => part.kind === 'heading' && part.section === section)
  return heading >= 0 ? heading : null
}

/** The heading of the first section behind this one. */
function placeBefore(parts: readonly FilePart[], section: MemoryFileSection): number | null {
  for (const later of MEMORY_FILE_SECTIONS.slice(MEMORY_FILE_SECTIONS.indexOf(section) + 1)) {
    const at = parts.findIndex((part) => part.kind === 'heading' && part.section === later)
    if (at >= 0) return at
  }
  return null
}

function ended(raw: string, eol: string): string {
  return raw === '' || raw.endsWith('\n') ? raw : raw + eol
}
