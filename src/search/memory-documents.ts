/**
 * Which memories may answer a query, as documents beside the turns? They are scored by the same lists and the same
 * formula as turns are, so that both stand in one order.
 */
import type { TurnColumns, TurnView } from '../domain/contracts/text-index.ts'
import { type Memory, subjectsOf } from '../domain/memory.ts'
import { indexTerms, termCount } from '../language/tokens.ts'
import { MASKED_TERMS, type OtherDocuments, type ScoredList, termScore } from './word-scores.ts'

interface Places {
  size: number
  /** By index of the conversation, the ordinals of its turns in order. */
  readonly ordinals: number[][]
  /** Index by id, of as many conversations as there were. */
  byId: ReadonlyMap<string, number>
}

/** Columns only grow, so that a later look adds only the new. */
const known = new WeakMap<TurnColumns, Places>()

function placesOf({ columns, size, conversations }: TurnView): Places {
  let places = known.get(columns)
  if (places === undefined) {
    places = { size: 0, ordinals: [], byId: new Map() }
    known.set(columns, places)
  }
  for (; places.size < size; places.size++) {
    const index = columns.conversation[places.size]!
    const list = places.ordinals[index]
    if (list === undefined) places.ordinals[index] = [places.size]
    else list.push(places.size)
  }
  if (places.byId.size !== conversations.length)
    places.byId = new Map(conversations.map(({ conversationId }, index) => [conversationId, index]))
  return places
}

/** Ordinal of the turn with this number; -1 when the view has no such turn. */
function ordinalOfTurn(conversationId: string, number: number, view: TurnView): number {
  const { byId, ordinals } = placesOf(view)
  const index = byId.get(conversationId)
  const list = index === undefined ? undefined : ordinals[index]
  if (list === undefined) return -1
  const numbers = view.columns.number
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[list[middle]!]! < number) low = middle + 1
    else high = middle
  }
  const found = list[low]
  return found !== undefined && found < view.size && numbers[found] === number ? found : -1
}

/** A memory that shares a word with the query, or means something alike. */
export interface MemoryDocument {
  readonly memory: Memory
  /** Ordinal of the turn that it came from; -1 when the view does not hold it. */
  readonly source: number
  /** BM25 over the lists of the query. */
  readonly words: number
  /** Which lists it holds, one bit each, as on the score board. */
  readonly mask: number
  /** Whether it states an asked attribute. */
  readonly statesAsked: boolean
  /** The memories that it took the place of, or put in doubt: what answers by them is answered by it. */
  readonly before: readonly MemoryDocument[]
}

/** Memories beside the turns of one query. */
export interface MemoryDocuments extends OtherDocuments {
  /** The memories, scored by these lists. */
  scored(lists: readonly ScoredList[], view: TurnView): readonly MemoryDocument[]
}

/** No memories at all. */
export const NO_MEMORIES: MemoryDocuments = { count: 0, holding: () => 0, scored: () => [] }

/** The memories that others took the place of or put in doubt, by the id of the last. */
export type Predecessors = ReadonlyMap<string, readonly Memory[]>

interface Cut {
  readonly terms: ReadonlyMap<string, number>
  readonly length: number
}

// A store hands out the same object for a memory as long as it is unchanged, and nobody changes it.
const cuts = new WeakMap<Memory, Cut>()

/** Characters of a memory that are read for its terms. */
const MOST_READ = 65_536

function cutOf(memory: Memory): Cut {
  let cut = cuts.get(memory)
  if (cut === undefined) {
    const terms = indexTerms(
      [memory.text.slice(0, MOST_READ), memory.who ?? '', memory.key ?? '', ...subjectsOf(memory)].join('\n'),
    )
    cut = { terms, length: termCount(terms) }
    cuts.set(memory, cut)
  }
  return cut
}

/**
 * Documents of these candidates. `known` counts the user's memories, and those that hold a term; null: the index is not
 * ready, and only the candidates are known.
 */
export function memoryDocuments(
  candidates: readonly Memory[],
  known: { readonly count: number; readonly holding: ReadonlyMap<string, number> } | null,
  statesAsked: (memory: Memory) => boolean,
  predecessors: Predecessors = new Map(),
): MemoryDocuments {
  const amongCandidates = (term: string): number => candidates.filter((memory) => cutOf(memory).terms.has(term)).length
  return {
    count: known?.count ?? candidates.length,
    holding: known === null ? amongCandidates : (term) => known.holding.get(term) ?? 0,
    scored: (lists, view) => {
      const documentOf = (memory: Memory, before: readonly Memory[]): MemoryDocument => {
        const { terms, length } = cutOf(memory)
        let words = 0
        let mask = 0
        lists.forEach(({ list, gain }, index) => {
          const frequency = terms.get(list.term)
          if (frequency === undefined) return
          words += termScore(gain, frequency, length, view.averageLength || length)
          if (index < MASKED_TERMS) mask |= 1 << index
        })
        return {
          memory,
          source: sourceOf(memory, view),
          words,
          mask: mask >>> 0,
          statesAsked: statesAsked(memory),
          before: before.map((one) => documentOf(one, [])),
        }
      }
      return candidates.map((memory) => documentOf(memory, predecessors.get(memory.id) ?? []))
    },
  }
}

/** Ordinal of the first turn that a memory came from. */
function sourceOf({ conversationId, sourceTurnIds }: Memory, view: TurnView): number {
  const turn = sourceTurnIds[0]
  return conversationId === null || turn === undefined ? -1 : ordinalOfTurn(conversationId, turn, view)
}
