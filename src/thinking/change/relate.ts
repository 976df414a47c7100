/**
 * Which effect has a newer statement on older ones? A small model weighs how certain a change is, the words say which;
 * doubt falls on dependents of the changed one.
 */
import { type CertaintyFeatures, certaintyFeatures, certaintyOf } from './certainty.ts'
import { happenedAgain, holdsOtherKey, isLongAgo, isRepeat, otherValue, sameKey } from './compare-values.ts'
import { restsOnChanged } from './dependents.ts'
import { meantBy } from './meant.ts'
import { isBareValue, mayBeOf, type NewValue, newValueOf } from './new-value.ts'
import { type Overlap, overlapOf } from './overlap.ts'
import { isPerson, type Profile, profileOf, type Read } from './profile.ts'
import { conflicting, isOneValue } from './quantities.ts'
import { samePerson } from './same-person.ts'
import type { Related, Relation, Statement } from './statement.ts'
import { changedAsWhole } from './whole-change.ts'

/** The least overlap of two statements on one matter. */
const RELATED = 0.65
/**
 * Log-odds from which a change is believed: of statements told to be remembered, and of those heard in conversation,
 * where nearly nothing changes anything (`bench/training/change.ts`).
 */
const TOLD = -3.2
const HEARD = 2.5
/** As `HEARD`, for a text of few words that plainly says that something is over, or an order that takes an order's place. */
const HEARD_PLAINLY = -1
const FEW_WORDS = 8
/** As `HEARD`, where both give a value of one quantity (`new-value.ts`). */
const NEW_VALUE = -0.05
/** The distance in log-odds from the likeliest change within which another one is meant as well. */
const MARGIN = 2
/** And so much less of both may be shared. */
const MUCH_LESS = 0.6
/** The number of equally likely changes from which none is meant, as in a chat about one matter. */
const MOST_ALIKE = 3
/** The distance from the likeliest value change within which another one counts as well. */
const VALUE_MARGIN = 0.5
/** The age of a statement whose quantity a bare value may change; milliseconds. */
const BARE_VALUE_WITHIN = 10 * 86_400_000

/** The relation of two statements; `none` when the newer one says nothing about the older one. */
export function relate(newer: Statement, older: Statement): Related {
  return compare(readOf(newer), readOf(older)).related
}

/**
 * The relations of one newer statement to several older ones, in their order. Doubt falls only on dependents of an
 * attribute that this very statement changed.
 */
export function relateAll(newer: Statement, olders: readonly Statement[]): readonly Related[] {
  const mine = readOf(newer)
  const theirs = olders.map(readOf)
  const compared = onlySame(onlyLikeliest(theirs.map((older) => compare(mine, older))))
  // A statement in a chat hardly ever corrects an earlier one without naming it.
  const meant =
    newer.heard === true || compared.some(({ related }) => ENDING.has(related.relation)) ? null : meantBy(newer, olders)
  if (meant?.plainly === true || (meant !== null && certaintyOf(weighed(mine, theirs[meant.at]!)) > TOLD))
    compared[meant.at] = {
      ...compared[meant.at]!,
      related: {
        relation: meant.plainly ? 'corrects' : 'doubts',
        reason: 'it puts right what was said just before',
        sameMatter: true,
        strength: 0.5,
      },
    }
  if (isBareValue(newer.text) && !compared.some(({ related }) => ENDING.has(related.relation))) {
    const only = onlyAmount(mine, theirs)
    if (only !== null)
      compared[only] = {
        ...compared[only]!,
        related: {
          relation: 'doubts',
          reason: 'it gives another value',
          sameMatter: true,
          ofValue: true,
          strength: 0.5,
        },
      }
  }
  // An attribute only named along the way has not changed: a house rule moves nobody.
  const changed = new Set(
    compared
      .filter(({ related }) => related.relation === 'supersedes' || related.relation === 'ends')
      .flatMap(({ stated }) => stated),
  )
  return compared.map(({ related }, at) =>
    related.relation === 'adds' || related.relation === 'none'
      ? (restsOnChanged(changed, mine, theirs[at]!) ?? related)
      : related,
  )
}

function readOf(statement: Statement): Read {
  return { statement, profile: profileOf(statement) }
}

/** The only one of the last days that gives an amount which a bare value may be of; null where none or several do. */
function onlyAmount(newer: Read, olders: readonly Read[]): number | null {
  const may = olders.flatMap((older, at) => {
    const age = newer.statement.occurredAt - older.statement.occurredAt
    return age >= 0 && age <= BARE_VALUE_WITHIN && mayBeOf(newer.profile, older.profile) ? [at] : []
  })
  return may.length === 1 ? may[0]! : null
}

function limitOf({ statement, profile }: Read, older: Profile): number {
  if (statement.heard !== true) return TOLD
  const { stance, terms } = profile
  const isPlain = stance.ends || (stance.replaces && isOrder(profile.text) && isOrder(older.text))
  return isPlain && Math.max(terms.size, older.terms.size) <= FEW_WORDS ? HEARD_PLAINLY : HEARD
}

