/**
 * What is this about? The phrase, as it was said, whose words come again in most of the texts and are used by few other
 * chats (after TF-IDF).
 */
import { hasHan } from '../../language/character-class.ts'
import { wordTerms } from '../../language/word-terms.ts'
import { rarityOf, tellingWords } from './common-words.ts'
import { type Phrase, phrasesOf } from './phrases.ts'

/** A sentence that was said. */
export interface Said {
  readonly text: string
  /** The turn, shared by its sentences. */
  readonly turn: number
  /** How much it counts. */
  readonly weight: number
  /** How well these words may name the topic, asked only of the best; null where they only weigh the words of others. */
  readonly names: (() => number) | null
}

/** A phrase with its weight. */
export interface Topic {
  readonly text: string
  readonly score: number
}

/** The weight of a word said once against a repeated one; less, the more turns there are. */
const ONCE = 0.2
const ONCE_OF_FEW = 1.2
/** Turns beyond which a word counts no more. */
const MOST_COUNTED = 8
/** The cost of each word: only words that tell more are in a phrase. Chinese is cut into more words. */
const COST = 0.4
const CHINESE_COST = 0.3
/** Words of a phrase that are weighed, the heaviest. */
const MOST_SCORED = 4
const MOST_SCORED_CHINESE = 5
/** How much more the topic that was named before counts. */
const STAYS = 1.3
/** The weight of each clause against the one before it. */
const LATER_CLAUSE = 0.9
/** The weight of a single word: it names less than a phrase. */
const ALONE = 0.5
/** The characters of a Chinese phrase; fewer are a word, and weigh less. */
const WHOLE_HAN = 4
/** Phrases whose sentences are weighed; the others are too far behind. */
const MOST_WEIGHED = 16
/** Most phrases of a title, and the least weight of a further one beside the first; more among people, and in Chinese. */
const [PARTS, PARTS_LOOSE] = [2, 3]
const [FURTHER, FURTHER_LOOSE, FURTHER_CHINESE] = [0.7, 0.5, 0.6]
/** Characters of a Chinese title that say enough, and too few, which take a further phrase of less weight. */
const [ENOUGH_HAN, FEW_HAN, THIN] = [11, 5, 0.6]

/**
 * The topic in at most `most` characters, or null, with a second phrase of nearly equal weight that differs. It names
 * no speaker (`people`), and `known` stays unless another weighs much more.
 */
export function topicOf(
  said: readonly Said[],
  most: number,
  { people = [], known = null }: { readonly people?: readonly string[]; readonly known?: string | null } = {},
): Topic | null {
  const weights = weightsOf(said)
  const nobody = new Set(people.flatMap((name) => wordTerms(name)))
  const found: (Topic & Pick<Phrase, 'terms'> & { readonly order: number; readonly names: () => number })[] = []
  for (const { names, ...one } of said)
    for (const { text, terms, clause, weight } of names === null ? [] : phrasesOf(one.text, most)) {
      if (terms.some((term) => nobody.has(term))) continue
      const isHan = hasHan(text)
      const [cost, scored] = isHan ? [CHINESE_COST, MOST_SCORED_CHINESE] : [COST, MOST_SCORED]
      const told = heaviest(terms, weights, scored) - cost * terms.length
      const stays = text.toLowerCase() === known?.toLowerCase() || known?.split('、').includes(text) ? STAYS : 1
      const whole = isHan ? Math.min(1, text.length / WHOLE_HAN) : terms.length > 1 ? 1 : ALONE
      const score = told * one.weight * LATER_CLAUSE ** clause * whole * weight * stays
      if (score > 0) found.push({ text, score, terms, order: found.length, names: names! })
    }
  const candidates = found
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_WEIGHED)
    .map((one) => ({ ...one, score: one.score * one.names() }))
    .sort((a, b) => b.score - a.score)
  const [first] = candidates
  if (first === undefined) return null
  const chosen = [first]
  const isChinese = hasHan(first.text)
  const parts = isChinese || people.length > 0 ? PARTS_LOOSE : PARTS
  const least = (people.length > 0 ? FURTHER_LOOSE : isChinese ? FURTHER_CHINESE : FURTHER) * first.score
  const joined = (all: typeof chosen): string =>
    [...all]
      .sort((a, b) => a.order - b.order)
      .map(({ text }) => text)
      .join(isChinese ? '、' : ', ')
  for (const one of candidates) {
    const length = joined(chosen).length
    const isThin = isChinese && length < FEW_HAN
    if (chosen.length === parts || one.score < (isThin ? THIN : 1) * least || (isChinese && length >= ENOUGH_HAN)) break
    const isOther =
      (isChinese || one.terms.length > 1) && !chosen.some(({ terms }) => terms.some((term) => one.terms.includes(term)))
    if (isOther && [...joined([...chosen, one])].length <= most) chosen.push(one)
  }
  return { score: first.score, text: joined(chosen) }
}

/** The weight of each term: by the turns that say it, and the few chats that do. */
function weightsOf(said: readonly Said[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const counted = new Map<string, number>()
  const turns = new Set<number>()
  for (const { text, turn, weight } of said)
    for (const term of tellingWords(text)) {
      turns.add(turn)
      if (counted.get(term) === turn) continue
      counted.set(term, turn)
      counts.set(term, (counts.get(term) ?? 0) + weight)
    }
  const once = ONCE + ONCE_OF_FEW / turns.size
  return new Map(
    [...counts].map(([term, count]) => [term, rarityOf(term) * Math.log2(once + Math.min(count, MOST_COUNTED))]),
  )
}

function heaviest(terms: readonly string[], weights: ReadonlyMap<string, number>, most: number): number {
  return terms
    .map((term) => Math.max(0, weights.get(term) ?? 0))
    .sort((a, b) => b - a)
    .slice(0, most)
    .reduce((sum, weight) => sum + weight, 0)
}
