/**
 * What is this about? The clause or the phrase whose words come again in the texts and are used by few other chats (after
 * TF-IDF), and a second phrase that comes again beside it.
 */
import { late } from '../../domain/pieces.ts'
import { hasHan } from '../../language/character-class.ts'
import { wordTerms } from '../../language/tokens.ts'
import { wordTable } from '../../language/word-lists.ts'
import { rarityOf, tellingWords, weightOf } from './common-words.ts'
import { type Clause, clausesOf, type Phrase, phrasesOf, widthOf } from './headings.ts'

/** A sentence that was said. */
export interface Said {
  readonly text: string
  /** The turn, shared by its sentences. */
  readonly turn: number
  /** How much it counts. */
  readonly weight: number
  /** How well a clause may name the topic, asked only of the best; null where the words only weigh those of others. */
  readonly namesOf: ((clause: string) => number) | null
}

/** What names it: a clause or a phrase, and maybe a second phrase. */
export interface Topic {
  readonly parts: readonly string[]
  readonly score: number
}

/** What stands between two parts of a title. */
export const BETWEEN = ' · '
/** The weight of a word said once against a repeated one; less, the more turns there are. */
const ONCE = 0.3
/** The least share of a word that one turn says, of many. */
const LEAST_ALONE = 0.4
/** Turns beyond which a word counts no more. */
const MOST_COUNTED = 8
/** Words that are weighed, the heaviest, and the weight of words that name half as well as any could. */
const MOST_SCORED = 3
const ENOUGH = 5
/** How the weight of a sentence, which its words have already, counts for its place. */
const PLACE = 0.4
/** Columns of a clause, and the cost of a column beyond those of a short title. */
const CLAUSE_COLUMNS = 46
const SHORT = 16
const COLUMN = 0.993
/** A clause is understood at once in Chinese, a phrase in English. */
const CHINESE_CLAUSE = 1.4
/** Clauses whose meaning is weighed. */
const MOST_WEIGHED = 12
/** A phrase by its words, and one with the same word beside it wherever it is said. */
const BY_WORDS = [0, 0.72, 1, 1, 0.9, 0.8]
const MANY_WORDS = 0.7
const CUT = 0.7
/** The weight of a phrase of very many turns, and the turns that give half of it. */
const OFTEN = 1.15
const HALF_OFTEN = 0.7
/** The share of places behind a subject from which a phrase begins with a verb. */
const MOST_SAID_OF = 0.4
/** The least rarity of the words of a phrase, and turns that say one of a single word. */
const LEAST_RARITY = 1
const TURNS_OF_A_WORD = 3
/** The least share of a second part, and how well a clause serves as one. */
const SECOND = 0.44
const CLAUSE_BESIDE = 0.7

/** The topic in at most `most` columns, or null; names of speakers (`people`) name none. */
export function topicOf(said: readonly Said[], most: number, people: readonly string[] = []): Topic | null {
  const nobody = new Set(people.flatMap((name) => wordTerms(name)))
  const weights = weightsOf(said, nobody)
  const named = (terms: readonly string[], weight: number): number => {
    const known = heaviest(terms, weights)
    return (known / (known + ENOUGH)) * weight ** PLACE
  }
  const clauses = clausesIn(said, Math.min(most, CLAUSE_COLUMNS), named)
  const phrases = phrasesIn(said, nobody)
    .filter(({ text }) => widthOf(text) <= most)
    .map((phrase) => ({ ...phrase, isPhrase: true, score: formOf(phrase) * named(phrase.terms, phrase.weight) }))
    .sort((a, b) => b.score - a.score)
  const again = phrases.filter(comesAgain)
  const once = phrases.filter(({ text, terms, isFrayed }) => !hasHan(text) && terms.length > 1 && !isFrayed).slice(0, 1)
  const [first = null] = [...again.slice(0, 1), ...clauses, ...once].sort((a, b) => b.score - a.score)
  if (first === null || first.score === 0) return null
  const second = [
    ...again.filter(namesMore),
    ...clauses.filter(({ isApart }) => isApart).map((one) => ({ ...one, score: CLAUSE_BESIDE * one.score })),
  ]
    .filter(
      ({ text, terms, score }) =>
        score >= SECOND * first.score &&
        !terms.some((term) => first.terms.includes(term)) &&
        widthOf(first.text) + BETWEEN.length + widthOf(text) <= most,
    )
    .sort((a, b) => b.score - a.score)[0]
  return { parts: [first, ...(second === undefined ? [] : [second])].map(({ text }) => text), score: first.score }
}

/** Whether a phrase tells something beside another: no common single word. */
function namesMore({ text, terms, words }: Counted): boolean {
  return words > 1 || (hasHan(text) ? text.length > 2 || rarityOf(terms[0]!) === 1 : /^\p{Lu}/u.test(text))
}

interface Scored {
  readonly text: string
  readonly terms: readonly string[]
  readonly isPhrase: boolean
  readonly score: number
}

