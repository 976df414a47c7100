/** One user's vectors in this process, and the exactly nearest of them by the bounds of their codes. */
import { VECTOR_KINDS, type VectorFilter, type VectorMatch } from '../../../domain/contracts/vector-index.ts'
import { type Connection, sql } from '../file/connection.ts'
import { number } from '../file/rows.ts'
import type { Arena } from './arena.ts'
import {
  type Chunk,
  chunkOf,
  type Facts,
  filterKey,
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

interface Candidate {
  readonly vectorNo: number
  readonly score: number
  /** The greatest error of the score. */
  readonly error: number
}

/** The exact score of a vector and its id. */
export type ScoreExactly = (vectorNo: number) => VectorMatch

/** At most `limit`, the largest score first, ties by id. */
export function nearest(
  vectors: UserVectors,
  arena: Arena,
  query: Float32Array,
  limit: number,
  filter: VectorFilter,
  scoreExactly: ScoreExactly,
): readonly VectorMatch[] {
  const candidates = collect(vectors, arena, query, limit, filter)
  candidates.sort((a, b) => b.score + b.error - (a.score + a.error))
  const best = new LeastHeap(limit)
  const matches: VectorMatch[] = []
  for (const { vectorNo, score, error } of candidates) {
    if (score + error < best.least) break
    const match = scoreExactly(vectorNo)
    matches.push(match)
    best.push(match.score)
  }
  matches.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  return matches.slice(0, limit)
}

function collect(
  vectors: UserVectors,
  arena: Arena,
  query: Float32Array,
  limit: number,
  filter: VectorFilter,
): Candidate[] {
  const plan = arena.ask(query)
  const hits = arena.hits()
  const accepts = acceptance(filter)
  const lower = new LeastHeap(limit)
  let candidates: Candidate[] = []
  let pruneAt = 4 * limit + 4096
  for (const { chunk, frame } of vectors.chunks()) {
    const { facts, used } = chunk
    if (accepts !== null && !someAccepted(accepts, facts, used)) continue
    const found = arena.scan(plan, frame(), used, lower.least - plan.slack)
    for (let at = 0; at < found * 2; at += 2) {
      const slot = hits.slots[at]!
      if (accepts !== null && !accepts(facts, slot)) continue
      const score = hits.scores[at + 1]!
      const error = facts.error[slot]! + plan.slack
      lower.push(score - error)
      candidates.push({ vectorNo: facts.vectorNo[slot]!, score, error })
    }
    if (candidates.length > pruneAt) {
      candidates = candidates.filter(({ score, error }) => score + error >= lower.least)
      pruneAt = 2 * candidates.length + 4096
    }
  }
  return candidates.filter(({ score, error }) => score + error >= lower.least)
}

function someAccepted(accepts: (facts: Facts, slot: number) => boolean, facts: Facts, used: number): boolean {
  for (let slot = 0; slot < used; slot += 1) if (accepts(facts, slot)) return true
  return false
}

/** null: everything is accepted. */
function acceptance(filter: VectorFilter): ((facts: Facts, slot: number) => boolean) | null {
  const kind = filter.kind === undefined ? -1 : VECTOR_KINDS.indexOf(filter.kind)
  const conversation = filter.conversationId === undefined ? -1 : filterKey(filter.conversationId)
  const who = filter.who === undefined ? -1 : filterKey(filter.who)
  const since = filter.since ?? Number.NEGATIVE_INFINITY
  const until = filter.until ?? Number.POSITIVE_INFINITY
  if (kind < 0 && conversation < 0 && who < 0 && since === -Infinity && until === Infinity) return null
  return (facts, slot) =>
    (kind < 0 || facts.kind[slot] === kind) &&
    (conversation < 0 || facts.conversation[slot] === conversation) &&
    (who < 0 || facts.who[slot] === who) &&
    facts.time[slot]! >= since &&
    facts.time[slot]! < until
}

/** A bounded heap that forgets its least. */
export class LeastHeap {
  readonly #most: number
  readonly #heap: number[] = []

  /** @param most k, at least 1 */
  constructor(most: number) {
    this.#most = most
  }

  /** The k-th largest; -Infinity as long as there are fewer. */
  get least(): number {
    return this.#heap.length < this.#most ? Number.NEGATIVE_INFINITY : this.#heap[0]!
  }

  push(value: number): void {
    const heap = this.#heap
    if (heap.length < this.#most) {
      heap.push(value)
      this.#rise(heap.length - 1)
    } else if (value > heap[0]!) {
      heap[0] = value
      this.#sink()
    }
  }

  #rise(from: number): void {
    const heap = this.#heap
    const value = heap[from]!
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (heap[parent]! <= value) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = value
  }

  #sink(): void {
    const heap = this.#heap
    const value = heap[0]!
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child += 1
      if (heap[child]! >= value) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = value
  }
}
