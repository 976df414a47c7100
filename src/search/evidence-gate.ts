/**
 * Does anything here answer this message at all? Its words, its meaning and how it speaks (of the writer, the past, a
 * known person, things in general) are weighed.
 */
import type { PostingList } from '../domain/contracts/text-index.ts'
import { chineseWords, hasHan } from '../language/character-class.ts'
import { translationsIn } from '../language/programming-terms.ts'
import { indexTerms, isGenericTerm } from '../language/terms.ts'
import { contentTerms, type QueryAnalysis } from './candidates.ts'
import type { MemoryDocuments } from './match-memories.ts'
import { inverseDocumentFrequency, type ScoredList, type WeightedList } from './word-scores.ts'

/** How well the ranked texts know a message. */
export interface Familiarity {
  /** The largest share of the message's own words, the rarer the weightier, that one text holds; less if it is long: 0 to 1. */
  readonly covered: number
  /** The weight of these words, in tens of logarithms: a long message shares some with any text. */
  readonly held: number
  /** How often that own word was said which is rare in the language and common here, as a name is: 0 to 1. */
  readonly often: number
  /** The cosine of the text that means most alike; null without the table of word vectors. */
  readonly alike: number | null
  /** Whether it is written in Chinese characters, whose meaning no table knows. */
  readonly isHan: boolean
  /** Whether it names somebody who speaks in the log. */
  readonly namesSpeaker: boolean
  /** Whether a memory writes a word of it as a name. */
  readonly namesTold: boolean
  /** Whether it names a time, or asks for the newest. */
  readonly namesTime: boolean
  /** Whether a memory states an attribute that it asks for. */
  readonly statesAsked: boolean
  /** Texts that were looked through. */
  readonly texts: number
}

/** How a message speaks, whatever was told. */
export interface Manner {
  readonly ofSelf: boolean
  /** It asks about the one who writes ("When do I …"), not how to do something. */
  readonly asksOfSelf: boolean
  /** It asks how things were. */
  readonly asksOfThePast: boolean
  /** It asks about a kind of thing, and points at nobody and nothing; a name may yet be known here. */
  readonly asksInGeneral: boolean
  /** It orders a text, a list, a plan. */
  readonly ordersToMake: boolean
  /** How likely a statement tells something of the user's own, -1 to 1; 0 for a question. */
  readonly tells: number
  /** Characters. */
  readonly length: number
}

/** The weights of English, of English without the table of word vectors, and of Chinese. */
type Weights = readonly [number, number, number]

/**
 * A logistic regression by `bench/training/gate.ts`, which tells the sets and what it brings. No Chinese set names its
 * speakers: there English tells what that is worth.
 */
const WEIGHTS = {
  bound: [-4.8, -3.84, -2.25],
  namesSpeaker: [6.45, 6.52, 6.52],
  ofSelf: [1.76, 1.82, 1.25],
  asksOfSelf: [1.84, 2.04, 3.25],
  asksOfThePast: [1.92, 2.05, 1.15],
  asksInGeneral: [-2.64, -3.11, -2],
  ordersToMake: [3.82, 3.78, 2.3],
  tells: [3.39, 3.29, 3.67],
  covered: [4.44, 5.19, 2.67],
  held: [0.97, 1.44, 2.26],
  often: [2.96, 3.97, 5.44],
  alike: [4.61, 0, 0],
  statesAsked: [0.92, 0.95, 0.88],
  namesTime: [1.34, 1.77, 2.12],
  few: [0.55, 0.39, 0.78],
  long: [-1.27, -1.21, -0.46],
  size: [-4.05, -3.95, -3.22],
} satisfies Readonly<Record<string, Weights>>

export type GateFeature = keyof typeof WEIGHTS
/** All of them, in the order of their weights. */
export const GATE_FEATURES = Object.keys(WEIGHTS) as readonly GateFeature[]

/** The distance above its bound from which a message is surely about things said. */
const SURE = 0.3
/** Tokens of evidence for a message of which that is not sure. */
const LITTLE = 350

/** The least size for which rarity is measured: in a small log every word is rare. */
const LEAST_TEXTS = 500
/** The share of its weight that a word of everybody's keeps. */
const COMMON = 0.2
/** The terms of a text up to which it is about one thing. */
const SHORT_TEXT_TERMS = 40
const HELD_UNIT = 10
/** Texts up to which a log knows few words by chance, and below which each that it knows is of weight. */
const FEW_TEXTS = 200
const FEWEST_TEXTS = 50
/** Characters of a short message, in English and in Chinese, and those from which a longer one counts as such. */
const [SHORT, SHORT_OF_HAN, LONG] = [64, 20, 200]
const SIZE_UNIT = 6
/** The largest logs of the fit, in English and in Chinese: beyond them nothing is known, so a larger one counts as such. */
const [MOST_TEXTS, MOST_TEXTS_OF_HAN] = [1500, 17_000]

function manyOf(texts: number): number {
  return Math.max(FEW_TEXTS, texts)
}

