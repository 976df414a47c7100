/**
 * Keeps the number of a user's segments small: eight neighbours of like size become one. The new segment is written
 * in short transactions, unseen, and takes the place of the old ones in the last of them; a crash leaves only rows
 * that the next merge clears away.
 */
import type { Connection } from '../connection.ts'
import { bytes, number } from '../rows.ts'
import { readSegmentColumns, segmentColumns } from './columns.ts'
import { FLUSH_AT_TURNS } from './flush.ts'
import { decodePostings, encodePostings, postingsCount } from './postings.ts'
import { deleteSegments, insertSegment, raiseIndexVersion, readColumnsBlob, readSegments } from './segment-table.ts'
import type { PlacedSegment, UserIndex } from './user-index.ts'

const FAN_IN = 8
/** Lists taken from each part in one transaction: about 5 ms of work. */
const LISTS_A_PIECE = 400
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
export function* mergeSegments(connection: Connection, index: UserIndex, now: number): Generator<void, boolean> {
  const plan = connection.write(() => begin(connection, index, now))
  if (plan === null) return false
  let after = -1
  for (;;) {
    const last = connection.write(() =>
      isAlive(connection, plan.segmentNo) ? writePiece(connection, plan, after) : null,
    )
    if (last === null) return false
    if (last === undefined) break
    after = last
    yield
  }
  const version = connection.write(() => finish(connection, index, plan))
  if (version === null) return false
  // Otherwise another process changed the segments too, and the next sync reads them all.
  const inPlace = index.segments[plan.start]?.segmentNo === plan.parts[0]!.segmentNo
  if (inPlace && index.version === version - 1) index.replaceSegments(plan.start, FAN_IN, plan, version)
  return true
}

interface MergePlan {
  readonly segmentNo: number
  readonly start: number
  readonly parts: readonly PlacedSegment[]
  readonly documents: number
  readonly firstRow: number
  readonly lastRow: number
}

function begin(connection: Connection, index: UserIndex, now: number): MergePlan | null {
  const other = connection.get(
    'SELECT segment_no, building_since FROM index_segments WHERE user_no = ? AND building = 1',
    index.userNo,
  )
  if (other !== undefined) {
    if (now - Date.parse(String(other.building_since)) < ABANDONED_MS) return null
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
  const since = new Date(now).toISOString()
  const segmentNo = insertSegment(connection, index.userNo, facts, new Uint8Array(0), { since })
  return { segmentNo, start, parts, ...facts }
}

function isAlive(connection: Connection, segmentNo: number): boolean {
  return connection.get('SELECT 1 FROM index_segments WHERE segment_no = ? AND building = 1', segmentNo) !== undefined
}

/** Writes the next terms behind `after`; the last one written, undefined when there are no more. */
function writePiece(connection: Connection, plan: MergePlan, after: number): number | undefined {
  const lists = new Map<number, { base: number; bytes: Uint8Array }[]>()
  const perPart = LISTS_A_PIECE
  let bound = Number.POSITIVE_INFINITY
  const base = plan.parts[0]!.base
  for (const part of plan.parts) {
    const rows = connection.all(
      'SELECT term, postings FROM index_postings WHERE segment_no = ? AND term > ? ORDER BY term LIMIT ?',
      part.segmentNo,
      after,
      perPart,
    )
    // A part that was cut short says how far all of them are complete.
    if (rows.length === perPart) bound = Math.min(bound, number(rows[perPart - 1]!, 'term'))
    for (const row of rows) {
      const term = number(row, 'term')
      const list = lists.get(term) ?? []
      list.push({ base: part.base - base, bytes: bytes(row, 'postings') })
      lists.set(term, list)
    }
  }
  const terms = Float64Array.from(lists.keys())
    .filter((term) => term <= bound)
    .sort()
  const insert = connection.statement('INSERT INTO index_postings (segment_no, term, postings) VALUES (?, ?, ?)')
  for (const term of terms) insert.run(plan.segmentNo, term, joinLists(lists.get(term)!))
  return terms.at(-1)
}

function joinLists(parts: readonly { readonly base: number; readonly bytes: Uint8Array }[]): Uint8Array {
  const first = parts[0]!
  if (parts.length === 1 && first.base === 0) return first.bytes
  const count = parts.reduce((sum, part) => sum + postingsCount(part.bytes), 0)
  const ordinals = new Uint32Array(count)
  const frequencies = new Uint8Array(count)
  let at = 0
  for (const part of parts) at = decodePostings(part.bytes, part.base, ordinals, frequencies, at)
  return encodePostings({ ordinals, frequencies, count })
}

/** The new version; null when the parts are no longer what was merged. */
function finish(connection: Connection, index: UserIndex, plan: MergePlan): number | null {
  if (!isAlive(connection, plan.segmentNo)) return null
  const present = new Set(readSegments(connection, index.userNo).map(({ segmentNo }) => segmentNo))
  if (plan.parts.some(({ segmentNo }) => !present.has(segmentNo))) {
    deleteSegments(connection, [plan.segmentNo])
    return null
  }
  const blobs = plan.parts.map(({ segmentNo }) => readColumnsBlob(connection, segmentNo))
  connection.run(
    'UPDATE index_segments SET building = 0, building_since = NULL, turn_columns = ? WHERE segment_no = ?',
    joinColumns(blobs, plan.documents),
    plan.segmentNo,
  )
  deleteSegments(
    connection,
    plan.parts.map(({ segmentNo }) => segmentNo),
  )
  return raiseIndexVersion(connection, index.userNo)
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
