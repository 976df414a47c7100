/** Recalls of turns and summaries (`recallTurns`), and of the evidence for a message (`recallEvidence`); only `touch` counts as use. */
import { check, givenAs, type InputOf, orElse, searchedPart } from '../domain/checks.ts'
import { type Clock, momentOfWall, type TimeZone } from '../domain/clock.ts'
import type { Store } from '../domain/contracts/store.ts'
import { invalid } from '../domain/errors.ts'
import { LIMITS, MEMORY_RETRIEVAL_LIMIT, WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import {
  RANKINGS,
  type Ranking,
  RESULT_KINDS,
  type RecallAnswer,
  type RecallRequest,
  type ResultKind,
} from '../domain/recall.ts'
import { overView } from '../domain/scheduling.ts'
import { SETTINGS } from '../domain/settings.ts'
import type { Turn } from '../domain/turn.ts'
import { tokenCounter } from '../language/count-tokens.ts'
import { maskSecretsPatiently } from '../language/secrets/mask-secrets.ts'
import { namesSecret } from '../language/secrets/secret-names.ts'
import type { Similarity } from '../search/candidates.ts'
import { evidenceLine, type Standing, standingOf } from '../search/context/context-layers.ts'
import { type Evidence, selectEvidence } from '../search/evidence/select-evidence.ts'
import { answerFromView } from '../search/rank-turns.ts'
import { rollOverdue } from './conversations.ts'
import { evidenceFor } from './find-evidence.ts'
import { leftOutOf } from './hidden-turns.ts'
import { projectOf } from './matching/filter.ts'
import { type Opened, settingValues } from './open-options.ts'
import { type EvidenceSources, similarTexts } from './query-vector.ts'
import { readWindow } from './read-window.ts'
import { readTimeRange, type TimeRangeInput } from './time-range.ts'

/** Conversations whose missing summaries one recall writes, and the most turns of each that they are about. */
const MOST_ROLLED = 5
const LONGEST_ROLLED = 500

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
  { store, options: { clock, timeZone }, embedQuery, meanings }: Opened & EvidenceSources,
  query: string,
  input: RecallInput,
): Promise<RecallAnswer> {
  const started = performance.now()
  const checked = await checkRequest(query, input, clock().getTime(), timeZone)
  const request = { ...checked, timeZone, projectRoot: await projectOf(store.log, checked.userId, checked.projectRoot) }
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

async function recallFresh(
  store: Store,
  request: RecallRequest,
  topic: string | null,
  similarity: Similarity | null,
  meanings: EvidenceSources['meanings'],
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
  const { summarizeByRules } = await import('../thinking/summarizer/summarize-by-rules.ts')
  return summarizeByRules(turns).summary
}

async function currentTopic(store: Store, userId: string, conversationId: string, now: number): Promise<string | null> {
  const working = await store.workingMemory.get(userId, conversationId, now - WORKING_MEMORY_IDLE_MS)
  return working?.currentTopic ?? null
}

async function checkRequest(
  query: unknown,
  input: RecallInput,
  present: number,
  zone: TimeZone,
): Promise<RecallRequest> {
  const { timeRange: _, ...given } = check.fields('', input, FIELDS)
  const now = given.now ?? present
  const { since, until } = given
  if (since !== null && until !== null && since > until)
    throw invalid('since', 'lies after until', 'Swap the two, or leave one out.')
  const range = await readTimeRange('timeRange', input.timeRange, now, zone)
  if (range !== null && (since !== null || until !== null))
    throw invalid('timeRange', 'cannot be combined with since and until', 'Pass one or the other.')
  const moment = (wall: number | null): number | null => (wall === null ? null : momentOfWall(wall, zone))
  const times = range === null ? {} : { since: moment(range.since), until: moment(range.until) }
  return { ...given, ...times, now, query: searchedPart(check.query(query)) }
}

export type EvidenceKind = Evidence['kind']
export const EVIDENCE_KINDS: readonly EvidenceKind[] = ['turn', 'memory']

/** The answer, best first; empty where nothing answers. */
export interface RecalledEvidence {
  readonly results: readonly (Evidence & Standing)[]
  /** The tokens of all results together, as lines of a context. */
  readonly tokens: number
  readonly latencyMs: number
  readonly warnings: readonly string[]
}

const MOST_TOKENS = SETTINGS['memory.evidence_tokens'].bounds[1]
const EVIDENCE_FIELDS = {
  userId: check.id,
  /** The running conversation, whose rolling window is left out of the answer. It is no filter. */
  conversationId: check.optionalId,
  /** Only turns of this project, or of the one that this path lies in, and memories that hold there; default: all. */
  projectRoot: check.optionalId,
  /** Default both. */
  kinds: orElse(EVIDENCE_KINDS, check.someOf<EvidenceKind>, EVIDENCE_KINDS),
  /** Texts at the most, 1 to 10,000. Default: as many as the tokens hold. */
  limit: orElse(null, check.integer, 1, LIMITS.resultLimit),
  /** Tokens of all texts together. Default: the setting `memory.evidence_tokens`; no bound where a limit is named. */
  tokenBudget: orElse(null, check.integer, 1, MOST_TOKENS),
  /** Memories at this moment; default: the present ones. */
  asOf: check.optionalTime,
  /** The moment that "yesterday" is counted from; default: the clock's. */
  now: check.optionalTime,
  /** Only events and tellings at or after this. */
  since: check.optionalTime,
  /** Only events and tellings at or before this. */
  until: check.optionalTime,
  /** true: every result says how its score came about. */
  explain: orElse(false, check.boolean),
  /** true: passwords, keys and other secrets are shown as they are. Default false. */
  revealSecrets: orElse(false, check.boolean),
}

/** How to recall; everything but the user has a default. */
export type RecallEvidenceInput = InputOf<typeof EVIDENCE_FIELDS, 'userId'>

/** Recalls the answers to a message. Rejects with `invalid` for a bad question. */
export async function recallEvidence(
  core: Opened & EvidenceSources,
  message: string,
  input: RecallEvidenceInput,
): Promise<RecalledEvidence> {
  const started = performance.now()
  const { store, options } = core
  const given = check.fields('', input, EVIDENCE_FIELDS)
  check.content('message', message, LIMITS.contentBytes)
  const { userId, conversationId, kinds, asOf, since, until, explain, tokenBudget } = given
  const projectRoot = await projectOf(store.log, userId, given.projectRoot)
  const { clock, timeZone } = options
  const now = given.now ?? clock().getTime()
  if (since !== null && until !== null && since > until)
    throw invalid('since', 'lies after until', 'Swap the two, or leave one out.')
  const limit = given.limit ?? LIMITS.resultLimit
  const settings = await settingValues(core)
  const tokens = tokenBudget ?? (given.limit === null ? settings['memory.evidence_tokens'] : MOST_TOKENS)
  const window = await readWindow(store, userId, conversationId, message, settings.context_limit)
  const { pieces, gains, room, warnings } = await evidenceFor(core, message, {
    ...{ userId, conversationId, projectRoot, kinds, now, timeZone, asOf, since, until },
    ...{ explain, tokens, limit, window },
    seen: window.turns.map(({ turnId }) => turnId),
    leftOut: await leftOutOf(store, userId),
  })
  const masks = { said: !namesSecret(message) }
  const shownIn = { now: asOf ?? now, timeZone, projectRoot }
  const { chosen } = selectEvidence(given.revealSecrets ? pieces : await maskSecretsPatiently(pieces, masks), {
    // A request for a number of texts gets as many.
    bounds: {
      tokens: given.limit === null ? Math.min(tokens, room) : tokens,
      limit,
      memories: memoriesOf(kinds, settings['memory.rag_top_n']),
      isForModel: given.limit === null,
    },
    gains,
    message,
    shown: window.turns.map(({ content }) => content),
    line: (evidence) => evidenceLine(evidence, shownIn),
    count: await tokenCounter(),
    turns: kinds.includes('turn'),
  })
  return {
    results: chosen.map((one) => ({ ...one, ...standingOf(one, shownIn) })),
    tokens: chosen.reduce((sum, one) => sum + one.tokens, 0),
    latencyMs: performance.now() - started,
    warnings,
  }
}

/** 001 bounds memories beside turns; a request for memories alone gets as many as fit. */
function memoriesOf(kinds: readonly EvidenceKind[], ragTopN: number): number {
  if (!kinds.includes('memory')) return 0
  return kinds.includes('turn') ? ragTopN : LIMITS.resultLimit
}
