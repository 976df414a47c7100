/**
 * Merges four neighbouring segments of like size into one, to keep an owner's segments few, and drops holes. Short
 * transactions write it unseen and the last one swaps it in; after a crash the next merge clears up.
 */
import { placeIn } from '../../domain/binary-search.ts'
import type { Hole, SegmentFacts, SegmentTable, StoredSegment } from '../../domain/contracts/text-index.ts'
import {
  type ColumnArrays,
  DELETED,
  type DocumentKind,
  type Documents,
  joinColumns,
  type OwnerIndex,
  type PlacedSegment,
  readColumns,
} from './owner-index.ts'
import { decodePostings, encodePostings, keepLiving, postingsCount, withoutOrdinals } from './postings.ts'
import {
  type ChunkTable,
  ChunkWriter,
  chunkLists,
  chunkRow,
  type Directory,
  encodeChunk,
  mayHold,
  readDirectory,
  type TermList,
  termKey,
} from './term-chunks.ts'

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
    const chunk = table.chunk(row)
    if (chunk === undefined) continue
    let changed = false
    const lists = [...chunkLists(chunk)].flatMap((list) => {
      const left = terms.has(list.term) ? withoutOrdinals(list.bytes, gone) : list.bytes
      changed ||= left !== list.bytes
      return left === null ? [] : [{ term: list.term, bytes: left }]
    })
    if (changed) table.updateChunk(row, lists.length === 0 ? null : encodeChunk(lists))
  }
}

/** Size at which the tail becomes a segment: quick to write, and large enough to be worth one. */
export const FLUSH_AT = 512
const FAN_IN = 4
/** Bytes of lists written in one transaction, about 5 ms of work; a list costs as much as this many bytes besides. */
const BYTES_A_PIECE = 128 * 1024
const BYTES_A_LIST = 64
/** Time in milliseconds after which a merge without progress counts as abandoned by a dead process. */
const ABANDONED_MS = 60_000

/** Most documents of segments that are merged at rest, and how much larger than the others one of them may be. */
const MOST_AT_REST = FAN_IN * FLUSH_AT
const MOST_TIMES_THE_REST = 16

interface Run {
  readonly start: number
  readonly count: number
}

/** FAN_IN neighbours of one level, at rest also the small ones at the end; null when there are none. */
export function dueRun(segments: readonly { readonly documents: number }[], atRest: boolean): Run | null {
  const level = ({ documents }: { readonly documents: number }): number =>
    Math.max(0, Math.floor(Math.log(documents / FLUSH_AT) / Math.log(FAN_IN) + 1e-9))
  for (let start = segments.length - FAN_IN; start >= 0; start -= 1) {
    const run = segments.slice(start, start + FAN_IN)
    // Larger segments come first; a segment larger than its run would be rewritten for little.
    if (level(run[0]!) === level(run[FAN_IN - 1]!) && run.every((segment) => level(segment) <= level(run[0]!)))
      return { start, count: FAN_IN }
  }
  return atRest ? smallRun(segments.map(({ documents }) => documents)) : null
}

function smallRun(sizes: readonly number[]): Run | null {
  let [start, total, largest] = [sizes.length, 0, 0]
  while (start > 0 && total + sizes[start - 1]! <= MOST_AT_REST) {
    start -= 1
    total += sizes[start]!
    largest = Math.max(largest, sizes[start]!)
  }
  const count = sizes.length - start
  return count > 1 && largest <= MOST_TIMES_THE_REST * (total - largest) ? { start, count } : null
}

/**
 * Merges one run of segments, if there is one, and returns true then. It yields between the pieces so that the caller
 * can let others work.
 */
export function* mergeSegments<Document>(
  index: OwnerIndex<Document>,
  now: number,
  atRest = false,
): Generator<'locked' | undefined, boolean> {
  const { table } = index
  const plan = yield* table.writeWhenFree(() => begin(index, now, atRest))
  if (plan === null) return false
  const base = plan.parts[0]!.base
  const writer = new ChunkWriter(table, plan.segmentNo)
  const readers = plan.parts.map((part) => new PartReader(table, part, part.base - base))
  const joiner = new ListJoiner(plan.holes)
  for (let more = true; more; ) {
    const alive = yield* table.writeWhenFree(() => {
      if (!isBuilding(index, plan)) return false
      more = writePiece(readers, joiner, writer)
      return true
    })
    if (!alive) return false
    yield undefined
  }
  const done = yield* table.writeWhenFree(() => finish(index, plan, writer))
  if (done === null) return false
  // Otherwise another process changed the segments too, and the next sync reads them all.
  const inPlace = index.segments[plan.start]?.segmentNo === plan.parts[0]!.segmentNo
  if (inPlace && index.version === done.version - 1)
    index.replaceSegments(plan.start, plan.parts.length, done.segment, done.version)
  return true
}

interface MergePlan extends SegmentFacts {
  readonly segmentNo: number
  readonly start: number
  /** Documents left out of the lists: ordinals of the new segment, and the newest hole among them. */
  readonly holes: ReadonlySet<number>
  readonly holeNo: number
  readonly parts: readonly PlacedSegment[]
}

