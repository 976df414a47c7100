/** Are two statements about the same person? The value of another person never takes the place of the user's. */

import { ROLES } from '../../domain/turn.ts'
import { hasHan } from '../../language/character-class.ts'
import { FIRST_PERSON, PRONOUN_SUBJECT, peopleOf } from '../facts/people.ts'
import { isRelation } from '../facts/relations.ts'
import type { Overlap } from './overlap.ts'
import type { Statement } from './statement.ts'
import type { Profile } from './statement-parts.ts'

/** Shared words that show that both speak of the same matter. */
const SAME_MATTER = 0.75
/** Things of a system or of everybody who meets: they are the same ones, whoever changes them. */
const COMMON: ReadonlySet<string> = new Set(
  `port version environment auth api_key server_address domain dns database cache queue hosting backend framework repository
  branch ci deploy_tool build_tool test_framework region schedule timeout retention rate_limit meeting rent internet`.split(
    /\s+/,
  ),
)
/** Attributes whose value is a person with a post towards the user: a teacher, a dentist. Of them one tells by name. */
export const POSTS: ReadonlySet<string> = new Set(
  `teacher boss dentist doctor hairdresser cleaner babysitter childcare flatmate therapist physio optician accountant lawyer
  gardener plumber mechanic vet priest client colleague rent apprentice gym team`.split(/\s+/),
)
const THEIR_OWN = /\b(?:his|her|their|own|other|another)\b|[他她](?:们|们家|家)?的|自己|别的|另一?个/i
/** Relations by post, not by blood. */
const BY_POST: ReadonlySet<string> = new Set(
  'flatmate colleague boss landlord supervisor newcomer neighbour classmate'.split(' '),
)
/** Relations that are posts themselves, or whose word names one or a place too: 阿姨, 楼下. */
const HOLDERS: ReadonlySet<string> = new Set('boss landlord supervisor coach helper flatmate aunt neighbour'.split(' '))
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

/** true when the clauses with a common subject are about one person, or one statement names the other's person. */
export function samePerson(newer: Profile, older: Profile, overlap: Overlap): boolean {
  if ([newer, older].every(({ people: { subjects } }) => subjects.size === 1 && subjects.has('user'))) return true
  const { topics, hints, terms } = overlap
  // A statement that names nobody goes on about the owner of the shared words.
  if (newer.implicit && overlap.termScore >= SAME_MATTER) return true
  // The holder of a post is named himself: "Gareth left", 王教练回队了. The boss of one's wife is another one.
  if (topics.some((topic) => POSTS.has(topic)) && isOwn(older)) return !isOfRelative(newer)
  if (!newer.stance.corrects && areTwoNamed(newer, older)) return false
  if (namesSubject(older, newer)) return true
  if (changesCommon(newer, topics)) return true
  const shared = [...topics, ...hints, ...terms]
  const mine = subjectsOf(newer, shared)
  const theirs = subjectsOf(older, shared)
  for (const subject of theirs) if (mine.has(subject)) return true
  for (const topic of topics)
    for (const relation of RELATIONS_OF[topic] ?? [])
      if (theirs.has(relation) && (mine.has('user') || mine.has(PRONOUN_SUBJECT) || isNamed(mine))) return true
  for (const subject of theirs) if (subject !== 'user' && namesPerson(newer, subject)) return true
  for (const subject of mine)
    if (
      subject !== 'user' &&
      (older.people.names.has(subject) || (older.people.mentioned.has(subject) && !theirs.has('user')))
    )
      return true
  // "Found his donor card": a correction speaks of him wherever he stands in it.
  const ofOther = mine.has(PRONOUN_SUBJECT) || (newer.stance.corrects && OF_OTHER.test(newer.text))
  return ofOther && !theirs.has('user')
}

/**
 * Whether one is of somebody its text does not name (a speaker of himself), and the other neither is of him nor names
 * him.
 */
