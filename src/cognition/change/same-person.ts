/** Are two statements about the same person? The value of another person never takes the place of the user's. */
import { PRONOUN_SUBJECT } from '../facts/people.ts'
import { isRelation } from '../facts/relations.ts'
import type { Overlap } from './overlap.ts'
import type { Profile } from './profile.ts'

/** Shared words that show that both speak of the same matter. */
const SAME_MATTER = 0.75
const CHILDREN = ['child', 'son', 'daughter', 'elder_child', 'younger_child', 'grandchild']

/** Attributes that are people, and the relations that they are: of his wife or his flatmate the user may speak himself. */
const RELATIONS_OF: Readonly<Record<string, readonly string[]>> = {
  partner: ['partner', 'ex'],
  in_laws: ['mother_in_law', 'father_in_law', 'parents', 'mother', 'father'],
  flatmate: ['flatmate'],
  boss: ['boss', 'supervisor'],
  colleague: ['colleague'],
  neighbour: ['neighbour'],
  child: CHILDREN,
  school: CHILDREN,
}

/**
 * true when the clauses that both statements share a subject in are about the same person, or the one names whom the
 * other is about.
 */
export function samePerson(newer: Profile, older: Profile, overlap: Overlap): boolean {
  const { topics, hints, terms } = overlap
  // Who names nobody goes on about whom or what the shared words belong to.
  if (newer.implicit && overlap.termScore >= SAME_MATTER) return true
  const shared = [...topics, ...hints, ...terms]
  const mine = subjectsOf(newer, shared)
  const theirs = subjectsOf(older, shared)
  for (const subject of theirs) if (mine.has(subject)) return true
  for (const topic of topics)
    for (const relation of RELATIONS_OF[topic] ?? [])
      if (theirs.has(relation) && (mine.has('user') || mine.has(PRONOUN_SUBJECT) || isNamed(mine))) return true
  for (const subject of theirs)
    if (subject !== 'user' && (newer.people.mentioned.has(subject) || newer.people.names.has(subject))) return true
  for (const subject of mine)
    if (
      subject !== 'user' &&
      (older.people.names.has(subject) || (older.people.mentioned.has(subject) && !theirs.has('user')))
    )
      return true
  return mine.has(PRONOUN_SUBJECT) && !theirs.has('user')
}

/** A name alone: of whom one has spoken as "my daughter", one may go on to speak by name. */
function isNamed(subjects: ReadonlySet<string>): boolean {
  return (
    subjects.size === 1 &&
    [...subjects].every((subject) => /^[a-z]+$/.test(subject) && subject !== 'user' && !isRelation(subject))
  )
}

function subjectsOf({ aboutOf, people }: Profile, words: readonly string[]): ReadonlySet<string> {
  const subjects = new Set(words.flatMap((word) => [...(aboutOf.get(word) ?? [])]))
  return subjects.size === 0 ? people.subjects : subjects
}
