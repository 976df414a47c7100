/**
 * What counts how much in the ranking `hybrid`? Every feature lies in [0, 1]. The score is the weighted sum divided by
 * the weights of the features that can tell turns apart for this query, so it lies in [0, 1] too. The weights were
 * chosen on LoCoMo development chats 1-3 and checked on chats 4-5, CMRC and commits: docs/retrieval.md.
 */

/** Weights by feature. */
export const HYBRID_WEIGHTS = {
  /** BM25 of the turn's own words, divided by the best of all turns. */
  words: 2.3,
  /** Share of the query, by rarity, that the turn's own words make up. */
  coverage: 1.3,
  /** The same share of the turn together with two turns before and two after. */
  context: 1.9,
  /** The same share of the whole passage: four turns before to four turns after. */
  passage: 2.3,
  /** BM25 of the turn before when it asks: an answer seldom repeats the words of its question. */
  answer: 2.1,
  /** BM25 of the turn after: what is said next often names what this turn is about. */
  next: 0.4,
  /** BM25 of the turn two before: in a dialogue the same person's last one. */
  before: 0.8,
  /** How well the conversation as a whole matches. */
  conversation: 1.2,
  /** Said by someone whom the query names. */
  speaker: 3,
  /** Said in a time that the query names, or soon after. */
  date: 3.8,
  /** Said by a person, not by an assistant: answers repeat, questions and facts come from people. */
  person: 2,
  /** A longer turn says more. */
  length: 1.5,
  /** Says something rather than asks. */
  statement: 0.6,
  /** Share of the query's inflected words, by rarity, that stand in the turn just so and not only as another form. */
  exact: 0.2,
  /** Newer rather than older: decides between equals. */
  recency: 0.1,
  /** Means something alike, together with the turn before it, by a model of meaning; idle without one. */
  similarity: 1.5,
  /** The same of the turn after it, which was embedded together with this one. */
  similarNext: 1.5,
} as const

/** Name of a feature of `hybrid`. */
export type HybridFeature = keyof typeof HYBRID_WEIGHTS

/** Features in the order in which their values are kept. */
export const HYBRID_FEATURES = Object.keys(HYBRID_WEIGHTS) as readonly HybridFeature[]
