/** One user's vectors in this process, and the exactly nearest of them by the bounds of their codes. */
import { countBelow } from '../../../domain/binary-search.ts'
import { VECTOR_KINDS, type VectorFilter, type VectorMatch } from '../../../domain/contracts/vector-index.ts'
import type { Connection } from '../file/connection.ts'
import type { Arena } from './quantized-vectors.ts'
import { filterKey } from './write-vectors.ts'

/** Vectors read at a time: a few milliseconds. */
const VECTORS_A_PIECE = 1000
/** The frame that chunks without one of their own are read into. */
const BORROWED_FRAME = 0
/** The number of a vector that was removed. */
const GONE = -1
const NO_CODES = new Int8Array()
const NEWER = `SELECT vector_no, scale, error, codes, kind, time, conversation, who FROM vector_codes
  INDEXED BY vector_codes_user WHERE user_no = ? AND vector_no > ? ORDER BY vector_no LIMIT ${VECTORS_A_PIECE}`
const BETWEEN = `SELECT vector_no, scale, error, codes FROM vector_codes INDEXED BY vector_codes_user
  WHERE user_no = ? AND vector_no BETWEEN ? AND ?`
const NUMBERS = 'SELECT vector_no FROM vectors INDEXED BY vectors_user WHERE user_no = ?'

/** Neighbouring vectors of a user, by slot; their codes lie in a frame, or are read when they are wanted. */
interface HeldChunk {
  used: number
  readonly frame: number | undefined
  /** vectors.vector_no, ascending. */
  readonly vectorNo: Float64Array
  readonly error: Float32Array
  /** Place in VECTOR_KINDS. */
  readonly kind: Uint8Array
  /** Milliseconds since the epoch. */
  readonly time: Float64Array
  /** `filterKey` of each. */
  readonly conversation: Float64Array
  readonly who: Float64Array
}

export class UserVectors {
  readonly #connection: Connection
  readonly #userNo: number
  readonly #arena: Arena
  readonly #firstVector: number
  #chunks: HeldChunk[] = []
  #last: number
  #stamp = ''

  /** @param firstVector the first number of the present model's */
  constructor(connection: Connection, userNo: number, arena: Arena, firstVector: number) {
    this.#connection = connection
    this.#userNo = userNo
    this.#arena = arena
    this.#firstVector = firstVector
    this.#last = firstVector - 1
  }

