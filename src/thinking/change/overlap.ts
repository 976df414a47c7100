/**
 * How much do two statements speak of the same thing, and of the same person? Shared topics, content words and names;
 * the value of another person never takes the place of the user's.
 */
import { ROLES } from '../../domain/turn.ts'
import { hasHan } from '../../language/character-class.ts'
import { slotNamed } from '../facts/mentioned-attributes.ts'
import { FIRST_PERSON, isRelation, PRONOUN_SUBJECT, peopleOf } from '../facts/people.ts'
import { isPerson, type Reading, type Statement } from './statement-reading.ts'

/** The overlap of two statements. */
export interface Overlap {
  /** Topics that both name, the one of the newer statement first. */
  readonly topics: readonly string[]
  /** Topics that at least one of them only hints at. */
  readonly hints: readonly string[]
  /** Whether one of them has one value at a time. */
  readonly single: boolean
  readonly terms: readonly string[]
  /** A name that both mention. */
  readonly names: readonly string[]
  /** How plainly the newer one names things that go with the older one's subject, 0 to 2. */
  readonly propScore: number
  readonly topicScore: number
  readonly termScore: number
}

/** The weight of a shared content word; two or three make a subject. */
const ENGLISH_TERM = 0.3
/** Long words are rare ones: each letter of a stem beyond four adds this, up to four letters. */
const RARER_PER_LETTER = 0.1
const HAN_PAIR = 0.4
/** A Latin word in a Chinese sentence is a name: Redis, Copilot. */
const LATIN_AMONG_HAN = 0.8
const TRANSLATED = 0.4
const NAME = 0.8
/** The least weight of a topic that is not only touched on. */
const NAMED_TOPIC = 1
/** The weight of a shared topic: both give its value, one does, both only name it, one only hints at it. */
const TOPIC = { both: 1, one: 0.8, named: 0.6, hinted: 0.25 } as const
/** The weight of naming one's wife or child: it tells the person, not a fact about them. */
const PERSON_NAMED = 0.3
const FEW_TOPICS = 3
/** Attributes that very many words speak of: to name them is little. */
const BROAD: ReadonlySet<string> = new Set(
  'backend job monitoring deploy_tool diet home branch accessory employer environment scripts programming_language'.split(
    ' ',
  ),
)
const BROADLY_NAMED = 0.4
/** Each further shared topic adds this much of its own. */
const FURTHER_TOPIC = 0.4

/** Compares two profiles. */
export function overlapOf(newer: Reading, older: Reading): Overlap {
  const shared = [...newer.topics].filter(([topic]) => older.topics.has(topic))
  // An attribute whose value either gives is spoken of; others are only words of it.
  const given = shared.filter(([topic]) => [...newer.facts, ...older.facts].some(({ key }) => key === topic))
  const topics = shared.filter(([topic, weight]) => Math.min(weight, older.topics.get(topic)!) >= NAMED_TOPIC)
  const terms = inBoth(newer.terms, older.terms)
  const translated = sharedTerms(newer, older).slice(terms.length)
  // Names are often typed small.
  const isNamed = (name: string): boolean => newer.people.names.has(name) || newer.terms.has(name)
  const names = [...older.people.names].filter(isNamed)
  const titles = [...newer.titles].filter((title) => older.text.includes(title)).length
  const named = [...older.titles].filter((title) => newer.text.includes(title)).length
  const amongHan = newer.han && older.han
  const evidence = shared.map(([topic, weight]) => topicEvidence(topic, weight, newer, older)).sort((a, b) => b - a)
  const termScore =
    terms.reduce((sum, term) => sum + termWeight(term, amongHan), 0) +
    translated.length * TRANSLATED +
    names.length * (NAME - ENGLISH_TERM) +
    Math.max(titles, named) * NAME
  return {
    topics: topics.map(([topic]) => topic),
    hints: shared.map(([topic]) => topic).filter((topic) => !topics.some(([named]) => named === topic)),
    single: (given.length > 0 ? given : shared).some(([topic]) => slotNamed(topic)?.single ?? true),
    terms: [...terms, ...translated],
    names,
    propScore: propEvidence(newer, older),
    topicScore: evidence.reduce((sum, value, index) => sum + value * (index === 0 ? 1 : FURTHER_TOPIC), 0),
    termScore,
  }
}

