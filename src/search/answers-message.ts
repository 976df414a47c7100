/**
 * Does anything here answer this message at all? The share of known words (by rarity), the best text's part of it, and
 * the nearest meaning decide; a named speaker nearly suffices.
 */
import type { PostingList } from '../domain/contracts/text-index.ts'
import { chineseWords, hasHan } from '../language/character-class.ts'
import { translationsIn } from '../language/programming-terms.ts'
import { indexTerms, isGenericTerm } from '../language/tokens.ts'
import type { MemoryDocuments } from './memory-documents.ts'
import { contentTerms, type QueryAnalysis } from './query-analysis.ts'
import { inverseDocumentFrequency, type ScoredList, type WeightedList } from './word-scores.ts'

/** The measures of how well the ranked texts know a message. */
export interface Familiarity {
  /** How many terms of its own the message has. */
  readonly terms: number
  /** Share of the message's own terms, by rarity, that occur in some text: 0 to 1. */
  readonly known: number
  /** The largest share that one text holds: 0 to 1. */
  readonly covered: number
  /** The cosine of the text that means most alike; null without the table of word vectors. */
  readonly alike: number | null
  /** Whether it is written in Chinese characters, whose meaning no table knows. */
  readonly isHan: boolean
  /** Whether it names somebody who speaks in the log. */
  readonly namesSpeaker: boolean
  /** Whether it names a time, or asks for the newest; counts in Chinese. */
  readonly namesTime: boolean
  /** Whether a memory states an attribute that it asks for. */
  readonly statesAsked: boolean
  /** Texts that were looked through. */
  readonly texts: number
}

// Logistic regression on LoCoMo, REALTALK (with, without names) and BEAM, whole and parts of 5 to 50 turns, against
// `extraction-dev`; scaled to `known` = 1 (docs/retrieval.md). Words known anywhere tell little: those of a
// short message often are by chance. One text that holds them, or means the same, tells more.
const COVERED = 2
const ALIKE = 3.4
const NAMES_SPEAKER = 2.3
/**
 * Asks how things were (17 to 47 % of the questions of these sets, 0 to 3 % of the other messages), or about the one who
 * asks ("When do I …": 16 to 73 %, 0 to 5 %).
 */
const ASKS_OF_OWN = 1.2
const ENOUGH = 0.4
const ENOUGH_OF_MANY = 0.9
/** The additional bound where meaning is known. */
const ENOUGH_ALIKE = 0.3
const ENOUGH_ALIKE_OF_MANY = 1.35

// Pairs of Chinese characters known by chance, for each logarithm of a log's texts; so many count as unknown. LifeBench:
// 0 to 2 % of questions lost, a third of others answered, nearly all by a little.
const KNOWN_BY_CHANCE = 0.42
const COVERED_OF_HAN = 0.4
const NAMES_SPEAKER_OF_HAN = 1
const NAMES_TIME_OF_HAN = 0.1
const ASKS_OF_OWN_HAN = 0.28
const LESS_OF_HAN = 0.053
const MORE_OF_HAN = 0.052
/** The distance above its bound from which a message is surely about things said. */
const SURE = 0.2
/** Tokens of evidence for a message of which that is not sure. */
const LITTLE = 350

/** A log of so many texts has heard most of what its people talk about; of a smaller one less is asked. */
const TALKATIVE = 300

/** The least size for which rarity is measured: in a small log every word is rare. */
const LEAST_TEXTS = 500

/**
 * The cosine from which a text answers, whatever its words; higher for more texts, as some are alike by chance. One in
 * twenty messages without an answer passes (the same development data).
 */
export function closeEnough(texts: number): number {
  return 0.33 + 0.028 * Math.log1p(texts)
}

/**
 * Tokens of evidence that are worth showing: none, a little where it is not sure that anything answers, or as many as fit.
 * `asksOfOwn`: the message asks how things were, or about the one who asks.
 */
