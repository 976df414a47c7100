/**
 * How do neighbouring terms share a database row? A chunk holds the number of terms, the terms ascending (8 bytes
 * each), the ends of their lists (4 each), and the lists.
 */
import type { SegmentTable } from '../../domain/contracts/segment-table.ts'

const BITS_A_TERM = 10
const PROBES = 4

/** A filter with every one of these term keys in it. */
function termFilter(keys: readonly number[]): Uint8Array {
  const bits = new Uint8Array(Math.max(8, Math.ceil((keys.length * BITS_A_TERM) / 8)))
  for (const key of keys)
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = bitOf(key, probe, bits.length)
      bits[bit >>> 3]! |= 1 << (bit & 7)
    }
  return bits
}

/** false when the term is surely not there. */
export function mayHold(bits: Uint8Array, key: number): boolean {
  for (let probe = 0; probe < PROBES; probe += 1) {
    const bit = bitOf(key, probe, bits.length)
    if ((bits[bit >>> 3]! & (1 << (bit & 7))) === 0) return false
  }
  return true
}

/** Double hashing over the two halves of the key (Kirsch and Mitzenmacher, 2006). */
function bitOf(key: number, probe: number, bytes: number): number {
  const low = key >>> 0
  const high = (key / 0x100000000) >>> 0
  return ((low + probe * (high | 1)) >>> 0) % (bytes * 8)
}

/**
 * A 53-bit hash of a term: two 32-bit multiplicative lanes over its UTF-16 units, mixed at the end.
 * With a million terms the chance that any two share a number is below 10⁻⁴; the cost would be a wrong match.
 */
export function termKey(term: string): number {
  let low = 0x9e3779b9
  let high = 0x85ebca6b
  for (let index = 0; index < term.length; index += 1) {
    const unit = term.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x27d4eb2f)
    high ^= high >>> 15
  }
  low = Math.imul(low ^ (low >>> 16) ^ (high >>> 13), 0x2c1b3c6d)
  high = Math.imul(high ^ (high >>> 16) ^ (low >>> 13), 0x297a2d39)
  low ^= low >>> 15
  high ^= high >>> 15
  return (high & 0x1fffff) * 0x100000000 + (low >>> 0)
}

/** Size at which a chunk is closed, to fit into one page of 4096 bytes; a longer list has a chunk of its own. */
const CHUNK_BYTES = 3900

const HEADER_BYTES = 8
const BYTES_A_TERM = 12

export interface TermList {
  readonly term: number
  readonly bytes: Uint8Array
}

/** The size of a chunk of these lists, in bytes. */
function chunkSize(terms: number, listBytes: number): number {
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
interface Chunk {
  readonly terms: Float64Array
  /** The list of the term at this index. */
  list(index: number): Uint8Array
}

/** Reads a chunk; the lists are views of its bytes. */
function decodeChunk(stored: Uint8Array): Chunk {
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
function lastNotAbove(values: Float64Array, wanted: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! <= wanted) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The part of the table that reading and writing chunks needs. */
export type ChunkTable = Pick<SegmentTable<never>, 'chunk' | 'insertChunk' | 'updateChunk'>

/** The least term at writing and the row of each chunk of a segment, in order. */
export interface Directory {
  readonly firstTerms: Float64Array
  readonly rows: Float64Array
}

/** The directory in a segment's row. */
export function readDirectory(blob: Uint8Array): Directory {
  const aligned = blob.byteOffset % 8 === 0 ? blob : blob.slice()
  const chunks = aligned.byteLength / 16
  return {
    firstTerms: new Float64Array(aligned.buffer, aligned.byteOffset, chunks),
    rows: new Float64Array(aligned.buffer, aligned.byteOffset + chunks * 8, chunks),
  }
}

/** A chunk by its row; undefined when everything in it was removed. */
export function readChunk(table: ChunkTable, row: number): Chunk | undefined {
  const bytes = table.chunk(row)
  return bytes === undefined ? undefined : decodeChunk(bytes)
}

/** Row of the chunk that would hold the term, undefined when it comes before all of them. */
export function chunkRow(directory: Directory, term: number): number | undefined {
  const index = lastNotAbove(directory.firstTerms, term)
  return index < 0 ? undefined : directory.rows[index]
}

/** The stored list of a term in a segment. */
export function readPostings(table: ChunkTable, directory: Directory, term: number): Uint8Array | undefined {
  const row = chunkRow(directory, term)
  const chunk = row === undefined ? undefined : readChunk(table, row)
  if (chunk === undefined) return undefined
  const index = lastNotAbove(chunk.terms, term)
  return index >= 0 && chunk.terms[index] === term ? chunk.list(index) : undefined
}

/** Writes the lists of a segment, terms ascending, until `close()`. The work may be spread over transactions. */
export class ChunkWriter {
  readonly #table: ChunkTable
  readonly #segmentNo: number
  readonly #firstTerms: number[] = []
  readonly #rows: number[] = []
  #lists: TermList[] = []
  #listBytes = 0
  readonly #terms: number[] = []

  constructor(table: ChunkTable, segmentNo: number) {
    this.#table = table
    this.#segmentNo = segmentNo
  }

  add(list: TermList): void {
    if (chunkSize(this.#lists.length + 1, this.#listBytes + list.bytes.length) > CHUNK_BYTES) this.flush()
    this.#lists.push(list)
    this.#terms.push(list.term)
    this.#listBytes += list.bytes.length
  }

  /** Writes the waiting lists. */
  flush(): void {
    const first = this.#lists[0]
    if (first === undefined) return
    this.#firstTerms.push(first.term)
    this.#rows.push(this.#table.insertChunk(this.#segmentNo, encodeChunk(this.#lists)))
    this.#lists = []
    this.#listBytes = 0
  }

  /** Writes the waiting lists and returns the directory and the filter of everything written. */
  close(): { readonly directory: Uint8Array; readonly filter: Uint8Array } {
    this.flush()
    const both = Float64Array.from([...this.#firstTerms, ...this.#rows])
    return { directory: new Uint8Array(both.buffer), filter: termFilter(this.#terms) }
  }
}
