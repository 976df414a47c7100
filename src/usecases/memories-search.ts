/** Which memories answer this message? Only memories put into a model's context count as accessed. */
import { check, givenAs, type InputOf, orElse, searchedPart } from '../domain/checks.ts'
import { type TimeZone, wallTime } from '../domain/clock.ts'
import type { MemoryMatch, MemoryMatches, MemoryStore } from '../domain/contracts/memory-store.ts'
import type { Store } from '../domain/contracts/store.ts'
import { LIMITS, WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import { CHANGED_BY, type Memory, type MemoryType, speaksOf } from '../domain/memory.ts'
import type { Explanation } from '../domain/recall.ts'
import { inPieces, overView } from '../domain/scheduling.ts'
import { speaksOfPreference } from '../language/preference.ts'
import { analyzeQuery } from '../search/candidates.ts'
import { countHolding, matchMemories, memoryDocuments, type Predecessors } from '../search/match-memories.ts'
import type { MeaningScores } from '../search/meaning/meaning-scores.ts'
import { rankHybrid } from '../search/rank-hybrid.ts'
import {
  answersOf,
  bestFirst,
  categoryBoost,
  K_EPISODIC,
  K_SEMANTIC,
  type MemoryRanking,
  type RankedMemory,
  rankByFormula,
  type SearchedTerm,
} from '../search/ranking-formulas.ts'
import { askedOf, isMemoryAboutAsked } from '../thinking/facts/asked-attributes.ts'
import { relativesOf } from '../thinking/facts/mentioned-attributes.ts'
import { boundTo, type CompiledFilter, compileFilter, projectOf } from './matching/filter.ts'
import {
  type CandidatesWithPast,
  findCandidates,
  findCandidatesAndPast,
  memorySearchTerms,
  withWholeWords,
} from './matching/memory-candidates.ts'
import { asTheyStood, CHOICE_FIELDS, momentOf } from './memories.ts'
import type { Opened, ResolvedOptions } from './open-options.ts'
import { type MemorySources, withSimilar } from './query-vector.ts'
import { readTimeRange, type TimeRange, type TimeRangeInput } from './time-range.ts'

const MEMORY_RANKINGS: readonly MemoryRanking[] = ['long-term', 'hybrid', 'associative']
const HYBRID_LIMIT = 10
const FIELDS = {
  ...CHOICE_FIELDS,
  /** 1 to 10,000. Default: 10, and MEMORY_RETRIEVAL_LIMIT for ranking `long-term`. */
  limit: orElse(null, check.integer, 1, LIMITS.resultLimit),
  /** Default `hybrid`. */
  ranking: orElse('hybrid', check.oneOf<MemoryRanking>, MEMORY_RANKINGS),
  /** The moment that recency is counted to; default: the clock's. */
  now: check.optionalTime,
  /** Only events and tellings in this stretch of time: its ends, or words such as "last week" and 上周. */
  timeRange: givenAs<TimeRangeInput>(),
  /** true: every result says how its score came about. */
  explain: orElse(false, check.boolean),
  /** The running conversation, whose current topic is searched as well. It is no filter. */
  conversationId: check.optionalId,
  /** Semantic memories at the most (002 R3.3), 0 to 10,000; default with ranking `associative` 5. */
  kSemantic: orElse(null, check.integer, 0, LIMITS.resultLimit),
  /** As `kSemantic`, for episodic ones. */
  kEpisodic: orElse(null, check.integer, 0, LIMITS.resultLimit),
}

/** How to search; everything but the user has a default. */
export type SearchMemoriesInput = InputOf<typeof FIELDS, 'userId'>

/** A search whose fields are right: its limits, its filter, and the part of the query that is searched for. */
export type MemorySearch = Awaited<ReturnType<typeof readSearch>>

/** Reads a search; rejects with `invalid`. */
export async function readSearch(
  query: string,
  input: SearchMemoriesInput,
  { clock, retrievalLimit, timeZone }: Pick<ResolvedOptions, 'clock' | 'retrievalLimit' | 'timeZone'>,
) {
  const given = check.fields('', input, FIELDS)
  const message = searchedPart(check.query(query))
  const { kSemantic, kEpisodic, filters, timeRange, ...search } = given
  const { ranking } = search
  const limit = given.limit ?? (ranking === 'long-term' ? retrievalLimit : HYBRID_LIMIT)
  const now = given.now ?? clock().getTime()
  const isAssociative = ranking === 'associative'
  const most: Readonly<Record<MemoryType, number>> = {
    semantic: kSemantic ?? (isAssociative ? K_SEMANTIC : LIMITS.resultLimit),
    episodic: kEpisodic ?? (isAssociative ? K_EPISODIC : LIMITS.resultLimit),
  }
  const filter = within(compileFilter(filters), await readTimeRange('timeRange', timeRange, now, timeZone), timeZone)
  const isBounded = isAssociative || kSemantic !== null || kEpisodic !== null
  return { ...search, message, limit, now, timeZone, most, isBounded, filter }
}

/** The filter, and besides it that the memory happened or was told in the range. */
function within(filter: CompiledFilter, range: TimeRange | null, zone: TimeZone): CompiledFilter {
  if (range === null) return filter
  const { accepts, stored } = filter
  const lies = (moment: number): boolean => {
    const at = wallTime(moment, zone)
    return (range.since === null || at >= range.since) && (range.until === null || at <= range.until)
  }
  return {
    stored,
    accepts: (memory) => (lies(memory.occurredAt) || lies(memory.createdAt)) && (accepts === null || accepts(memory)),
  }
}

/** A memory that answers. */
export interface FoundMemory {
  /** The store's own object, shared by later searches: copy it before a change. */
  readonly memory: Memory
  /** Above 0; comparable within one answer. */
  readonly score: number
  readonly explanation: Explanation | null
}

/** The answer to a search, best first; empty when nothing matches. */
export interface MemorySearchAnswer {
  readonly results: readonly FoundMemory[]
  /** The warnings about the answer, as sentences. */
  readonly warnings: readonly string[]
}

const MOST_PAST = 12
/** The ranking chooses among this many more than asked for. */
const CANDIDATES_BESIDES = 30
const [READ_FOR_PEOPLE, READ_A_PIECE] = [2, 16]

/** Searches a user's memories, by the model of meaning where there is one. Rejects with `invalid` for a bad question. */
export async function searchMemories(
  { store, options, embedQuery, meanings }: Opened & MemorySources,
  query: string,
  input: SearchMemoriesInput,
): Promise<MemorySearchAnswer> {
  const { memories, workingMemory } = store
  const { clock } = options
  const question = await readSearch(query, input, options)
  const { userId, ranking, limit, now, explain, conversationId, most, isBounded } = question
  const message = await withWholeWords(memories, userId, question.message)
  const project = await projectOf(store.log, userId, question.projectRoot)
  const filter = boundTo(project, question.filter)
  const asked = askedOf(question.message)
  // A question about earlier times is answered from the past, too.
  const asksPast = asked.past && question.asOf === null && ranking !== 'long-term'
  const stored = { ...filter.stored, ...momentOf({ ...question, includePast: asksPast || question.includePast }) }

  const living =
    conversationId === null ? null : await workingMemory.get(userId, conversationId, now - WORKING_MEMORY_IDLE_MS)
  const topic = living?.currentTopic ?? null
  const preference = speaksOfPreference(message)
  // A question in the words of a past state is answered with its successor.
  const follows = ranking === 'hybrid' && stored.includePast !== true && stored.asOf === undefined
  const match: MemoryStore['match'] =
    ranking === 'long-term' ? memories.match : (...wanted) => matchMemories(memories, ...wanted, true)
  const find = async (terms: readonly SearchedTerm[]): Promise<CandidatesWithPast> => {
    const wanted = limit + CANDIDATES_BESIDES
    const searched = { ...filter, stored }
    const search = { match, userId, terms, filter: searched, wanted, preference, eachType: isBounded }
    if (follows) return findCandidatesAndPast(search, MOST_PAST, clock().getTime())
    return { found: await findCandidates(search), past: [] }
  }
  let subjects = asked.topics
  let terms = memorySearchTerms(message, topic, subjects)
  let candidates = await find(terms)
  // Where no memory is about the asked matter, neighbours of it may answer.
  if (
    ranking !== 'long-term' &&
    subjects.length > 0 &&
    !candidates.found.matches.some(({ memory }) => speaksOf(memory, subjects))
  ) {
    subjects = [...subjects, ...relativesOf(subjects)]
    terms = memorySearchTerms(message, topic, subjects)
    candidates = await find(terms)
  }
  const { matches: found, predecessors } = follows
    ? await withSuccessors(memories, userId, { ...filter, stored }, candidates)
    : { matches: candidates.found, predecessors: new Map<string, readonly Memory[]>() }
  const sources = { embedQuery, meanings }
  const meaning = await withSimilar(store, sources, question, found.matches, { ...filter, stored })
  const { similarity } = meaning
  const matches = answersOf(meaning.matches, terms, similarity)
  const ranked =
    ranking === 'hybrid'
      ? await rankTogether(store, { ...question, message }, subjects, matches, predecessors, meaning.scoresOf)
      : rankByFormula({ ...found, matches }, { ranking, terms, speaksOfPreference: preference, similarity, now })
  const isAboutAsked = (memory: Memory): boolean =>
    [memory, ...(predecessors.get(memory.id) ?? [])].some((one) => isMemoryAboutAsked(one, asked))
  // The formula of 000 knows no persons.
  const isForAll = ranking === 'long-term' || asked.people.length === 0
  const right = isForAll
    ? ranked
    : await inPieces(ofAsked(ranked, isAboutAsked, isBounded ? Number.POSITIVE_INFINITY : limit))
  const chosen = (isBounded ? mostOfEach(right, most) : right).slice(0, limit)
  const shown = chosen.map(({ memory }) => memory)
  const told = await asTheyStood(memories, userId, stored.asOf, shown)
  return {
    results: chosen.map((one, at) => ({
      memory: told[at]!,
      score: one.score,
      explanation: explain ? one.explain() : null,
    })),
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

/** The first `limit` about the people asked for, among so many times as many; all, where none is. */
function* ofAsked(
  ranked: readonly RankedMemory[],
  isAboutAsked: (memory: Memory) => boolean,
  limit: number,
): Generator<void, readonly RankedMemory[]> {
  const right: RankedMemory[] = []
  for (const [at, one] of ranked.slice(0, limit * READ_FOR_PEOPLE).entries()) {
    if (right.length === limit) break
    if (at % READ_A_PIECE === 0) yield
    if (isAboutAsked(one.memory)) right.push(one)
  }
  return right.length === 0 ? ranked : right
}

/** Ranks by the one ranker of turns and memories, without turns in the answer. */
async function rankTogether(
  { memories, index }: Pick<Store, 'memories' | 'index'>,
  { message, userId, now, timeZone, explain }: MemorySearch,
  subjects: readonly string[],
  matches: readonly MemoryMatch[],
  predecessors: Predecessors,
  scoresOf: MeaningScores['scoresOf'] | null,
): Promise<readonly RankedMemory[]> {
  if (matches.length === 0) return []
  const analysis = await analyzeQuery(message, now, timeZone)
  const documents = memoryDocuments(
    matches.map(({ memory }) => memory),
    memories.index.isReady(userId) ? await countHolding(memories.index, userId, analysis.terms) : null,
    (memory) => speaksOf(memory, subjects),
    predecessors,
  )
  const request = { query: message, limit: matches.length, explain, now }
  const meaning = scoresOf === null ? null : { scoresOf }
  const preference = speaksOfPreference(message)
  return overView(async () => {
    const { pieces } = await rankHybrid(request, analysis, null, await index.view(userId), null, documents, meaning)
    return bestFirst(
      pieces.flatMap(({ memories: found, score, explanation }) =>
        found.map(({ memory }) => {
          const factor = categoryBoost(memory.category, preference)
          const multipliers = factor === 1 ? [] : [{ name: 'category', factor }]
          const explain = () => (explanation === null ? null : { ...explanation, multipliers, score: score * factor })
          return { memory, score: score * factor, explain }
        }),
      ),
    )
  })
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

const MOST_STEPS = 8

/** The matches, with successors of past or doubtful ones among them and among the best of all (`past`). */
export async function withSuccessors(
  memories: Pick<MemoryStore, 'get' | 'getMany'>,
  userId: string,
  { stored, accepts }: CompiledFilter,
  { found, past }: CandidatesWithPast,
) {
  const predecessors = new Map<string, readonly Memory[]>()
  const matches = new Map(found.matches.map((match) => [match.memory.id, match]))
  const heirs = new Map<string, MemoryMatch>()
  for (const match of [...past, ...found.matches]) {
    const next = heirOf(match.memory)
    const last = next === null ? null : await lastOf(memories, userId, next)
    if (last === null) continue
    predecessors.set(last.id, [...(predecessors.get(last.id) ?? []), match.memory])
    const own = heirs.get(last.id) ?? matches.get(last.id)
    const isBetter = own === undefined || own.matchedTerms.length < match.matchedTerms.length
    heirs.set(last.id, isBetter ? { ...match, memory: last } : own)
  }
  for (const memory of heirs.size === 0 ? [] : await memories.getMany(userId, [...heirs.keys()], stored))
    if (accepts === null || accepts(memory)) matches.set(memory.id, heirs.get(memory.id)!)
  const succeeded: MemoryMatches = { ...found, matches: [...matches.values()] }
  return { matches: succeeded, predecessors }
}

/** The id of the memory that may say what holds instead; null where there is none. */
function heirOf({ validTo, supersededBy, suspect, metadata }: Memory): string | null {
  // The end of a present state is told by the plan that takes its place.
  if (validTo !== null && supersededBy !== null) return supersededBy
  const changedBy = suspect === null && validTo === null ? undefined : metadata?.[CHANGED_BY]
  return typeof changedBy === 'string' ? changedBy : null
}

/** The end of the chain that begins with this id; null where it is gone or over. */
async function lastOf(memories: Pick<MemoryStore, 'get'>, userId: string, id: string): Promise<Memory | null> {
  let next: string | null = id
  for (let step = 0; next !== null && step < MOST_STEPS; step += 1) {
    const memory: Memory | null = await memories.get(userId, next)
    if (memory === null || (memory.validTo === null && heirOf(memory) === null)) return memory
    next = heirOf(memory)
  }
  return null
}