export function roomForEvidence(familiarity: Familiarity, asksOfOwn = false): number {
  const { terms, known, covered, alike, isHan, namesSpeaker, namesTime, texts } = familiarity
  if (asksOfOwn && familiarity.statesAsked) return Number.POSITIVE_INFINITY
  if (isHan) {
    const words = known + COVERED_OF_HAN * covered
    const worth =
      (terms === 0 ? 0 : (words * terms) / (terms + KNOWN_BY_CHANCE * Math.log1p(texts))) +
      (namesSpeaker ? NAMES_SPEAKER_OF_HAN : 0) +
      (asksOfOwn ? ASKS_OF_OWN_HAN : namesTime ? NAMES_TIME_OF_HAN : 0)
    return roomAt(worth - MORE_OF_HAN * Math.log1p(texts) + LESS_OF_HAN)
  }
  const many = Math.min(1, Math.log1p(texts) / Math.log1p(TALKATIVE))
  const worth = known + COVERED * covered + (namesSpeaker ? NAMES_SPEAKER : 0) + (asksOfOwn ? ASKS_OF_OWN : 0)
  const above = worth - ENOUGH - ENOUGH_OF_MANY * many
  if (alike === null) return roomAt(above)
  const withAlike = above + ALIKE * alike - ENOUGH_ALIKE - ENOUGH_ALIKE_OF_MANY * many
  return roomAt(alike >= closeEnough(texts) ? Math.max(0, withAlike) : withAlike)
}

function roomAt(above: number): number {
  if (above < 0) return 0
  return above < SURE ? LITTLE : Number.POSITIVE_INFINITY
}

/** How much each of these terms weighs in a message, whether it occurs or not. */
function familiarityWeights(
  lists: readonly PostingList[],
  others: (term: string) => number,
  texts: number,
): readonly number[] {
  const count = Math.max(LEAST_TEXTS, texts)
  return lists.map(({ term, documents }) => inverseDocumentFrequency(documents.length + others(term), count))
}

/**
 * The terms that tell whether a query is about things said here. Of Chinese, pairs within words: single characters
 * occur everywhere.
 */
function ownTerms(analysis: QueryAnalysis, isSaid: (term: string) => boolean): Set<string> {
  const all = [...indexTerms(analysis.query).keys()]
  const { content } = contentTerms(analysis)
  const pairs = hasHan(analysis.query) ? pairsInWords(analysis.query) : new Set<string>()
  const counts = (pair: string): boolean => content.includes(pair) || (!isGenericTerm(pair) && isSaid(pair))
  const telling = all.filter((term) => !hasHan(term) || (pairs.has(term) && counts(term)))
  return new Set(telling.length > 0 ? telling : all)
}

/** Characters that are words by themselves and make none with the next one. */
const ALONE = /[的了吗呢吧啊嘛呀哦着是我你他她在有和就都也还不对去来说会要能这那什么谁哪几]/u

/** The pairs of neighbouring Chinese characters within the words of a text, or within a row of single ones. */
function pairsInWords(text: string): Set<string> {
  const words = ['']
  for (const segment of chineseWords(text))
    if (!hasHan(segment) || ALONE.test(segment)) words.push('')
    else if (segment.length === 1) words.push(words.pop() + segment)
    else words.push(segment, '')
  return new Set(
    words.flatMap((word) => Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => word.slice(at, at + 2))),
  )
}

/** Which share of the query's own words occurs anywhere, and which in the best text, in either language; joined words aside. */
export function shareKnown(
  analysis: QueryAnalysis,
  asked: readonly WeightedList[],
  lists: readonly ScoredList[],
  masks: readonly number[],
  memories: MemoryDocuments,
  live: number,
): Pick<Familiarity, 'terms' | 'known' | 'covered'> {
  const said = new Set(lists.map(({ list }) => list.term))
  const own = ownTerms(analysis, (term) => said.has(term))
  for (const { text } of analysis.dates) for (const term of indexTerms(text).keys()) own.delete(term)
  const words = asked.filter(({ list }) => own.has(list.term)).map(({ list }) => list)
  const weights = familiarityWeights(words, memories.holding, live + memories.count)
  const byTerm = new Map(words.map(({ term }, index) => [term, weights[index]!]))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return { terms: 0, known: 0, covered: 0 }
  const translations = translationsIn(analysis.query)
  const meant = lists.map(({ list: { term } }) => (byTerm.has(term) ? [term] : (translations.get(term) ?? [])))
  const share = (terms: ReadonlySet<string>): number => {
    let sum = 0
    for (const term of terms) sum += byTerm.get(term) ?? 0
    return sum / total
  }
  let covered = 0
  for (const mask of masks) {
    const terms = new Set<string>()
    for (let left = mask; left !== 0; left &= left - 1)
      for (const term of meant[31 - Math.clz32(left & -left)] ?? []) terms.add(term)
    covered = Math.max(covered, share(terms))
  }
  return { terms: words.length, known: share(new Set(meant.flat())), covered }
}
