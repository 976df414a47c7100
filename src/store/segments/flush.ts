/** Makes a segment of an owner's tail, in one transaction. Readers of other processes see it by the raised version. */
import type { StoredSegment } from '../../domain/contracts/segment-table.ts'
import { ChunkWriter } from './chunk.ts'
import { DELETED } from './documents.ts'
import type { OwnerIndex, TailList } from './owner-index.ts'
import { encodePairs } from './postings.ts'
import { termKey } from './term-filter.ts'

/** Size at which the tail becomes a segment: quick to write, and large enough to be worth one. */
export const FLUSH_AT = 512

/** Writes the tail as a segment; nothing happens when there is nothing in it. */
export function flushTail<Document>(index: OwnerIndex<Document>): void {
  const { table, owner } = index
  const written = table.write(() => {
    index.sync()
    if (isEmpty(index)) return null
    const segment = writeSegment(index)
    table.dropHoles(owner, segment.firstDocument, segment.lastDocument, table.state(owner).holeNo)
    return { segment, version: table.raiseVersion(owner) }
  })
  if (written !== null) index.tailBecame(written.segment, written.version)
}

function isEmpty<Document>({ documents, tailStart }: OwnerIndex<Document>): boolean {
  for (let ordinal = tailStart; ordinal < documents.size; ordinal += 1)
    if ((documents.columns.flags[ordinal]! & DELETED) === 0) return false
  return true
}

function writeSegment<Document>({ table, owner, documents, tail, tailStart }: OwnerIndex<Document>): StoredSegment {
  const facts = {
    documents: documents.size - tailStart,
    firstDocument: documents.documentAt(tailStart),
    lastDocument: documents.documentAt(documents.size - 1),
  }
  const segmentNo = table.insertSegment(owner, facts, null)
  const writer = new ChunkWriter(table, segmentNo)
  const lists = Array.from(tail, ([term, list]) => ({ key: termKey(term), list }))
  for (const { key, list } of lists.sort((a, b) => a.key - b.key)) {
    const living = withoutHoles(list, documents.columns.flags)
    if (living.length > 0) writer.add({ term: key, bytes: encodePairs(living, tailStart) })
  }
  const { directory, filter } = writer.close()
  table.closeSegment(segmentNo, documents.segment(tailStart), directory, filter)
  return { segmentNo, directory, filter, ...facts }
}

function withoutHoles(list: TailList, flags: Uint8Array): TailList {
  const isHole = (at: number): boolean => (flags[list[at - (at % 2)]!]! & DELETED) !== 0
  return list.some((_, at) => isHole(at)) ? list.filter((_, at) => !isHole(at)) : list
}