function begin<Document>(index: OwnerIndex<Document>, now: number, atRest: boolean): MergePlan | null {
  const { table, owner } = index
  const other = table.building(owner)
  if (other !== null) {
    if (now - other.since < ABANDONED_MS) return null
    table.deleteSegments([other.segmentNo])
  }
  index.sync()
  const run = dueRun(index.segments, atRest)
  if (run === null) return null
  const { start, count } = run
  const parts = index.segments.slice(start, start + count)
  const facts = {
    documents: parts.reduce((sum, { documents }) => sum + documents, 0),
    firstDocument: parts[0]!.firstDocument,
    lastDocument: parts[count - 1]!.lastDocument,
  }
  const holes = holesBetween(index, parts[0]!.base, facts.documents)
  const { holeNo } = table.state(owner)
  return { segmentNo: table.insertSegment(owner, facts, now), start, holes, holeNo, parts, ...facts }
}

/** true while the segment is there: a removal, or another process, may have taken it away. */
function isBuilding<Document>({ table, owner }: OwnerIndex<Document>, { segmentNo }: MergePlan): boolean {
  return table.building(owner)?.segmentNo === segmentNo
}

/** Holes among so many documents, counted from the first of them. */
function holesBetween<Document>({ documents }: OwnerIndex<Document>, from: number, count: number): ReadonlySet<number> {
  const holes = new Set<number>()
  for (let at = 0; at < count; at += 1) if ((documents.columns.flags[from + at]! & DELETED) !== 0) holes.add(at)
  return holes
}

/** Goes through the lists of one part, term by term, a chunk in memory at a time. */
class PartReader {
  /** The number added to its ordinals. */
  readonly shift: number
  readonly #table: ChunkTable
  readonly #rows: Float64Array
  #next = 0
  #lists: readonly TermList[] = []
  #at = 0

  constructor(table: ChunkTable, part: PlacedSegment, shift: number) {
    this.#table = table
    this.#rows = part.directory.rows
    this.shift = shift
  }

  /** The list that comes next, undefined at the end. */
  get current(): TermList | undefined {
    while (this.#at >= this.#lists.length && this.#next < this.#rows.length) {
      const chunk = this.#table.chunk(this.#rows[this.#next++]!)
      this.#lists = chunk === undefined ? [] : [...chunkLists(chunk)]
      this.#at = 0
    }
    return this.#lists[this.#at]
  }

  advance(): void {
    this.#at += 1
  }
}

/** Writes the lists of the next terms; false when there are no more. */
function writePiece(readers: readonly PartReader[], joiner: ListJoiner, writer: ChunkWriter): boolean {
  for (let bytes = 0; bytes < BYTES_A_PIECE; ) {
    let term = Number.POSITIVE_INFINITY
    for (const { current } of readers) if (current !== undefined && current.term < term) term = current.term
    if (term === Number.POSITIVE_INFINITY) return false
    const parts: { base: number; bytes: Uint8Array }[] = []
    for (const reader of readers) {
      if (reader.current?.term !== term) continue
      parts.push({ base: reader.shift, bytes: reader.current.bytes })
      reader.advance()
    }
    const joined = joiner.join(parts)
    if (joined !== null) writer.add({ term, bytes: joined })
    bytes += (joined?.length ?? 0) + BYTES_A_LIST
  }
  writer.flush()
  return true
}

/** Joins the lists of one merge in the same arrays, which spares the garbage collector thousands of them. */
class ListJoiner {
  readonly #holes: ReadonlySet<number>
  #ordinals = new Uint32Array(1024)
  #frequencies = new Uint8Array(1024)

  /** @param holes ordinals that name nothing any more */
  constructor(holes: ReadonlySet<number>) {
    this.#holes = holes
  }

  /** null when nothing is left. */
  join(parts: readonly { readonly base: number; readonly bytes: Uint8Array }[]): Uint8Array | null {
    const first = parts[0]!
    if (parts.length === 1 && first.base === 0 && this.#holes.size === 0) return first.bytes
    const total = parts.reduce((sum, part) => sum + postingsCount(part.bytes), 0)
    if (this.#ordinals.length < total) {
      this.#ordinals = new Uint32Array(total * 2)
      this.#frequencies = new Uint8Array(total * 2)
    }
    let at = 0
    for (const part of parts) at = decodePostings(part.bytes, part.base, this.#ordinals, this.#frequencies, at)
    const count = this.#holes.size === 0 ? total : keepLiving(this.#ordinals, this.#frequencies, total, this.#holes)
    return count === 0 ? null : encodePostings({ ordinals: this.#ordinals, frequencies: this.#frequencies, count })
  }
}

/** The new segment and version; null when the merged parts have changed meanwhile. */
function finish<Document>(
  index: OwnerIndex<Document>,
  plan: MergePlan,
  writer: ChunkWriter,
): { readonly segment: StoredSegment; readonly version: number } | null {
  const { table, kind, owner } = index
  if (!isBuilding(index, plan)) return null
  const present = new Set(table.segments(owner).map(({ segmentNo }) => segmentNo))
  if (plan.parts.some(({ segmentNo }) => !present.has(segmentNo))) {
    table.deleteSegments([plan.segmentNo])
    return null
  }
  const { blob, columns } = joinColumns(
    kind.layout,
    plan.parts.map(({ segmentNo }) => table.columns(segmentNo)),
  )
  const { segmentNo, documents, firstDocument, lastDocument } = plan
  // Holes that came meanwhile still stand in the lists, and stay noted.
  for (const ordinal of plan.holes) columns.flags[ordinal]! |= DELETED
  const { directory, filter } = writer.close()
  table.closeSegment(segmentNo, blob, directory, filter)
  table.deleteSegments(plan.parts.map((part) => part.segmentNo))
  table.dropHoles(owner, firstDocument, lastDocument, plan.holeNo)
  const segment = { segmentNo, documents, firstDocument, lastDocument, directory, filter }
  return { segment, version: table.raiseVersion(owner) }
}
