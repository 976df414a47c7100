/** What does a question ask for: which attributes, of whom, and of now or of the past? */
import { ROLES } from '../../domain/turn.ts'
import { PRONOUN_SUBJECT, peopleOf } from './people.ts'
import { tellsOfPast } from './stance.ts'
import { topicsOf } from './topics.ts'

/** What a question asks for. */
export interface Asked {
  /** Names of slots; memories are found under them by key and tag. */
  readonly topics: readonly string[]
  /** Whom it asks about: `user`, or relations and names in lowercase; empty when it does not say. */
  readonly people: readonly string[]
  /** It asks how things were: memories that hold no more may answer. */
  readonly past: boolean
}

const FIRST_PERSON = /\b(?:i|i'm|i've|my|me|mine|we|our|us)\b|我|咱|俺/i

/** Reads a question. */
export function askedOf(question: string): Asked {
  const people = peopleOf(question)
  const others = [...people.mentioned, ...people.names]
  return {
    topics: [...topicsOf(question).keys()],
    people: others.length > 0 ? others : FIRST_PERSON.test(question) ? ['user'] : [],
    past: tellsOfPast(question),
  }
}

/**
 * Is a memory about whom a question asks? Judged by the clauses that name what is asked for; true where the question
 * does not say whom it means.
 */
export function isAboutAsked(text: string, { topics, people }: Asked): boolean {
  if (people.length === 0) return true
  const { clauses, subjects, mentioned, names } = peopleOf(text)
  if (!people.includes('user'))
    return subjects.has(PRONOUN_SUBJECT) || people.some((person) => mentioned.has(person) || names.has(person))
  const telling = clauses.filter((clause) => [...topicsOf(clause.text).keys()].some((topic) => topics.includes(topic)))
  return telling.length === 0 ? subjects.has('user') : telling.some((clause) => clause.subjects.has('user'))
}

/**
 * The same for a memory that says whose it is: one about a person with a name is about that person, and not about the
 * user unless its text speaks as the user does.
 */
export function isMemoryAboutAsked(
  { text, who }: { readonly text: string; readonly who: string | null },
  asked: Asked,
): boolean {
  if (who === null || ROLES.some((role) => role === who)) return isAboutAsked(text, asked)
  const name = who.toLowerCase()
  const names = [name, ...name.split(/\s+/)]
  if (asked.people.some((person) => names.includes(person))) return true
  if (asked.people.includes('user') && !FIRST_PERSON.test(text)) return false
  return isAboutAsked(text, asked)
}
