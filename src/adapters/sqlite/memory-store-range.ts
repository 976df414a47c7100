/** Which rows of `memories` and `memories_fts` are this user's? One range, so that a search never walks past it. */

const SEQUENCE_BITS = 32n

/** The first and the last possible row of a user; BigInt, since SQLite compares rows with a bound number as REAL. */
export function rowRange(userNo: number): readonly [first: bigint, last: bigint] {
  const first = BigInt(userNo) << SEQUENCE_BITS
  return [first, first + (1n << SEQUENCE_BITS) - 1n]
}
