/**
 * What counts how much in the ranking `hybrid`. Every feature lies in [0, 1]; the score is the weighted sum divided by
 * the sum of the weights, so it lies in [0, 1] too. Chosen on LoCoMo development chats 1-3; docs/retrieval.md has the
 * measurements.
 */

/** Weights by feature, in the order of the feature matrix. */
export const HYBRID_WEIGHTS = {
  /** BM25 of the turn's own words, divided by the best of the answer. */
  words: 1,
  /** BM25 of the turn before. */
  previous: 0.35,
  /** The same, when the turn before is a question: an answer seldom repeats the words of its question. */
  answered: 0.25,
  /** BM25 of the turn after. */
  next: 0.2,
  /** BM25 of the turns two before and two after, the better of both. */
  around: 0.1,
  /** How well the conversation as a whole matches. */
  conversation: 0.3,
  /** A speaker whom the query names. */
  speaker: 0.2,
  /** The turn lies in, or shortly after, a time that the query names. */
  date: 0.3,
  /** Words that the best turns share. */
  feedback: 0.1,
  /** Written by a user rather than by an assistant. */
  role: 0.2,
  /** A longer turn says more. */
  length: 0.1,
  /** Says something rather than asks. */
  statement: 0.05,
  /** Newer rather than older; decides between equals. */
  recency: 0.01,
} as const

/** Name of a feature of `hybrid`. */
export type HybridFeature = keyof typeof HYBRID_WEIGHTS

/** Features in the order of the matrix. */
export const HYBRID_FEATURES = Object.keys(HYBRID_WEIGHTS) as readonly HybridFeature[]
