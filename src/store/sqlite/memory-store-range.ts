/** Which rows of `memories` and `memories_fts` are this user's? One range, so that a search never walks past it. */
import type { Connection } from './connection.ts'

/** A row is the user's number, shifted by these, and a place. */
export const SEQUENCE_BITS = 32n
const NEWEST = 'SELECT max(row) - ?1 AS place FROM memories WHERE row BETWEEN ?1 AND ?2'

/** The first and the last possible row of a user; BigInt, since SQLite compares rows with a bound number as REAL. */
export function rowRange(userNo: number): readonly [first: bigint, last: bigint] {
  const first = BigInt(userNo) << SEQUENCE_BITS
  return [first, first + (1n << SEQUENCE_BITS) - 1n]
}

/** The user of a row, and its place: the distance from the user's first possible row. */
export function placeOf(row: bigint): { readonly userNo: number; readonly place: number } {
  return { userNo: Number(row >> SEQUENCE_BITS), place: Number(row & ((1n << SEQUENCE_BITS) - 1n)) }
}

/** The place of the user's newest memory; 0 when there is none. */
export function newestPlace(connection: Connection, userNo: number): number {
  return Number(connection.get(NEWEST, ...rowRange(userNo))?.place ?? 0)
}
