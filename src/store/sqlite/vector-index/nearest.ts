/** The exact nearest: bounds from the codes leave out what cannot be, the rest is scored in full. */
import { VECTOR_KINDS, type VectorFilter, type VectorMatch } from '../../../domain/contracts/vector-index.ts'
import type { Arena } from './arena.ts'
import { type Facts, filterKey } from './chunk.ts'
import type { UserVectors } from './user-vectors.ts'

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
