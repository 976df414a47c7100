/**
 * What counts how much in the ranking `hybrid`? Every feature lies in [0, 1]. The score is the weighted sum divided by
 * the weights of the features that can tell turns apart for this query, so it lies in [0, 1] too. There are two sets of
 * weights, one for each shape of a log (`chat-shape.ts`). They were fitted on LoCoMo and REALTALK (people), BEAM and
 * LifeBench (an assistant), development chats only, and rounded by hand: docs/retrieval.md.
 */
import type { ChatShape } from './chat-shape.ts'

/** Features in the order in which their values are kept. */
export const HYBRID_FEATURES = [
  /** BM25 of the turn's own words, divided by the best of all turns. */
  'words',
  /** Share of the query, by rarity, that the turn's own words make up. */
  'coverage',
  /** The same share of the turn together with two turns before and two after. */
  'context',
  /** The same share of the whole passage: four turns before to four turns after. */
  'passage',
  /** BM25 of the turn before when it asks: an answer seldom repeats the words of its question. */
  'answer',
  /** BM25 of the turn after: what is said next often names what this turn is about. */
  'next',
  /** BM25 of the turn two before: in a dialogue the same person's last one. */
  'before',
  /** How well the conversation as a whole matches. */
  'conversation',
  /** Said by someone whom the query names. */
  'speaker',
  /** Said in a time that the query names, or soon after. */
  'date',
  /** Said by a person, not by an assistant: answers repeat, questions and facts come from people. */
  'person',
  /** A longer turn says more. */
  'length',
  /** A shorter turn is rather about what is asked: long answers touch on everything. */
  'brief',
  /** Says something rather than asks. */
  'statement',
  /** Share of the query's inflected words, by rarity, that stand in the turn just so and not only as another form. */
  'exact',
  /** Newer rather than older: decides between equals. */
  'recency',
  /** How well the best other text of the same day answers: what belongs together happens together. */
  'day',
  /** Means something alike, by the table of word vectors. */
  'meaning',
  /** Means something alike, together with the turn before it, by a model of meaning; idle without one. */
  'similarity',
  /** The same of the turn after it, which was embedded together with this one. */
  'similarNext',
] as const

/** Name of a feature of `hybrid`. */
export type HybridFeature = (typeof HYBRID_FEATURES)[number]

/** Weights by shape of the log and feature. */
export const HYBRID_WEIGHTS: Readonly<Record<ChatShape, Readonly<Record<HybridFeature, number>>>> = {
  people: {
    words: 1.3,
    coverage: 0.6,
    context: 1.6,
    passage: 1.9,
    answer: 1.7,
    next: 0.2,
    before: 0.4,
    conversation: 1.4,
    speaker: 3,
    date: 3.7,
    person: 1.5,
    length: 1.9,
    brief: 0,
    statement: 0.5,
    exact: 0.3,
    recency: 0.1,
    day: 0,
    meaning: 4,
    similarity: 2,
    similarNext: 1,
  },
  assistant: {
    words: 3.7,
    coverage: 0,
    context: 0,
    passage: 0,
    answer: 0,
    next: 1.4,
    before: 0,
    conversation: 0.6,
    speaker: 3,
    date: 2.5,
    person: 3,
    length: 0,
    brief: 3.5,
    statement: 0,
    exact: 0.3,
    recency: 0.1,
    day: 4,
    meaning: 4.8,
    similarity: 2,
    similarNext: 1,
  },
}

/** Where no table knows the words, they themselves count so many times as much. */
export const WORDS_ALONE: Readonly<Record<ChatShape, number>> = { people: 2, assistant: 1.2 }