/** Content terms of both, those that the one writes in the other's language last. */
export function sharedTerms(newer: Reading, { terms }: Reading): readonly string[] {
  return [...inBoth(newer.terms, terms), ...inBoth(newer.translated, terms).filter((term) => !newer.terms.has(term))]
}

/** As `intersection`, in the order of the first. */
function inBoth(mine: ReadonlySet<string>, theirs: ReadonlySet<string>): string[] {
  const both: string[] = []
  for (const one of mine) if (theirs.has(one)) both.push(one)
  return both
}

/** Log-odds of a change from which several things named may tell of it, and from which one may. */
export const PERHAPS_CHANGE = -1.6
const LIKELY_CHANGE = -0.5
const SEVERAL_THINGS = 2

/** Only a changeable topic is told by its things. */
function propEvidence(newer: Reading, { topics, stated }: Reading): number {
  const { ends, replaces, begins, change } = newer.stance
  if (newer.props.size === 0 || (!ends && !replaces && !begins && change < PERHAPS_CHANGE)) return 0
  let most = 0
  // A statement of many things is not changed by one that it only touches on.
  const few = [...topics.values()].filter((weight) => weight >= NAMED_TOPIC).length <= FEW_TOPICS
  const least = ends || replaces || begins || change >= LIKELY_CHANGE ? 0 : SEVERAL_THINGS
  for (const [topic, weight] of newer.props)
    if (weight >= least && (topics.get(topic) ?? 0) >= NAMED_TOPIC && (few || stated.has(topic)))
      most = Math.max(most, weight)
  return most
}

function topicEvidence(topic: string, weight: number, newer: Reading, older: Reading): number {
  if (Math.min(weight, older.topics.get(topic)!) < NAMED_TOPIC) return TOPIC.hinted
  if (isPerson(topic) && !older.stated.has(topic)) return PERSON_NAMED
  const stating = Number(newer.stated.has(topic)) + Number(older.stated.has(topic))
  if (stating === 0) return BROAD.has(topic) ? BROADLY_NAMED : TOPIC.named
  return stating === 2 ? TOPIC.both : TOPIC.one
}

function termWeight(term: string, amongHan: boolean): number {
  if (/^\p{Script=Han}/u.test(term)) return HAN_PAIR
  if (amongHan && term.length > 2) return LATIN_AMONG_HAN
  return ENGLISH_TERM + RARER_PER_LETTER * Math.max(0, Math.min(4, term.length - 4))
}

/** Shared words that show that both speak of the same matter. */
const SAME_MATTER = 0.75
/** Attributes whose value is a person with a post towards the user: a teacher, a dentist. Of them one tells by name. */
const POSTS: ReadonlySet<string> = new Set(
  `teacher boss dentist doctor hairdresser cleaner babysitter childcare flatmate therapist physio optician accountant lawyer
  gardener plumber mechanic vet priest client colleague landlord apprentice gym team`.split(/\s+/),
)
/** Relations by post, not by blood. */
const BY_POST: ReadonlySet<string> = new Set(
  'flatmate colleague boss landlord supervisor newcomer neighbour classmate'.split(' '),
)
/** Relations that are posts themselves, or whose word names one or a place too: 阿姨, 楼下. */
const HOLDERS: ReadonlySet<string> = new Set('boss landlord supervisor coach helper flatmate aunt neighbour'.split(' '))
const CHILDREN = ['child', 'son', 'daughter', 'elder_child', 'younger_child', 'grandchild']

/** Attributes that are people, and the relations that they are: of his wife or his flatmate the user may speak himself. */
const RELATIONS_OF: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    partner: ['partner', 'ex'],
    in_laws: ['mother_in_law', 'father_in_law', 'parents', 'mother', 'father'],
    flatmate: ['flatmate'],
    boss: ['boss', 'supervisor'],
    colleague: ['colleague'],
    neighbour: ['neighbour'],
    child: CHILDREN,
    school: CHILDREN,
  }),
)