  /** Takes in new vectors, in a read; false: there are more. `take` gives a frame, or undefined. */
  sync(stamp: string, take: () => number | undefined): boolean {
    if (stamp === this.#stamp) return true
    const rows = this.#connection.lists(NEWER, this.#userNo, BigInt(this.#last))
    for (const [vectorNo, scale, error, codes, kind, time, conversation, who] of rows) {
      let chunk = this.#chunks.at(-1)
      if (chunk === undefined || chunk.used === this.#arena.slots) {
        chunk = newChunk(this.#arena.slots, take())
        this.#chunks.push(chunk)
      }
      const slot = chunk.used
      chunk.used += 1
      chunk.vectorNo[slot] = Number(vectorNo)
      chunk.error[slot] = Number(error)
      chunk.kind[slot] = Number(kind)
      chunk.time[slot] = Number(time)
      chunk.conversation[slot] = Number(conversation)
      chunk.who[slot] = Number(who)
      if (chunk.frame !== undefined) this.#arena.put(chunk.frame, slot, codesOf(codes), Number(scale), Number(error))
      this.#last = Number(vectorNo)
    }
    if (rows.length === VECTORS_A_PIECE) return false
    this.#stamp = stamp
    return true
  }

  /** Every chunk; `scan` answers for its frame. */
  *chunks(): Generator<{ readonly chunk: HeldChunk; readonly frame: () => number }> {
    for (const chunk of this.#chunks) yield { chunk, frame: () => chunk.frame ?? this.#borrow(chunk) }
  }

  clear(): void {
    for (const { frame } of this.#chunks) if (frame !== undefined) this.#arena.give(frame)
    this.#chunks = []
    this.#last = this.#firstVector - 1
    this.#stamp = ''
  }

  /** Looks which vectors were removed; where that is half of them, all are read anew. */
  dropGone(): void {
    const living = new Set(this.#connection.lists(NUMBERS, this.#userNo).map(([vectorNo]) => Number(vectorNo)))
    let held = 0
    for (const { frame, vectorNo, used } of this.#chunks) {
      held += used
      for (let slot = 0; slot < used; slot += 1) {
        if (living.has(vectorNo[slot]!)) continue
        vectorNo[slot] = GONE
        if (frame !== undefined) this.#arena.put(frame, slot, NO_CODES, Number.NaN, 0)
      }
    }
    if (held > 2 * living.size + this.#arena.slots) this.clear()
  }

  #borrow({ vectorNo, used }: HeldChunk): number {
    const numbers = vectorNo.subarray(0, used).filter((number) => number !== GONE)
    const rows = this.#connection.lists(BETWEEN, this.#userNo, BigInt(numbers[0] ?? 0), BigInt(numbers.at(-1) ?? 0))
    const stored = new Map(rows.map((row) => [Number(row[0]), row]))
    for (let slot = 0; slot < used; slot += 1) {
      const [, scale = Number.NaN, error = 0, codes] = stored.get(vectorNo[slot]!) ?? []
      this.#arena.put(
        BORROWED_FRAME,
        slot,
        codes === undefined ? NO_CODES : codesOf(codes),
        Number(scale),
        Number(error),
      )
    }
    return BORROWED_FRAME
  }
}

function newChunk(slots: number, frame: number | undefined): HeldChunk {
  return {
    used: 0,
    frame,
    vectorNo: new Float64Array(slots),
    error: new Float32Array(slots),
    kind: new Uint8Array(slots),
    time: new Float64Array(slots),
    conversation: new Float64Array(slots),
    who: new Float64Array(slots),
  }
}

function codesOf(column: unknown): Int8Array {
  if (!(column instanceof Uint8Array)) throw new TypeError('column codes holds no bytes')
  return new Int8Array(column.buffer, column.byteOffset, column.byteLength)
}

interface Candidate {
  readonly vectorNo: number
  readonly score: number
  /** The greatest error of the score. */
  readonly error: number
}

/** The exact score of a vector and its id; null when it was removed. */
export type ScoreExactly = (vectorNo: number) => VectorMatch | null

/** At most `limit`, the largest score first, ties by id; null when one that might be among them was removed. */
export function nearest(
  vectors: UserVectors,
  arena: Arena,
  query: Float32Array,
  limit: number,
  filter: VectorFilter,
  scoreExactly: ScoreExactly,
): readonly VectorMatch[] | null {
  const candidates = collect(vectors, arena, query, limit, filter)
  candidates.sort((a, b) => b.score + b.error - (a.score + a.error))
  const best = new Largest(limit)
  const matches: VectorMatch[] = []
  for (const { vectorNo, score, error } of candidates) {
    if (score + error < best.least) break
    const match = scoreExactly(vectorNo)
    if (match === null) return null
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
  const lower = new Largest(limit)
  let candidates: Candidate[] = []
  let pruneAt = 4 * limit + 4096
  for (const { chunk, frame } of vectors.chunks()) {
    const { used } = chunk
    if (accepts !== null && !someAccepted(accepts, chunk)) continue
    const found = arena.scan(plan, frame(), used, lower.least - plan.slack)
    for (let at = 0; at < found * 2; at += 2) {
      const slot = hits.slots[at]!
      if (accepts !== null && !accepts(chunk, slot)) continue
      const score = hits.scores[at + 1]!
      const error = chunk.error[slot]! + plan.slack
      lower.push(score - error)
      candidates.push({ vectorNo: chunk.vectorNo[slot]!, score, error })
    }
    if (candidates.length > pruneAt) {
      candidates = candidates.filter(({ score, error }) => score + error >= lower.least)
      pruneAt = 2 * candidates.length + 4096
    }
  }
  return candidates.filter(({ score, error }) => score + error >= lower.least)
}

type Accepts = (chunk: HeldChunk, slot: number) => boolean

function someAccepted(accepts: Accepts, chunk: HeldChunk): boolean {
  for (let slot = 0; slot < chunk.used; slot += 1) if (accepts(chunk, slot)) return true
  return false
}

/** null: everything is accepted. */
function acceptance(filter: VectorFilter): Accepts | null {
  const kind = filter.kind === undefined ? -1 : VECTOR_KINDS.indexOf(filter.kind)
  const conversation = filter.conversationId === undefined ? -1 : filterKey(filter.conversationId)
  const who = filter.who === undefined ? -1 : filterKey(filter.who)
  const since = filter.since ?? Number.NEGATIVE_INFINITY
  const until = filter.until ?? Number.POSITIVE_INFINITY
  if (kind < 0 && conversation < 0 && who < 0 && since === -Infinity && until === Infinity) return null
  return (chunk, slot) =>
    (kind < 0 || chunk.kind[slot] === kind) &&
    (conversation < 0 || chunk.conversation[slot] === conversation) &&
    (who < 0 || chunk.who[slot] === who) &&
    chunk.time[slot]! >= since &&
    chunk.time[slot]! < until
}

/** The k largest numbers so far, ascending. */
export class Largest {
  readonly #most: number
  readonly #values: number[] = []

  /** @param most k, at least 1 */
  constructor(most: number) {
    this.#most = most
  }

  /** The k-th largest; -Infinity as long as there are fewer. */
  get least(): number {
    return this.#values.length < this.#most ? Number.NEGATIVE_INFINITY : this.#values[0]!
  }

  push(value: number): void {
    if (value <= this.least) return
    this.#values.splice(countBelow(this.#values, value), 0, value)
    if (this.#values.length > this.#most) this.#values.shift()
  }
}
