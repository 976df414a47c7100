/**
 * Takes turns out of the index so that nothing of their words stays in it: out of every list that names them, and
 * marked as deleted in the columns. Ordinals of the turns that stay do not change. Call it in the write transaction
 * that removes the turns themselves.
 */
import { TURN_DELETED } from '../../../contracts/turn-index.ts'
import type { Connection } from '../connection.ts'
import { number } from '../rows.ts'
import { analyzeTurn } from './analyze-turn.ts'
import { chunkLists } from './chunk.ts'
import { chunkRow, readChunk, rewriteChunk } from './chunk-table.ts'
import { readSegmentColumns } from './columns.ts'
import { decodePostings, encodePostings, postingsCount } from './postings.ts'
import {
  deleteSegments,
  raiseIndexVersion,
  readColumnsBlob,
  readSegments,
  type Segment,
  updateColumns,
} from './segment-table.ts'
import { termKey } from './term-key.ts'

/** A turn that is to go. */
export interface ErasedTurn {
  /** turns.id */
  readonly row: number
  readonly content: string
}

/** Removes the turns from every segment of the user. */
export function eraseFromIndex(connection: Connection, userNo: number, turns: readonly ErasedTurn[]): void {
  // A merge that is under way may have copied what is removed here.
  deleteSegments(
    connection,
    connection
      .all('SELECT segment_no FROM index_segments WHERE user_no = ? AND building = 1', userNo)
      .map((row) => number(row, 'segment_no')),
  )
  for (const segment of readSegments(connection, userNo)) {
    const inside = turns.filter(({ row }) => row >= segment.firstRow && row <= segment.lastRow)
    if (inside.length > 0) eraseFromSegment(connection, segment, inside)
  }
  raiseIndexVersion(connection, userNo)
}

function eraseFromSegment(connection: Connection, segment: Segment, turns: readonly ErasedTurn[]): void {
  // A copy, since the blob that the driver handed out is changed in place.
  const columns = readSegmentColumns(readColumnsBlob(connection, segment.segmentNo).slice())
  const gone = new Set<number>()
  const terms = new Set<number>()
  for (const turn of turns) {
    const ordinal = find(columns.row, turn.row)
    if (ordinal < 0) continue
    gone.add(ordinal)
    columns.flags[ordinal]! |= TURN_DELETED
    columns.createdAt[ordinal] = 0
    columns.length[ordinal] = 0
    columns.speakerNo[ordinal] = 0
    for (const term of analyzeTurn(turn.content).terms.keys()) terms.add(termKey(term))
  }
  if (columns.flags.every((flags) => (flags & TURN_DELETED) !== 0)) {
    deleteSegments(connection, [segment.segmentNo])
    return
  }
  updateColumns(connection, segment.segmentNo, columns.blob)
  eraseFromChunks(connection, segment, terms, gone)
}

/** Takes the turns out of the lists of these terms, a chunk at a time. */
function eraseFromChunks(
  connection: Connection,
  { directory }: Segment,
  terms: ReadonlySet<number>,
  gone: ReadonlySet<number>,
): void {
  const rows = new Set<number>()
  for (const term of terms) {
    const row = chunkRow(directory, term)
    if (row !== undefined) rows.add(row)
  }
  for (const row of rows) {
    const chunk = readChunk(connection, row)
    if (chunk === undefined) continue
    const lists = chunkLists(chunk).flatMap((list) => {
      const bytes = terms.has(list.term) ? without(list.bytes, gone) : list.bytes
      return bytes === null ? [] : [{ term: list.term, bytes }]
    })
    rewriteChunk(connection, row, lists)
  }
}

/** The list without these ordinals, null when nothing is left. */
function without(bytes: Uint8Array, gone: ReadonlySet<number>): Uint8Array | null {
  const total = postingsCount(bytes)
  const ordinals = new Uint32Array(total)
  const frequencies = new Uint8Array(total)
  decodePostings(bytes, 0, ordinals, frequencies, 0)
  let count = 0
  for (let index = 0; index < total; index += 1) {
    if (gone.has(ordinals[index]!)) continue
    ordinals[count] = ordinals[index]!
    frequencies[count] = frequencies[index]!
    count += 1
  }
  return count === 0 ? null : encodePostings({ ordinals, frequencies, count })
}

/** Index of `row` in the ascending array, -1 when absent. */
function find(rows: Float64Array, row: number): number {
  let low = 0
  let high = rows.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const value = rows[middle]!
    if (value === row) return middle
    if (value < row) low = middle + 1
    else high = middle - 1
  }
  return -1
}
