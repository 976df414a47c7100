/**
 * How relevant is a turn by specification 003, REQ-LTM-005? By symbol_match × 0.4 + recency × 0.3 + context_similarity
 * × 0.3, each in [0, 1].
 */
import { DAY_MS } from '../domain/clock.ts'
import type { FeatureScore } from '../domain/recall.ts'
import { weightsOf } from './rankings.ts'

/** 003, REQ-LTM-005. */
const CONVERSATION_WEIGHTS = weightsOf<'symbol_match' | 'recency' | 'context_similarity'>('conversation')

/** 003 asks for a decay and names none: a week, as in 000. */
export const CONVERSATION_HALF_LIFE_MS = 7 * DAY_MS

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

/** 0 to 1. */
export function conversationRelevance({ symbolMatch, recency, contextSimilarity }: ConversationFeatures): number {
  return (
    CONVERSATION_WEIGHTS.symbol_match * symbolMatch +
    CONVERSATION_WEIGHTS.recency * recency +
    CONVERSATION_WEIGHTS.context_similarity * contextSimilarity
  )
}

/**
 * The likeness of a turn to the query, 0 to 1: its BM25 against the best hit's, and the share of the query it covers.
 * With a named time it also counts whether it was said then (`date` null: none named).
 */
export function contextSimilarity(words: number, coverage: number, date: number | null): number {
  const text = WORDS_SHARE * words + (1 - WORDS_SHARE) * coverage
  return date === null ? text : (1 - DATE_SHARE) * text + DATE_SHARE * date
}

/** The parts of the score, for an explanation. */
export function conversationFeatureScores(features: ConversationFeatures): readonly FeatureScore[] {
  const { symbol_match, recency, context_similarity } = CONVERSATION_WEIGHTS
  return [
    featureScore('symbol_match', features.symbolMatch, symbol_match),
    featureScore('recency', features.recency, recency),
    featureScore('context_similarity', features.contextSimilarity, context_similarity),
  ]
}

/** One line of an explanation. */
function featureScore(feature: string, value: number, weight: number): FeatureScore {
  return { feature, value, weight, contribution: weight * value }
}
