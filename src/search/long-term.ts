/**
 * How relevant is a long-term memory to a message? The formula of specification 000 ("Relevance score calculation"),
 * each factor a function of its own.
 */
import { DAY_MS } from '../domain/clock.ts'
import type { FeatureScore } from '../domain/recall.ts'
import { weightsOf } from './rankings.ts'

/** Weights of 000. */
export const LONG_TERM_WEIGHTS = weightsOf<'keyword' | 'category' | 'recency' | 'frequency' | 'confidence'>('long-term')

/** 000: half of the recency is gone after 7 days without access. */
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
  /** 1, or PREFERENCE_BOOST. */
  readonly categoryBoost: number
  /** 0 to 1. */
  readonly recency: number
  /** 0 to 1. */
  readonly frequency: number
  /** 0 to 1. */
  readonly confidence: number
}

/** 0.4 keyword + 0.2 category_boost + 0.15 recency + 0.1 frequency + 0.15 confidence, × 1.3 on the current topic. */
export function scoreLongTerm(factors: LongTermFactors, onTopic: boolean): number {
  const sum = longTermFeatures(factors).reduce((total, { contribution }) => total + contribution, 0)
  return onTopic ? sum * TOPIC_BOOST : sum
}

/**
 * As `scoreLongTerm`, part by part, without the topic; the category's value is its boost and may be above 1, as in 000.
 */
export function longTermFeatures(factors: LongTermFactors): readonly FeatureScore[] {
  const feature = (name: keyof typeof LONG_TERM_WEIGHTS, value: number): FeatureScore => ({
    feature: name,
    value,
    weight: LONG_TERM_WEIGHTS[name],
    contribution: LONG_TERM_WEIGHTS[name] * value,
  })
  return [
    feature('keyword', factors.keyword),
    feature('category', factors.categoryBoost),
    feature('recency', factors.recency),
    feature('frequency', factors.frequency),
    feature('confidence', factors.confidence),
  ]
}

/** ½ ^ (age / 7 days), 1 for a moment that is yet to come. */
export function longTermRecency(lastAccessed: number, now: number): number {
  return 0.5 ** (Math.max(0, now - lastAccessed) / RECENCY_HALF_LIFE_MS)
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
