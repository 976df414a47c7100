/**
 * How do neighbouring terms share a database row? A chunk holds ascending terms, each as the distance from the one
 * before, the length of its list and the list.
 */
import { countBelow } from '../../domain/binary-search.ts'
import type { SegmentTable } from '../../domain/contracts/text-index.ts'
import { readNumber, writeNumber } from './postings.ts'

const BITS_A_TERM = 7
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

/** Double hashing (Kirsch and Mitzenmacher, 2006). */
function bitOf(key: number, probe: number, bytes: number): number {
  const low = Math.imul(key ^ (key / 0x100000000), 0x85ebca6b) >>> 0
  const step = Math.imul(low ^ (low >>> 15), 0x9e3779b1) >>> 7
  return ((low + probe * (step | 1)) >>> 0) % (bytes * 8)
}

/** From here on are characters of scripts without blanks, which are terms by themselves and in pairs. */
const FIRST_UNSPACED = 0x2e80
const PAIRS = 2 ** 32
const CHARACTERS = 2 ** 33

/**
 * A number for a term: a 32-bit hash of a word, which takes a word for another of a million once in 4,000 times. One or
 * two characters are mixed as they are, since neighbouring numbers take fewer bytes.
 */
export function termKey(term: string): number {
  const first = term.charCodeAt(0)
  if (term.length === 1 && first >= FIRST_UNSPACED) return CHARACTERS + mixed(first)
  const second = term.length === 2 ? term.charCodeAt(1) : 0
  if (first >= FIRST_UNSPACED && second >= FIRST_UNSPACED) return PAIRS + mixed(first) * 0x10000 + mixed(second)
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
  return (low ^ (low >>> 15) ^ high) >>> 0
}

/** Another number below 65,536 for each, so that no characters stand in the file. */
function mixed(unit: number): number {
  return (unit * 0x9e37 + 0x79b9) & 0xffff
}

/** Size at which a chunk is closed, to fit into a page of 2048 bytes, or two into one of 4096. */
const CHUNK_BYTES = 2000
/** The bytes of a list, mostly of one turn, whose length is not written. */
const USUAL_BYTES = 2
/** The most bytes of a distance between terms, and of a length. */
const NUMBER_BYTES = 6

export interface TermList {
  readonly term: number
  readonly bytes: Uint8Array
}

export function encodeChunk(lists: readonly TermList[]): Uint8Array {
  const chunk = new Uint8Array(lists.reduce((sum, { bytes }) => sum + bytes.length + 2 * NUMBER_BYTES, 0))
  let [at, previous] = [0, 0]
  for (const { term, bytes } of lists) {
    const isUsual = bytes.length === USUAL_BYTES
    at = writeNumber(chunk, at, (term - previous) * 2 + (isUsual ? 1 : 0))
    if (!isUsual) at = writeNumber(chunk, at, bytes.length)
    chunk.set(bytes, at)
    at += bytes.length
    previous = term
  }
  return chunk.slice(0, at)
}

export function* chunkLists(chunk: Uint8Array): Generator<TermList> {
  for (let at = 0, term = 0; at < chunk.length; ) {
    const { value, next } = readNumber(chunk, at)
    const length = value % 2 === 1 ? { value: USUAL_BYTES, next } : readNumber(chunk, next)
    term += Math.floor(value / 2)
    at = length.next + length.value
    yield { term, bytes: chunk.subarray(length.next, at) }
  }
}

/** The part of the table that reading and writing chunks needs. */
export type ChunkTable = Pick<SegmentTable<never>, 'chunk' | 'insertChunk' | 'updateChunk'>

/** The least term at writing and the row of each chunk of a segment, in order. */
export interface Directory {
  readonly firstTerms: Float64Array
  readonly rows: Float64Array
}

export function readDirectory(blob: Uint8Array): Directory {
  const aligned = blob.byteOffset % 8 === 0 ? blob : blob.slice()
  const chunks = aligned.byteLength / 16
  return {
    firstTerms: new Float64Array(aligned.buffer, aligned.byteOffset, chunks),
    rows: new Float64Array(aligned.buffer, aligned.byteOffset + chunks * 8, chunks),
  }
}

/** Row of the chunk that would hold the term, undefined when it comes before all of them. */
export function chunkRow(directory: Directory, term: number): number | undefined {
  return directory.rows[countBelow(directory.firstTerms, term + 1) - 1]
}

/** The stored list of a term in a segment. */
export function readPostings(table: ChunkTable, directory: Directory, wanted: number): Uint8Array | undefined {
  const row = chunkRow(directory, wanted)
  const chunk = row === undefined ? undefined : table.chunk(row)
  if (chunk === undefined) return undefined
  // Written out, since a process that answers one question never compiles it.
  for (let at = 0, term = 0; at < chunk.length; ) {
    let byte = chunk[at++]!
    const isUsual = (byte & 1) === 1
    term += (byte & 0x7f) >>> 1
    for (let factor = 0x40; byte >= 0x80; factor *= 0x80) {
      byte = chunk[at++]!
      term += (byte & 0x7f) * factor
    }
    let length = USUAL_BYTES
    if (!isUsual) {
      byte = chunk[at++]!
      length = byte & 0x7f
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = chunk[at++]!
        length |= (byte & 0x7f) << shift
      }
    }
    if (term >= wanted) return term === wanted ? chunk.subarray(at, at + length) : undefined
    at += length
  }
  return undefined
}

/** Writes the lists of a segment, terms ascending, until `close()`. The work may be spread over transactions. */
export class ChunkWriter {
  readonly #table: Pick<ChunkTable, 'insertChunk'>
  readonly #segmentNo: number
  readonly #firstTerms: number[] = []
  readonly #rows: number[] = []
  #lists: TermList[] = []
  #bytes = 0
  readonly #terms: number[] = []

  constructor(table: Pick<ChunkTable, 'insertChunk'>, segmentNo: number) {
    this.#table = table
    this.#segmentNo = segmentNo
  }

  add(list: TermList): void {
    const before = this.#lists.at(-1)?.term ?? 0
    const { length } = list.bytes
    const bytes = length + (length === USUAL_BYTES ? 0 : numberBytes(length)) + numberBytes((list.term - before) * 2)
    if (this.#bytes + bytes > CHUNK_BYTES) this.flush()
    this.#lists.push(list)
    this.#terms.push(list.term)
    this.#bytes += bytes
  }

  flush(): void {
    const first = this.#lists[0]
    if (first === undefined) return
    this.#firstTerms.push(first.term)
    this.#rows.push(this.#table.insertChunk(this.#segmentNo, encodeChunk(this.#lists)))
    this.#lists = []
    this.#bytes = 0
  }

  /** Writes the waiting lists and returns the directory and the filter of everything written. */
  close(): { readonly directory: Uint8Array; readonly filter: Uint8Array } {
    this.flush()
    const both = Float64Array.from([...this.#firstTerms, ...this.#rows])
    return { directory: new Uint8Array(both.buffer), filter: termFilter(this.#terms) }
  }
}

function numberBytes(number: number): number {
  let bytes = 1
  for (let left = number; left >= 0x80; left /= 0x80) bytes += 1
  return bytes
}
