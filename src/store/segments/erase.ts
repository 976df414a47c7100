/**
 * Takes documents out of the index without a trace of their words: they become holes, leave every list, and other
 * ordinals stay. Call it in the write transaction that removes or changes their sources.
 */
import { placeIn } from '../../domain/ascending.ts'
import type { Hole, SegmentTable } from '../../domain/contracts/segment-table.ts'
import { chunkLists, chunkRow, type Directory, encodeChunk, readChunk, readDirectory } from './chunk.ts'
import { type ColumnArrays, DELETED, type DocumentKind, type Documents, readColumns } from './documents.ts'
import { withoutOrdinals } from './postings.ts'
import { mayHold, termKey } from './term-filter.ts'

/** Removes the documents from every segment of the owner. */
export function eraseDocuments<Document, Set extends Documents<Document>>(
  table: SegmentTable<Document>,
  kind: DocumentKind<Document, Set>,
  owner: number,
  { documents, terms }: { readonly documents: readonly number[]; readonly terms: Iterable<string> },
): void {
  const merging = table.building(owner)
  // A merge under way may have copied what is removed here.
  if (merging !== null) table.deleteSegments([merging.segmentNo])
  table.addHoles(owner, documents)
  const segments = table.segments(owner)
  if (segments.length === 0) return
  const holes = table.holesAfter(owner, 0)
  const keys = Array.from(terms, termKey)
  const emptied: number[] = []
  for (const { segmentNo, firstDocument, lastDocument, directory, filter } of segments) {
    const inside = holes.filter(({ document }) => document >= firstDocument && document <= lastDocument)
    // Documents that the columns hold as gone are in no list any more.
    if (inside.length === 0) continue
    const held = keys.filter((key) => mayHold(filter, key))
    const gone = holesOf(readColumns(kind.layout, table.columns(segmentNo)), kind.numbers, inside)
    if (gone === null) {
      emptied.push(segmentNo)
      table.dropHoles(owner, firstDocument, lastDocument, table.state(owner).holeNo)
    } else eraseFromLists(table, readDirectory(directory), new Set(held), gone)
  }
  if (emptied.length === 0) return
  table.deleteSegments(emptied)
  table.raiseVersion(owner)
}

/** Ordinals of a segment without a document; null when all are such. */
function holesOf(
  columns: ColumnArrays<{ readonly flags: 'u8' }>,
  numbers: string,
  inside: readonly Hole[],
): ReadonlySet<number> | null {
  const gone = new Set<number>()
  const documents: ArrayLike<number> = (columns as Record<string, ArrayLike<number>>)[numbers]!
  for (const { document } of inside) {
    const ordinal = placeIn(documents, document)
    if (ordinal >= 0) gone.add(ordinal)
  }
  for (let ordinal = 0; ordinal < documents.length; ordinal += 1)
    if ((columns.flags[ordinal]! & DELETED) !== 0) gone.add(ordinal)
  return gone.size === documents.length ? null : gone
}

/** Takes the ordinals out of the lists of these terms, a chunk at a time. */
function eraseFromLists<Document>(
  table: SegmentTable<Document>,
  directory: Directory,
  terms: ReadonlySet<number>,
  gone: ReadonlySet<number>,
): void {
  const rows = new Set<number>()
  for (const term of terms) {
    const row = chunkRow(directory, term)
    if (row !== undefined) rows.add(row)
  }
  for (const row of rows) {
    const chunk = readChunk(table, row)
    if (chunk === undefined) continue
    let changed = false
    const lists = chunkLists(chunk).flatMap((list) => {
      const left = terms.has(list.term) ? withoutOrdinals(list.bytes, gone) : list.bytes
      changed ||= left !== list.bytes
      return left === null ? [] : [{ term: list.term, bytes: left }]
    })
    if (changed) table.updateChunk(row, lists.length === 0 ? null : encodeChunk(lists))
  }
}
