/**
 * What do the words of two statements say that the newer one does to the older one? Both must be about the same person and
 * the same thing; then the words of change decide, and where there are none, whether two values of the same attribute can
 * both hold.
 */
import { slotNamed } from '../facts/topics.ts'
import { bearersApart } from './bearers.ts'
import { differentNames, isRepeat, isWordForWord, otherValue, qualifiedApart, sameKey } from './compare-values.ts'
import { givesValue } from './denied-values.ts'
import { restingOn } from './dependents.ts'
import { endsAnother, endsAnotherByName, endsAnotherThing, endsIt, endsPartOfWhole } from './ends.ts'
import { isLongAgo } from './occasions.ts'
import type { Overlap } from './overlap.ts'
import { isPerson, type Profile } from './profile.ts'
import { samePerson } from './same-person.ts'
import type { Related, Relation } from './statement.ts'
import { conflicting } from './typed-values.ts'

/** Two statements that share less than this do not speak of the same thing. */
const RELATED = 0.65
/** From here on a change may be meant, so that the older one is in doubt. */
const TOUCHED = 0.4
/** Two things that go with it plainly. */
const SEVERAL_THINGS = 2
/** Strength of a doubt that only things tell of. */
export const BY_THINGS = 0.2
/** A correction or an end names its subject in fewer words. */
const RELATED_BY_MARK = 0.5
/** A statement with more topics than this is no single statement, and must share this much more. */
const MANY_TOPICS = 5
const DENSE = 0.4
/** Attributes whose value is a date, a time or a number. */
const QUANTITIES: ReadonlySet<string> = new Set(
  'age birthday appointment flight exam deadline meeting wedding wake_time bedtime work_hours rent salary height weight shoe_size port version phone_number'.split(
    ' ',
  ),
)

/** The relation as the words decide it. */
export function decideByWords(newer: Profile, older: Profile, overlap: Overlap): Related {
  const sameAttribute = newer.facts.some((fact) =>
    older.facts.some((other) => fact.key !== other.key && sameKey(fact.key, other.key)),
  )
  const score = overlap.topicScore + overlap.termScore + (sameAttribute ? 1 : 0)
  const answer = (relation: Relation, reason: string): Related => ({
    relation,
    reason: `${reason}${subjectOf(overlap)}`,
    strength: Math.min(1, score / 2),
  })
  const { stance } = newer
  if (isWordForWord(newer.text, older.text)) return answer('same', 'it says the same again')
  if (score < TOUCHED) return toldByThings(newer, older, overlap) ?? answer('none', 'they share no subject')
  if (!samePerson(newer, older, overlap)) return answer('none', 'they are about different people')
  if (stance.unreal) return answer('none', 'it is a question, a wish or hearsay')
  if (bearersApart(newer, older, overlap.topics)) return answer('adds', 'they are about different ones')
  if (score < RELATED_BY_MARK) return maybeChanged(newer, older, overlap) ?? answer('none', 'they share no subject')
  if (stance.corrects && !stance.past && (score >= RELATED || stance.mistaken) && isPutRight(newer, older, overlap))
    return answer('corrects', 'it puts a mistake right')
  if (isRepeat(newer, older, overlap)) return answer('same', 'it says the same again')
  if (stance.past && (!stance.ends || isLongAgo(newer.text)))
    return answer(score < RELATED ? 'none' : 'adds', 'it tells of the past')
  if (stance.ends && endsAnotherByName(newer, older)) return answer('none', 'another one is over')
  if (stance.ends && isOnlyNamed(overlap) && endsAnotherThing(newer, older))
    return answer('adds', 'another thing is over')
  if (stance.ends && endsPartOfWhole(newer, older)) return answer('adds', 'a part of it is over')
  if (stance.ends && endsIt(newer, overlap) && !endsAnother(newer, overlap)) {
    const replaced = stance.begins && overlap.single
    if (!isPlainly(older, overlap) || onlyOfPerson(overlap)) return perhaps(overlap)
    return replaced ? answer('supersedes', 'it ends the one and begins another') : answer('ends', 'it is over')
  }
  const enough =
    stance.replaces && overlap.topicScore > 0
      ? RELATED_BY_MARK
      : RELATED + (isDense(newer) || isDense(older) ? DENSE : 0)
  if (score < enough) return maybeChanged(newer, older, overlap) ?? answer('none', 'they share too little')
  const resting = stance.begins && overlap.single ? restsOnShared(older, overlap) : null
  if (resting !== null) return answer('doubts', `${resting} may rest on what has changed`)
  if (qualifiedApart(newer.facts, older.facts)) return answer('adds', 'they are about different ones')
  if (stance.adds && !stance.replaces) return answer('adds', 'it comes on top')
  if (stance.replaces && endsAnother(newer, overlap)) return answer('adds', 'something else has changed')
  const plainly = isPlainly(older, overlap)
  if (stance.replaces) return plainly ? answer('supersedes', 'it takes its place') : perhaps(overlap)
  if (stance.begins && ((overlap.single && !isOnlyNamed(overlap)) || isSameMatter(overlap)))
    return plainly ? answer('supersedes', 'it is new') : perhaps(overlap)
  if (stance.begins && namesSuccessor(newer, older, overlap)) return answer('supersedes', 'another takes over')
  if (otherValue(newer, older)) return answer('supersedes', 'it gives another value')
  if (namesQuantity(overlap) && conflicting(newer.values, older.values))
    return answer('supersedes', 'it gives another date or number')
  if (bothState(newer, older, overlap) && differentNames(newer, older)) return answer('supersedes', 'it names another')
  if ((speaksOfStated(older, overlap) && differentNames(newer, older)) || mayReplace(newer, older, overlap))
    return perhaps(overlap)
  return answer('adds', 'both can be true')
}

