/** Of whom does a question ask, and which memories are about somebody else? Where a question names nobody, none is. */
import { peopleOf } from '../cognition/facts/people.ts'
import type { Memory } from '../domain/memory.ts'

const FIRST_PERSON = /\b(?:i|i'm|i've|me|my|mine|we|us|our|ours)\b|[我咱俺]/iu
const USER = 'user'

/** Tells of a memory whether it is about other people than the question. */
export function aboutOthers(question: string): (memory: Pick<Memory, 'text' | 'who'>) => boolean {
  const { subjects, mentioned } = peopleOf(question)
  const asksUser = subjects.has(USER)
  if (asksUser && (mentioned.size > 0 || !FIRST_PERSON.test(question))) return () => false
  if (asksUser) return ({ text, who }) => !isAbout(text, who, (subject) => subject === USER)
  return ({ text, who }) => !isAbout(text, who, (subject) => subjects.has(subject))
}

function isAbout(text: string, who: string | null, asked: (subject: string) => boolean): boolean {
  if (who !== null && asked(who)) return true
  const { subjects, mentioned, names } = peopleOf(text)
  if ([...subjects].some(asked)) return true
  return [...mentioned, ...names].some(asked)
}
