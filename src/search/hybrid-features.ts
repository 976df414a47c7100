/**
 * What speaks for this turn? The features of `hybrid`, computed for one candidate at a time into a reused array.
 * Each is a pure function of the score board, the columns and the query, and lies in [0, 1].
 */
import { TURN_IS_QUESTION, type TurnView } from '../contracts/turn-index.ts'
import { DAY_MS } from '../domain/clock.ts'
import type { Memory } from '../domain/memory.ts'
import { NEIGHBOUR_REACH } from './candidates.ts'
import { isAssistantTurn } from './chat-shape.ts'
import type { ConversationScores } from './conversation-scores.ts'
import { HYBRID_FEATURES, type HybridFeature } from './hybrid-weights.ts'
import type { MemoryDocument } from './memory-documents.ts'
import type { QueryAnalysis } from './query-analysis.ts'
import type { ScoreBoard } from './score-board.ts'
import type { Coverage } from './term-coverage.ts'
import { dateMatch } from './time-features.ts'

/** A turn with this many terms, or more, is long. */
const LONG_TURN_TERMS = 40
/** How far a passage reaches to both sides, in turns. */
const PASSAGE_REACH = 4
/** Recency in `hybrid` only decides between equals: ½ at half a year, then 1/3, 1/4 … */
const HYBRID_RECENCY_HALF_MS = 180 * DAY_MS

/** What the features of one query are computed from. */
export interface FeatureSources {
  readonly view: TurnView
  readonly board: ScoreBoard
  /** BM25 of the best turn, above 0. */
  readonly best: number
  readonly coverage: Coverage
  readonly conversations: ConversationScores
  /** By speaker: 1 when the query names them; null when it names nobody. */
  readonly named: Uint8Array | null
  readonly analysis: QueryAnalysis
  /** `exactWords` by ordinal; null when no turn holds such a word. */
  readonly exact: ReadonlyMap<number, number> | null
  /** `MeaningScores.score` by ordinal, of candidates only; null where the table of word vectors is not used. */
  readonly meaning: Float32Array | null
  /** The same of a memory; 0 without the table. */
  readonly meaningOf: (memory: Memory) => number
  /** `similarityScores` by ordinal; null without vectors. */
  readonly similarity: ReadonlyMap<number, number> | null
  readonly now: number
}

/** A memory that states an attribute that is asked for answers as one that has a quarter of the question's words. */
const STATED = 0.25

const AT = Object.fromEntries(HYBRID_FEATURES.map((name, index) => [name, index])) as Record<HybridFeature, number>
/** ln(1 + n) ÷ ln(1 + LONG_TURN_TERMS) for each length n that is not long. */
const LENGTH_SCORES = Float64Array.from(
  { length: LONG_TURN_TERMS + 1 },
  (_, length) => Math.log1p(length) / Math.log1p(LONG_TURN_TERMS),
)

