/** One user's vectors in this process: facts of every slot, and the codes of as many chunks as there are frames for. */
import { type Connection, sql } from '../file/connection.ts'
import { number } from '../file/rows.ts'
import type { Arena } from './arena.ts'
import {
  type Chunk,
  chunkOf,
  type Facts,
  floatsOf,
  newChunk,
  pushSlot,
  readVectorUser,
  slotOf,
  type VectorSpace,
} from './chunk.ts'
import { TAIL_ROWS } from './write.ts'

/** Chunks read at a time, about 100 KB each: a few milliseconds. */
const CHUNKS_A_PIECE = 64

/** Vectors of the tail read at a time; there are seldom more than a chunk of them. */
const TAIL_A_PIECE = 1000

/** The frame that chunks without one of their own are read into. */
const BORROWED_FRAME = 0

/** A chunk as a search needs it. */
export interface HeldChunk {
  readonly used: number
  readonly facts: Facts
}

/** With its frame; undefined: its codes are read when they are wanted. */
type Held<Part> = Part & { frame: number | undefined }
type TailChunk = Held<{ readonly chunk: Chunk }>

/** The vectors of one user in this process. */
export class UserVectors {
  readonly #connection: Connection
  readonly #userNo: number
  readonly #space: VectorSpace
  readonly #arena: Arena
  readonly #chunks = new Map<number, Held<HeldChunk>>()
  #tail: TailChunk[] = []
  #lastTail = 0
  #epoch = -1
  #version = 0
  #tailVersion = -1
  #stamp = ''

  constructor(connection: Connection, userNo: number, space: VectorSpace, arena: Arena) {
    this.#connection = connection
    this.#userNo = userNo
    this.#space = space
    this.#arena = arena
  }

  /** Takes in commits since the last call, in a read; false: there is more. `take` gives a frame, or undefined. */
  sync(stamp: string, take: () => number | undefined): boolean {
    if (stamp === this.#stamp) return true
    const user = readVectorUser(this.#connection, this.#userNo)
    if (user.epoch !== this.#epoch) {
      this.clear()
      this.#epoch = user.epoch
    }
    if (user.version !== this.#version && !this.#readChunks(take)) return false
    this.#version = user.version
    if (user.tailVersion !== this.#tailVersion) {
      this.#clearTail()
      this.#lastTail = user.flushedTo
      this.#tailVersion = user.tailVersion
    }
    if (!this.#readTail(take)) return false
    this.#stamp = stamp
    return true
  }

  /** Every chunk, the newest vectors first; `scan` answers for it. */
  *chunks(): Generator<{ readonly chunk: HeldChunk; readonly frame: () => number }> {
    for (const { chunk, frame } of this.#tail) yield { chunk, frame: () => frame ?? this.#borrow(chunk) }
    for (const [chunkNo, held] of this.#chunks)
      yield { chunk: held, frame: () => held.frame ?? this.#borrow(this.#readCodes(chunkNo)) }
  }

  /** Gives every frame back. */
  clear(): void {
    for (const { frame } of this.#chunks.values()) if (frame !== undefined) this.#arena.give(frame)
    this.#chunks.clear()
    this.#clearTail()
    this.#lastTail = 0
    this.#version = 0
    this.#tailVersion = -1
    this.#stamp = ''
  }

  /** Reads chunks in order of writing, so that a chunk changed meanwhile comes again. */
  #readChunks(take: () => number | undefined): boolean {
    const rows = this.#connection.all(sql`SELECT chunk_no, version, used, facts, codes
        FROM vector_chunks INDEXED BY vector_chunks_version
       WHERE user_no = ${this.#userNo} AND version > ${BigInt(this.#version)} ORDER BY version LIMIT ${CHUNKS_A_PIECE}`)
    for (const row of rows) {
      this.#version = number(row, 'version')
      const chunkNo = number(row, 'chunk_no')
      if (chunkNo >= this.#space.firstChunk) this.#hold(chunkNo, chunkOf(row), take)
    }
    return rows.length < CHUNKS_A_PIECE
  }

  #hold(chunkNo: number, chunk: Chunk, take: () => number | undefined): void {
    const before = this.#chunks.get(chunkNo)?.frame
    if (chunk.used === 0) {
      if (before !== undefined) this.#arena.give(before)
      this.#chunks.delete(chunkNo)
      return
    }
    const frame = before ?? take()
    if (frame !== undefined) this.#arena.fill(frame, chunk)
    this.#chunks.set(chunkNo, { used: chunk.used, facts: chunk.facts, frame })
  }

  #clearTail(): void {
    for (const { frame } of this.#tail) if (frame !== undefined) this.#arena.give(frame)
    this.#tail = []
  }

  #readTail(take: () => number | undefined): boolean {
    const rows = this.#connection.all(`${TAIL_ROWS} LIMIT ${TAIL_A_PIECE}`, this.#userNo, BigInt(this.#lastTail))
    const changed = new Set<TailChunk>()
    for (const row of rows) {
      const slot = slotOf(row)
      this.#lastTail = slot.vectorNo
      let last = this.#tail.at(-1)
      if (last === undefined || last.chunk.used === this.#arena.slots) {
        last = { chunk: newChunk(this.#arena.slots, this.#arena.stride), frame: undefined }
        this.#tail.push(last)
      }
      pushSlot(last.chunk, slot, floatsOf(row))
      changed.add(last)
    }
    for (const part of changed) {
      part.frame ??= take()
      if (part.frame !== undefined) this.#arena.fill(part.frame, part.chunk)
    }
    return rows.length < TAIL_A_PIECE
  }

  #readCodes(chunkNo: number): Chunk {
    const row = this.#connection.get('SELECT used, facts, codes FROM vector_chunks WHERE chunk_no = ?', chunkNo)
    if (row === undefined) throw new TypeError(`chunk ${chunkNo} of vectors is gone without a word`)
    return chunkOf(row)
  }

  #borrow(chunk: Chunk): number {
    this.#arena.fill(BORROWED_FRAME, chunk)
    return BORROWED_FRAME
  }
}
