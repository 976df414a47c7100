/**
 * Keeps the number of a user's segments small: four neighbours of like size become one. The new segment is written
 * in short transactions, unseen, and takes the place of the old ones in the last of them; a crash leaves only rows
 * that the next merge clears away.
 */

import type { Connection } from '../connection.ts'
import { writeWhenFree } from '../patient.ts'
import { isoTime, number, time } from '../rows.ts'
import { chunkLists, type TermList } from './chunk.ts'
import { ChunkWriter, readChunk, readDirectory } from './chunk-table.ts'
import { readSegmentColumns, segmentColumns } from './columns.ts'
import { FLUSH_AT_TURNS } from './flush.ts'
import { decodePostings, encodePostings, postingsCount } from './postings.ts'
import {
  closeSegment,
  deleteSegments,
  insertSegment,
  raiseIndexVersion,
  readColumnsBlob,
  readSegments,
  type Segment,
  type SegmentFacts,
} from './segment-table.ts'
import type { PlacedSegment, UserIndex } from './user-index.ts'

const FAN_IN = 4
/** Bytes of lists written in one transaction, about 5 ms of work; a list costs as much as this many bytes besides. */
const BYTES_A_PIECE = 128 * 1024
const BYTES_A_LIST = 64
/** A merge that has not moved for this long belongs to a process that is gone. */
const ABANDONED_MS = 60_000

/** Where FAN_IN neighbours of one level begin, -1 when there are none. */
export function mergeStart(segments: readonly { readonly documents: number }[]): number {
  const level = ({ documents }: { readonly documents: number }): number =>
    Math.max(0, Math.floor(Math.log(documents / FLUSH_AT_TURNS) / Math.log(FAN_IN) + 1e-9))
  for (let start = segments.length - FAN_IN; start >= 0; start -= 1) {
    const run = segments.slice(start, start + FAN_IN)
    // Larger segments come first; one that is larger than its run would be rewritten for little.
    if (level(run[0]!) === level(run[FAN_IN - 1]!) && run.every((segment) => level(segment) <= level(run[0]!)))
      return start
  }
  return -1
}

/**
 * Merges one run of segments if there is one, a piece at each step; yields between the pieces so that the caller
 * can let others work. Returns true when something was merged.
 */
export function* mergeSegments(
  connection: Connection,
  index: UserIndex,
  now: number,
): Generator<'locked' | undefined, boolean> {
  const plan = yield* writeWhenFree(connection, () => begin(connection, index, now))
  if (plan === null) return false
  const writer = new ChunkWriter(connection, plan.segmentNo)
  const readers = plan.parts.map((part) => new PartReader(connection, part, part.base - plan.parts[0]!.base))
  const joiner = new ListJoiner()
  for (let more = true; more; ) {
    const alive = yield* writeWhenFree(connection, () => {
      if (!isAlive(connection, plan.segmentNo)) return false
      more = writePiece(readers, joiner, writer)
      return true
    })
    if (!alive) return false
    yield undefined
  }
  const version = yield* writeWhenFree(connection, () => finish(connection, plan, writer, index.userNo))
  if (version === null) return false
  // Otherwise another process changed the segments too, and the next sync reads them all.
  const inPlace = index.segments[plan.start]?.segmentNo === plan.parts[0]!.segmentNo
  if (inPlace && index.version === version.number - 1)
    index.replaceSegments(plan.start, FAN_IN, version.segment, version.number)
  return true
}

interface MergePlan extends SegmentFacts {
  readonly segmentNo: number
  readonly start: number
  readonly parts: readonly PlacedSegment[]
}

function begin(connection: Connection, index: UserIndex, now: number): MergePlan | null {
  const other = connection.get(
    'SELECT segment_no, building_since FROM index_segments WHERE user_no = ? AND building = 1',
    index.userNo,
  )
  if (other !== undefined) {
    if (now - time(other, 'building_since') < ABANDONED_MS) return null
    deleteSegments(connection, [number(other, 'segment_no')])
  }
  index.sync()
  const start = mergeStart(index.segments)
  if (start < 0) return null
  const parts = index.segments.slice(start, start + FAN_IN)
  const facts = {
    documents: parts.reduce((sum, { documents }) => sum + documents, 0),
    firstRow: parts[0]!.firstRow,
    lastRow: parts[FAN_IN - 1]!.lastRow,
  }
  const segmentNo = insertSegment(connection, index.userNo, facts, { since: isoTime(now) })
  return { segmentNo, start, parts, ...facts }
}

