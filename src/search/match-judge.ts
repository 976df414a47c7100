/**
 * What is one match worth as an answer? The formula of its ranking over what the words, the memory and the question say;
 * how the worth came about is worked out only when somebody asks.
 */
import type { MemoryMatch, MemoryMatches } from '../contracts/memory-store.ts'
import { MOST_IMPORTANT } from '../domain/limits.ts'
import type { Memory } from '../domain/memory.ts'
import type { Explanation, FeatureScore, Ranking } from '../domain/recall.ts'
import { isOneCharacter } from '../text/character-class.ts'
import { associativeFeatures } from './associative.ts'
import { categoryBoost, frequencyScore, longTermFeatures, longTermRecency, TOPIC_BOOST } from './long-term.ts'
import { weightsOf } from './rankings.ts'

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

type HybridValues = typeof HYBRID_WEIGHTS

/** What is in doubt, or over, stands below what holds. */
const SUSPECT_FACTOR = 0.7
/** Judges one match after the other; what all have in common is worked out once. */
export class MatchJudge {
  readonly #question: RankingQuestion
  readonly #method: MemoryMatches['method']
  readonly #lateness: ReadonlyMap<string, number>
  readonly #isTopical: (index: number) => boolean
  /** Terms of the message itself. */
  readonly #asked: number
  /** Filled for one match after the other; hardly any is looked at twice. */
  readonly #values: { -readonly [Name in keyof HybridValues]: number } = {
    keyword: 0,
    coverage: 0,
    newest: 0,
    states: 0,
    category: 0,
    confidence: 0,
    recency: 0,
    importance: 0,
    frequency: 0,
    similarity: 0,
  }

  /** `lateness`: by id, of the memories that speak of what is asked, 1 for the one said last. */
  constructor(question: RankingQuestion, method: MemoryMatches['method'], lateness: ReadonlyMap<string, number>) {
    this.#question = question
    this.#method = method
    this.#lateness = lateness
    this.#isTopical = topicalTerms(question.terms)
    this.#asked = question.terms.filter(({ fromTopic }) => !fromTopic).length
  }

  /** The memory with its score; `keyword`: the match's share of the best one's BM25. */
  rank(match: MemoryMatch, keyword: number): RankedMemory {
    const sum =
      this.#question.ranking === 'hybrid'
        ? hybridSum(this.#valuesOf(match, keyword))
        : this.#featuresOf(match, keyword).reduce((total, { contribution }) => total + contribution, 0)
    const score =
      sum * (this.#isOnTopic(match) ? TOPIC_BOOST : 1) * (this.#isDoubted(match.memory) ? SUSPECT_FACTOR : 1)
    return new Judged(match, keyword, score, this)
  }

  explain(match: MemoryMatch, keyword: number, score: number): Explanation {
    const { memory, matchedTerms } = match
    const { ranking, terms, similarity } = this.#question
    return {
      ranking,
      arms: [
        ...(matchedTerms.length > 0 ? [this.#method === 'like' ? 'like' : 'full-text'] : []),
        ...(similarity?.has(memory.id) === true ? ['similarity'] : []),
      ],
      features: this.#featuresOf(match, keyword),
      multipliers: [
        ...(this.#isOnTopic(match) ? [{ name: 'topic', factor: TOPIC_BOOST }] : []),
        ...(this.#isDoubted(memory) ? [{ name: 'in doubt', factor: SUSPECT_FACTOR }] : []),
      ],
      score,
      matched: matchedTerms.flatMap((index) => terms[index]?.term ?? []),
    }
  }

  #isOnTopic({ matchedTerms }: MemoryMatch): boolean {
    return matchedTerms.some(this.#isTopical)
  }

  /** The formula of 000 knows no doubt. */
  #isDoubted({ suspect }: Memory): boolean {
    return suspect !== null && this.#question.ranking !== 'long-term'
  }

  #featuresOf(match: MemoryMatch, keyword: number): readonly FeatureScore[] {
    const { ranking, now, similarity } = this.#question
    const values = this.#valuesOf(match, keyword)
    const noneAsked = (similarity ?? null) === null
    if (ranking === 'long-term') return longTermFeatures({ ...values, categoryBoost: values.category })
    // Without a model of meaning the words are all that tells how alike two texts are.
    if (ranking === 'associative')
      return associativeFeatures(match.memory, noneAsked ? keyword : (similarity?.get(match.memory.id) ?? 0), now)
    return hybridFeatures(values).filter(({ feature }) => feature !== 'similarity' || !noneAsked)
  }

  /** Good until the next call. */
  #valuesOf({ memory, matchedTerms }: MemoryMatch, keyword: number): HybridValues {
    const { terms, now, subjects = [], speaksOfPreference, similarity } = this.#question
    let found = 0
    for (const index of matchedTerms) if (terms[index]?.fromTopic === false) found += 1
    const values = this.#values
    values.keyword = keyword
    values.coverage = this.#asked === 0 ? 0 : found / this.#asked
    values.newest = this.#lateness.get(memory.id) ?? 0
    values.states = memory.key !== null && subjects.includes(memory.key) ? 1 : 0
    values.category = categoryBoost(memory.category, speaksOfPreference)
    values.confidence = memory.confidence
    values.recency = longTermRecency(memory.lastAccessed ?? memory.updatedAt, now)
    values.importance = memory.importance / MOST_IMPORTANT
    values.frequency = frequencyScore(memory.accessCount)
    values.similarity = Math.max(0, similarity?.get(memory.id) ?? 0)
    return values
  }
}

/** A getter of a class costs nothing until it is asked; one of an object of its own is made with every object. */
class Judged implements RankedMemory {
  readonly memory: Memory
  readonly score: number
  readonly #match: MemoryMatch
  readonly #keyword: number
  readonly #judge: MatchJudge

  constructor(match: MemoryMatch, keyword: number, score: number, judge: MatchJudge) {
    this.memory = match.memory
    this.score = score
    this.#match = match
    this.#keyword = keyword
    this.#judge = judge
  }

  get explanation(): Explanation {
    return this.#judge.explain(this.#match, this.#keyword, this.score)
  }
}

/** More than one letter or character: alone it says what is meant. */
export function isTelling({ term }: SearchedTerm): boolean {
  return !isOneCharacter(term)
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