/** The measures of a message that are weighed. */
export function gateFeatures(
  { texts, alike, namesTold, ...familiarity }: Familiarity,
  manner: Manner,
): Readonly<Record<GateFeature, number>> {
  const asksInGeneral = manner.asksInGeneral && !familiarity.namesSpeaker && !namesTold
  const most = familiarity.isHan ? MOST_TEXTS_OF_HAN : MOST_TEXTS
  const size = Math.log(Math.min(most, manyOf(texts)) / FEW_TEXTS) / SIZE_UNIT
  const few = familiarity.often === 0 ? 0 : Math.max(0, Math.log(FEWEST_TEXTS / texts))
  const long = Math.log(Math.max(1, Math.min(LONG, manner.length) / (familiarity.isHan ? SHORT_OF_HAN : SHORT)))
  const numbers = { asksInGeneral, bound: 1, few, long, size, alike: alike ?? 0 }
  return Object.fromEntries(
    Object.entries({ ...familiarity, ...manner, ...numbers }).map(([name, value]) => [name, Number(value)]),
  ) as Record<GateFeature, number>
}

/** Tokens of evidence that are worth showing: none, a little where it is not sure that anything answers, or as many as fit. */
export function roomForEvidence(familiarity: Familiarity, manner: Manner): number {
  const column = familiarity.isHan ? 2 : familiarity.alike === null ? 1 : 0
  const features = gateFeatures(familiarity, manner)
  const worth = GATE_FEATURES.reduce((sum, name) => sum + WEIGHTS[name][column]! * features[name], 0)
  return worth < 0 ? 0 : worth < SURE ? LITTLE : Number.POSITIVE_INFINITY
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

/** How much the words of a text of so many terms count: a long one holds many by chance. */
export function countsOf(terms: number): number {
  return Math.min(1, SHORT_TEXT_TERMS / terms)
}

/**
 * The share of the query's own words that the log holds, in either language; joined words aside.
 *
 * @param found masks of the lists that a text is on, each with the most that such a text counts, 0 to 1; see `countsOf`
 * @param rarityOf how much a term tells by itself, 0 for everybody's words to 1
 */
export function shareKnown(
  analysis: QueryAnalysis,
  asked: readonly WeightedList[],
  lists: readonly ScoredList[],
  found: ReadonlyMap<number, number>,
  memories: MemoryDocuments,
  live: number,
  rarityOf: (term: string) => number,
): Pick<Familiarity, 'covered' | 'held' | 'often'> {
  const said = new Set(lists.map(({ list }) => list.term))
  const own = ownTerms(analysis, (term) => said.has(term))
  for (const { text } of analysis.dates) for (const term of indexTerms(text).keys()) own.delete(term)
  const texts = live + memories.count
  const holding = ({ term, documents }: PostingList): number => documents.length + memories.holding(term)
  const translations = translationsIn(analysis.query)
  const meantBy = (term: string): readonly string[] =>
    (own.has(term) ? [term] : (translations.get(term) ?? [])).filter((one) => own.has(one))
  const rarities = new Map<string, number>()
  let often = 0
  for (const { list } of lists) {
    const terms = meantBy(list.term)
    for (const term of terms) rarities.set(term, Math.max(rarityOf(term), rarityOf(list.term), rarities.get(term) ?? 0))
    const rarity = Math.max(0, ...terms.map((term) => rarities.get(term)!))
    often = Math.max(often, (rarity * Math.log1p(holding(list))) / Math.log1p(manyOf(texts)))
  }
  let total = 0
  const byTerm = new Map<string, number>()
  for (const { list } of asked) {
    if (!own.has(list.term)) continue
    const tells = COMMON + (1 - COMMON) * (rarities.get(list.term) ?? rarityOf(list.term))
    const weight = inverseDocumentFrequency(holding(list), Math.max(LEAST_TEXTS, texts)) * tells
    byTerm.set(list.term, weight)
    total += weight
  }
  if (total === 0) return { covered: 0, held: 0, often: 0 }
  const meant = lists.map(({ list: { term } }) => meantBy(term))
  let held = 0
  for (const [mask, counts] of found) {
    const terms = new Set<string>()
    for (let left = mask; left !== 0; left &= left - 1)
      for (const term of meant[31 - Math.clz32(left & -left)] ?? []) terms.add(term)
    let sum = 0
    for (const term of terms) sum += byTerm.get(term) ?? 0
    held = Math.max(held, sum * counts)
  }
  return { covered: held / total, held: held / HELD_UNIT, often }
}

/** Words of a query, and characters of a text, in which names are looked for. */
const MOST_NAMES = 64
const NAMED_WITHIN = 4096

/** Whether one of these texts writes a word of the query as a name, behind its first word. */
export function writesAsName({ words }: Pick<QueryAnalysis, 'words'>, texts: readonly string[]): boolean {
  const long = words.filter((word) => word.length > 2).slice(0, MOST_NAMES)
  const names = long.map((word) => ` ${word[0]!.toUpperCase()}${word.slice(1)}`)
  return texts.some((text) => {
    const read = text.slice(0, NAMED_WITHIN)
    return names.some((name) => read.includes(name))
  })
}