/** Writes the features of the turn into `values`, in the order of HYBRID_FEATURES. */
export function hybridFeatures(ordinal: number, sources: FeatureSources, values: Float64Array): void {
  const { view, board, best, coverage, conversations, named, analysis, exact, meaning, similarity, now } = sources
  const { scores, masks } = board
  const { columns, size } = view
  const previous = columns.previous[ordinal]!
  const next = within(columns.next[ordinal]!, size)
  const before = previous < 0 ? -1 : columns.previous[previous]!
  const after = next < 0 ? -1 : within(columns.next[next]!, size)
  const previousAsks = previous >= 0 && (columns.flags[previous]! & TURN_IS_QUESTION) !== 0
  const mask = masks[ordinal]!
  const around = mask | maskAt(masks, previous) | maskAt(masks, next) | maskAt(masks, before) | maskAt(masks, after)
  const passage = reach(reach(around, after, columns.next, sources), before, columns.previous, sources)
  const conversation = conversations.scores[columns.conversation[ordinal]!]!

  values[AT.words] = scores[ordinal]! / best
  values[AT.coverage] = coverage(mask)
  values[AT.context] = coverage(around)
  values[AT.passage] = coverage(passage)
  values[AT.answer] = previousAsks ? scores[previous]! / best : 0
  values[AT.next] = next < 0 ? 0 : scores[next]! / best
  values[AT.before] = before < 0 ? 0 : scores[before]! / best
  values[AT.conversation] = conversations.best === 0 ? 0 : conversation / conversations.best
  values[AT.speaker] = named === null ? 0 : named[columns.speaker[ordinal]!]!
  values[AT.date] = analysis.dates.length === 0 ? 0 : dateMatch(columns.createdAt[ordinal]!, analysis.dates)
  values[AT.person] = isAssistantTurn(ordinal, view) ? 0 : 1
  values[AT.length] = LENGTH_SCORES[Math.min(LONG_TURN_TERMS, columns.length[ordinal]!)]!
  values[AT.brief] = 1 - values[AT.length]!
  values[AT.statement] = (columns.flags[ordinal]! & TURN_IS_QUESTION) === 0 ? 1 : 0
  values[AT.exact] = exact?.get(ordinal) ?? 0
  // What the others of its day are worth is known when all are; see `day-scores.ts`.
  values[AT.day] = 0
  values[AT.meaning] = meaning === null ? 0 : meaning[ordinal]!
  values[AT.similarity] = similarity?.get(ordinal) ?? 0
  values[AT.similarNext] = (next < 0 ? undefined : similarity?.get(next)) ?? 0
  values[AT.recency] = 1 / (1 + Math.max(0, now - columns.createdAt[ordinal]!) / HYBRID_RECENCY_HALF_MS)
}

/**
 * Writes the features of a memory: those of the turn that it came from, and its own words where they say more. One
 * whose turn is not there stands alone: its words are all the context that it has.
 */
export function memoryFeatures(document: MemoryDocument, sources: FeatureSources, values: Float64Array): void {
  const { best, coverage, analysis, now } = sources
  const { memory, source, mask, words, length } = document
  const covered = coverage(mask)
  if (source >= 0) hybridFeatures(source, sources, values)
  else {
    values.fill(0)
    values[AT.person] = 1
    values[AT.meaning] = sources.meaningOf(memory)
    values[AT.length] = LENGTH_SCORES[Math.min(LONG_TURN_TERMS, length)]!
    values[AT.brief] = 1 - values[AT.length]!
    values[AT.statement] = 1
    values[AT.recency] = 1 / (1 + Math.max(0, now - memory.occurredAt) / HYBRID_RECENCY_HALF_MS)
  }
  // What happened on a day may have been told on another.
  if (analysis.dates.length > 0)
    values[AT.date] = Math.max(values[AT.date]!, dateMatch(memory.occurredAt, analysis.dates))
  const stated = document.statesAsked ? STATED : 0
  values[AT.words] = Math.max(values[AT.words]!, words / best, stated)
  for (const feature of ['coverage', 'context', 'passage'] as const)
    values[AT[feature]] = Math.max(values[AT[feature]]!, covered, stated)
}

/** Features that are the same for every turn of this query and so cannot tell them apart. */
export function idleFeatures(sources: FeatureSources): ReadonlySet<HybridFeature> {
  const idle = new Set<HybridFeature>()
  if (sources.named === null) idle.add('speaker')
  if (sources.analysis.dates.length === 0) idle.add('date')
  if (sources.conversations.best === 0) idle.add('conversation')
  if (sources.exact === null) idle.add('exact')
  if (sources.meaning === null) idle.add('meaning')
  if (sources.similarity === null) idle.add('similarity').add('similarNext')
  return idle
}

/** The index may have grown since the view was taken: what is beyond it does not exist yet. */
function within(ordinal: number, size: number): number {
  return ordinal < size ? ordinal : -1
}

/** Adds the terms of the next turns one way to a mask, as far as a passage reaches. */
function reach(mask: number, from: number, way: Int32Array, { board, view }: FeatureSources): number {
  let all = mask
  let at = from
  for (let step = NEIGHBOUR_REACH; step < PASSAGE_REACH && at >= 0; step++) {
    at = within(way[at]!, view.size)
    if (at >= 0) all |= board.masks[at]!
  }
  return all
}

function maskAt(masks: Uint32Array, ordinal: number): number {
  return ordinal < 0 ? 0 : masks[ordinal]!
}