function isAlive(connection: Connection, segmentNo: number): boolean {
  return connection.get('SELECT 1 FROM index_segments WHERE segment_no = ? AND building = 1', segmentNo) !== undefined
}

/** Goes through the lists of one part, term by term, a chunk in memory at a time. */
class PartReader {
  /** What its ordinals are raised by. */
  readonly shift: number
  readonly #connection: Connection
  readonly #rows: Float64Array
  #next = 0
  #lists: readonly TermList[] = []
  #at = 0

  constructor(connection: Connection, part: PlacedSegment, shift: number) {
    this.#connection = connection
    this.#rows = part.directory.rows
    this.shift = shift
  }

  /** The list that comes next, undefined at the end. */
  get current(): TermList | undefined {
    while (this.#at >= this.#lists.length && this.#next < this.#rows.length) {
      const chunk = readChunk(this.#connection, this.#rows[this.#next++]!)
      this.#lists = chunk === undefined ? [] : chunkLists(chunk)
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
    writer.add({ term, bytes: joined })
    bytes += joined.length + BYTES_A_LIST
  }
  writer.flush()
  return true
}

/** Joins the lists of one merge in the same arrays: thousands of them would be left to the collector otherwise. */
class ListJoiner {
  #ordinals = new Uint32Array(1024)
  #frequencies = new Uint8Array(1024)

  join(parts: readonly { readonly base: number; readonly bytes: Uint8Array }[]): Uint8Array {
    const first = parts[0]!
    if (parts.length === 1 && first.base === 0) return first.bytes
    const count = parts.reduce((sum, part) => sum + postingsCount(part.bytes), 0)
    if (this.#ordinals.length < count) {
      this.#ordinals = new Uint32Array(count * 2)
      this.#frequencies = new Uint8Array(count * 2)
    }
    let at = 0
    for (const part of parts) at = decodePostings(part.bytes, part.base, this.#ordinals, this.#frequencies, at)
    return encodePostings({ ordinals: this.#ordinals, frequencies: this.#frequencies, count })
  }
}

/** The new segment and version; null when the parts are no longer what was merged. */
function finish(
  connection: Connection,
  plan: MergePlan,
  writer: ChunkWriter,
  userNo: number,
): { readonly segment: Segment; readonly number: number } | null {
  if (!isAlive(connection, plan.segmentNo)) return null
  const present = new Set(readSegments(connection, userNo).map(({ segmentNo }) => segmentNo))
  if (plan.parts.some(({ segmentNo }) => !present.has(segmentNo))) {
    deleteSegments(connection, [plan.segmentNo])
    return null
  }
  const blobs = plan.parts.map(({ segmentNo }) => readColumnsBlob(connection, segmentNo))
  const written = writer.close()
  closeSegment(connection, plan.segmentNo, joinColumns(blobs, plan.documents), written)
  deleteSegments(
    connection,
    plan.parts.map(({ segmentNo }) => segmentNo),
  )
  const { segmentNo, documents, firstRow, lastRow } = plan
  return {
    segment: {
      segmentNo,
      documents,
      firstRow,
      lastRow,
      directory: readDirectory(written.directory),
      filter: written.filter,
    },
    number: raiseIndexVersion(connection, userNo),
  }
}

function joinColumns(blobs: readonly Uint8Array[], documents: number): Uint8Array {
  const joined = segmentColumns(documents)
  let at = 0
  for (const blob of blobs) {
    const part = readSegmentColumns(blob)
    joined.row.set(part.row, at)
    joined.createdAt.set(part.createdAt, at)
    joined.conversationNo.set(part.conversationNo, at)
    joined.number.set(part.number, at)
    joined.speakerNo.set(part.speakerNo, at)
    joined.length.set(part.length, at)
    joined.role.set(part.role, at)
    joined.flags.set(part.flags, at)
    at += part.row.length
  }
  return joined.blob
}