/** The likeliest of several possible changes, and those hardly less likely; none where there are very many. */
function onlyLikeliest(compared: Compared[]): Compared[] {
  const weighed = compared.filter(({ certainty }) => certainty !== undefined)
  const [most] = weighed.toSorted((a, b) => b.certainty! - a.certainty!)
  const nearly = weighed.filter(
    ({ certainty, related }) =>
      certainty! > most!.certainty! - MARGIN && related.strength >= MUCH_LESS * most!.related.strength,
  )
  return compared.map((one) =>
    one.certainty === undefined || (nearly.length <= MOST_ALIKE && nearly.includes(one))
      ? one
      : { ...one, related: ANOTHER_IS_MEANT },
  )
}

/** The likeliest of the statements that give another value of one scale, and those of its value. */
function onlySame(compared: Compared[]): Compared[] {
  const [most] = compared.flatMap(({ value }) => value ?? []).toSorted((a, b) => b.odds - a.odds)
  return compared.map((one) =>
    one.value === undefined || one.value.odds > most!.odds - VALUE_MARGIN || isOneValue(one.value.older, most!.older)
      ? one
      : { ...one, related: ANOTHER_IS_MEANT },
  )
}

const ENDING: ReadonlySet<Relation> = new Set(['supersedes', 'ends', 'corrects'])
const ANOTHER_IS_MEANT: Related = { relation: 'none', reason: 'another is meant', strength: 0 }

interface Compared {
  readonly related: Related
  /** Of a change: attributes that both speak of and whose value the older statement gives. */
  readonly stated: readonly string[]
  /** Log-odds of a change that no two values tell of. */
  readonly certainty?: number
  /** The values that tell of it. */
  readonly value?: NewValue
}

const IS_NOTICE: Compared = { related: { relation: 'none', reason: 'it is a notice', strength: 0 }, stated: [] }

/** The features of a pair of statements; for the trainer. */
export function weighedOf(newer: Statement, older: Statement): CertaintyFeatures {
  return weighed(readOf(newer), readOf(older))
}

function weighed(newer: Read, older: Read, overlap = overlapOf(newer.profile, older.profile)): CertaintyFeatures {
  return certaintyFeatures(
    newer.profile,
    older.profile,
    overlap,
    newer.statement.occurredAt - older.statement.occurredAt,
  )
}

function compare(mine: Read, theirs: Read): Compared {
  const { statement: newerStatement, profile: newer } = mine
  const { statement: olderStatement, profile: older } = theirs
  const isWordForWord = newer.wording === older.wording
  if (!isWordForWord && (newer.isNotice || older.isNotice)) return IS_NOTICE
  const overlap = overlapOf(newer, older)
  const { topics, topicScore, termScore, propScore } = overlap
  const { stance } = newer
  const answer = (relation: Relation, reason: string, more?: Pick<Compared, 'certainty' | 'value'>): Compared => ({
    related: {
      relation,
      reason: `${reason}${subjectOf(overlap)}`,
      strength: Math.min(1, (topicScore + termScore) / 2),
      ...(relation === 'doubts' ? { sameMatter: true } : {}),
      ...(more?.value === undefined ? {} : { ofValue: true }),
    },
    stated:
      relation === 'supersedes' || relation === 'ends'
        ? (topics.length > 0 ? topics : [...older.topics.keys()]).filter(
            (topic) => older.stated.has(topic) && (!isPerson(topic) || topics.includes(topic)),
          )
        : [],
    ...more,
  })
  const again = (): Compared =>
    happenedAgain(newerStatement, olderStatement)
      ? answer('adds', 'it has happened again')
      : answer('same', 'it says the same again')
  const isRelated = topicScore + termScore >= RELATED
  if (isWordForWord) return again()
  if (leavesPost(newer, older)) return answer('supersedes', 'it takes its place')
  if (!isRelated && propScore === 0 && topicScore + termScore === 0) return answer('none', 'they share no subject')
  if (!samePerson(newer, older, overlap)) return answer('none', 'they are about different people')
  if (holdsOtherKey(newer.text, older.text)) return answer('none', 'it is the key of another service')
  const value = newValueOf(newer, older, newerStatement.occurredAt - olderStatement.occurredAt)
  if (value !== null && value.odds >= NEW_VALUE)
    // A statement that says more than the value stays, marked.
    return answer(
      newerStatement.heard === true && older.terms.size > FEW_WORDS ? 'doubts' : 'supersedes',
      'it gives another value',
      { value },
    )
  if (stance.unreal) return answer('none', 'it is a question, a wish or hearsay')
  if (isRelated && !stance.corrects && isRepeat(newer, older, overlap)) return again()
  if (stance.past && (!stance.ends || isLongAgo(newer.text))) return answer('adds', 'it tells of the past')
  const adds = answer(isRelated ? 'adds' : 'none', 'both can be true')
  if (stance.adds && !stance.replaces && !stance.ends) return adds
  // An order ends with another one about its matter, not with somebody's act.
  if (isOrder(older.text) && !isOrder(newer.text) && !stance.ends) return adds
  if (otherValue(newer, older)) return answer(stance.corrects ? 'corrects' : 'supersedes', 'it gives another value')
  const certainty = certaintyOf(weighed(mine, theirs, overlap))
  if (certainty < limitOf(mine, older)) return adds
  if (isOnlyOfPerson(overlap) || (stance.ends && endsAnotherThing(newer, older, overlap))) return adds
  // "My new job comes with a van": what begins is the first thing named.
  const [first] = newer.topics.keys()
  if (
    stance.begins &&
    !stance.ends &&
    !stance.replaces &&
    overlap.topics.length > 0 &&
    !overlap.topics.includes(first!)
  )
    return adds
  // An attribute with several values (an allergy, a taste) keeps the old one unless the words say otherwise.
  if (!overlap.single && !(stance.ends || stance.replaces || stance.corrects || stance.begins)) return adds
  const how = { certainty }
  if (stance.corrects && overlap.termScore === 0 && !stance.mistaken && !conflicting(newer.values, older.values))
    return adds
  if (!isPlainly(older, overlap)) return answer('doubts', 'it may have changed', how)
  if (stance.corrects) return answer('corrects', 'it puts a mistake right', how)
  if (stance.ends && endsIt(newer, overlap) && !(stance.begins && overlap.single))
    return answer('ends', 'it is over', how)
  return answer('supersedes', 'it takes its place', how)
}

