/**
 * Which relation has a newer statement to older ones? `judge.ts` weighs whether the older one still holds; words say
 * what became of it.
 */
import { DAY_MS } from '../../domain/clock.ts'
import { isPastAct } from '../facts/happened.ts'
import type { Stance } from '../facts/stance.ts'
import { tellingTerm, wordsIn } from '../topic/common-words.ts'
import {
  areOfTwoThings,
  deniesValue,
  endsAnother,
  happenedAgain,
  holdsOtherKey,
  isOtherOfSeries,
  isRepeat,
  otherValue,
  tellsCeased,
  turnsRound,
} from './compare-values.ts'
import { restsOnChanged } from './dependents.ts'
import {
  FEW_WORDS,
  isBareValue,
  isPlainly,
  judgeChange,
  mayBeOf,
  namesChange,
  RELATED,
  type Verdict,
  wordsOfBoth,
} from './judge.ts'
import { tellsDeath, tellsGone, tellsHolderGone, tellsLeft } from './left-values.ts'
import { meantBy } from './meant.ts'
import { isOrder, orderChanged } from './orders.ts'
import { type Overlap, overlapOf } from './overlap.ts'
import { conflicting, isOneScale, isOneValue } from './quantities.ts'
import { samePerson } from './same-person.ts'
import { ENDING, type Related, type Relation, type Statement } from './statement.ts'
import { isPerson, type Profile, profileOf, type Read } from './statement-parts.ts'
import { changedAsWhole } from './whole-change.ts'

/**
 * Least log-odds of a change: TOLD, said to be remembered; HEARD, said in a chat, where little changes; …_VALUE, by a
 * new value.
 */
