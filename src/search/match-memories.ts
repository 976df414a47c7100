/** Which memories hold the words of a search, best first? BM25 as for turns; only the best records are read. */
import { isAmong } from '../domain/binary-search.ts'
import { DAY_MS } from '../domain/clock.ts'
import type { MemoryFilter, MemoryMatch, MemoryMatches, MemoryStore } from '../domain/contracts/memory-store.ts'
import {
  MEMORY_DELETED,
  MEMORY_PROJECT_SHIFT,
  MEMORY_SUPERSEDED,
  type MemoryIndex,
  type MemoryView,
  type PostingList,
  type TurnColumns,
  type TurnView,
} from '../domain/contracts/text-index.ts'
import { CATEGORIES, MEMORY_TYPES, type Memory, projectMark, subjectsOf } from '../domain/memory.ts'
import { breathe, overView } from '../domain/scheduling.ts'
import { isOneCharacter } from '../language/character-class.ts'
import { indexTerms, termCount } from '../language/terms.ts'
import type { AskedTime } from './asked-time.ts'
import { isWithin } from './candidates.ts'
import {
  accumulate,
  acquireBoard,
  MASKED_TERMS,
  type OtherDocuments,
  releaseBoard,
  type ScoredList,
  scoredLists,
  selectTop,
  termScore,
} from './word-scores.ts'

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
  scored(lists: readonly ScoredList[], view: TurnView): readonly MemoryDocument[]
}

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

function sourceOf({ conversationId, sourceTurnIds }: Memory, view: TurnView): number {
  const turn = sourceTurnIds[0]
  return conversationId === null || turn === undefined ? -1 : ordinalOfTurn(conversationId, turn, view)
}

export type MatchedMemories = Pick<MemoryStore, 'index' | 'getRows' | 'match'>

/** Each time the filter rejected too many, so many times more are looked at. */
const WIDER = 4
/** The index keeps some times by the second. */
const SECOND_MS = 1000

/**
 * Best matches of any term, the newer first of equal ones. `answering`: none that hold a single character alone, where
 * the terms have more.
 */
export async function matchMemories(
  memories: MatchedMemories,
  userId: string,
  terms: readonly string[],
  filter: MemoryFilter,
  limit: number,
  answering = false,
): Promise<MemoryMatches> {
  if (!memories.index.isReady(userId)) return memories.match(userId, terms, filter, limit)
  const matches = await overView(async (): Promise<readonly MemoryMatch[]> => {
    if (terms.length === 0 || limit <= 0) return []
    const view = await memories.index.view(userId)
    if (view.live === 0) return []
    const lists = await view.postings(terms)
    const mayPass = columnFilter(view, filter)
    const tellingOnly = answering && terms.some((term) => !isOneCharacter(term))
    const matches: MemoryMatch[] = []
    for (let from = 0, to = limit; ; from = to, to *= WIDER) {
      const best = bestByWords(view, lists, to, mayPass, tellingOnly)
      const places = best.slice(from)
      const found = await memories.getRows(
        userId,
        places.map(({ ordinal }) => view.columns.row[ordinal]!),
        filter,
      )
      for (const [index, memory] of found.entries()) {
        const { ordinal, score } = places[index]!
        if (memory === null || matches.length === limit) continue
        let matched: readonly number[] | undefined
        matches.push({
          memory,
          bm25: score,
          // Looking through every list is left out for who only wants the memories.
          get matchedTerms() {
            matched ??= holding(lists, ordinal)
            return matched
          },
        })
      }
      if (matches.length === limit || best.length < to) return matches
      await breathe()
    }
  })
  return { matches, method: 'fts' }
}

/** How many memories a user has, and how many of them hold each of these terms. */
export async function countHolding(
  index: MemoryIndex,
  userId: string,
  terms: readonly string[],
): Promise<{ readonly count: number; readonly holding: ReadonlyMap<string, number> }> {
  return overView(async () => {
    const { live, postings } = await index.view(userId)
    const holding = live === 0 ? [] : await postings(terms)
    return { count: live, holding: new Map(holding.map(({ term, documents }) => [term, documents.length])) }
  })
}

