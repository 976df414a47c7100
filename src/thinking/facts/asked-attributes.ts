/** Which attributes does a question ask for, of whom, and of now or of the past? */
import type { Memory } from '../../domain/memory.ts'
import { ROLES } from '../../domain/turn.ts'
import { slotNamed, topicsOf } from './mentioned-attributes.ts'
import { PRONOUN_SUBJECT, peopleOf } from './people.ts'
import { tellsOfPast } from './stance-cues.ts'

/** The subject of a question. */
export interface Asked {
  /** Names of slots; memories are found under them by key and tag. */
  readonly topics: readonly string[]
  /** The people it asks about: `user`, or relations and names in lowercase; empty when it does not say. */
  readonly people: readonly string[]
  /** Whether those are names alone, which a text about them spells. */
  readonly onlyNames: boolean
  /** Whether it asks about the past: ended memories may answer. */
  readonly past: boolean
}

/** The speaker as the one who acts; "our designer" acts himself. */
const SPEAKS = /\b(?:i|i['’](?:m|ve|d|ll)|we|us|me)\b|[我咱俺]/i
const FIRST_PERSON = /\b(?:i|i'm|i've|my|me|mine|we|our|us)\b|我|咱|俺/i

/** Words of questions about the past, with any verb. */
const ASKS_PAST =
  /\b(?:before|previous(?:ly)?|former(?:ly)?|original(?:ly)?|initial(?:ly)?|earlier|used to|at first|in the past|old)\b|\bfrom (?:what|which)\b|\b(?:switch|mov|chang|migrat)\w{0,40} (?:\w{1,40} )?from\b|原来|原來|原本|原先|以前|之前|从前|從前|先前|当初|當初|最初|一开始|一開始|旧|舊/iu

const ALL_PAST = new RegExp(ASKS_PAST, 'giu')

/** A question without the words that ask about the past. */
export function withoutPast(question: string): string {
  return question.replace(ALL_PAST, ' ')
}

/** Reads a question. */
export function askedOf(whole: string): Asked {
  const question = whole.slice(0, MOST_READ)
  const people = peopleOf(question)
  const others = [...people.mentioned, ...people.names]
  return {
    topics: [...topicsOf(question).keys()],
    people: others.length > 0 ? others : FIRST_PERSON.test(question) ? ['user'] : [],
    onlyNames: others.length > 0 && people.mentioned.size === 0 && !others.some(slotNamed),
    past: ASKS_PAST.test(question) || tellsOfPast(question),
  }
}

/** The people of a text, as far as questions ask; found out once and kept. */
export interface Telling {
  /** Relations and names anywhere in it. */
  readonly others: readonly string[]
  /** A clause is about "she" or 他. */
  readonly ofPronoun: boolean
  /** Whether it begins with the speaker, or says "I" further on. */
  readonly ofUser: boolean
  /** A word of the first person stands in it. */
  readonly inFirstPerson: boolean
  /** The attributes of each clause, and whether they are the speaker's. */
  readonly clauses: readonly { readonly topics: readonly string[]; readonly ofUser: boolean }[]
}

/** Characters of a question or memory that are read for people and attributes. */
const MOST_READ = 4000

/** Reads the people that a text tells about. */
export function peopleToldOf(whole: string): Telling {
  const text = whole.slice(0, MOST_READ)
  const { clauses, subjects, mentioned, names } = peopleOf(text)
  let ofAttributes: Telling['clauses'] | undefined
  return {
    others: [...new Set([...mentioned, ...names])],
    ofPronoun: subjects.has(PRONOUN_SUBJECT),
    ofUser: clauses.some((clause, at) => clause.subjects.has('user') && (at === 0 || SPEAKS.test(clause.text))),
    inFirstPerson: FIRST_PERSON.test(text),
    // Read where a question asks for them: that takes longer than the people.
    get clauses() {
      ofAttributes ??= clauses
        .map((clause) => ({ topics: [...topicsOf(clause.text).keys()], ofUser: clause.subjects.has('user') }))
        .filter(({ topics }) => topics.length > 0)
      return ofAttributes
    },
  }
}

/**
 * Is a text about the person of a question? Judged by the clauses that name the asked attribute; true where the
 * question names no person.
 */
export function isAboutAsked(telling: Telling, { topics, people }: Asked): boolean {
  if (people.length === 0) return true
  if (!people.includes('user')) {
    if (telling.ofPronoun || people.some((person) => telling.others.includes(person))) return true
    // "I'm married to Joao" names no husband, but speaks of one; a name is no attribute.
    const relations = people.filter(slotNamed)
    return (
      relations.length > 0 && telling.clauses.some((clause) => clause.topics.some((topic) => relations.includes(topic)))
    )
  }
  if (topics.length === 0) return telling.ofUser
  const asked = telling.clauses.filter((clause) => clause.topics.some((topic) => topics.includes(topic)))
  return asked.length === 0 ? telling.ofUser : asked.some((clause) => clause.ofUser)
}

// A store hands out the same object for a memory as long as it is unchanged, and nobody changes it.
const tellings = new WeakMap<object, Telling>()
/** Words that may stand for somebody who is not named. */
const STANDS_FOR_ONE = /\b(?:he|she|his|her)\b|[他她]/i

/**
 * As `isAboutAsked`, for a memory with an owner. One about a named person is not about the user, unless its text speaks
 * in the first person.
 */
export function isMemoryAboutAsked(memory: Pick<Memory, 'text' | 'who'>, asked: Asked): boolean {
  const { text, who } = memory
  const { people, onlyNames } = asked
  if (onlyNames && !STANDS_FOR_ONE.test(text)) {
    // To look for the letters of a name is quicker than to read of whom a text speaks.
    const said = `${who} ${text}`.toLowerCase()
    if (!people.some((name) => said.includes(name))) return false
  }
  const telling = tellings.get(memory) ?? peopleToldOf(text)
  tellings.set(memory, telling)
  if (who === null || ROLES.some((role) => role === who)) return isAboutAsked(telling, asked)
  const name = who.toLowerCase()
  const names = [name, ...name.split(/\s+/)]
  if (people.some((person) => names.includes(person))) return true
  if (people.includes('user') && !telling.inFirstPerson) return false
  return isAboutAsked(telling, asked)
}
