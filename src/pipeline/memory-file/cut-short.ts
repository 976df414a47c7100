/**
 * Does a file end in the middle of an entry, as a copy that was broken off does? Then the rest is missing, and nobody has
 * taken it out. A person who shortens the last line leaves the other entries and the headings where they were.
 */
import { MEMORY_FILE_SECTIONS } from '../../domain/memory-file.ts'
import type { FileEntry, FilePart } from '../../text/memory-file/document.ts'
import { asOneLine } from '../../text/memory-file/entry-line.ts'
import type { LedgerView, Place } from './ledger-view.ts'

/** The entry that is cut short; null: the file is whole. */
export function cutShort(parts: readonly FilePart[], ledger: Pick<LedgerView, 'places'>): FileEntry | null {
  const last = parts.at(-1)
  if (last?.kind !== 'entry' || last.raw.endsWith('\n') || last.id !== null) return null
  const there = new Set(parts.map((part) => (part.kind === 'entry' ? part.id : null)))
  const missing: Place[] = []
  for (const place of ledger.places)
    if (place.row.state === 'listed' && !there.has(place.row.entryId)) missing.push(place)
  const headings = new Set(parts.map((part) => (part.kind === 'heading' ? part.section : null)))
  const lacksHeadings = MEMORY_FILE_SECTIONS.some((section) => !headings.has(section))
  if (missing.length < 2 && !lacksHeadings) return null
  const text = asOneLine(last.text)
  const isBegun = missing.some(({ memory }) => {
    const whole = asOneLine(memory?.text ?? '')
    return whole.length > text.length && whole.startsWith(text)
  })
  return isBegun ? last : null
}
