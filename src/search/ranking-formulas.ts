/** By which formula, and with which weights, does each ranking score? Weights and their meaning stand in `data/rankings.json`. */

import { DAY_MS } from '../domain/clock.ts'
import type { Memory } from '../domain/memory.ts'
import type { FeatureScore } from '../domain/recall.ts'
import { dataText } from '../language/package-file.ts'

/** The file as it is. */
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

/** The score that these make up. */
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

/** Name of a feature of `hybrid`. */
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

/** Weights of 000. */
export const LONG_TERM_WEIGHTS = weightsOf<'keyword' | 'category' | 'recency' | 'frequency' | 'confidence'>('long-term')

/** 000: half of the recency is gone after 7 days without access. 003 asks for a decay and names none. */
const RECENCY_HALF_LIFE_MS = 7 * DAY_MS
/** Accesses that count as often; more add nothing. 000 asks for a logarithm and leaves its scale open. */
const FREQUENT_ACCESSES = 100
/** 000: category_boost of a preference when the message speaks of preferences, else 1. */
const PREFERENCE_BOOST = 1.5
/** 000: extra factor for memories of the current topic. */
export const TOPIC_BOOST = 1.3

/** The five factors of 000. */
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

/** The parts of the relevance, which is their sum. */
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
