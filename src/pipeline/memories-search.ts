/**
 * Which memories answer this message? Terms, candidates from the store, the caller's filter, ranking, in that order.
 * Asking changes nothing: only what is put into a model's context counts as accessed.
 */

import { type Asked, askedOf, isMemoryAboutAsked, type Telling, tellingOf } from '../cognition/facts/asked.ts'
import { relativesOf } from '../cognition/facts/families.ts'
import { tellsOfChange } from '../cognition/facts/stance.ts'
import type { MemoryMatch, MemoryMatches, MemoryStore, WorkingMemoryStore } from '../contracts/memory-store.ts'
import type { VectorIndex } from '../contracts/vector-index.ts'
import {
  checkBoolean,
  checkId,
  checkInteger,
  checkOneOf,
  checkOptionalId,
  checkOptionalTime,
  checkQuery,
  checkRecord,
} from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import { LIMITS, WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import { MEMORY_TYPES, type Memory, type MemoryType } from '../domain/memory.ts'
import type { Explanation } from '../domain/recall.ts'
import { K_EPISODIC, K_SEMANTIC } from '../retrieval/associative.ts'
import { type MemoryRanking, type RankedMemory, rankMemories } from '../retrieval/rank-memories.ts'
import { speaksOfPreference } from '../text/preference.ts'
import { checkMoment } from './memories.ts'
import { type CompiledFilter, compileFilter } from './memories-filter.ts'
import { type MemorySearchTerm, memorySearchTerms } from './memories-terms.ts'
import { findCandidates, findCandidatesOfEachType } from './memory-candidates.ts'
import { withSuccessors } from './memory-successors.ts'
import type { EmbedQuery } from './query-vector.ts'
import { searchOrWarn } from './similar-vectors.ts'
import { readTimeRange, type TimeRange, type TimeRangeInput } from './time-range.ts'

/** How to search; everything but the user has a default. */
export interface SearchMemoriesInput {
  readonly userId: string
  /** 1 to 10,000. Default: MEMORY_RETRIEVAL_LIMIT for ranking `long-term`, else 10. */
  readonly limit?: number | undefined
  /** Default `hybrid`. */
  readonly ranking?: MemoryRanking | undefined
  /** Which memories may answer; see memories-filter. */
  readonly filters?: unknown
  /** As things stood at this moment; default: what holds now. */
  readonly asOf?: Date | string | null | undefined
  /** true: superseded and ended memories too. */
  readonly includePast?: boolean | undefined
  /** The moment that recency is counted to; default: the clock's. */
  readonly now?: Date | string | null | undefined
  /** Only what happened or was told in this stretch of time: its ends, or words such as "last week" and 上周. */
  readonly timeRange?: TimeRangeInput | undefined
  /** true: every result says how its score came about. */
  readonly explain?: boolean | undefined
  /** The running conversation, whose current topic is searched as well. It is no filter. */
  readonly conversationId?: string | null | undefined
  /** Semantic and episodic memories at the most (002 R3.3), 0 to 10,000; default with ranking `associative` 5 each. */
  readonly kSemantic?: number | undefined
  readonly kEpisodic?: number | undefined
}

/** A memory that answers. */
export interface FoundMemory {
  /** The store's own, the same object from one search to the next: copy what you mean to change. */
  readonly memory: Memory
  /** Above 0; comparable within one answer. */
  readonly score: number
  readonly explanation: Explanation | null
}

/** The answer to a search, best first; empty when nothing matches. */
export interface MemorySearchAnswer {
  readonly results: readonly FoundMemory[]
  /** What the caller should know about the answer, as sentences. */
  readonly warnings: readonly string[]
}

/** What searching needs. */
export interface SearchMemoriesDependencies {
  readonly memories: MemoryStore
  readonly workingMemory: WorkingMemoryStore
  readonly clock: Clock
  /** 000, MEMORY_RETRIEVAL_LIMIT. */
  readonly retrievalLimit: number
  /** The model of meaning and its index, where there is one. */
  readonly meaning?: { readonly embedQuery: EmbedQuery; readonly vectors: Pick<VectorIndex, 'search'> } | undefined
}

const MEMORY_RANKINGS: readonly MemoryRanking[] = ['long-term', 'hybrid', 'associative']
const HYBRID_LIMIT = 10
/** The ranking chooses among this many more than asked for. */
const CANDIDATES_BESIDES = 30
const FIELDS = [
  'userId',
  'limit',
  'ranking',
  'filters',
  'asOf',
  'includePast',
  'now',
  'timeRange',
  'explain',
  'conversationId',
  'kSemantic',
  'kEpisodic',
]
/** Memories that similarity brings beside those that words bring. */
const SIMILAR_CANDIDATES = 40

/** Searches a user's memories. Rejects with `invalid` for a bad question. */
export async function searchMemories(
  dependencies: SearchMemoriesDependencies,
  query: string,
  input: SearchMemoriesInput,
): Promise<MemorySearchAnswer> {
  const { memories, workingMemory, clock, retrievalLimit } = dependencies
  checkRecord('', input, FIELDS)
  const message = checkQuery(query)
  const userId = checkId('userId', input.userId)
  const ranking = input.ranking === undefined ? 'hybrid' : checkOneOf('ranking', input.ranking, MEMORY_RANKINGS)
  const usual = ranking === 'long-term' ? retrievalLimit : HYBRID_LIMIT
  const limit = input.limit === undefined ? usual : checkInteger('limit', input.limit, 1, LIMITS.resultLimit)
  const now = checkOptionalTime('now', input.now) ?? clock().getTime()
  const explain = input.explain === undefined ? false : checkBoolean('explain', input.explain)
  const conversationId = checkOptionalId('conversationId', input.conversationId)
  const bounded = (name: 'kSemantic' | 'kEpisodic', usually: number): number => {
    if (input[name] !== undefined) return checkInteger(name, input[name], 0, LIMITS.resultLimit)
    return ranking === 'associative' ? usually : LIMITS.resultLimit
  }
  const most = { semantic: bounded('kSemantic', K_SEMANTIC), episodic: bounded('kEpisodic', K_EPISODIC) }
  const filter = within(compileFilter(input.filters), await readTimeRange('timeRange', input.timeRange, now))
  const asked = askedOf(message)
  // Who asks how things were is answered from the past, too.
  const asksPast = asked.past && (input.asOf === undefined || input.asOf === null) && ranking !== 'long-term'
  const stored = { ...filter.stored, ...checkMoment(input.asOf, asksPast ? true : input.includePast) }

  const living =
    conversationId === null ? null : await workingMemory.get(userId, conversationId, now - WORKING_MEMORY_IDLE_MS)
  const topic = living?.currentTopic ?? null
  const preference = speaksOfPreference(message)
  const isBounded = ranking === 'associative' || input.kSemantic !== undefined || input.kEpisodic !== undefined
  const find = (terms: readonly MemorySearchTerm[]): Promise<MemoryMatches> =>
    (isBounded ? findCandidatesOfEachType : findCandidates)(
      memories,
      userId,
      terms,
      { ...filter, stored },
      limit + CANDIDATES_BESIDES,
      preference,
    )
  let subjects = asked.topics
  let terms = memorySearchTerms(message, topic, subjects)
  let found = await find(terms)
  // Nothing speaks of what is asked for: then what is next to it may answer.
  if (
    ranking !== 'long-term' &&
    subjects.length > 0 &&
    !found.matches.some(({ memory }) => speaksOf(memory, subjects))
  ) {
    subjects = [...subjects, ...relativesOf(subjects)]
    terms = memorySearchTerms(message, topic, subjects)
    found = await find(terms)
  }
  // Who asks in the words of what was is told what took its place.
  const follows = ranking === 'hybrid' && stored.includePast !== true && stored.asOf === undefined
  const { matches: followed, predecessors } = follows
    ? await withSuccessors(memories, userId, terms, { ...filter, stored }, found, subjects, isNews)
    : { matches: found, predecessors: new Map<string, readonly Memory[]>() }
  found = followed
  const meaning =
    ranking === 'long-term'
      ? { matches: found.matches, similarity: null, warning: null }
      : await withSimilar(dependencies, message, userId, found.matches, { ...filter, stored })
  const ranked = rankMemories(
    { ...found, matches: meaning.matches },
    {
      ranking,
      terms,
      speaksOfPreference: preference,
      similarity: meaning.similarity,
      subjects,
      isNews,
      ...(asked.people.length === 0
        ? {}
        : {
            isAboutAsked: (memory) =>
              [memory, ...(predecessors.get(memory.id) ?? [])].some((one) => isAbout(one, asked)),
          }),
      now,
    },
  )
  const chosen = isBounded ? mostOfEach(ranked, most) : ranked
  return {
    results: chosen
      .slice(0, limit)
      .map((one) => ({ memory: one.memory, score: one.score, explanation: explain ? one.explanation : null })),
    warnings: [
      ...(found.method === 'like'
        ? [
            'The full-text index of memories could not answer; plain text search did. Run memory_reindex to build it anew.',
          ]
        : []),
      ...(meaning.warning === null ? [] : [meaning.warning]),
    ],
  }
}

// What was found out about memories that the store keeps from one search to the next; nobody changes them.
const tellings = new WeakMap<Memory, Telling>()
const news = new WeakMap<Memory, boolean>()

function isAbout(memory: Memory, asked: Asked): boolean {
  let telling = tellings.get(memory)
  if (telling === undefined) {
    telling = tellingOf(memory.text)
    tellings.set(memory, telling)
  }
  return isMemoryAboutAsked(telling, memory.who, asked)
}

function isNews(memory: Memory): boolean {
  let isSo = news.get(memory)
  if (isSo === undefined) {
    isSo = tellsOfChange(memory.text)
    news.set(memory, isSo)
  }
  return isSo
}

/** The filter, and besides it that the memory happened or was told in the range. */
function within(filter: CompiledFilter, range: TimeRange | null): CompiledFilter {
  if (range === null) return filter
  const { accepts, stored } = filter
  const lies = (moment: number): boolean =>
    (range.since === null || moment >= range.since) && (range.until === null || moment <= range.until)
  return {
    stored,
    accepts: (memory) => (lies(memory.occurredAt) || lies(memory.createdAt)) && (accepts === null || accepts(memory)),
  }
}

function speaksOf({ key, tags }: Memory, subjects: readonly string[]): boolean {
  return subjects.some((subject) => subject === key || tags.includes(subject))
}

interface Meaning {
  readonly matches: readonly MemoryMatch[]
  /** Cosine by id; null where no model of meaning answered. */
  readonly similarity: ReadonlyMap<string, number> | null
  readonly warning: string | null
}

/** The matches by words, and besides them those that mean something alike. */
async function withSimilar(
  { memories, meaning }: SearchMemoriesDependencies,
  message: string,
  userId: string,
  matches: readonly MemoryMatch[],
  { stored, accepts }: CompiledFilter,
): Promise<Meaning> {
  if (meaning === undefined) return { matches, similarity: null, warning: null }
  const { vector, warning } = await meaning.embedQuery(message, userId)
  if (vector === null) return { matches, similarity: null, warning }
  const near = await Promise.all(
    MEMORY_TYPES.map((kind) => searchOrWarn(meaning.vectors, userId, vector, SIMILAR_CANDIDATES, { kind })),
  )
  const failed = near.find(({ matches: found }) => found === null)
  if (failed !== undefined) return { matches, similarity: null, warning: failed.warning }
  const similarity = new Map(near.flatMap(({ matches: found }) => found ?? []).map(({ id, score }) => [id, score]))
  const known = new Set(matches.map(({ memory }) => memory.id))
  const others = await memories.getMany(
    userId,
    [...similarity.keys()].filter((id) => !known.has(id)),
    stored,
  )
  const found = others
    .filter((memory) => accepts === null || accepts(memory))
    .map((memory): MemoryMatch => ({ memory, bm25: 0, matchedTerms: [] }))
  return { matches: [...matches, ...found], similarity, warning: null }
}

/** 002 R3.3: at most so many of each type, in order. */
function mostOfEach(
  ranked: readonly RankedMemory[],
  most: Readonly<Record<MemoryType, number>>,
): readonly RankedMemory[] {
  const taken = { semantic: 0, episodic: 0 }
  return ranked.filter(({ memory: { memoryType } }) => {
    taken[memoryType] += 1
    return taken[memoryType] <= most[memoryType]
  })
}