/** true when the clauses with a common subject are about one person, or one statement names the other's person. */
export function samePerson(newer: Reading, older: Reading, overlap: Overlap): boolean {
  if ([newer, older].every(({ people: { subjects } }) => subjects.size === 1 && subjects.has('user'))) return true
  const { topics, hints, terms } = overlap
  // A statement that names nobody goes on about the owner of the shared words.
  if (newer.implicit && overlap.termScore >= SAME_MATTER) return true
  // The holder of a post is named himself: "Gareth left", 王教练回队了. The boss of one's wife is another one.
  if (topics.some((topic) => POSTS.has(topic)) && isOwn(older)) return !isOfRelative(newer)
  if (!newer.stance.corrects && areTwoNamed(newer, older)) return false
  if (namesSubject(older, newer)) return true
  const shared = [...topics, ...hints, ...terms]
  const mine = subjectsOf(newer, shared)
  const theirs = subjectsOf(older, shared)
  for (const subject of theirs) if (mine.has(subject)) return true
  for (const topic of topics)
    for (const relation of RELATIONS_OF.get(topic) ?? []) if (theirs.has(relation) && mine.has('user')) return true
  for (const subject of theirs)
    if (subject !== 'user' && namesPerson(newer, subject) && !isOfRow(subject, mine)) return true
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

/** "My son's best friend", "her husband" name a son and a husband, and are about neither. */
function isOfRow(person: string, subjects: ReadonlySet<string>): boolean {
  return [...subjects].some((subject) => subject.startsWith(`${person}'s `) || subject.endsWith(`'s ${person}`))
}

const OF_NOBODY: ReadonlySet<string> = new Set([...ROLES, PRONOUN_SUBJECT, 'someone'])

const OF_OTHER = /\b(?:he|she|his|her|him)\b|[他她]|人家/i

/** Whether it is of the user, or of who holds a post towards him. */
function isOwn({ people: { subjects } }: Reading): boolean {
  return subjects.has('user') || [...subjects].some((one) => HOLDERS.has(one))
}

/** Whether it is only of somebody who holds no post towards the user: a relative, a friend, a colleague. */
function isOfRelative({ text, people, han }: Reading): boolean {
  // 我 stands before a relation, too.
  if (people.subjects.has('user') || (!han && FIRST_PERSON.test(text))) return false
  return [...people.subjects].some((one) => isRelation(one) && !HOLDERS.has(one))
}

/** "My friend Noor", "my friend Daan": several people have one relation, each with a name. */
function areTwoNamed({ people: mine }: Reading, { people: theirs }: Reading): boolean {
  const shared = mine.subjects.intersection(theirs.subjects)
  if (![...shared].some((one) => isRelation(one) && !HOLDERS.has(one) && one !== 'partner')) return false
  const isName = (subject: string): boolean => !OF_NOBODY.has(subject) && !isRelation(subject)
  const [names, others] = [mine, theirs].map(({ subjects }) => [...subjects].filter(isName))
  return names!.length * others!.length > 0 && !names!.some((name) => theirs.names.has(name))
}

/**
 * Whether the older text names the newer one's person, who is no relative, as both may tell different things of such.
 */
function namesSubject(older: Reading, { people }: Reading): boolean {
  return [...people.subjects].some(
    (subject) =>
      subject !== 'user' &&
      subject !== PRONOUN_SUBJECT &&
      (!isRelation(subject) || BY_POST.has(subject)) &&
      (isRelation(subject) ? older.people.mentioned.has(subject) : older.text.toLowerCase().includes(subject)),
  )
}

function subjectsOf({ aboutOf, people }: Reading, words: readonly string[]): ReadonlySet<string> {
  const subjects = new Set(words.flatMap((word) => [...(aboutOf.get(word) ?? [])]))
  return subjects.size === 0 ? people.subjects : subjects
}
