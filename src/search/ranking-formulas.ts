/** By which formula, and with which weights, does each ranking score? Weights and their meaning stand in `data/rankings.json`. */
import { DAY_MS } from '../domain/clock.ts'
import type { MemoryMatch, MemoryMatches } from '../domain/contracts/memory-store.ts'
import type { Memory } from '../domain/memory.ts'
import type { Explanation, FeatureScore, Ranking } from '../domain/recall.ts'
import { isOneCharacter } from '../language/character-class.ts'
import { dataText } from '../language/package-file.ts'

export const rankings = JSON.parse(dataText('rankings.json'))

/** The weights of a ranking that has one set of them, by feature. */
export function weightsOf<Feature extends string>(ranking: string): Readonly<Record<Feature, number>> {
  const features = Object.entries<{ readonly weight: number }>(rankings[ranking])
  return Object.fromEntries(features.map(([name, { weight }]) => [name, weight])) as Record<Feature, number>
}

/** Puts values beside their weights, as explanations show them. */
function scorer<Feature extends string>(
  weights: Readonly<Record<Feature, number>>,
): (values: Readonly<Record<Feature, number>>) => readonly FeatureScore[] {
  const entries = Object.entries<number>(weights) as unknown as readonly [Feature, number][]
  return (values) =>
    entries.map(([feature, weight]) => {
      const value = values[feature]
      return { feature, value, weight, contribution: weight * value }
    })
}

export function sumOf(features: readonly FeatureScore[]): number {
  return features.reduce((total, { contribution }) => total + contribution, 0)
}

/** The shapes of a log, each with a set of weights. */
export type ChatShape = 'people' | 'assistant'

/** Features in the order in which their values are kept. */
export const HYBRID_FEATURES = [
  'words',
  'coverage',
  'context',
  'passage',
  'answer',
  'next',
  'before',
  'conversation',
  'speaker',
  'date',
  'person',
  'length',
  'brief',
  'statement',
  'nearby',
  'meaning',
  'similarity',
  'similarNext',
] as const

export type HybridFeature = (typeof HYBRID_FEATURES)[number]

/** Weights by feature and shape of the log. */
export const HYBRID_WEIGHTS: Readonly<Record<HybridFeature, Readonly<Record<ChatShape, number>>>> = rankings.hybrid

/** Features that tell what the words do: the first nine, and the table's. */
export const BY_WORDS: ReadonlySet<HybridFeature> = new Set([
  ...HYBRID_FEATURES.slice(0, HYBRID_FEATURES.indexOf('speaker')),
  'meaning',
])

/** The factor of those where a model of meaning answers. */
export const WORDS_BESIDE_MODEL: Readonly<Record<ChatShape, number>> = rankings.wordsBesideModel

/** The factor of the words themselves where no table knows them. */
export const WORDS_ALONE: Readonly<Record<ChatShape, number>> = rankings.wordsAlone

export const LONG_TERM_WEIGHTS = weightsOf<'keyword' | 'category' | 'recency' | 'frequency' | 'confidence'>('long-term')

/** 000: half of the recency is gone after 7 days without access. 003 asks for a decay and names none. */
const RECENCY_HALF_LIFE_MS = 7 * DAY_MS
/** Accesses that count as often; more add nothing. 000 asks for a logarithm and leaves its scale open. */
const FREQUENT_ACCESSES = 100
/** 000: category_boost of a preference when the message speaks of preferences, else 1. */
const PREFERENCE_BOOST = 1.5
/** 000: extra factor for memories of the current topic. */
export const TOPIC_BOOST = 1.3

export interface LongTermFactors {
  /** 0 to 1: BM25 as a share of the best match's; with LIKE, the share of terms found. */
  readonly keyword: number
  /** 1, or PREFERENCE_BOOST: it may be above 1, as in 000. */
  readonly category: number
  /** 0 to 1. */
  readonly recency: number
  /** 0 to 1. */
  readonly frequency: number
  /** 0 to 1. */
  readonly confidence: number
}

/** 0.4 keyword + 0.2 category_boost + 0.15 recency + 0.1 frequency + 0.15 confidence; × 1.3 on the current topic. */
export const longTermFeatures: (factors: LongTermFactors) => readonly FeatureScore[] = scorer(LONG_TERM_WEIGHTS)

