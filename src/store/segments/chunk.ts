/**
 * How do neighbouring terms share a database row? A chunk holds the number of terms, the terms ascending (8 bytes
 * each), the ends of their lists (4 each), and the lists.
 */

/** Size at which a chunk is closed, to fit into one page of 4096 bytes; a longer list has a chunk of its own. */
export const CHUNK_BYTES = 3900

const HEADER_BYTES = 8
const BYTES_A_TERM = 12

/** One term and its list. */
export interface TermList {
  readonly term: number
  readonly bytes: Uint8Array
}

/** The size of a chunk of these lists, in bytes. */
export function chunkSize(terms: number, listBytes: number): number {
  return HEADER_BYTES + terms * BYTES_A_TERM + listBytes
}

/** The bytes of a chunk; the terms must ascend. */
export function encodeChunk(lists: readonly TermList[]): Uint8Array {
  const listBytes = lists.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const chunk = new Uint8Array(chunkSize(lists.length, listBytes))
  new Float64Array(chunk.buffer, 0, 1)[0] = lists.length
  const terms = new Float64Array(chunk.buffer, HEADER_BYTES, lists.length)
  const ends = new Uint32Array(chunk.buffer, HEADER_BYTES + lists.length * 8, lists.length)
  const start = HEADER_BYTES + lists.length * BYTES_A_TERM
  let at = start
  for (const [index, { term, bytes }] of lists.entries()) {
    chunk.set(bytes, at)
    at += bytes.length
    terms[index] = term
    ends[index] = at - start
  }
  return chunk
}

/** A chunk that can be read. */
export interface Chunk {
  readonly terms: Float64Array
  /** The list of the term at this index. */
  list(index: number): Uint8Array
}

/** Reads a chunk; the lists are views of its bytes. */
export function decodeChunk(stored: Uint8Array): Chunk {
  // Typed arrays need an aligned start; a driver may hand out a slice.
  const bytes = stored.byteOffset % 8 === 0 ? stored : stored.slice()
  const { buffer, byteOffset } = bytes
  const count = new Float64Array(buffer, byteOffset, 1)[0]!
  const terms = new Float64Array(buffer, byteOffset + HEADER_BYTES, count)
  const ends = new Uint32Array(buffer, byteOffset + HEADER_BYTES + count * 8, count)
  const start = HEADER_BYTES + count * BYTES_A_TERM
  return {
    terms,
    list: (index) => bytes.subarray(start + (index === 0 ? 0 : ends[index - 1]!), start + ends[index]!),
  }
}

/** All lists of a chunk, in order. */
export function chunkLists(chunk: Chunk): readonly TermList[] {
  return Array.from(chunk.terms, (term, index) => ({ term, bytes: chunk.list(index) }))
}

/** Index of the last value that is not above `wanted` in an ascending array, -1 when all are. */
export function lastNotAbove(values: Float64Array, wanted: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! <= wanted) low = middle + 1
    else high = middle
  }
  return low - 1
}
