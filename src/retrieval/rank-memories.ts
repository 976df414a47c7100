/**
 * In which order do matching memories answer a message? A memory that shares no more with it than one frequent Chinese
 * character does not answer it. Ties go to the newer memory, so the order is always the same.
 */
import type { MemoryMatch, MemoryMatches } from '../contracts/memory-store.ts'
import { MOST_IMPORTANT } from '../domain/limits.ts'
import type { Memory } from '../domain/memory.ts'
import type { Explanation, FeatureScore, Ranking } from '../domain/recall.ts'
import { isOneCharacter } from '../text/character-class.ts'
import { associativeFeatures } from './associative.ts'
import {
  categoryBoost,
  frequencyScore,
  type LongTermFactors,
  longTermFeatures,
  longTermRecency,
  TOPIC_BOOST,
} from './long-term.ts'

/** Rankings of memories. */
export type MemoryRanking = Extract<Ranking, 'long-term' | 'hybrid' | 'associative'>

/** A term that was searched, in the order of the search. */
export interface SearchedTerm {
  readonly term: string
  /** It comes from the current topic alone. */
  readonly fromTopic: boolean
  /** It is also, or only, a term of the current topic. */
  readonly ofTopic: boolean
}

/** What the order depends on. */
export interface RankingQuestion {
  readonly ranking: MemoryRanking
  readonly terms: readonly SearchedTerm[]
  readonly speaksOfPreference: boolean
  /** Cosine with the message by id of the memory; null where no model of meaning was asked. */
  readonly similarity?: ReadonlyMap<string, number> | null
  /** Whether a memory is about those whom the question asks about; absent: it asks about nobody. */
  readonly isAboutAsked?: (memory: Memory) => boolean
  /** Names of the attributes that the question asks for; memories carry them as key and tags. */
  readonly subjects?: readonly string[]
  /** Whether a memory tells of a change: something began, ended or was put right. */
  readonly isNews?: (memory: Memory) => boolean
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A memory with its place in the answer. */
export interface RankedMemory {
  readonly memory: Memory
  /** Above 0; long-term: as 000 sums it, at most 1.43; hybrid: at most 2; associative: at most 1.3. */
  readonly score: number
  /** Made when it is asked for. */
  readonly explanation: Explanation
}

/**
 * Our own weights: what was asked counts most, then how much of it was found, then which of those that speak of the
 * asked attribute was said last; certainty, freshness and use only decide between memories that answer about equally well.
 */
const HYBRID_WEIGHTS = {
  keyword: 0.45,
  coverage: 0.2,
  newest: 0.3,
  states: 0.05,
  category: 0.1,
  confidence: 0.06,
  recency: 0.04,
  importance: 0.03,
  frequency: 0.02,
  /** Beside the words, where a model of meaning was asked. */
  similarity: 0.5,
} as const

type HybridValues = Readonly<Record<keyof typeof HYBRID_WEIGHTS, number>>

/** A memory that shares no word with the message answers it from this cosine on. */
const SIMILAR_ENOUGH = 0.3
/** What is in doubt, or over, stands below what holds. */
const SUSPECT_FACTOR = 0.7
/** Share of the terms of the best match that another one needs to speak of the same. */
const AS_MUCH = 0.75
/** What tells of no change counts half as late. */
const NO_NEWS = 0.5

/** Best first. */
export function rankMemories({ matches, method }: MemoryMatches, question: RankingQuestion): readonly RankedMemory[] {
  const similarTo = ({ memory }: MemoryMatch): number => question.similarity?.get(memory.id) ?? 0
  const telling = question.terms.map(isTelling)
  const answering = ofAsked(
    matches.filter((match) => answers(match, telling) || similarTo(match) >= SIMILAR_ENOUGH),
    question,
  )
  const best = Math.max(...answering.map(({ bm25 }) => bm25), 0)
  const asked = question.terms.filter(({ fromTopic }) => !fromTopic).length || question.terms.length
  const lateness = latenessOf(answering, question)
  const ranker = rankerFor(question, method, lateness)
  return answering
    .map((match) => ranker(match, method === 'like' ? Math.min(1, match.bm25 / asked) : match.bm25 / (best || 1)))
    .sort(
      (a, b) => b.score - a.score || b.memory.updatedAt - a.memory.updatedAt || (a.memory.id < b.memory.id ? -1 : 1),
    )
}

/**
 * What another person likes, or where they live, is no answer about the one who is asked about: such matches go, unless
 * they are all that there is. The formula of 000 knows no persons.
 */
function ofAsked(matches: readonly MemoryMatch[], { ranking, isAboutAsked }: RankingQuestion): readonly MemoryMatch[] {
  if (ranking === 'long-term' || isAboutAsked === undefined) return matches
  const right = matches.filter(({ memory }) => isAboutAsked(memory))
  return right.length === 0 ? matches : right
}

/** A word, a pair of characters, or two single ones. */
function answers({ matchedTerms }: MemoryMatch, telling: readonly boolean[]): boolean {
  if (matchedTerms.length >= 2) return true
  return matchedTerms.some((index) => telling[index] === true) || (matchedTerms.length > 0 && !telling.includes(true))
}

/** More than one letter or character: alone it says what is meant. */
function isTelling({ term }: SearchedTerm): boolean {
  return !isOneCharacter(term)
}

/**
 * Of the memories that speak of an asked attribute, or tell of a change in about as many words of the question as the best, the last said has 1, the next ones 1/2, 1/3 …, and half of that when
 * it tells of no change: of two that answer alike, the newer one tells how things are. Ids that are missing speak of
 * something else.
 */
function latenessOf(
  matches: readonly MemoryMatch[],
  { subjects = [], isNews }: RankingQuestion,
): ReadonlyMap<string, number> {
  const most = Math.max(...matches.map(({ matchedTerms }) => matchedTerms.length), 0)
  const speaking = matches
    .filter(
      ({ memory, matchedTerms }) =>
        subjects.some((subject) => subject === memory.key || memory.tags.includes(subject)) ||
        (matchedTerms.length >= AS_MUCH * most && isNews?.(memory) === true),
    )
    .map(({ memory }) => memory)
    .sort((a, b) => b.createdAt - a.createdAt)
  if (speaking.length < 2) return new Map()
  return new Map(speaking.map((memory, place) => [memory.id, (isNews?.(memory) === true ? 1 : NO_NEWS) / (1 + place)]))
}

/** Ranks one match after the other, `keyword` being its share of the best one; what all have in common is worked out once. */
function rankerFor(
  question: RankingQuestion,
  method: MemoryMatches['method'],
  lateness: ReadonlyMap<string, number>,
): (match: MemoryMatch, keyword: number) => RankedMemory {
  const { ranking, terms, now, subjects = [] } = question
  const asked = terms.filter(({ fromTopic }) => !fromTopic).length
  const isTopical = topicalTerms(terms)
  const noneAsked = (question.similarity ?? null) === null
  return (match, keyword) => {
    const { memory, matchedTerms } = match
    const factors: LongTermFactors = {
      keyword,
      categoryBoost: categoryBoost(memory.category, question.speaksOfPreference),
      recency: longTermRecency(memory.lastAccessed ?? memory.updatedAt, now),
      frequency: frequencyScore(memory.accessCount),
      confidence: memory.confidence,
    }
    const similarity = question.similarity?.get(memory.id) ?? null
    const found = matchedTerms.reduce((count, index) => count + (terms[index]?.fromTopic === false ? 1 : 0), 0)
    const values: HybridValues = {
      keyword,
      coverage: asked === 0 ? 0 : found / asked,
      newest: lateness.get(memory.id) ?? 0,
      states: memory.key !== null && subjects.includes(memory.key) ? 1 : 0,
      category: factors.categoryBoost,
      confidence: factors.confidence,
      recency: factors.recency,
      importance: memory.importance / MOST_IMPORTANT,
      frequency: factors.frequency,
      similarity: Math.max(0, similarity ?? 0),
    }
    const features = (): readonly FeatureScore[] => {
      if (ranking === 'long-term') return longTermFeatures(factors)
      // Without a model of meaning the words are all that tells how alike two texts are.
      if (ranking === 'associative') return associativeFeatures(memory, noneAsked ? keyword : (similarity ?? 0), now)
      return hybridFeatures(values).filter(({ feature }) => feature !== 'similarity' || !noneAsked)
    }
    const isOnTopic = matchedTerms.some(isTopical)
    // The formula of 000 knows no doubt.
    const isDoubted = memory.suspect !== null && ranking !== 'long-term'
    const sum =
      ranking === 'hybrid' ? hybridSum(values) : features().reduce((total, { contribution }) => total + contribution, 0)
    const score = sum * (isOnTopic ? TOPIC_BOOST : 1) * (isDoubted ? SUSPECT_FACTOR : 1)
    return new Ranked(memory, score, () => ({
      ranking,
      arms: [
        ...(matchedTerms.length > 0 ? [method === 'like' ? 'like' : 'full-text'] : []),
        ...(similarity === null ? [] : ['similarity']),
      ],
      features: features(),
      multipliers: [
        ...(isOnTopic ? [{ name: 'topic', factor: TOPIC_BOOST }] : []),
        ...(isDoubted ? [{ name: 'in doubt', factor: SUSPECT_FACTOR }] : []),
      ],
      score,
      matched: matchedTerms.flatMap((index) => terms[index]?.term ?? []),
    }))
  }
}

/** A getter of a class costs nothing until it is asked; one of an object of its own is made with every object. */
class Ranked implements RankedMemory {
  readonly memory: Memory
  readonly score: number
  readonly #explain: () => Explanation

