/**
 * What does a newer statement do to an older one? Both must be about the same person and the same thing; then the words
 * of change decide, and where there are none, whether two values of the same attribute can both hold.
 */
import type { Fact } from '../../domain/thought.ts'
import { indexTerms } from '../../text/tokens.ts'
import { slotNamed } from '../facts/topics.ts'
import { restingOn } from './dependents.ts'
import { meantBy } from './meant.ts'
import { type Overlap, overlapOf } from './overlap.ts'
import { isPerson, type Profile, profileOf } from './profile.ts'
import { samePerson } from './same-person.ts'
import type { Related, Relation, Statement } from './statement.ts'
import { isTimeTerm } from './time-terms.ts'
import { conflicting } from './typed-values.ts'

/** Two statements that share less than this do not speak of the same thing. */
const RELATED = 0.65
/** From here on a change may be meant, so that the older one is in doubt. */
const TOUCHED = 0.4
/** A correction or an end names its subject in fewer words. */
const RELATED_BY_MARK = 0.5
/** Share of the strength of the plainest change below which another one is not meant. */
const MUCH_LESS = 0.6
/** So much shared names the matter itself, whether or not its attribute has one value. */
const SAME_MATTER = 1
/** A statement with more topics than this is no single statement, and must share this much more. */
const MANY_TOPICS = 5
const DENSE = 0.4
/** Attributes whose value is a date, a time or a number. */
const QUANTITIES: ReadonlySet<string> = new Set(
  'age birthday appointment flight exam deadline meeting wedding wake_time bedtime work_hours rent salary height weight shoe_size port version phone_number'.split(
    ' ',
  ),
)
/** Share of the shorter statement's words that the other repeats when it says the same again. */
const REPEATED = 0.7

/** The relation of two statements; `none` when the newer one says nothing about the older one. */
export function relate(newer: Statement, older: Statement): Related {
  return compare(newer, older).related
}

/**
 * The relations of one newer statement to several older ones, in their order. Doubt falls only on what rests on an
 * attribute that this very statement changed.
 */
export function relateAll(newer: Statement, olders: readonly Statement[]): readonly Related[] {
  const compared = onlyPlainest(olders.map((older) => compare(newer, older)))
  const meant = compared.some(({ related }) => isChange(related.relation) || related.relation === 'corrects')
    ? null
    : meantBy(newer, olders)
  if (meant !== null)
    compared[meant] = {
      ...compared[meant]!,
      related: { relation: 'corrects', reason: 'it puts right what was said just before', strength: 0.5 },
    }
  const replaced = compared.filter(({ related }) => isChange(related.relation))
  const changed = new Set(replaced.flatMap((one) => one.changed))
  const statedElsewhere = replaced.some(({ stated }) => stated.length > 0)
  const gone = distinctiveOf(
    profileOf(newer),
    olders.filter((_, at) => isChange(compared[at]!.related.relation)).map(profileOf),
  )
  return compared.map((one, at) => {
    const { related } = one
    if (related.relation === 'same' || related.relation === 'corrects') return related
    if (isChange(related.relation)) return onlyMentions(one, statedElsewhere) ? mentioned(one) : related
    return (
      doubt(changed, newer, olders[at]!) ??
      namesWhatIsGone(gone, olders[at]!) ??
      touches(changed, newer, olders[at]!) ??
      related
    )
  })
}

/** Of several that it might change, those are meant for which much less speaks than for another are not. */
function onlyPlainest(compared: readonly Compared[]): Compared[] {
  const ends = ({ related: { relation } }: Compared): boolean => isChange(relation) || relation === 'corrects'
  const most = Math.max(0, ...compared.filter(ends).map(({ related }) => related.strength))
  return compared.map((one) =>
    ends(one) && one.related.strength < MUCH_LESS * most
      ? { ...one, related: { relation: 'adds', reason: 'another is meant', strength: one.related.strength } }
      : one,
  )
}

/** Another statement gives the value of what has changed; this one only speaks of it. */
function onlyMentions({ related, stated }: Compared, statedElsewhere: boolean): boolean {
  return isChange(related.relation) && stated.length === 0 && statedElsewhere
}

function mentioned({ related, changed }: Compared): Related {
  const reason = `it speaks of what has changed (${changed.map((topic) => topic.replaceAll('_', ' ')).join(', ')})`
  return { relation: 'doubts', reason, strength: related.strength / 2 }
}

function isChange(relation: Relation): boolean {
  return relation === 'supersedes' || relation === 'ends'
}

