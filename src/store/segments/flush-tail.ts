/**
 * How does the tail of an index become a segment? Its lists are written in pieces where nobody sees them, and stored in
 * one transaction. A tail that is mostly gone is read anew without what is gone instead.
 */
import { CHARACTERS_A_PIECE, DELETED, type OwnerIndex, type TailList } from './owner-index.ts'
import { encodePairs } from './postings.ts'
import { ChunkWriter, readDirectory, type TermList, termKey } from './term-chunks.ts'

/** Lists of a tail that are written before others run. */
const LISTS_A_PIECE = 4096

/**
 * Writes the documents of the tail so far as a segment, which other processes see by the raised version; false when the
 * tail changed meanwhile, so that nothing was written.
 */
export function* flushTail<Document>(index: OwnerIndex<Document>): Generator<void, boolean> {
  const { table, owner } = index
  index.sync(CHARACTERS_A_PIECE)
  const { tail, tailStart, documents } = index
  const { size } = documents
  const { living, gone } = countTail(index, size)
  const chunks: Uint8Array[] = []
  const writer = new ChunkWriter({ insertChunk: (_, lists) => chunks.push(lists) - 1 }, 0)
  if (living > gone) yield* writeLists(index, size, writer)
  const { directory, filter } = writer.close()
  const written = table.write(() => {
    index.sync(CHARACTERS_A_PIECE)
    if (index.tail !== tail || countTail(index, size).gone !== gone) return null
    const { holeNo } = table.state(owner)
    const first = (index.segments.at(-1)?.lastDocument ?? 0) + 1
    if (living <= gone) {
      if (table.dropHoles(owner, first, Number.MAX_SAFE_INTEGER, holeNo) > 0) table.raiseVersion(owner)
      return true
    }
    const facts = {
      documents: size - tailStart,
      firstDocument: documents.documentAt(tailStart),
      lastDocument: documents.documentAt(size - 1),
    }
    const segmentNo = table.insertSegment(owner, facts, null)
    const { rows } = readDirectory(directory)
    for (const [at, lists] of chunks.entries()) rows[at] = table.insertChunk(segmentNo, lists)
    table.closeSegment(segmentNo, documents.segment(tailStart, size), directory, filter)
    table.dropHoles(owner, first, facts.lastDocument, holeNo)
    return { segment: { segmentNo, directory, filter, ...facts }, version: table.raiseVersion(owner) }
  })
  if (written !== null && written !== true) index.tailBecame(written.segment, written.version)
  return written !== null
}

function countTail<Document>(
  { documents, tailStart }: OwnerIndex<Document>,
  size: number,
): { living: number; gone: number } {
  let gone = 0
  for (let ordinal = tailStart; ordinal < size; ordinal += 1) gone += documents.columns.flags[ordinal]! & DELETED
  return { living: size - tailStart - gone, gone }
}

/** Writes the lists of the tail up to a document, as long as it is the tail. */
function* writeLists<Document>(index: OwnerIndex<Document>, size: number, writer: ChunkWriter): Generator<void, void> {
  const { tail, tailStart, documents } = index
  const isThere = (ordinal: number): boolean => ordinal < size && (documents.columns.flags[ordinal]! & DELETED) === 0
  const runs: TermList[][] = [[]]
  for (const [term, list] of tail) {
    const run = runs.at(-1)!
    const living: TailList = list.filter((_, at) => isThere(list[at - (at % 2)]!))
    if (living.length > 0) run.push({ term: termKey(term), bytes: encodePairs(living, tailStart) })
    if (run.length < LISTS_A_PIECE) continue
    // Runs that are sorted are soon one.
    run.sort(byTerm)
    runs.push([])
    yield
    if (index.tail !== tail) return
  }
  for (const [at, list] of runs.flat().sort(byTerm).entries()) {
    if (at % LISTS_A_PIECE === 0) yield
    writer.add(list)
  }
}

function byTerm(one: TermList, other: TermList): number {
  return one.term - other.term
}
