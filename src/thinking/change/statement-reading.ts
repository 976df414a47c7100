/**
 * What does one statement hold that a comparison needs? Topics, content words, people, stance, typed and denied values,
 * and things that go with an attribute; it is read once a statement.
 */
import { keptByText, readParts } from '../../domain/read-once.ts'
import { lazy } from '../../domain/scheduling.ts'
import type { Fact } from '../../domain/thought.ts'
import { hasHan } from '../../language/character-class.ts'
import { expandTerms } from '../../language/programming-terms.ts'
import { foldedText, spelledOut } from '../../language/spelling.ts'
import { indexTerms, isGenericTerm } from '../../language/terms.ts'
import { wordTable } from '../../language/word-lists.ts'
import { withoutQuotes } from '../facts/clauses.ts'
import { extractFacts } from '../facts/extract-facts.ts'
import { plainTopics, topicsOf } from '../facts/mentioned-attributes.ts'
import { type People, peopleOf } from '../facts/people.ts'
import { phraseIndex, wordsOf } from '../facts/phrase-index.ts'
import { type Stance, stanceOf } from '../facts/stance.ts'
import { isTimeTerm, type Quantity, quantitiesOf } from './quantities.ts'

/** One remembered statement. */
export interface Statement {
  readonly text: string
  /** The person it is about, as stored; null or `user` for the user. */
  readonly who: string | null
  /** Milliseconds since the epoch. */
  readonly occurredAt: number
  readonly key: string | null
  /** Whether it was said in a conversation, and not told in order to be remembered. Default false. */
  readonly heard?: boolean
  /** Whether the user said it right before the newer one. Default false. */
  readonly justBefore?: boolean
}

/** The effect of the newer statement on the older one. */
export type Relation = 'same' | 'supersedes' | 'ends' | 'corrects' | 'doubts' | 'none'

/** Relations that end the older one. */
export const ENDING: ReadonlySet<Relation> = new Set(['supersedes', 'corrects', 'ends'])

/** A value, as it was written, and the one that is right; `day`: the right day of the month, where only that is given. */
export interface Repair {
  readonly wrong: string
  readonly right: string
  readonly day?: number
}

/** The answer of `relate`. */
export interface Related {
  readonly relation: Relation
  /** The reason in one sentence, for the history and for marks of doubt; '' for none. */
  readonly reason: string
  /** For a doubt: the newer one speaks of the older one's matter, not only of its ground; for an end: it names all of it. */
  readonly sameMatter?: boolean
  /** The newer one is understood only behind the older one's words, in which it puts one value in the place of another. */
  readonly repairs?: Repair
  /** 0 to 1: how much of both statements speaks for it. */
  readonly strength: number
}

const HINT_WEIGHT = 0.5

const known = lazy(() =>
  phraseIndex([
    {
      lines: wordTable('things-of-attributes'),
      entryOf: (names, isHint) => ({ attributes: names.split(' '), weight: isHint ? HINT_WEIGHT : 1 }),
    },
  ]),
)

/** Several of its things name an attribute more plainly than one, up to this. */
const MOST_PLAIN = 2

/** Attributes with how plainly their things are named: 1 plainly, 0.5 hinted at; each thing adds its own, up to 2. */
export function attributesOfThings(text: string): ReadonlyMap<string, number> {
  const topics = new Map<string, number>()
  const counted = new Set<string>()
  let last = -1
  for (const { entry, at } of known().find(wordsOf(text))) {
    if (at !== last) counted.clear()
    last = at
    for (const name of entry.attributes) {
      // A thing that several lines of the table name is one thing still.
      if (counted.has(name)) continue
      counted.add(name)
      topics.set(name, Math.min(MOST_PLAIN, (topics.get(name) ?? 0) + entry.weight))
    }
  }
  return topics
}