/** ½ ^ (age / half-life), 1 for a moment that is yet to come. */
export function recencyScore(at: number, now: number, halfLifeMs = RECENCY_HALF_LIFE_MS): number {
  return 0.5 ** (Math.max(0, now - at) / halfLifeMs)
}

/** ln(1 + accesses) / ln(1 + 100), at most 1. */
export function frequencyScore(accesses: number): number {
  // ln 1 is 0: most memories were never accessed.
  return accesses <= 0 ? 0 : Math.min(1, Math.log1p(accesses) / Math.log1p(FREQUENT_ACCESSES))
}

/** 1.5 for a preference when the message speaks of preferences, else 1. */
export function categoryBoost(category: string, speaksOfPreference: boolean): number {
  return speaksOfPreference && category === 'preference' ? PREFERENCE_BOOST : 1
}

const scoreAssociation = scorer(weightsOf<'similarity' | 'type' | 'decay' | 'hits'>('associative'))
/** 002 R3.3: so many of each type at the most. */
export const K_SEMANTIC = 5
export const K_EPISODIC = 5
/** The worth of an episode beside a lasting fact. */
const EPISODIC_TYPE = 0.5
/** The time after which half of an episode's freshness is gone. */
const EPISODE_HALF_LIFE_MS = 30 * DAY_MS

/** The four factors with their parts in the score; `similarity` in [0, 1], and lasting facts do not decay. */
export function associativeFeatures(
  memory: Pick<Memory, 'memoryType' | 'occurredAt' | 'accessCount'>,
  similarity: number,
  now: number,
): readonly FeatureScore[] {
  const isEpisode = memory.memoryType === 'episodic'
  return scoreAssociation({
    similarity: Math.min(1, Math.max(0, similarity)),
    type: isEpisode ? EPISODIC_TYPE : 1,
    decay: isEpisode ? recencyScore(memory.occurredAt, now, EPISODE_HALF_LIFE_MS) : 1,
    hits: frequencyScore(memory.accessCount),
  })
}

/** 003, REQ-LTM-005. */
const scoreTurn = scorer(weightsOf<'symbol_match' | 'recency' | 'context_similarity'>('conversation'))

/** The factors of the formula; each in [0, 1]. */
export interface ConversationFeatures {
  readonly symbolMatch: number
  readonly recency: number
  readonly contextSimilarity: number
}

/** Share of the context similarity that the turn's words have, against the best match; the rest is coverage. */
const WORDS_SHARE = 0.6
/** Share of the context similarity that a named time takes, when the query names one. */
const DATE_SHARE = 0.4

export function conversationFeatures(features: ConversationFeatures): readonly FeatureScore[] {
  const { symbolMatch: symbol_match, recency, contextSimilarity: context_similarity } = features
  return scoreTurn({ symbol_match, recency, context_similarity })
}

/**
 * The likeness of a turn to the query, 0 to 1: its BM25 against the best hit's, and the share of the query it covers.
 * With a named time it also counts whether it was said then (`date` null: none named).
 */
export function contextSimilarity(words: number, coverage: number, date: number | null): number {
  const text = WORDS_SHARE * words + (1 - WORDS_SHARE) * coverage
  return date === null ? text : (1 - DATE_SHARE) * text + DATE_SHARE * date
}

export type MemoryRanking = Extract<Ranking, 'long-term' | 'hybrid' | 'associative'>

/** A term that was searched, in the order of the search. */
export interface SearchedTerm {
  readonly term: string
  /** Whether it comes from the current topic alone. */
  readonly fromTopic: boolean
  /** Whether it is also, or only, a term of the current topic. */
  readonly ofTopic: boolean
  /** Whether it is neighbouring words written as one, and so no keyword of its own. */
  readonly isJoined?: boolean
}