function bestByWords(
  view: MemoryView,
  lists: readonly PostingList[],
  most: number,
  mayPass: (ordinal: number) => boolean,
  tellingOnly: boolean,
): readonly { readonly ordinal: number; readonly score: number }[] {
  const board = acquireBoard(view.size)
  try {
    const scored = scoredLists(
      lists.map((list) => ({ list, weight: 1 })),
      view.live,
    )
    const telling = scored.reduce(
      (mask, { list }, index) => (isOneCharacter(list.term) ? mask : mask | (1 << index)),
      0,
    )
    const tells = (mask: number): boolean => (mask & telling) !== 0 || (mask & (mask - 1)) !== 0
    const isTold = !tellingOnly || scored.length > MASKED_TERMS
    const accepts = (ordinal: number): boolean => (isTold || tells(board.masks[ordinal]!)) && mayPass(ordinal)
    accumulate(board, scored, view, most, accepts)
    return Array.from(selectTop(board, most, accepts), (ordinal) => ({ ordinal, score: board.scores[ordinal]! }))
  } finally {
    releaseBoard(board)
  }
}

/** Whether a memory exists and may pass the filter, as far as the columns tell. */
function columnFilter({ columns, conversations }: MemoryView, filter: MemoryFilter): (ordinal: number) => boolean {
  const { memoryType, category, conversationId, projectRoot, asOf, includePast = false } = filter
  const type = memoryType === undefined ? -1 : MEMORY_TYPES.indexOf(memoryType)
  const sort = category === undefined ? -1 : CATEGORIES.indexOf(category)
  const hidden = MEMORY_DELETED | (asOf === undefined && !includePast ? MEMORY_SUPERSEDED : 0)
  const project = projectRoot === undefined ? 0 : projectMark(projectRoot)
  return (ordinal) => {
    if ((columns.flags[ordinal]! & hidden) !== 0) return false
    if (type >= 0 && columns.memoryType[ordinal] !== type) return false
    if (sort >= 0 && columns.category[ordinal] !== sort) return false
    const mark = columns.flags[ordinal]! >> MEMORY_PROJECT_SHIFT
    if (project !== 0 && mark !== 0 && mark !== project) return false
    if (conversationId !== undefined) {
      const known = conversations[columns.conversation[ordinal]!]?.conversationId ?? ''
      if (known !== '' && known !== conversationId) return false
    }
    return asOf === undefined || (columns.validFrom[ordinal]! <= asOf && columns.validTo[ordinal]! + SECOND_MS > asOf)
  }
}

/** Which of the lists name it, by index. */
function holding(lists: readonly PostingList[], ordinal: number): readonly number[] {
  const found: number[] = []
  for (let index = 0; index < lists.length; index += 1) if (isAmong(lists[index]!.documents, ordinal)) found.push(index)
  return found
}

/** Memories of a time, in its order: that speak of a day in it, that were told in it, or either. */
export async function memoriesOfTime(
  memories: MatchedMemories,
  userId: string,
  { days, times, of }: AskedTime,
  filter: MemoryFilter,
  limit: number,
): Promise<readonly Memory[]> {
  return overView(async () => {
    const view = await memories.index.view(userId)
    const { occurredAt, createdAt, row } = view.columns
    const mayPass = columnFilter(view, filter)
    const found: number[] = []
    for (let ordinal = 0; ordinal < view.size; ordinal++) {
      const [day, told] = [occurredAt[ordinal]!, createdAt[ordinal]!]
      const isEvent = of !== 'tellings' && day !== told && days.some(({ from, to }) => day + DAY_MS > from && day <= to)
      if ((isEvent || (of !== 'events' && isWithin(told, times))) && mayPass(ordinal)) found.push(ordinal)
    }
    const first = found.sort((a, b) => occurredAt[a]! - occurredAt[b]!).slice(0, limit)
    const rows = first.map((ordinal) => row[ordinal]!)
    return (await memories.getRows(userId, rows, filter)).filter((memory) => memory !== null)
  })
}
