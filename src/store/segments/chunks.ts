/** Which chunk holds the list of a term, and how are a segment's chunks written one after the other? */
import type { SegmentTable } from '../../domain/contracts/segment-table.ts'
import { CHUNK_BYTES, type Chunk, chunkSize, decodeChunk, encodeChunk, lastNotAbove, type TermList } from './chunk.ts'
import { termFilter } from './term-filter.ts'

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

/** The facts of its chunks in a segment's row. */
export interface WrittenChunks {
  readonly directory: Uint8Array
  readonly filter: Uint8Array
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
  close(): WrittenChunks {
    this.flush()
    const both = Float64Array.from([...this.#firstTerms, ...this.#rows])
    return { directory: new Uint8Array(both.buffer), filter: termFilter(this.#terms) }
  }
}