export interface FormulaQuestion {
  readonly ranking: Exclude<MemoryRanking, 'hybrid'>
  readonly terms: readonly SearchedTerm[]
  readonly speaksOfPreference: boolean
  /** Cosine with the message by id of the memory; null where no model of meaning was asked. */
  readonly similarity: ReadonlyMap<string, number> | null
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface RankedMemory {
  readonly memory: Memory
  /** Above 0; long-term: as 000 sums it, at most 1.43; hybrid: at most 1.5; associative: at most 1.3. */
  readonly score: number
  /** How the score came about. */
  readonly explain: () => Explanation | null
}

/** The factor of a memory in doubt in `associative`: it stands below those that hold. */
const IN_DOUBT = 0.7
/** A memory that shares no word with the message answers it from this cosine on. */
const SIMILAR_ENOUGH = 0.3

/** The matches that answer: by a word, a pair of characters, two single ones, or their meaning. */
export function answersOf(
  matches: readonly MemoryMatch[],
  terms: readonly SearchedTerm[],
  similarity: ReadonlyMap<string, number> | null,
): readonly MemoryMatch[] {
  const telling = terms.map(isTelling)
  const hasTelling = telling.includes(true)
  return matches.filter(
    ({ memory, matchedTerms }) =>
      matchedTerms.length >= 2 ||
      matchedTerms.some((index) => telling[index] === true) ||
      (matchedTerms.length > 0 && !hasTelling) ||
      (similarity?.get(memory.id) ?? 0) >= SIMILAR_ENOUGH,
  )
}

export function rankByFormula(
  { matches, method }: MemoryMatches,
  { ranking, terms, similarity, speaksOfPreference, now }: FormulaQuestion,
): readonly RankedMemory[] {
  const best = Math.max(...matches.map(({ bm25 }) => bm25), 0)
  const own = terms.filter(({ fromTopic, isJoined }) => !fromTopic && isJoined !== true).length
  const isTopical = topicalTerms(terms)
  // The formula of 000 searches the topic like the question, and knows no doubt.
  const isLongTerm = ranking === 'long-term'
  const featuresOf = (memory: Memory, keyword: number): readonly FeatureScore[] => {
    // Without a model of meaning the words are all that tells how alike two texts are.
    if (!isLongTerm)
      return associativeFeatures(memory, similarity === null ? keyword : (similarity.get(memory.id) ?? 0), now)
    return longTermFeatures({
      keyword,
      category: categoryBoost(memory.category, speaksOfPreference),
      recency: recencyScore(memory.lastAccessed ?? memory.updatedAt, now),
      frequency: frequencyScore(memory.accessCount),
      confidence: memory.confidence,
    })
  }
  const judge = ({ memory, matchedTerms, bm25 }: MemoryMatch): RankedMemory => {
    const ofTopicAlone = matchedTerms.filter((index) => terms[index]?.fromTopic === true && terms[index].ofTopic)
    const asked = isLongTerm || own === 0 ? 1 : 1 - ofTopicAlone.length / Math.max(1, matchedTerms.length)
    const keyword = asked * (method === 'like' ? Math.min(1, bm25 / (own || terms.length)) : bm25 / (best || 1))
    const features = featuresOf(memory, keyword)
    const multipliers = [
      ...(asked > 0 && matchedTerms.some(isTopical) ? [{ name: 'topic', factor: TOPIC_BOOST }] : []),
      ...(memory.suspect !== null && !isLongTerm ? [{ name: 'in doubt', factor: IN_DOUBT }] : []),
    ]
    const score = multipliers.reduce((product, { factor }) => product * factor, sumOf(features))
    const explain = (): Explanation => ({
      ranking,
      arms: [
        ...(matchedTerms.length > 0 ? [method === 'like' ? 'like' : 'full-text'] : []),
        ...(similarity?.has(memory.id) === true ? ['similarity'] : []),
      ],
      features,
      multipliers,
      score,
      matched: matchedTerms.flatMap((index) => terms[index]?.term ?? []),
    })
    return { memory, score, explain }
  }
  return bestFirst(matches.map(judge))
}

/** By score; of equal ones those without doubt first, then the last changed. */
export function bestFirst(ranked: readonly RankedMemory[]): readonly RankedMemory[] {
  return ranked.toSorted(
    ({ score, memory }, other) =>
      other.score - score ||
      Number(memory.suspect !== null) - Number(other.memory.suspect !== null) ||
      other.memory.updatedAt - memory.updatedAt ||
      (memory.id < other.memory.id ? -1 : 1),
  )
}

/** Whether a term of more than one letter or character is telling by itself. */
function isTelling({ term }: SearchedTerm): boolean {
  return !isOneCharacter(term)
}

/** Says of terms, by index, whether they alone put a memory on topic: a telling term of the topic, or all that the topic has. */
function topicalTerms(terms: readonly SearchedTerm[]): (index: number) => boolean {
  const hasTelling = terms.some((term) => term.ofTopic && isTelling(term))
  const topical = terms.map((term) => term.ofTopic && (!hasTelling || isTelling(term)))
  return (index) => topical[index] === true
}