  constructor(memory: Memory, score: number, explain: () => Explanation) {
    this.memory = memory
    this.score = score
    this.#explain = explain
  }

  get explanation(): Explanation {
    return this.#explain()
  }
}

function hybridFeatures(values: HybridValues): readonly FeatureScore[] {
  return Object.entries(HYBRID_WEIGHTS).map(([feature, weight]) => {
    const value = values[feature as keyof HybridValues]
    return { feature, value, weight, contribution: weight * value }
  })
}

/** The sum of the contributions above, in their order, without a list of them. */
function hybridSum(values: HybridValues): number {
  const w = HYBRID_WEIGHTS
  let sum = w.keyword * values.keyword + w.coverage * values.coverage + w.newest * values.newest
  sum += w.states * values.states
  sum += w.category * values.category
  sum += w.confidence * values.confidence
  sum += w.recency * values.recency
  sum += w.importance * values.importance
  sum += w.frequency * values.frequency
  return sum + w.similarity * values.similarity
}

/** Says of terms, by index, whether they alone put a memory on topic: a telling term of the topic, or all that the topic has. */
function topicalTerms(terms: readonly SearchedTerm[]): (index: number) => boolean {
  const hasTelling = terms.some((term) => term.ofTopic && isTelling(term))
  const topical = terms.map((term) => term.ofTopic && (!hasTelling || isTelling(term)))
  return (index) => topical[index] === true
}