const TOLD = -3
const TOLD_VALUE = -1
const HEARD = 0.2
const HEARD_VALUE = 0.9
/** Log-odds from which a value heard in conversation ends the older one, and each of several changes is meant. */
const SURE = 2
/** The distance from the likeliest change within which another one is meant as well. */
const MARGIN = 0.5
/** The age of a statement whose quantity a bare value may change; milliseconds. */
const BARE_VALUE_WITHIN = 10 * DAY_MS

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
  const all = theirs.map((older) => compare(mine, older))
  const compared = onlyLikeliest(
    all.map((one, at) => (isToldAgain(one, theirs[at]!, theirs) ? BEFORE_THE_CHANGE : one)),
  )
  const isOver = compared.some(({ related }) => ENDING.has(related.relation))
  // A statement in a chat hardly ever corrects an earlier one without naming it.
  const meant = newer.heard === true || isOver ? null : meantBy(newer, olders)
  if (
    meant !== null &&
    (meant.plainly ||
      judgeChange(mine, theirs[meant.at]!, overlapOf(mine.profile, theirs[meant.at]!.profile)).odds > TOLD)
  )
    compared[meant.at] = {
      stated: [],
      related: {
        relation: meant.plainly ? 'corrects' : 'doubts',
        reason: 'it puts right what was said just before',
        sameMatter: true,
        strength: 0.5,
      },
    }
  const bare = isOver || !isBareValue(newer.text) ? null : onlyAmount(mine, theirs)
  if (bare !== null)
    compared[bare] = {
      stated: [],
      related: { relation: 'doubts', reason: 'it gives another value', sameMatter: true, ofValue: true, strength: 0.5 },
    }
  // An attribute only named along the way has not changed: a house rule moves nobody.
  const changed = new Set(
    compared.flatMap(({ related: { relation }, stated }, at) =>
      (relation === 'supersedes' && !isOtherVersion(mine.profile, theirs[at]!.profile)) || relation === 'ends'
        ? stated
        : [],
    ),
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

/** Position of the only recent statement with an amount that the bare value may replace; null for none or several. */
function onlyAmount(newer: Read, olders: readonly Read[]): number | null {
  const may = olders.flatMap((older, at) => {
    const age = newer.statement.occurredAt - older.statement.occurredAt
    return age >= 0 && age <= BARE_VALUE_WITHIN && mayBeOf(newer.profile, older.profile) ? [at] : []
  })
  return may.length === 1 ? may[0]! : null
}

/** "We upgraded to MySQL 8", "another flat in Riga": the value keeps its name, and what rests on it stays. */
function isOtherVersion({ text }: Profile, older: Profile): boolean {
  return older.facts.some(({ value }) => {
    const name = RegExp.escape(value.replace(/[\d.\s]{1,40}$/, ''))
    return name !== '' && new RegExp(`(?:\\b(?:to|in|on) |[到成为在用] ?)${name}(?![\\p{L}])`, 'iu').test(text)
  })
}

/** Whether the new value is the one whose place the older statement has taken: somebody tells what was before. */
function isToldAgain({ verdict }: Compared, older: Read, olders: readonly Read[]): boolean {
  const { value = null } = verdict ?? {}
  return (
    value !== null &&
    !namesChange(value.newer) &&
    olders.some((first) => {
      if (first.statement.occurredAt >= older.statement.occurredAt) return false
      if (!first.profile.values.some((one) => isOneScale(one, value.newer) && isOneValue(one, value.newer)))
        return false
      const before = judgeChange(older, first, overlapOf(older.profile, first.profile))
      return before.odds > 0 && before.value !== null && isOneValue(before.value.older, value.newer)
    })
  )
}

/** The likeliest of several possible changes, and those hardly less likely. */
function onlyLikeliest(compared: Compared[]): Compared[] {
  const [most] = compared.flatMap(({ verdict }) => verdict ?? []).toSorted((a, b) => b.odds - a.odds)
  const isMeant = ({ odds, value }: Verdict): boolean =>
    odds > Math.min(SURE, most!.odds - MARGIN) ||
    (value !== null && most!.value !== null && isOneValue(value.older, most!.value.older))
  const meant = compared.filter(({ verdict }) => verdict !== undefined && isMeant(verdict))
  return compared.map((one) =>
    one.verdict === undefined || meant.includes(one) ? one : { ...one, related: ANOTHER_IS_MEANT },
  )
}

const MARKS: ReadonlySet<Relation> = new Set([...ENDING, 'doubts'])
const ANOTHER_IS_MEANT: Related = { relation: 'none', reason: 'another is meant', strength: 0 }

const BEFORE_THE_CHANGE: Compared = {
  related: { relation: 'none', reason: 'it tells what was before', strength: 0 },
  stated: [],
}

interface Compared {
  readonly related: Related
  /** Of a change: attributes that both speak of and whose value the older statement gives. */
  readonly stated: readonly string[]
  /** Of a change that was weighed. */
  readonly verdict?: Verdict
}

const IS_NOTICE: Compared = { related: { relation: 'none', reason: 'it is a notice', strength: 0 }, stated: [] }

/** The first answer that fits: said again, an order or a post, unrelated, a change of a value, else by the words. */
function compare(mine: Read, theirs: Read): Compared {
  const { statement: newerStatement, profile: newer } = mine
  const { statement: olderStatement, profile: older } = theirs
  const isWordForWord = newer.wording === older.wording
  if (!isWordForWord && (newer.isNotice || older.isNotice)) return IS_NOTICE
  const overlap = overlapOf(newer, older)
  const { topics, topicScore, termScore } = overlap
  const { stance } = newer
  const answer = (relation: Relation, reason: string, verdict?: Verdict): Compared => ({
    related: {
      relation,
      reason: MARKS.has(relation) ? `${reason}${subjectOf(mine, theirs, overlap, verdict)}` : reason,
      strength: Math.min(1, (topicScore + termScore) / 2),
      ...(relation === 'doubts' ? { sameMatter: true } : {}),
      ...(verdict?.value ? { ofValue: true } : {}),
    },
    stated:
      relation === 'supersedes' || relation === 'ends'
        ? (topics.length > 0 ? topics : [...older.topics.keys()]).filter(
            (topic) => older.stated.has(topic) && (!isPerson(topic) || topics.includes(topic)),
          )
        : [],
    ...(verdict === undefined ? {} : { verdict }),
  })
  const again = (): Compared =>
    happenedAgain(newerStatement, olderStatement)
      ? answer('adds', 'it has happened again')
      : answer('same', 'it says the same again')
  const isRelated = topicScore + termScore >= RELATED
  if (isWordForWord) return again()
  if (leavesPost(newer, older)) return answer('supersedes', 'it takes its place')
  const order = orderChanged(newer.text, older.text)
  if (order !== null) return answer(order, order === 'ends' ? 'it is over' : 'it takes its place')
  const unrelated = whyUnrelated(newer, older, overlap)
  if (unrelated !== null) return answer('none', unrelated)
  const verdict = judgeChange(mine, theirs, overlap)
  const isHeard = newerStatement.heard === true
  const limit = verdict.value === null ? (isHeard ? HEARD : TOLD) : isHeard ? HEARD_VALUE : TOLD_VALUE
  if (verdict.value !== null && verdict.odds >= limit)
    // A statement that says more than the value stays, marked.
    return answer(
      isHeard && (older.terms.size > FEW_WORDS || verdict.odds < SURE)
        ? 'doubts'
        : stance.mistaken
          ? 'corrects'
          : 'supersedes',
      'it gives another value',
      verdict,
    )
  if (stance.unreal) return answer('none', 'it is a question, a wish or hearsay')
  if (endsAnother(newer, older, overlap)) return answer('none', 'it is of another thing')
  if (isRelated && !stance.corrects && isRepeat(newer, older, overlap)) return again()
  const over = (relation: 'ends' | 'supersedes', by?: Verdict): Compared => {
    const says = older.terms.size > FEW_WORDS || NAMES_SEVERAL.test(older.text) ? 'doubts' : relation
    const { related, ...rest } = answer(says, relation === 'ends' ? 'it is over' : 'it takes its place', by)
    return { ...rest, related: { ...related, sameMatter: true } }
  }
  if (tellsLeft(newer, older) || turnsRound(newer, older)) return over('supersedes', verdict)
  if ((!stance.begins && tellsGone(newer, older)) || tellsHolderGone(newer, older)) return over('ends', verdict)
  if (deniesValue(newer, older)) return answer('ends', 'it is over')
  if (stance.past && !stance.ends) return answer('adds', 'it tells of the past')
  const adds = answer(isRelated ? 'adds' : 'none', 'both can be true')
  if (stance.adds && !stance.replaces && !stance.ends) return adds
  // An order ends with another one about its matter, not with somebody's act.
  if (isOrder(older.text) && !isOrder(newer.text)) return adds
  const isOther = otherValue(newer, older)
  if (isOther === false && !stance.replaces && !stance.ends && !stance.corrects) return adds
  if (isOther === true) return answer(stance.corrects ? 'corrects' : 'supersedes', 'it gives another value')
  if (tellsCeased(newer, older) || tellsDeath(newer, older)) return over('ends')
  if (isRelated && stance.replaces && isOrder(older.text)) return answer('supersedes', 'it takes its place')
  if (verdict.odds < limit || isOnlyOfSomebody(overlap)) return adds
  if (isPastAct(older.text) && older.facts.length === 0 && !stance.corrects && !undoes(stance, older.stance))
    return answer('adds', 'it does not undo what happened')
  // An attribute with several values (an allergy, a taste) keeps the old one unless the words say otherwise.
  if (!overlap.single && !(stance.ends || stance.replaces || stance.corrects || stance.begins)) return adds
  const namesMistake = stance.mistaken || conflicting(newer.values, older.values)
  const isLoose = stance.corrects && !namesMistake && (isHeard || overlap.termScore === 0)
  if (isLoose && (isHeard || !isPlainly(older, overlap))) return adds
  if (isLoose || !isPlainly(older, overlap)) return answer('doubts', 'it may have changed', verdict)
  if (stance.corrects) return answer('corrects', 'it puts a mistake right', verdict)
  if (stance.ends && endsIt(newer, overlap) && !(stance.begins && overlap.single))
    return answer('ends', 'it is over', verdict)
  return answer('supersedes', 'it takes its place', verdict)
}

/** Why the newer one says nothing about the older one; null where it may. */
function whyUnrelated(newer: Profile, older: Profile, overlap: Overlap): string | null {
  if (overlap.propScore + overlap.topicScore + overlap.termScore === 0) return 'they share no subject'
  if (!samePerson(newer, older, overlap)) return 'they are about different people'
  if (holdsOtherKey(newer.text, older.text)) return 'it is the key of another service'
  // Another class in school is another value.
  if (isOtherOfSeries(newer.text, older.text) && otherValue(newer, older) !== true)
    return 'it is of another one of a series'
  const keepsIt = !newer.stance.ends && !newer.stance.replaces
  return keepsIt && areOfTwoThings(newer, older) ? 'it is of another thing' : null
}

/** Several things of which the end need not name all. */
const NAMES_SEVERAL = /\band\b|[、和跟]/

/** After an act that began something this may be over; a visit or a repair leaves nothing that could be. */
function undoes(newer: Stance, older: Stance): boolean {
  return older.begins && (newer.ends || newer.replaces)
}

const OWN_POST = /^我是?(?:在)?[当做是]?一?[名位][^，。！？]{1,8}$/
const SPEAKS_OF_ONESELF = /\b(?:i|i['’]ve|i['’]m)\b|^(?![^，。！]{0,4}[他她])/i

/** A statement of leaving work need not name the post: the older one tells it. */
function leavesPost(newer: Profile, older: Profile): boolean {
  const { stance, text, people } = newer
  if (!stance.ends || stance.unreal || stance.past || stance.hedged || !changedAsWhole(text).has('job')) return false
  const isOwn = [people, older.people].every(({ subjects }) => subjects.has('user'))
  return (
    isOwn &&
    SPEAKS_OF_ONESELF.test(text) &&
    (older.stated.has('job') || older.stated.has('employer') || OWN_POST.test(older.text))
  )
}

/** Whether both only share a name, a sister or the like, of whom many things are told. */
function isOnlyOfSomebody({ topics, terms, names, propScore }: Overlap): boolean {
  if (propScore > 0 || topics.length + names.length === 0) return false
  const others = terms.filter((term) => !names.some((name) => name.startsWith(term)))
  return others.length <= Math.min(1, topics.length) && topics.every((topic) => isPerson(topic) && topic !== 'partner')
}

/** The least score of shared words that name the ended thing, and of the overlap of one matter. */
const NAMED_BY_WORDS = 0.5
const SAME_MATTER = 1

/** The ended thing is a topic of one value, or named by words of both. */
function endsIt(newer: Profile, { single, termScore, topicScore }: Overlap): boolean {
  return single || termScore >= NAMED_BY_WORDS || termScore + topicScore >= SAME_MATTER || newer.topics.size === 0
}

const MOST_NAMED = 2

/**
 * The common subject, in brackets: an attribute with a given value, else words of both, those nearest to their values
 * first. '' where nothing names it.
 */
function subjectOf(
  { profile: newer }: Read,
  { profile: older }: Read,
  { topics, terms }: Overlap,
  verdict?: Verdict,
): string {
  const { value = null } = verdict ?? {}
  const stated = value === null ? topics.find((topic) => newer.stated.has(topic) || older.stated.has(topic)) : undefined
  if (stated !== undefined) return ` (${stated.replaceAll('_', ' ')})`
  const near = value === null ? terms : wordsOfBoth(value.newer, value.older)
  const words = near
    .slice(0, MOST_NAMED)
    .map((term) => wordsIn(newer.text).find((word) => tellingTerm(word) === term) ?? term)
  return words.length === 0 ? '' : ` (${words.map((word) => word.replace(/[\p{P}\s]{1,40}$/u, '')).join(', ')})`
}