export function ownersApart(one: Statement, other: Statement): boolean {
  const [mine, theirs] = [ownerOf(one), ownerOf(other)]
  if (mine === theirs) return false
  return !(mine !== null && namesPerson(other, mine)) && !(theirs !== null && namesPerson(one, theirs))
}

/** The owner in lowercase; null: the text names its person, or it is about the user. */
function ownerOf({ who, text }: Statement): string | null {
  const owner = who?.toLowerCase() ?? 'user'
  return OF_NOBODY.has(owner) || isRelation(owner) || peopleOf(text).subjects.has(owner) ? null : owner
}

/** "ana" is not named by "bananas", 小王 is by 小王家. */
function namesPerson({ text }: Pick<Statement, 'text'>, person: string): boolean {
  const { names, mentioned } = peopleOf(text)
  return names.has(person) || mentioned.has(person) || (hasHan(person) && text.includes(person))
}

const OF_NOBODY: ReadonlySet<string> = new Set([...ROLES, PRONOUN_SUBJECT])

/** "They changed the port": the change of a thing that nobody owns. What a friend or another team changes is its own. */
function changesCommon({ stance, people, text }: Profile, topics: readonly string[]): boolean {
  const isTheirs = THEIR_OWN.test(text) || [...people.subjects].some(isKin)
  return stance.replaces && !isTheirs && topics.some((topic) => COMMON.has(topic))
}

const OF_OTHER = /\b(?:he|she|his|her|him)\b|[他她]|人家/i

/** Whether it is of the user, or of who holds a post towards him. */
function isOwn({ people: { subjects } }: Profile): boolean {
  return subjects.has('user') || [...subjects].some((one) => HOLDERS.has(one))
}

/** Whether it is only of somebody who holds no post towards the user: a relative, a friend, a colleague. */
function isOfRelative({ text, people, han }: Profile): boolean {
  // 我 stands before a relation, too.
  if (people.subjects.has('user') || (!han && FIRST_PERSON.test(text))) return false
  return [...people.subjects].some((one) => isRelation(one) && !HOLDERS.has(one))
}

/** "My friend Noor", "my friend Daan": several people have one relation, each with a name. */
function areTwoNamed({ people: mine }: Profile, { people: theirs }: Profile): boolean {
  const shared = mine.subjects.intersection(theirs.subjects)
  if (![...shared].some((one) => isRelation(one) && !HOLDERS.has(one) && one !== 'partner')) return false
  const [names, others] = [mine, theirs].map(({ subjects }) => [...subjects].filter(isName))
  return names!.length * others!.length > 0 && !names!.some((name) => theirs.names.has(name))
}

function isName(subject: string): boolean {
  return subject !== 'user' && subject !== PRONOUN_SUBJECT && !isRelation(subject)
}

/**
 * Whether the older text names the newer one's person, who is no relative, as both may tell different things of such.
 */
function namesSubject(older: Profile, { people }: Profile): boolean {
  return [...people.subjects].some(
    (subject) =>
      subject !== 'user' &&
      subject !== PRONOUN_SUBJECT &&
      !isKin(subject) &&
      (isRelation(subject) ? older.people.mentioned.has(subject) : older.text.toLowerCase().includes(subject)),
  )
}

function isKin(subject: string): boolean {
  return isRelation(subject) && !BY_POST.has(subject)
}

/** A name alone: somebody first called "my daughter" may be called by name later. */
function isNamed(subjects: ReadonlySet<string>): boolean {
  return subjects.size === 1 && [...subjects].every((subject) => /^[a-z]+$/.test(subject) && isName(subject))
}

function subjectsOf({ aboutOf, people }: Profile, words: readonly string[]): ReadonlySet<string> {
  const subjects = new Set(words.flatMap((word) => [...(aboutOf.get(word) ?? [])]))
  return subjects.size === 0 ? people.subjects : subjects
}