const DENIED =
  /\b(?:not|isn't|wasn't|aren't|weren't|never|instead of|rather than|no longer) (?:a question of |about |from |for |on |at |in |the |an? |called |to ){0,40}(?<v>[\w'-]+(?: [A-Z][\w'-]+)?)|\bno (?<u>[\w'-]{1,40})(?=,? (?:it|he|she|they|just|but)\b)|(?:不是|不叫|不姓|并非|不在|不放|没有|不用) ?(?<w>[^，。！？,\s是]{1,10})/gi
/** "Not sure", "not good": a denial without a value. */
const NO_VALUE =
  /^(?:sure|good|bad|well|that|this|it|so|very|really|too|only|just|yet|bad|been|have|had|going|a|the|my|his|her|our|one|any|all|quite|as|to|me|him|what|how|enough|worth|able|gonna|happy|right|wrong|ever|again|there|here|now|much|many|even|because|if|like|want|get|be|in|on|until|before|once|mind|idea|longer|more)$/i

/** The denied values, as written: numbers, names, words that name something, two characters of Chinese. */
export function deniedIn(text: string): readonly string[] {
  return (
    [...text.replaceAll('’', "'").matchAll(DENIED)]
      // The second word belongs to it when it is part of a name.
      .map(({ groups }) => (groups?.v ?? groups?.u ?? groups?.w ?? '').replace(/ [^A-Z].{0,200}$/, ''))
      .filter((value) => /\d|^[A-Za-z]{3}|^\p{Script=Han}{2}/u.test(value) && !NO_VALUE.test(value))
  )
}

/** The compared parts of a statement. */
export interface Reading {
  readonly text: string
  readonly topics: ReadonlyMap<string, number>
  /** The topics whose value it gives. */
  readonly stated: ReadonlySet<string>
  /** Index terms that carry content. */
  readonly terms: ReadonlySet<string>
  /** The terms' translations into the other language. */
  readonly translated: ReadonlySet<string>
  readonly people: People
  /** Titles in 《》 or quotation marks, and the names of things (叫土豆). */
  readonly titles: ReadonlySet<string>
  /** The people of the clauses that name a topic or a term. */
  readonly aboutOf: ReadonlyMap<string, ReadonlySet<string>>
  readonly stance: Stance
  readonly values: readonly Quantity[]
  readonly facts: readonly Fact[]
  /** Attributes whose things it names, with how plainly. */
  readonly props: ReadonlyMap<string, number>
  /** Values that it denies. */
  readonly denied: readonly string[]
  /** Whether it is written in Chinese. */
  readonly han: boolean
  /** Whether it is about the user only because it names nobody. */
  readonly implicit: boolean
  /** Its words without case and the marks at the end. */
  readonly wording: string
  /** Names with a capital, and Latin words among Chinese ones. */
  readonly properNames: ReadonlySet<string>
  /** Numbers, each with its groups of digits: a telephone number, a version, a time, an address. */
  readonly numbers: readonly string[]
  /** Whether a service speaks to its customer: a record of one occasion, which changes nothing and is changed by nothing. */
  readonly isNotice: boolean
}

/** A statement with its parts. */
export interface Read {
  readonly statement: Statement
  readonly reading: Reading
}

/** Content terms of a statement that is about nothing but its topics. */
const SHORT = 6
const FEW_TOPICS = 2
const FIRST_PERSON = /\b(?:i|i'm|i've|i'll|my|me|mine|we|our|us)\b|[我咱俺]/i

const TITLE =
  /[《「“"]([^》」”"]{2,30})[》」”"]|(?:名叫|取名|叫做|叫)(?!什么|我|他|她|人|车|外卖)(\p{Script=Han}{2,3})(?=[，。！,\s]|$)/gu
const PERSONS: ReadonlySet<string> = new Set(
  'partner child sibling parent in_laws colleague neighbour friend client'.split(' '),
)

const NUMBER = /\d[\d.:/-]*(?:\s{1,40}\d[\d.:/-]{0,40})*/g
const NOTICE =
  /【[^】]{1,12}】|您(?!好)|\byour (?:order|booking|reservation|appointment|account|card|parcel|package|train|flight|code) \S/i

/** Attributes that are people: a mention of one's wife names the person, and is no value. */
export function isPerson(topic: string): boolean {
  return PERSONS.has(topic)
}

/** "As I said, …", 我说过了，…: that it was told before is no part of what is told. */
const TOLD_BEFORE =
  /^(?:(?:and|so|well),? )?(?:(?:(?:as|like) i|i(?=['’]ve| have| already))(?:['’]ve| have)?(?: already)? (?:said|told you|mentioned|wrote|explained)(?: (?:before|earlier|above|already|last time|that))*|(?:once )?again(?=,))[,:]? |^(?:我|已经|都|早就?|刚才|刚刚|之前|前面|上次)*(?:[说讲提](?:过了?|了)|再说一[遍次])[，,：:]\s?/i

/** Characters of a statement that are read; a longer one is data. */
const MOST_READ = 4000

const readPart = readParts<Statement, Reading>({
  // A quotation of somebody else changes nothing.
  text: ({ text }) => withoutQuotes(spelledOut(text.slice(0, MOST_READ)).replace(TOLD_BEFORE, '')).text,
  facts: (_, { text }) => extractFacts(text),
  topics: (statement, { text, facts }) =>
    new Map([...topicsOf(text), ...keysOf(statement, facts).map((key) => [key, 1] as const)]),
  stated: (statement, { topics, facts, terms }) => statedBy(topics, keysOf(statement, facts), terms.size),
  terms: (_, { text }) => new Set([...indexTerms(text).keys()].filter(isContent)),
  translated: (_, { text }) => new Set(expandTerms(text).filter(isContent)),
  people: (_, { text }) => peopleOf(text),
  titles: (_, { text }) => new Set([...text.matchAll(TITLE)].map(([, title, called]) => title ?? called!)),
  aboutOf: (_, { people }) => subjectsByWord(people),
  stance: (_, { text }) => stanceOf(text),
  values: (_, { text }) => quantitiesOf(text),
  denied: (_, { text }) => deniedIn(text),
  props: (_, { text }) => attributesOfThings(text),
  han: (_, { text }) => hasHan(text),
  implicit: (_, { text, people: { subjects } }) =>
    subjects.size === 1 && subjects.has('user') && !FIRST_PERSON.test(text),
  wording: (_, { text }) => foldedText(text).replace(/[\s\p{P}]{1,40}$/u, ''),
  properNames: (_, { people, han, terms }) =>
    new Set([...people.names, ...(han ? [...terms].filter((term) => /^[a-z][a-z\d.+#-]+$/.test(term)) : [])]),
  numbers: (_, { text }) => (text.match(NUMBER) ?? []).map((number) => number.replace(/[^\d]+/g, ' ').trim()),
  isNotice: (_, { text }) => NOTICE.test(text),
})

/** The reading of a statement; the same memories are compared again and again. */
export const readingOf = keptByText(readPart, ({ text, key }: Statement) => `${text}\n${key}`)

/** The keys of its facts, and its own. */
function keysOf({ key }: Statement, facts: readonly Fact[]): readonly string[] {
  return [...facts.map((fact) => fact.key), ...(key === null ? [] : [key])]
}

/** The keys of its facts; a short statement of few topics gives their values, too. */
function statedBy(topics: ReadonlyMap<string, number>, keys: readonly string[], words: number): ReadonlySet<string> {
  const named = plainTopics(topics).filter((topic) => !isPerson(topic))
  return new Set(words <= SHORT && named.length <= FEW_TOPICS ? [...keys, ...named] : keys)
}

function subjectsByWord({ clauses }: People): ReadonlyMap<string, ReadonlySet<string>> {
  const about = new Map<string, Set<string>>()
  for (const { text, subjects } of clauses)
    for (const word of [...topicsOf(text).keys(), ...indexTerms(text).keys()]) {
      const known = about.get(word)
      if (known === undefined) about.set(word, new Set(subjects))
      else for (const subject of subjects) known.add(subject)
    }
  return about
}

/** A word that says something by itself: no number, no measure of time, no mere filling. */
function isContent(term: string): boolean {
  if (/^\d+$/.test(term) || isTimeTerm(term) || isGenericTerm(term)) return false
  return /^\p{Script=Han}$/u.test(term) ? false : [...term].length > 1
}
