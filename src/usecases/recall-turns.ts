/** Answers one recall: checks the question, looks at the index as it is now, and says how long it took. */
import { check, givenAs, type InputOf, orElse, searchedPart } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { Store } from '../domain/contracts/store.ts'
import type { TurnView } from '../domain/contracts/text-index.ts'
import { invalid } from '../domain/errors.ts'
import { LIMITS, MEMORY_RETRIEVAL_LIMIT, WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import { overView } from '../domain/pieces.ts'
import {
  RANKINGS,
  type Ranking,
  RESULT_KINDS,
  type RecallAnswer,
  type RecallRequest,
  type ResultKind,
} from '../domain/recall.ts'
import type { Turn } from '../domain/turn.ts'
import { withoutSpeakers } from '../search/hybrid-features.ts'
import type { MeaningScores } from '../search/meaning/meaning-scores.ts'
import { answerFromView } from '../search/recall.ts'
import type { Similarity } from '../search/scope.ts'
import { rollOverdue } from './conversations.ts'
import { projectOf } from './memories/filter.ts'
import { readTimeRange, type TimeRangeInput } from './memories-search-input.ts'
import type { Opened } from './options.ts'
import type { EmbedQuery } from './query-vector.ts'
import { searchOrWarn } from './query-vector.ts'

/** The models of meaning: texts that mean something alike are found by them. */
export interface EvidenceSources {
  /** The model of meaning, where there is one. */
  readonly embedQuery?: EmbedQuery | undefined
  /** The table of word vectors. */
  readonly meanings?: MeaningSource | undefined
}

/** The meanings of turns and memories by the table of word vectors. */
interface MeaningSource {
  /** The scores of the view's turns, and of memories if asked; null where no meaning is known. */
  scores(userId: string, view: TurnView, question: string, withMemories?: boolean): Promise<MeaningScores | null>
}

/** Conversations whose missing summaries one recall writes, and the most turns of each that they are about. */
const MOST_ROLLED = 5
const LONGEST_ROLLED = 500
const SIMILAR_TURNS = 200
/** Most texts when memories are asked for too. */
const SIMILAR_TEXTS = 300
const TURN_PREFIX = 'turn:'

const FIELDS = {
  userId: check.id,
  conversationId: check.optionalId,
  /** Only conversations of this project. */
  projectRoot: check.optionalId,
  /** 1 to 10,000; default 5. */
  limit: orElse(MEMORY_RETRIEVAL_LIMIT, check.integer, 1, LIMITS.resultLimit),
  /** Default `hybrid`. */
  ranking: orElse('hybrid', check.oneOf<Ranking>, RANKINGS),
  /** Default both. */
  kinds: orElse(RESULT_KINDS, check.someOf<ResultKind>, RESULT_KINDS),
  /** The moment that "yesterday" is counted from; default: the clock's. */
  now: check.optionalTime,
  /** Only turns said at or after this. */
  since: check.optionalTime,
  /** Only turns said at or before this. */
  until: check.optionalTime,
  /** In the place of both: only turns of this stretch of time, its ends or words such as "last week" and 上周. */
  timeRange: givenAs<TimeRangeInput>(),
  /** true: every result says how its score came about. */
  explain: orElse(false, check.boolean),
}

/** How to recall; everything but the user has a default. */
export type RecallInput = InputOf<typeof FIELDS, 'userId'>

/** Recalls turns and summaries. Rejects with `invalid` for a bad question. */
export async function recallTurns(
  { store, options: { clock }, embedQuery, meanings }: Opened & EvidenceSources,
  query: string,
  input: RecallInput,
): Promise<RecallAnswer> {
  const started = performance.now()
  const checked = await checkRequest(query, input, clock().getTime())
  const request = { ...checked, projectRoot: await projectOf(store.log, checked.userId, checked.projectRoot) }
  const topic =
    request.ranking === 'long-term' && request.conversationId !== null
      ? await currentTopic(store, request.userId, request.conversationId, request.now)
      : null
  const { similarity, warnings } = await similarTexts(store, request, embedQuery)
  const recalled = () => recallFresh(store, request, topic, similarity, meanings)
  const first = await recalled()
  const answer = (await rollRecalled(store, clock, request, first.results)) ? await recalled() : first
  return { ...answer, latencyMs: performance.now() - started, warnings }
}

/** Similarities by the model of meaning; null for rankings that do not use it. */
export async function similarTexts(
  store: Pick<Store, 'index' | 'vectors'>,
  { ranking, query, userId, conversationId, since, until }: RecallRequest,
  embedQuery: EmbedQuery | undefined,
  withMemories = false,
): Promise<{ readonly similarity: Similarity | null; readonly warnings: readonly string[] }> {
  if (embedQuery === undefined || (ranking !== 'hybrid' && ranking !== 'associative'))
    return { similarity: null, warnings: [] }
  const { speakers } = await store.index.view(userId)
  const { vector, warning } = await embedQuery(withoutSpeakers(query, speakers), userId)
  if (vector === null) return { similarity: null, warnings: warning === null ? [] : [warning] }
  const most = withMemories ? SIMILAR_TEXTS : SIMILAR_TURNS
  const { matches, warning: failure } = await searchOrWarn(store.vectors, userId, vector, most, {
    ...(withMemories ? {} : { kind: 'turn' }),
    ...(conversationId === null ? {} : { conversationId }),
    ...(since === null ? {} : { since }),
    // The request's end is included, the filter's is not.
    ...(until === null ? {} : { until: until + 1 }),
  })
  if (matches === null) return { similarity: null, warnings: failure === null ? [] : [failure] }
  const keyOf = (id: string): number | string =>
    id.startsWith(TURN_PREFIX) ? Number(id.slice(TURN_PREFIX.length)) : id
  return { similarity: new Map(matches.map(({ id, score }) => [keyOf(id), score])), warnings: [] }
}

async function recallFresh(
  store: Store,
  request: RecallRequest,
  topic: string | null,
  similarity: Similarity | null,
  meanings: MeaningSource | undefined,
): Promise<Omit<RecallAnswer, 'latencyMs' | 'warnings'>> {
  return overView(async () => {
    const view = await store.index.view(request.userId)
    const meaning = request.ranking === 'hybrid' ? await meanings?.scores(request.userId, view, request.query) : null
    return answerFromView(request, { view, log: store.log, topic, similarity, meaning, summarize })
  })
}

/** Writes missing summaries of the first conversations of an answer, which shows them in the place of old turns. */
async function rollRecalled(
  { log }: Store,
  clock: Clock,
  { userId, kinds, ranking }: RecallRequest,
  results: RecallAnswer['results'],
): Promise<boolean> {
  // Only the ranking of 003 mixes turns and summaries; the others show summaries where no turns are asked for.
  if (!kinds.includes('summary') || (ranking !== 'conversation' && kinds.includes('turn'))) return false
  const ids = [...new Set(results.map(({ conversationId }) => conversationId))].slice(0, MOST_ROLLED)
  return rollOverdue(log, userId, ids, clock().getTime(), LONGEST_ROLLED)
}

/** Loaded late: it needs the modules of thinking. */
async function summarize(turns: readonly Turn[]): Promise<string> {
  const { summarizeByRules } = await import('../thinking/summarizer/rules.ts')
  return summarizeByRules(turns).summary
}

async function currentTopic(store: Store, userId: string, conversationId: string, now: number): Promise<string | null> {
  const working = await store.workingMemory.get(userId, conversationId, now - WORKING_MEMORY_IDLE_MS)
  return working?.currentTopic ?? null
}

async function checkRequest(query: unknown, input: RecallInput, present: number): Promise<RecallRequest> {
  const { timeRange: _, ...given } = check.fields('', input, FIELDS)
  const now = given.now ?? present
  const { since, until } = given
  if (since !== null && until !== null && since > until)
    throw invalid('since', 'lies after until', 'Swap the two, or leave one out.')
  const range = await readTimeRange('timeRange', input.timeRange, now)
  if (range !== null && (since !== null || until !== null))
    throw invalid('timeRange', 'cannot be combined with since and until', 'Pass one or the other.')
  return { ...given, ...range, now, query: searchedPart(check.query(query)) }
}
