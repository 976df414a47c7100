/**
 * What is this about? The phrase whose words come again in most of what was said and are used by few other chats (after
 * TF-IDF), as it was said; a second is named beside a single word where it weighs nearly as much and speaks of something else.
 */
import { wordTerms } from '../../language/word-terms.ts'
import { rarityOf } from './common-words.ts'
import { type Phrase, phrasesOf } from './phrases.ts'

/** A sentence that was said. */
export interface Said {
  readonly text: string
  /** Sentences of one turn share it. */
  readonly turn: number
  /** How much it counts. */
  readonly weight: number
  /** Whether the topic is named in these words; others only weigh the words of these. */
  readonly names: boolean
}

/** A phrase with what it weighs. */
export interface Topic {
  readonly text: string
  readonly score: number
}

/** What a word said once counts beside one that comes again: less, the more turns there are. */
const ONCE = 0.2
const ONCE_OF_FEW = 1.2
/** Turns beyond which a word counts no more. */
const MOST_COUNTED = 4
/** What each word costs: a phrase has those only that tell more. */
const COST = 0.4
/** A Chinese phrase runs to the end of its clause, whatever it says there. */
const CHINESE_COST = 0.3
/** Words of a phrase that are weighed, the heaviest; the segmenter cuts Chinese ones into more. */
const MOST_SCORED = 4
const MOST_SCORED_CHINESE = 6
/** How much more the topic that was named before counts. */
const STAYS = 1.5
/** What each clause counts less than the one before it. */
const LATER_CLAUSE = 0.97
/** What a single word counts: it names less than a phrase. */
const ALONE = 0.4
/** Characters of a Chinese word that is a compound. */
const COMPOUND = 3
/** A second phrase stands beside a single word when it weighs at least this share of it. */
const SECOND_SHARE = 0.7
/** What each doubling of the turns that say the very words adds. */
const SAID_AGAIN = 0.25
const HAN = /\p{Script=Han}/u

interface Candidate extends Phrase, Topic {
  readonly order: number
}

/**
 * The topic in at most `most` characters; null when nothing is named. `people` are who speaks: no topic; `known`
 * is a topic that was named before and stays unless another weighs much more.
 */
export function topicOf(
  said: readonly Said[],
  most: number,
  { people = [], known = null }: { readonly people?: readonly string[]; readonly known?: string | null } = {},
): Topic | null {
  const read = said.map((one) => ({ ...one, phrases: phrasesOf(one.text) }))
  const weights = weightsOf(read)
  const turns = turnsOf(read)
  const nobody = new Set(people.flatMap((name) => wordTerms(name)))
  const candidates: Candidate[] = []
  for (const { phrases, weight, names } of read)
    for (const phrase of phrases) {
      if ([...phrase.text].length > most || phrase.terms.some((term) => nobody.has(term))) continue
      const again = turns.get(phrase.text.toLowerCase())?.size ?? 1
      if (again === 1 && !phrase.whole) continue
      const han = HAN.test(phrase.text)
      const told =
        heaviest(phrase.terms, weights, han ? MOST_SCORED_CHINESE : MOST_SCORED) -
        (han ? CHINESE_COST : COST) * phrase.terms.length
      const score =
        told *
        weight *
        LATER_CLAUSE ** phrase.clause *
        (phrase.terms.length > 1
          ? 1 + SAID_AGAIN * Math.log2(again)
          : han && phrase.text.length >= COMPOUND
            ? 0.8
            : ALONE) *
        (phrase.text.toLowerCase() === known?.toLowerCase() ? STAYS : 1)
      if (names && score > 0) candidates.push({ ...phrase, score, order: candidates.length })
    }
  return joined(
    candidates.sort((a, b) => b.score - a.score || a.order - b.order),
    most,
  )
}

/** What each term weighs: how many turns say it, how few chats do. */
function weightsOf(
  read: readonly { phrases: readonly Phrase[]; turn: number; weight: number }[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const counted = new Map<string, number>()
  for (const { phrases, turn, weight } of read)
    for (const term of phrases.flatMap(({ terms }) => terms)) {
      if (counted.get(term) === turn) continue
      counted.set(term, turn)
      counts.set(term, (counts.get(term) ?? 0) + weight)
    }
  const once =
    ONCE + ONCE_OF_FEW / new Set(read.flatMap(({ phrases, turn }) => (phrases.length > 0 ? [turn] : []))).size
  return new Map(
    [...counts].map(([term, count]) => [term, rarityOf(term) * Math.log2(once + Math.min(count, MOST_COUNTED))]),
  )
}

/** The turns that say each phrase in its very words. */
function turnsOf(
  read: readonly { phrases: readonly Phrase[]; turn: number }[],
): ReadonlyMap<string, ReadonlySet<number>> {
  const turns = new Map<string, Set<number>>()
  for (const { phrases, turn } of read)
    for (const { text } of phrases) {
      const key = text.toLowerCase()
      turns.set(key, (turns.get(key) ?? new Set()).add(turn))
    }
  return turns
}

function heaviest(terms: readonly string[], weights: ReadonlyMap<string, number>, most: number): number {
  return terms
    .map((term) => Math.max(0, weights.get(term) ?? 0))
    .sort((a, b) => b - a)
    .slice(0, most)
    .reduce((sum, weight) => sum + weight, 0)
}

function joined(sorted: readonly Candidate[], most: number): Topic | null {
  const first = sorted[0]
  if (first === undefined) return null
  const second = sorted.find(({ terms }) => terms.length > 1 && !terms.some((term) => first.terms.includes(term)))
  if (first.terms.length > 1 || second === undefined || second.score < SECOND_SHARE * first.score) return first
  const pair = first.order < second.order ? [first.text, second.text] : [second.text, first.text]
  const text = pair.join(HAN.test(first.text) ? '、' : ', ')
  return [...text].length <= most ? { text, score: first.score } : first
}