interface Compared {
  readonly related: Related
  /** Attributes of the older statement that the newer one changed. */
  readonly changed: readonly string[]
  /** Those of them whose value the older statement gives. */
  readonly stated: readonly string[]
}

function compare(newerStatement: Statement, olderStatement: Statement): Compared {
  const newer = profileOf(newerStatement)
  const older = profileOf(olderStatement)
  const overlap = overlapOf(newer, older)
  const related = decide(newer, older, overlap)
  const changed = overlap.topics.length > 0 ? overlap.topics : [...older.topics.keys()]
  const stated = changed.filter(
    (topic) => older.stated.has(topic) && (!isPerson(topic) || overlap.topics.includes(topic)),
  )
  return { related, changed, stated }
}

function decide(newer: Profile, older: Profile, overlap: Overlap): Related {
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
  if (score < TOUCHED) return answer('none', 'they share no subject')
  if (!samePerson(newer, older, overlap)) return answer('none', 'they are about different people')
  if (stance.unreal) return answer('none', 'it is a question, a wish or hearsay')
  if (score < RELATED_BY_MARK) return maybeChanged(newer, older, overlap) ?? answer('none', 'they share no subject')
  if (stance.corrects && !stance.past && (stance.mistaken || score >= RELATED))
    return answer('corrects', 'it puts a mistake right')
  if (stance.past && !stance.ends) return answer(score < RELATED ? 'none' : 'adds', 'it tells of the past')
  if (isRepeat(newer, older, overlap)) return answer('same', 'it says the same again')
  if (stance.ends && endsIt(newer, overlap)) {
    const replaced = stance.begins && overlap.single
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
  if (stance.replaces) return answer('supersedes', 'it takes its place')
  if (stance.begins && (overlap.single || isSameMatter(overlap))) return answer('supersedes', 'it is new')
  if (stance.begins && namesSuccessor(newer, older, overlap)) return answer('supersedes', 'another takes over')
  if (otherValue(newer, older)) return answer('supersedes', 'it gives another value')
  if (bothState(newer, older, overlap) && differentNames(newer, older)) return answer('supersedes', 'it names another')
  if (namesQuantity(overlap) && conflicting(newer.values, older.values))
    return answer('supersedes', 'it gives another date or number')
  return answer('adds', 'both can be true')
}

/** Too little is shared to say that the older one is over, but the newer one tells of a change in its matter. */
function maybeChanged({ stance }: Profile, older: Profile, overlap: Overlap): Related | null {
  const changes = stance.replaces || stance.begins || stance.ends || stance.corrects
  const statedTopic = overlap.topics.some((topic) => older.stated.has(topic))
  if (!changes || stance.past || stance.adds || older.stance.past) return null
  if (!statedTopic && overlap.termScore < TOUCHED) return null
  return { relation: 'doubts', reason: `it may have changed${subjectOf(overlap)}`, strength: 0.3 }
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

/** Each names somebody or something, and none of them both. */
function differentNames(newer: Profile, older: Profile): boolean {
  const mine = properNamesOf(newer)
  const theirs = properNamesOf(older)
  return mine.size > 0 && theirs.size > 0 && ![...mine].some((name) => theirs.has(name))
}

/** Names with a capital, and Latin words among Chinese ones. */
function properNamesOf({ people, terms, han }: Profile): ReadonlySet<string> {
  return new Set([...people.names, ...(han ? [...terms].filter((term) => /^[a-z][a-z\d.+#-]+$/.test(term)) : [])])
}

/** Both dates or numbers are of the same thing: it has a word in both, or it is a date or a number itself. */
function namesQuantity({ topics, termScore }: Overlap): boolean {
  return termScore >= RELATED_BY_MARK || topics.some((topic) => QUANTITIES.has(topic))
}

/** A topic of one value, or words that name what is over. */
function endsIt(newer: Profile, overlap: Overlap): boolean {
  return (
    overlap.single ||
    overlap.termScore >= RELATED_BY_MARK ||
    overlap.termScore + overlap.topicScore >= SAME_MATTER ||
    newer.topics.size === 0
  )
}

function isRepeat(newer: Profile, older: Profile, overlap: Overlap): boolean {
  if (newer.facts.some((fact) => older.facts.some((other) => sameFact(fact, other)))) return true
  if (conflicting(newer.values, older.values)) return false
  const shorter = Math.min(newer.terms.size, older.terms.size)
  return shorter >= 2 && overlap.terms.length / shorter >= REPEATED && !newer.stance.ends && !newer.stance.begins
}

function sameFact(a: Fact, b: Fact): boolean {
  return a.key === b.key && a.about === b.about && a.standing === b.standing && fold(a.value) === fold(b.value)
}

/** Of an attribute with several values, the very one: "tea with milk" and "tea with oat milk". */
function isSameMatter({ topics, termScore }: Overlap): boolean {
  return topics.length > 0 ? termScore >= RELATED_BY_MARK : termScore >= RELATED
}

/** It names whom or what the older one names, and another beside: "Dr Harper has left, I see Dr Moreau". */
function namesSuccessor(newer: Profile, older: Profile, { names }: Overlap): boolean {
  return names.length > 0 && [...newer.people.names].some((name) => !older.people.names.has(name))
}

/** Another value of the same key that has one value at a time. */
function otherValue(newer: Profile, older: Profile): boolean {
  return newer.facts.some(
    (fact) =>
      fact.single &&
      older.facts.some(
        (other) =>
          other.key === fact.key &&
          isOnePerson(fact.about, other.about, older) &&
          fold(other.value) !== fold(fact.value),
      ),
  )
}

/** "My brother Sam …", "Sam …": the one names whom the other calls by relation; "she" is whoever it was. */
function isOnePerson(about: string, before: string, { people }: Profile): boolean {
  if (about === before) return true
  return before !== 'user' && (about === 'someone' || people.names.has(about) || people.mentioned.has(about))
}

/** `offsite` and `team_offsite` are one: the same noun, once with what makes it particular. */
function sameKey(a: string, b: string): boolean {
  return a === b || a.endsWith(`_${b}`) || b.endsWith(`_${a}`)
}

/** "My maths teacher", "my piano teacher": each has a key of its own for the same attribute. */
function qualifiedApart(newer: readonly Fact[], older: readonly Fact[]): boolean {
  const apart = (fact: Fact, other: Fact): boolean =>
    fact.key !== other.key &&
    fact.key.includes('_') &&
    other.key.includes('_') &&
    lastPart(fact.key) === lastPart(other.key)
  return newer.some((fact) => older.some((other) => apart(fact, other)))
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('_') + 1)
}

function fold(value: string): string {
  return value.toLowerCase().replace(/[\s"'’.-]+/g, '')
}

function doubt(changed: ReadonlySet<string>, newerStatement: Statement, olderStatement: Statement): Related | null {
  const newer = profileOf(newerStatement)
  const older = profileOf(olderStatement)
  for (const topic of changed) {
    const resting = restingOn(topic, older.topics.keys())
    if (resting === null) continue
    const reason = `${topic.replaceAll('_', ' ')} has changed, and ${resting.replaceAll('_', ' ')} may rest on it`
    return { relation: 'doubts', reason, strength: newer.stance.hedged ? 0.3 : 0.5 }
  }
  return null
}

/** "We live in his company's flat" speaks of the employer that has changed, whatever else it says. */
function touches(changed: ReadonlySet<string>, newerStatement: Statement, olderStatement: Statement): Related | null {
  const newer = profileOf(newerStatement)
  const older = profileOf(olderStatement)
  for (const topic of changed) {
    if ((older.topics.get(topic) ?? 0) < 1 || older.stance.past) continue
    if (!samePerson(newer, older, overlapOf(newer, older))) continue
    return {
      relation: 'doubts',
      reason: `it speaks of the ${topic.replaceAll('_', ' ')}, which has changed`,
      strength: 0.3,
    }
  }
  return null
}

/** Names and Latin words of what no longer holds that the newer statement does not use itself. */
function distinctiveOf(newer: Profile, gone: readonly Profile[]): ReadonlySet<string> {
  const words = gone.flatMap(({ people, facts, topics }) => [
    ...people.names,
    ...facts.filter(({ key }) => topics.has(key)).flatMap(({ value }) => [...indexTerms(value).keys()]),
  ])
  return new Set(words.filter((word) => [...word].length > 1 && !newer.terms.has(word) && !isTimeTerm(word)))
}

/** "The Vespa is sold" throws doubt on "The Vespa's service is due in May". */
function namesWhatIsGone(gone: ReadonlySet<string>, olderStatement: Statement): Related | null {
  const older = profileOf(olderStatement)
  const named = [...gone].find((word) => older.terms.has(word) || older.people.names.has(word))
  return named === undefined
    ? null
    : { relation: 'doubts', reason: `it speaks of ${named}, which has changed`, strength: 0.4 }
}

function subjectOf({ topics, terms }: Overlap): string {
  const subject = topics[0]?.replaceAll('_', ' ') ?? terms.slice(0, 2).join(', ')
  return subject === '' ? '' : ` (${subject})`
}
