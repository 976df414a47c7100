/**
 * In which order do matching memories answer a message? By the ranking's formula, ties to the newer one; a memory that
 * shares only one frequent Chinese character is no answer.
 */
import type { MemoryMatch, MemoryMatches } from '../domain/contracts/memory-store.ts'
import { MOST_IMPORTANT } from '../domain/limits.ts'
import type { Memory } from '../domain/memory.ts'
import type { Explanation, FeatureScore, Ranking } from '../domain/recall.ts'
import { isOneCharacter } from '../language/character-class.ts'
import { associativeFeatures } from './associative.ts'
import { categoryBoost, frequencyScore, longTermFeatures, longTermRecency, TOPIC_BOOST } from './long-term.ts'
import { weightsOf } from './rankings.ts'

/** Rankings of memories. */
export type MemoryRanking = Extract<Ranking, 'long-term' | 'hybrid' | 'associative'>

/** A term that was searched, in the order of the search. */
export interface SearchedTerm {
  readonly term: string
  /** Whether it comes from the current topic alone. */
  readonly fromTopic: boolean
  /** Whether it is also, or only, a term of the current topic. */
  readonly ofTopic: boolean
}

/** The parts of a question that the order depends on. */
export interface RankingQuestion {
  readonly ranking: MemoryRanking
  readonly terms: readonly SearchedTerm[]
  readonly speaksOfPreference: boolean
  /** Cosine with the message by id of the memory; null where no model of meaning was asked. */
  readonly similarity?: ReadonlyMap<string, number> | null
  /** Whether a memory is about the people of the question; absent: it asks about nobody. */
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
  /** How the score came about. */
  readonly explain: () => Explanation
}

/**
 * Our own weights: first the asked attribute, then the share of it found, then the latest telling. Certainty, freshness
 * and use only decide between about equal answers.
 */
const HYBRID_WEIGHTS = weightsOf<
  | 'keyword'
  | 'coverage'
  | 'newest'
  | 'states'
  | 'category'
  | 'confidence'
  | 'recency'
  | 'importance'
  | 'frequency'
  | 'similarity'
>('memories')
const HYBRID_FEATURES = Object.entries(HYBRID_WEIGHTS) as [keyof typeof HYBRID_WEIGHTS, number][]

/** The factor of a memory in doubt: it stands below those that hold. */
const SUSPECT_FACTOR = 0.7
/** A memory that shares no word with the message answers it from this cosine on. */
const SIMILAR_ENOUGH = 0.3
/** Share of the terms of the best match that another one needs to speak of the same. */
const AS_MUCH = 0.75
/** The lateness of a memory that tells of no change counts half. */
const NO_NEWS = 0.5

/** Best first. */
export function rankMemories({ matches, method }: MemoryMatches, question: RankingQuestion): readonly RankedMemory[] {
  const { terms, similarity = null } = question
  const telling = terms.map(isTelling)
  const answering = ofAsked(
    matches.filter((match) => answers(match, telling) || (similarity?.get(match.memory.id) ?? 0) >= SIMILAR_ENOUGH),
    question,
  )
  const best = Math.max(...answering.map(({ bm25 }) => bm25), 0)
  const own = terms.filter(({ fromTopic }) => !fromTopic).length
  const lateness = latenessOf(answering, question)
  const isTopical = topicalTerms(terms)
  const judge = (match: MemoryMatch): RankedMemory => {
    const { memory, matchedTerms, bm25 } = match
    const found = matchedTerms.filter((index) => terms[index]?.fromTopic === false).length
    // The formula of 000 searches the topic like the question; elsewhere earlier talk stands behind it.
    const isFormula = question.ranking === 'long-term'
    const ofTopicAlone = matchedTerms.filter((index) => terms[index]?.fromTopic === true && terms[index].ofTopic)
    const asked = isFormula || own === 0 ? 1 : 1 - ofTopicAlone.length / Math.max(1, matchedTerms.length)
    const keyword = asked * (method === 'like' ? Math.min(1, bm25 / (own || terms.length)) : bm25 / (best || 1))
    const features = (): readonly FeatureScore[] =>
      featuresOf(memory, keyword, own === 0 ? 0 : found / own, lateness.get(memory.id) ?? 0, question)
    const multipliers = [
      ...(asked > 0 && matchedTerms.some(isTopical) ? [{ name: 'topic', factor: TOPIC_BOOST }] : []),
      // The formula of 000 knows no doubt.
      ...(memory.suspect !== null && !isFormula ? [{ name: 'in doubt', factor: SUSPECT_FACTOR }] : []),
    ]
    const sum = features().reduce((total, { contribution }) => total + contribution, 0)
    const score = multipliers.reduce((product, { factor }) => product * factor, sum)
    const arms = [
      ...(matchedTerms.length > 0 ? [method === 'like' ? 'like' : 'full-text'] : []),
      ...(similarity?.has(memory.id) === true ? ['similarity'] : []),
    ]
    const matched = (): readonly string[] => matchedTerms.flatMap((index) => terms[index]?.term ?? [])
    return {
      memory,
      score,
      explain: () => ({
        ranking: question.ranking,
        arms,
        features: features(),
        multipliers,
        score,
        matched: matched(),
      }),
    }
  }
  return answering
    .map(judge)
    .sort(
      (a, b) => b.score - a.score || b.memory.updatedAt - a.memory.updatedAt || (a.memory.id < b.memory.id ? -1 : 1),
    )
}

/** The features of a memory in the asked ranking. */
function featuresOf(
  memory: Memory,
  keyword: number,
  coverage: number,
  newest: number,
  { ranking, now, subjects = [], speaksOfPreference, similarity = null }: RankingQuestion,
): readonly FeatureScore[] {
  const alike = similarity?.get(memory.id) ?? 0
  // Without a model of meaning the words are all that tells how alike two texts are.
  if (ranking === 'associative') return associativeFeatures(memory, similarity === null ? keyword : alike, now)
  const category = categoryBoost(memory.category, speaksOfPreference)
  const recency = longTermRecency(memory.lastAccessed ?? memory.updatedAt, now)
  const frequency = frequencyScore(memory.accessCount)
  const { confidence } = memory
  if (ranking === 'long-term')
    return longTermFeatures({ keyword, categoryBoost: category, recency, frequency, confidence })
  const values: typeof HYBRID_WEIGHTS = {
    keyword,
    coverage,
    newest,
    states: memory.key !== null && subjects.includes(memory.key) ? 1 : 0,
    category,
    confidence,
    recency,
    importance: memory.importance / MOST_IMPORTANT,
    frequency,
    similarity: Math.max(0, alike),
  }
  return HYBRID_FEATURES.flatMap(([feature, weight]) => {
    const value = values[feature]
    return feature === 'similarity' && similarity === null
      ? []
      : [{ feature, value, weight, contribution: weight * value }]
  })
}

/**
 * Matches about another person than the asked one are dropped, unless there are no others. The formula of 000 knows no
 * persons.
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

/**
 * The lateness of answers by id: 1, 1/2, 1/3 … from the newest, half of it for a memory that tells of no change. Only
 * memories of the asked attribute, and changes with about as many of the question's words as the best, have one.
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