/** Of one's sister one tells many things: when she has left something, it need not be what was told of her. */
function onlyOfPerson({ topics, terms, names }: Overlap): boolean {
  if (topics.length === 0 || names.length > 0 || terms.length > 1) return false
  return topics.every((topic) => isPerson(topic) && topic !== 'partner')
}

function perhaps(overlap: Overlap): Related {
  return { relation: 'doubts', reason: `it may have changed${subjectOf(overlap)}`, sameMatter: true, strength: 0.3 }
}

/** The older one gives the value of what both speak of, or they share the words for it: no sentence in passing. */
function isPlainly(older: Profile, { topics, terms, termScore, names }: Overlap): boolean {
  return (
    topics.some((topic) => [...older.stated].some((key) => sameKey(key, topic))) ||
    names.length > 0 ||
    (termScore >= RELATED_BY_MARK && (topics.length > 0 || terms.length > 1))
  )
}

/** The things of what the older one tells are handed back, packed or unpacked: it may be over or another one. */
function toldByThings(newer: Profile, older: Profile, overlap: Overlap): Related | null {
  const { past, unreal, adds, ends } = newer.stance
  if (
    overlap.propScore < 1 ||
    past ||
    unreal ||
    (adds && !ends && overlap.propScore < SEVERAL_THINGS) ||
    older.stance.past
  )
    return null
  if (!samePerson(newer, older, overlap) || bearersApart(newer, older, overlap.topics)) return null
  return { relation: 'doubts', reason: 'things that go with it have changed', sameMatter: true, strength: BY_THINGS }
}

/**
 * News of an attribute that has several values: another way to work or another usual drink may replace the one before, a
 * second instrument does not, unless something is said to be over or changed.
 */
function mayReplace({ stance }: Profile, older: Profile, { topics }: Overlap): boolean {
  if (older.stance.past) return false
  return topics.some((topic) => {
    const slot = slotNamed(topic)
    if (isPerson(topic) || slot === undefined) return false
    return stance.replaces || stance.ends || (stance.begins && (slot.single || slot.category !== 'fact'))
  })
}

