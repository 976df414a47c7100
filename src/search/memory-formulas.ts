/**
 * Which matching memories answer a message, and in which order by the formulas of specifications 000 and 002? Ties go to
 * the newer one.
 */
import type { MemoryMatch, MemoryMatches } from '../domain/contracts/memory-store.ts'
import type { Memory } from '../domain/memory.ts'
import type { Explanation, FeatureScore, Ranking } from '../domain/recall.ts'
import { isOneCharacter } from '../language/character-class.ts'
import {
  associativeFeatures,
  categoryBoost,
  frequencyScore,
  longTermFeatures,
  recencyScore,
  sumOf,
  TOPIC_BOOST,
} from './ranking-formulas.ts'

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

/** The parts of a question that the formulas depend on. */
export interface FormulaQuestion {
  readonly ranking: Exclude<MemoryRanking, 'hybrid'>
  readonly terms: readonly SearchedTerm[]
  readonly speaksOfPreference: boolean
  /** Cosine with the message by id of the memory; null where no model of meaning was asked. */
  readonly similarity: ReadonlyMap<string, number> | null
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A memory with its place in the answer. */
export interface RankedMemory {
  readonly memory: Memory
  /** Above 0; long-term: as 000 sums it, at most 1.43; hybrid: at most 1.5; associative: at most 1.3. */
  readonly score: number
  /** How the score came about. */
  readonly explain: () => Explanation | null
}

/** The factor of a memory in doubt in `associative`: it stands below those that hold. */
const IN_DOUBT = 0.7
/** A memory that shares no word with the message answers it from this cosine on. */
const SIMILAR_ENOUGH = 0.3

/** The matches that answer: by a word, a pair of characters, two single ones, or their meaning. */
export function answersOf(
  matches: readonly MemoryMatch[],
  terms: readonly SearchedTerm[],
  similarity: ReadonlyMap<string, number> | null,
): readonly MemoryMatch[] {
  const telling = terms.map(isTelling)
  const hasTelling = telling.includes(true)
  return matches.filter(
    ({ memory, matchedTerms }) =>
      matchedTerms.length >= 2 ||
      matchedTerms.some((index) => telling[index] === true) ||
      (matchedTerms.length > 0 && !hasTelling) ||
      (similarity?.get(memory.id) ?? 0) >= SIMILAR_ENOUGH,
  )
}

/** Ranks answers, best first. */
export function rankByFormula(
  { matches, method }: MemoryMatches,
  { ranking, terms, similarity, speaksOfPreference, now }: FormulaQuestion,
): readonly RankedMemory[] {
  const best = Math.max(...matches.map(({ bm25 }) => bm25), 0)
  const own = terms.filter(({ fromTopic }) => !fromTopic).length
  const isTopical = topicalTerms(terms)
  // The formula of 000 searches the topic like the question, and knows no doubt.
  const isLongTerm = ranking === 'long-term'
  const featuresOf = (memory: Memory, keyword: number): readonly FeatureScore[] => {
    // Without a model of meaning the words are all that tells how alike two texts are.
    if (!isLongTerm)
      return associativeFeatures(memory, similarity === null ? keyword : (similarity.get(memory.id) ?? 0), now)
    return longTermFeatures({
      keyword,
      category: categoryBoost(memory.category, speaksOfPreference),
      recency: recencyScore(memory.lastAccessed ?? memory.updatedAt, now),
      frequency: frequencyScore(memory.accessCount),
      confidence: memory.confidence,
    })
  }
  const judge = ({ memory, matchedTerms, bm25 }: MemoryMatch): RankedMemory => {
    const ofTopicAlone = matchedTerms.filter((index) => terms[index]?.fromTopic === true && terms[index].ofTopic)
    const asked = isLongTerm || own === 0 ? 1 : 1 - ofTopicAlone.length / Math.max(1, matchedTerms.length)
    const keyword = asked * (method === 'like' ? Math.min(1, bm25 / (own || terms.length)) : bm25 / (best || 1))
    const features = featuresOf(memory, keyword)
    const multipliers = [
      ...(asked > 0 && matchedTerms.some(isTopical) ? [{ name: 'topic', factor: TOPIC_BOOST }] : []),
      ...(memory.suspect !== null && !isLongTerm ? [{ name: 'in doubt', factor: IN_DOUBT }] : []),
    ]
    const score = multipliers.reduce((product, { factor }) => product * factor, sumOf(features))
    const explain = (): Explanation => ({
      ranking,
      arms: [
        ...(matchedTerms.length > 0 ? [method === 'like' ? 'like' : 'full-text'] : []),
        ...(similarity?.has(memory.id) === true ? ['similarity'] : []),
      ],
      features,
      multipliers,
      score,
      matched: matchedTerms.flatMap((index) => terms[index]?.term ?? []),
    })
    return { memory, score, explain }
  }
  return bestFirst(matches.map(judge))
}

/** By score; of equal ones those without doubt first, then the last changed. */
export function bestFirst(ranked: readonly RankedMemory[]): readonly RankedMemory[] {
  return ranked.toSorted(
    ({ score, memory }, other) =>
      other.score - score ||
      Number(memory.suspect !== null) - Number(other.memory.suspect !== null) ||
      other.memory.updatedAt - memory.updatedAt ||
      (memory.id < other.memory.id ? -1 : 1),
  )
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
