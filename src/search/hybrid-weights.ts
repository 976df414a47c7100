/**
 * How much does each feature count in `hybrid`? Divisors are the weights of features that tell turns apart; each shape
 * of log (`chat-shape.ts`) has a set, from development chats (docs/retrieval.md).
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
