/**
 * Which features speak for this turn? Those of `hybrid`, in [0, 1], are pure functions of score board, columns and
 * query, computed per candidate into a reused array.
 */
import { DAY_MS } from '../domain/clock.ts'
import { TURN_IS_QUESTION, type TurnColumns, type TurnView } from '../domain/contracts/text-index.ts'
import type { Memory } from '../domain/memory.ts'
import { ROLES } from '../domain/turn.ts'
import { dateMatch, NEIGHBOUR_REACH, type QueryAnalysis, type Similarity } from './candidates.ts'
import type { MemoryDocument } from './match-memories.ts'
import { type ChatShape, HYBRID_FEATURES, type HybridFeature } from './ranking-formulas.ts'
import { type Coverage, inverseDocumentFrequency, type ScoreBoard, type ScoredList } from './word-scores.ts'

/** A turn with this many terms, or more, is long. */
const LONG_TURN_TERMS = 40
/** How far a passage reaches to both sides, in turns. */
export const PASSAGE_REACH = 4
const NEARBY_HALF_MS = 7 * DAY_MS
/** Deviations above the least at which a text is as alike as can be. */
const STANDS_OUT = 6

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
  /** `MeaningScores.score` by ordinal, of candidates only; null where the table of word vectors is not used. */
  readonly meaning: Float32Array | null
  /** As `meaning` of a turn, for the memories of which it is known. */
  readonly memoryMeanings: ReadonlyMap<Memory, number>
  /** `similarityScores` of turns by ordinal and of memories by id; null without vectors. */
  readonly similarity: Similarity | null
}

/** A memory that states an attribute that is asked for answers as one that has a quarter of the question's words. */
const STATED = 0.25
/** Length and brevity of a memory without its turn. */
const ONE_THING = 0.5

const AT = Object.fromEntries(HYBRID_FEATURES.map((name, index) => [name, index])) as Record<HybridFeature, number>
/** ln(1 + n) ÷ ln(1 + LONG_TURN_TERMS) for each length n that is not long. */
const LENGTH_SCORES = Float64Array.from(
  { length: LONG_TURN_TERMS + 1 },
  (_, length) => Math.log1p(length) / Math.log1p(LONG_TURN_TERMS),
)

/** Writes the features of the turn into `values`, in the order of HYBRID_FEATURES. */
export function hybridFeatures(ordinal: number, sources: FeatureSources, values: Float64Array): void {
  const { view, board, best, coverage, conversations, named, analysis, meaning, similarity } = sources
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
  // The worth of other turns is known when all are: `nearbyScores`.
  values[AT.nearby] = 0
  values[AT.meaning] = meaning === null ? 0 : meaning[ordinal]!
  values[AT.similarity] = similarity?.get(ordinal) ?? 0
  values[AT.similarNext] = (next < 0 ? undefined : similarity?.get(next)) ?? 0
}

/**
 * Writes the features of a memory: those of the turn that it came from, and its own words where they say more. One
 * whose turn is not there stands alone: its words are all the context that it has.
 */
export function memoryFeatures(document: MemoryDocument, sources: FeatureSources, values: Float64Array): void {
  const { best, coverage, analysis } = sources
  const { memory, source, mask, words } = document
  const covered = coverage(mask)
  const similarity = sources.similarity?.get(memory.id) ?? 0
  if (source >= 0) hybridFeatures(source, sources, values)
  else {
    values.fill(0)
    values[AT.person] = 1
    // It says one thing, however long.
    values[AT.length] = ONE_THING
    values[AT.brief] = ONE_THING
    values[AT.statement] = 1
    values[AT.similarNext] = similarity
  }
  values[AT.similarity] = Math.max(values[AT.similarity]!, similarity)
  values[AT.meaning] = Math.max(values[AT.meaning]!, sources.memoryMeanings.get(memory) ?? 0)
  // An event of one day may have been told on another, before it or after it.
  const { occurredAt, createdAt } = memory
  const match = dateMatch(occurredAt, occurredAt === createdAt ? analysis.dates : analysis.days)
  values[AT.date] = Math.max(values[AT.date]!, match)
  const stated = document.statesAsked ? STATED : 0
  values[AT.words] = Math.max(values[AT.words]!, words / best, stated)
  for (const feature of ['coverage', 'context', 'passage'] as const)
    values[AT[feature]] = Math.max(values[AT[feature]]!, covered, stated)
}