/** Too little is shared to say that the older one is over, but the newer one tells of a change in its matter. */
function maybeChanged({ stance }: Profile, older: Profile, overlap: Overlap): Related | null {
  const changes = stance.replaces || stance.begins || stance.ends || stance.corrects
  const statedTopic = overlap.topics.some((topic) => older.stated.has(topic))
  if (!changes || stance.past || (stance.adds && !stance.ends) || older.stance.past) return null
  if (!statedTopic && overlap.termScore < TOUCHED) return null
  return perhaps(overlap)
}

/** What the older statement really says rests on the topic that both share: a gym near the home, not the home. */
function restsOnShared(older: Profile, { topics }: Overlap): string | null {
  for (const topic of topics) {
    if (older.facts.some(({ key }) => key === topic)) continue
    const resting = restingOn(topic, older.topics.keys())
    if (resting !== null && !topics.includes(resting)) return resting
  }
  return null
}

/** A text that speaks of very many things shares some with any other. */
function isDense({ topics }: Profile): boolean {
  return topics.size > MANY_TOPICS
}

/** An attribute of one value, given by both. */
function bothState(newer: Profile, older: Profile, { topics }: Overlap): boolean {
  return topics.some(
    (topic) => (slotNamed(topic)?.single ?? false) && newer.stated.has(topic) && older.stated.has(topic),
  )
}

/** An attribute of one value, given by the older one and named by the newer. */
function speaksOfStated(older: Profile, { topics }: Overlap): boolean {
  return topics.some((topic) => (slotNamed(topic)?.single ?? false) && older.stated.has(topic))
}

/** Both dates or numbers are of the same thing: it has a word in both, or it is a date or a number itself. */
function namesQuantity({ topics, termScore }: Overlap): boolean {
  return termScore >= RELATED_BY_MARK || topics.some((topic) => QUANTITIES.has(topic))
}

/** Beside a topic they share words or both give its value, or differ in one: a mistake of the one is none of the other. */
function isPutRight(newer: Profile, older: Profile, { termScore, topics }: Overlap): boolean {
  return (
    termScore > 0 ||
    conflicting(newer.values, older.values) ||
    newer.denied.some((value) => givesValue(older.text, value)) ||
    topics.some((topic) => newer.stated.has(topic) && older.stated.has(topic))
  )
}

/** Of an attribute with several values, the very one: "tea with milk" and "tea with oat milk". */
function isSameMatter({ topics, terms, names, termScore }: Overlap): boolean {
  if (topics.length > 0) return termScore >= RELATED_BY_MARK
  return termScore >= RELATED && !isOnlyNamed({ topics, terms, names })
}

/** Nothing but a name is shared: who has a new bike has not changed school. */
export function isOnlyNamed({ topics, terms, names }: Pick<Overlap, 'topics' | 'terms' | 'names'>): boolean {
  return topics.length === 0 && names.length > 0 && terms.every((term) => names.some((name) => name.startsWith(term)))
}

/** Of the one whose name alone is shared it tells something of another kind: where Callum works says nothing of his allergy. */
export function tellsElse(newer: Profile, older: Profile, overlap: Overlap): boolean {
  return isOnlyNamed(overlap) && overlap.propScore < 1 && statesAnother(newer, older)
}

/** It states an attribute of which the older one does not speak. */
function statesAnother({ stated }: Profile, { topics }: Profile): boolean {
  return [...stated].some((topic) => !topics.has(topic))
}

/** It names whom or what the older one names, and another beside: "Dr Harper has left, I see Dr Moreau". */
function namesSuccessor(newer: Profile, older: Profile, overlap: Overlap): boolean {
  if (overlap.names.length === 0 || (isOnlyNamed(overlap) && statesAnother(newer, older))) return false
  return [...newer.people.names].some((name) => !older.people.names.has(name))
}

/** What both speak of, in brackets; empty when nothing names it. */
export function subjectOf({ topics, terms }: Overlap): string {
  const subject = topics[0]?.replaceAll('_', ' ') ?? terms.slice(0, 2).join(', ')
  return subject === '' ? '' : ` (${subject})`
}
