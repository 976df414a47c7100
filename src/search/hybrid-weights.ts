/**
 * What counts how much in the ranking `hybrid`? Every feature lies in [0, 1]. The score is the weighted sum divided by
 * the weights of the features that can tell turns apart for this query, so it lies in [0, 1] too. There are two sets of
 * weights, one for each shape of a log (`chat-shape.ts`). They were fitted on LoCoMo and REALTALK (people), BEAM and
 * LifeBench (an assistant), development chats only, and rounded by hand: docs/retrieval.md. What each feature says stands
 * beside its weights in `data/rankings.json`.
 */
import type { ChatShape } from './chat-shape.ts'
import { rankings } from './rankings.ts'

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
  'exact',
  'recency',
  'day',
  'meaning',
  'similarity',
  'similarNext',
] as const

/** Name of a feature of `hybrid`. */
export type HybridFeature = (typeof HYBRID_FEATURES)[number]

/** Weights by feature and shape of the log. */
export const HYBRID_WEIGHTS: Readonly<Record<HybridFeature, Readonly<Record<ChatShape, number>>>> = rankings.hybrid

/** Where no table knows the words, they themselves count so many times as much. */
export const WORDS_ALONE: Readonly<Record<ChatShape, number>> = rankings.wordsAlone