/** Features that are the same for every turn of this query and so cannot tell them apart. */
export function idleFeatures(sources: FeatureSources): ReadonlySet<HybridFeature> {
  const idle = new Set<HybridFeature>()
  if (sources.named === null) idle.add('speaker')
  if (sources.analysis.days.length === 0) idle.add('date')
  if (sources.conversations.best === 0) idle.add('conversation')
  if (sources.meaning === null) idle.add('meaning')
  if (sources.similarity === null) idle.add('similarity').add('similarNext')
  return idle
}

/** The index may have grown since the view was taken: later turns do not exist for it. */
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

const SHORTEST_NAME = 2
/** Names by word, for as many speakers as the table had when it was made: an index appends to the same array. */
const known = new WeakMap<
  readonly string[],
  { readonly byWord: ReadonlyMap<string, readonly number[]>; readonly size: number }
>()

function namesOf(speakers: readonly string[]): ReadonlyMap<string, readonly number[]> {
  let table = known.get(speakers)
  if (table === undefined || table.size !== speakers.length) {
    table = { byWord: wordsOfNames(speakers), size: speakers.length }
    known.set(speakers, table)
  }
  return table.byWord
}

/** For each speaker of the view 1 when a word of the query is in the name, else 0; null when none is named. */
export function namedSpeakers(words: readonly string[], speakers: readonly string[]): Uint8Array | null {
  const names = namesOf(speakers)
  let named: Uint8Array | null = null
  for (const word of words) {
    for (const speaker of names.get(word) ?? []) {
      named ??= new Uint8Array(speakers.length)
      named[speaker] = 1
    }
  }
  return named
}

/** The query without names of speakers, whose part the feature `speaker` has; as it is where nothing else is left. */
export function withoutSpeakers(query: string, speakers: readonly string[]): string {
  const names = namesOf(speakers)
  const rest = query.replace(/([\p{L}\p{M}\p{N}]+)(?:['’]s(?!\p{L}))?/gu, (said, word: string) =>
    names.has(word.toLowerCase()) ? '' : said,
  )
  return /[\p{L}\p{N}]/u.test(rest) ? rest.replace(/\s+/g, ' ').trim() : query
}

function wordsOfNames(speakers: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const byWord = new Map<string, number[]>()
  speakers.forEach((name, index) => {
    for (const word of new Set(name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])) {
      if (word.length < SHORTEST_NAME) continue
      const list = byWord.get(word)
      if (list === undefined) byWord.set(word, [index])
      else list.push(index)
    }
  })
  return byWord
}

/**
 * (cosine − least) ÷ 6 deviations of those found, 1 at most. Cosines differ by model (near 0.8, near 0.3), and where none
 * stands out, none tells much (docs/retrieval.md).
 */
export function similarityScores<Key>(cosines: ReadonlyMap<Key, number>): ReadonlyMap<Key, number> {
  const all = [...cosines.values()]
  const mean = all.reduce((sum, cosine) => sum + cosine, 0) / all.length
  const variance = all.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0) / all.length
  const least = Math.min(...all)
  const full = STANDS_OUT * Math.sqrt(variance)
  return new Map([...cosines].map(([key, cosine]) => [key, full === 0 ? 1 : Math.min(1, (cosine - least) / full)]))
}

/**
 * By index: the best score of another text, halved for each week between them, ÷ the best of all. A diary and the
 * messages around it tell of one event in different words.
 */
export function nearbyScores(times: readonly number[], scores: readonly number[]): Float64Array {
  const most = scores.reduce((best, score) => Math.max(best, score), 0)
  const nearby = new Float64Array(scores.length)
  if (most === 0) return nearby
  const inOrder = times.map((_, at) => at).sort((a, b) => times[a]! - times[b]!)
  for (const order of [inOrder, inOrder.toReversed()]) {
    let best = 0
    let last = 0
    for (const at of order) {
      best *= 2 ** (-Math.abs(times[at]! - last) / NEARBY_HALF_MS)
      last = times[at]!
      nearby[at] = Math.max(nearby[at]!, best)
      best = Math.max(best, scores[at]! / most)
    }
  }
  return nearby
}