const OWN_POST = /^我是?(?:在)?[当做是]?一?[名位][^，。！？]{1,8}$/
const SPEAKS_OF_ONESELF = /\b(?:i|i['’]ve|i['’]m)\b|^(?![^，。！]{0,4}[他她])/i

/** A statement of leaving work need not name the post: the older one tells it. */
function leavesPost(newer: Profile, older: Profile): boolean {
  const { stance, text, people } = newer
  if (!stance.ends || stance.unreal || stance.past || stance.hedged || !changedAsWhole(text).has('job')) return false
  const isOwn = [people, older.people].every(({ subjects }) => subjects.has('user'))
  return isOwn && SPEAKS_OF_ONESELF.test(text) && (older.stated.has('job') || OWN_POST.test(older.text))
}

/** Whether both only share a sister or the like: she may leave one thing while another is told of her. */
function isOnlyOfPerson({ topics, terms, names }: Overlap): boolean {
  if (topics.length === 0 || names.length > 0 || terms.length > 1) return false
  return topics.every((topic) => isPerson(topic) && topic !== 'partner')
}

/** "Colm left the party": only the name is shared, and the ended thing is none of the older one's. */
function endsAnotherThing({ changing, changingTopics, props }: Profile, older: Profile, overlap: Overlap): boolean {
  const { topics, terms, names } = overlap
  if (topics.length > 0 || terms.some((term) => !names.some((name) => name.startsWith(term)))) return false
  if (changing.size === 0 || changingTopics.size > 0 || props.size > 0) return false
  return names.length > 0 && ![...changing].some((term) => older.terms.has(term))
}

const ORDER =
  /^(?:(?:please|from now on|in future),? )*(?:always|never|do not|don['’]t|make sure|keep|use|avoid|when (?:i|we) ask|if i ask)\b|^(?:请|以后|今后|从现在起|每次)?(?:总是|永远|务必|不要|别|都?要|一律|用)/i

function isOrder(text: string): boolean {
  return ORDER.test(text)
}

/** Whether the older one gives the value of the common subject, or they share its words: no sentence in passing. */
function isPlainly(older: Profile, { topics, terms, termScore, names }: Overlap): boolean {
  return (
    topics.some((topic) => [...older.stated].some((key) => sameKey(key, topic))) ||
    names.length > 0 ||
    (termScore >= RELATED && (topics.length > 0 || terms.length > 1))
  )
}

/** The least score of shared words that name the ended thing, and of the overlap of one matter. */
const NAMED_BY_WORDS = 0.5
const SAME_MATTER = 1

/** The ended thing is a topic of one value, or named by words of both. */
function endsIt(newer: Profile, { single, termScore, topicScore }: Overlap): boolean {
  return single || termScore >= NAMED_BY_WORDS || termScore + topicScore >= SAME_MATTER || newer.topics.size === 0
}

/** The common subject, in brackets; empty when nothing names it. */
function subjectOf({ topics, terms }: Overlap): string {
  const subject = topics[0]?.replaceAll('_', ' ') ?? terms.slice(0, 2).join(', ')
  return subject === '' ? '' : ` (${subject})`
}