function clausesIn(
  said: readonly Said[],
  most: number,
  named: (terms: readonly string[], weight: number) => number,
): readonly (Scored & Pick<Clause, 'isApart'>)[] {
  return said
    .filter(({ namesOf }) => namesOf !== null)
    .flatMap(({ text: sentence, weight, namesOf }) =>
      clausesOf(sentence, most).map(({ text, said: words, terms, form, isApart }) => {
        const score = named(terms, weight) * form * (hasHan(text) ? CHINESE_CLAUSE : 1) * shortnessOf(text)
        return { text, terms, score, isApart, names: () => namesOf!(words) }
      }),
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_WEIGHED)
    .map(({ names, ...one }) => ({ ...one, isPhrase: false, score: one.score * names() }))
}

/** A phrase with who said it, and what stood beside it. */
interface Counted extends Phrase {
  readonly weight: number
  readonly turns: Set<number>
  readonly namingTurns: Set<number>
  readonly allBefore: Set<string>
  readonly allAfter: Set<string>
  times: number
  timesSaidOf: number
}

/** The phrases of those who may name the topic, each once. */
function phrasesIn(said: readonly Said[], nobody: ReadonlySet<string>): readonly Counted[] {
  const found = new Map<string, Counted>()
  for (const { text, turn, weight, namesOf } of said)
    for (const phrase of phrasesOf(text)) {
      let known = found.get(phrase.key)
      if (known === undefined) {
        const terms = phrase.terms.filter((term) => !nobody.has(term))
        if (namesOf === null || terms.length === 0) continue
        const beside = { allBefore: new Set<string>(), allAfter: new Set<string>(), times: 0, timesSaidOf: 0 }
        known = { ...phrase, terms, weight, turns: new Set(), namingTurns: new Set(), ...beside }
        found.set(phrase.key, known)
      }
      known.turns.add(turn)
      if (namesOf !== null) known.namingTurns.add(turn)
      known.times++
      if (phrase.isSaidOf) known.timesSaidOf++
      known.allBefore.add(phrase.before)
      known.allAfter.add(phrase.after)
    }
  return [...found.values()].filter(({ text }) => text.length > 1)
}

/** A word that is always beside a phrase belongs to it. */
function borderOf(beside: ReadonlySet<string>): number {
  return beside.has('') || beside.size > 2 ? 1 : CUT
}

function formOf({ text, words, turns, times, timesSaidOf, allBefore, allAfter }: Counted): number {
  const again = ((OFTEN * turns.size) / (turns.size + HALF_OFTEN)) * (timesSaidOf > MOST_SAID_OF * times ? CUT : 1)
  return (BY_WORDS[words] ?? MANY_WORDS) * borderOf(allBefore) * borderOf(allAfter) * again * shortnessOf(text)
}

function shortnessOf(text: string): number {
  return COLUMN ** Math.max(0, widthOf(text) - SHORT)
}

/** Whether several turns say the phrase, with a border on both sides. */
function comesAgain({ text, words, terms, turns, namingTurns, isFrayed, allBefore, allAfter }: Counted): boolean {
  const isHan = hasHan(text)
  const isWord = isHan ? [...text].length < TURNS_OF_A_WORD : words === 1
  return (
    turns.size >= (isWord || (isFrayed && isHan) ? TURNS_OF_A_WORD : 2) &&
    (words > 1 || namingTurns.size > 1) &&
    (isHan || !isFrayed) &&
    Math.min(borderOf(allBefore), borderOf(allAfter)) > CUT &&
    weightOf(terms) >= LEAST_RARITY
  )
}

/** Words for people near to somebody, of whom much is told. */
const PEOPLE = late(() => new Set(wordTable('relations').flatMap((line) => line.split('|')[3]!.split(' '))))
const A_PERSON = 0.5

/** The weight of each term: by the turns that say it, and the few chats that do. */
function weightsOf(said: readonly Said[], nobody: ReadonlySet<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const counted = new Map<string, number>()
  const repeated = new Set<string>()
  const turns = new Set<number>()
  for (const { text, turn, weight } of said)
    for (const term of tellingWords(text)) {
      turns.add(turn)
      if (counted.get(term) === turn || nobody.has(term)) continue
      if (counted.has(term)) repeated.add(term)
      counted.set(term, turn)
      counts.set(term, (counts.get(term) ?? 0) + weight)
    }
  const once = ONCE + 1 / turns.size
  const alone = Math.max(LEAST_ALONE, 2 / turns.size)
  return new Map(
    [...counts].map(([term, count]) => [
      term,
      (PEOPLE().has(term) ? A_PERSON : 1) *
        rarityOf(term) *
        (repeated.has(term) ? 1 : alone) *
        Math.max(0, Math.log2(once + Math.min(count, MOST_COUNTED))),
    ]),
  )
}

function heaviest(terms: readonly string[], weights: ReadonlyMap<string, number>): number {
  return terms
    .map((term) => weights.get(term) ?? 0)
    .sort((a, b) => b - a)
    .slice(0, MOST_SCORED)
    .reduce((sum, weight) => sum + weight, 0)
}