/** Turns of one conversation beyond which more with one term do not count. */
const MOST_TURNS_OF_A_TERM = 3
/** Half the full weight is reached with this many turns. */
const HALF_WEIGHT_TURNS = 1

/** A word that more turns hold says little about one conversation, and much time would go into finding that out. */
const LONGEST_LIST = 2048

let counts = new Uint8Array(256)
let seen = new Uint32Array(256)

/** How well conversations match: `scores` by index in the view, 0 to `best`. */
interface ConversationScores {
  readonly scores: Float32Array
  /** 0 when there is nothing to tell conversations apart by. */
  readonly best: number
}

/**
 * Σ over terms of idf among conversations × n ÷ (n + 1), n the turns of the conversation with the term, at most 3.
 * Words that very many turns hold say nothing about one conversation and are left out.
 */
export function conversationScores(
  lists: readonly ScoredList[],
  conversation: Uint32Array,
  conversations: number,
): ConversationScores {
  const scores = new Float32Array(conversations)
  if (conversations < 2) return { scores, best: 0 }
  if (counts.length < conversations) {
    counts = new Uint8Array(conversations * 2)
    seen = new Uint32Array(conversations * 2)
  }
  const [turnsOf, found] = [counts, seen]
  let best = 0
  for (const { list, weight } of lists) {
    const { documents } = list
    if (documents.length > LONGEST_LIST) continue
    let met = 0
    for (let i = 0; i < documents.length; i++) {
      const one = conversation[documents[i]!]!
      const count = turnsOf[one]!
      if (count === 0) found[met++] = one
      if (count < MOST_TURNS_OF_A_TERM) turnsOf[one] = count + 1
    }
    const gain = weight * inverseDocumentFrequency(met, conversations)
    for (let i = 0; i < met; i++) {
      const one = found[i]!
      const turns = turnsOf[one]!
      turnsOf[one] = 0
      scores[one]! += (gain * turns) / (turns + HALF_WEIGHT_TURNS)
      if (scores[one]! > best) best = scores[one]!
    }
  }
  return { scores, best }
}

/** The ratio of mean lengths, an assistant's turns to the others', from which the log is one with an assistant. */
const LONGER_ANSWERS = 1.5

const ASSISTANT = ROLES.indexOf('assistant')

/** Of the turns up to `size`: terms of all, and turns and terms of an assistant. */
interface Sums {
  readonly size: number
  readonly terms: number
  readonly answers: number
  readonly answerTerms: number
}
const NOTHING: Sums = { size: 0, terms: 0, answers: 0, answerTerms: 0 }

/** The sums of each index so far: columns only grow, so that a later look adds only the new. */
const sums = new WeakMap<TurnColumns, Sums>()

/** true when a model said it: the role is `assistant`, and nobody is named as the speaker. */
export function isAssistantTurn(
  ordinal: number,
  { columns, speakers }: Pick<TurnView, 'columns' | 'speakers'>,
): boolean {
  return columns.role[ordinal] === ASSISTANT && speakers[columns.speaker[ordinal]!] === ''
}

/** The shape of a user's log; `people` as long as there is nothing to compare. */
export function chatShape(view: Pick<TurnView, 'columns' | 'speakers' | 'size'>): ChatShape {
  const { columns, speakers, size } = view
  const known = sums.get(columns) ?? NOTHING
  const counted = known.size > size ? NOTHING : known
  let { terms, answers, answerTerms } = counted
  const { role, speaker, length } = columns
  const unnamed = speakers.indexOf('')
  for (let ordinal = counted.size; ordinal < size; ordinal++) {
    terms += length[ordinal]!
    if (role[ordinal] !== ASSISTANT || speaker[ordinal] !== unnamed) continue
    answers += 1
    answerTerms += length[ordinal]!
  }
  if (counted.size < size) sums.set(columns, { size, terms, answers, answerTerms })
  if (answers === 0 || answers === size) return 'people'
  const ratio = answerTerms / answers / Math.max(1, (terms - answerTerms) / (size - answers))
  return ratio >= LONGER_ANSWERS ? 'assistant' : 'people'
}
