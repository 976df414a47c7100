/**
 * Which relation has a newer statement to older ones? `judge-change.ts` weighs whether the older one still holds; words say
 * what became of it.
 */
import { REST_MAY_HOLD } from '../../domain/memory.ts'
import { isPastAct } from '../facts/stance-cues.ts'
import { tellingTerm, wordsIn } from '../topic/word-rarity.ts'
import { areOfTwoThings, deniesValue, isAbsence, isRepeat, otherValue } from './compare-values.ts'
import { areWishes, correctedBy, isOrder, orderChanged, valueAlone } from './corrections-and-orders.ts'
import { ownersOf, restsOnChanged } from './dependents.ts'
import { leavesPartner, leavesPost, tellsEnded } from './ended-values.ts'
import { FEW_WORDS, isPlainly, judgeChange, namesChange, RELATED, type Verdict, wordsOfBoth } from './judge-change.ts'
import { type Overlap, overlapOf, samePerson } from './overlap.ts'
import {
  exchangesWord,
  HEARD,
  HEARD_END,
  HEARD_FACT,
  HEARD_SHORT,
  isShort,
  mayRelate,
  TOLD,
  TOLD_VALUE,
} from './prefilter.ts'
import { conflicting, isOneScale, isOneValue } from './quantities.ts'
import {
  ENDING,
  isPerson,
  type Read,
  type Reading,
  type Related,
  type Relation,
  readingOf,
  type Statement,
} from './statement-reading.ts'
import { type EndedAlone, endedAlone } from './told-alone.ts'

/** Log-odds from which a value heard in conversation ends the older one, and from which each of several changes is meant. */
const [SURE, EACH_SURE] = [1, 2]
/** The distance from the likeliest change within which another one is meant as well. */
const MARGIN = 0.5

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
  const compared = onlyLikeliest(all.map((one, at) => (isToldAgain(one, theirs[at]!, theirs) ? NOTHING : one)))
  const found = correctedBy(newer, olders)
  // A correction that gives more than a value is understood without the words before.
  const isOver = compared.some(
    ({ related }, at) => ENDING.has(related.relation) && (at !== found?.at || valueAlone(newer.text) === null),
  )
  const repaired = isOver ? null : found
  const { stance } = mine.reading
  // A chat has more to put right than what was said last: there the words must show it.
  const mayMeanLast = !isOver && newer.heard !== true && stance.corrects && !stance.past && !stance.unreal
  const last = repaired?.at ?? (mayMeanLast ? olders.findIndex(({ justBefore }) => justBefore) : -1)
  const putsRight = { reason: 'it puts right what was said just before', sameMatter: true, strength: 0.5 }
  if (repaired !== null)
    compared[last] = { stated: [], related: { relation: 'corrects', ...putsRight, repairs: repaired.repair } }
  else if (last >= 0 && judgeChange(mine, theirs[last]!, overlapOf(mine.reading, theirs[last]!.reading)).odds > TOLD)
    compared[last] = { stated: [], related: { relation: 'doubts', ...putsRight } }
  const alone = newer.heard === true ? endedAlone(mine, theirs) : []
  for (const one of alone) if (compared[one.at]!.related.relation === 'none') compared[one.at] = overAlone(one)
  // An attribute only named along the way has not changed: a house rule moves nobody.
  const changed = compared.flatMap(({ related: { relation }, stated }, at) =>
    relation === 'supersedes' || relation === 'ends'
      ? stated.map((topic) => ({ topic, owners: ownersOf(topic, theirs[at]!.reading) }))
      : [],
  )
  return compared.map(({ related }, at) =>
    related.relation === 'none' ? (restsOnChanged(changed, mine, theirs[at]!) ?? related) : related,
  )
}

function readOf(statement: Statement): Read {
  return { statement, reading: readingOf(statement) }
}

/** Whether the new value is the one whose place the older statement has taken: somebody tells what was before. */
function isToldAgain({ verdict }: Compared, older: Read, olders: readonly Read[]): boolean {
  const { value = null } = verdict ?? {}
  return (
    value !== null &&
    !namesChange(value.newer) &&
    olders.some((first) => {
      if (first.statement.occurredAt >= older.statement.occurredAt) return false
      if (!first.reading.values.some((one) => isOneScale(one, value.newer) && isOneValue(one, value.newer)))
        return false
      const before = judgeChange(older, first, overlapOf(older.reading, first.reading))
      return before.odds > 0 && before.value !== null && isOneValue(before.value.older, value.newer)
    })
  )
}

/** The likeliest of several possible changes, and those hardly less likely. */
function onlyLikeliest(compared: Compared[]): Compared[] {
  const [most] = compared.flatMap(({ verdict }) => verdict ?? []).toSorted((a, b) => b.odds - a.odds)
  const isMeant = ({ odds, value }: Verdict): boolean =>
    odds > Math.min(EACH_SURE, most!.odds - MARGIN) ||
    (value !== null && most!.value !== null && isOneValue(value.older, most!.value.older))
  const meant = compared.filter(({ verdict }) => verdict !== undefined && isMeant(verdict))
  return compared.map((one) => (one.verdict === undefined || meant.includes(one) ? one : NOTHING))
}

const MARKS: ReadonlySet<Relation> = new Set([...ENDING, 'doubts'])
const [OVER, REPLACED, OTHER_VALUE] = ['it is over', 'it takes its place', 'it gives another value']
/** Both can be true. */
const NONE: Answer = { relation: 'none', reason: '' }
const AGAIN: Answer = { relation: 'same', reason: 'it says the same again' }
const NOTHING: Compared = { related: { ...NONE, strength: 0 }, stated: [] }

interface Compared {
  readonly related: Related
  /** Of a change: attributes that both speak of and whose value the older statement gives. */
  readonly stated: readonly string[]
  /** Of a change that was weighed. */
  readonly verdict?: Verdict
}

/** A statement ends of which nothing else is told; of another one the rest may hold. */
function overAlone({ isAll, isValue, words }: EndedAlone): Compared {
  const reason = `${OVER} (${words.slice(0, MOST_NAMED).join(', ')})`
  const related: Related = isAll
    ? { relation: 'ends', reason, sameMatter: true, strength: 0.5 }
    : { relation: 'doubts', reason: `${reason}${REST_MAY_HOLD}`, sameMatter: isValue, strength: 0.5 }
  return { related, stated: [] }
}

/** A relation with its reason; `all`: the newer one names the ended matter itself. */
interface Answer {
  readonly relation: Relation
  readonly reason: string
  readonly verdict?: Verdict
  readonly all?: boolean
}

function compare(mine: Read, theirs: Read): Compared {
  const [newer, older] = [mine.reading, theirs.reading]
  if (newer.wording !== older.wording && (newer.isNotice || older.isNotice)) return NOTHING
  if (newer.terms.size <= FEW_WORDS && !newer.stance.begins && isAbsence(newer.text, older.text)) return NOTHING
  if (!mayRelate(mine, theirs)) return NOTHING
  const overlap = overlapOf(newer, older)
  const { topics, topicScore, termScore } = overlap
  const {
    relation,
    reason,
    verdict,
    all = relation === 'doubts' || reason === OTHER_VALUE,
  } = withoutWeighing(mine, theirs, overlap) ?? byWeight(mine, theirs, overlap)
  const named = topics.length > 0 ? topics : [...older.topics.keys()]
  return {
    related: {
      relation,
      reason: MARKS.has(relation) ? `${reason}${subjectOf(mine, theirs, overlap, verdict)}` : reason,
      strength: Math.min(1, (topicScore + termScore) / 2),
      ...(all ? { sameMatter: true } : {}),
    },
    stated:
      relation === 'supersedes' || relation === 'ends'
        ? named.filter((topic) => older.stated.has(topic) && (!isPerson(topic) || topics.includes(topic)))
        : [],
    ...(verdict === undefined ? {} : { verdict }),
  }
}

/** The answer where no change is to be weighed: said again, a post, an order, unrelated; null where it may be one. */
function withoutWeighing(mine: Read, theirs: Read, overlap: Overlap): Answer | null {
  const [newer, older] = [mine.reading, theirs.reading]
  if (newer.wording === older.wording) return AGAIN
  if (leavesPost(newer, older)) return { relation: 'supersedes', reason: REPLACED }
  const relation = orderChanged(newer.text, older.text)
  if (relation !== null)
    return {
      relation,
      reason: relation === 'ends' ? OVER : REPLACED,
      all: areWishes(newer.text, older.text),
    }
  if (leavesPartner(newer, older, overlap)) return { relation: 'doubts', reason: OVER }
  return isUnrelated(newer, older, overlap) ? NONE : null
}

/** A change of a value, else what the words tell of the older one, else of the attribute that both speak of. */
function byWeight(mine: Read, theirs: Read, overlap: Overlap): Answer {
  const [newer, older] = [mine.reading, theirs.reading]
  const { stance } = newer
  const isHeard = mine.statement.heard === true
  const isRelated = overlap.topicScore + overlap.termScore >= RELATED
  const verdict = judgeChange(mine, theirs, overlap)
  const endsNamed = verdict.value === null && stance.ends && overlap.topics.length > 0
  const told = verdict.value === null ? TOLD : TOLD_VALUE
  const heard = endsNamed
    ? HEARD_END
    : isShort(newer, older) && (stance.replaces || verdict.value !== null)
      ? exchangesWord(newer, older)
        ? HEARD_FACT
        : HEARD_SHORT
      : HEARD
  const isLikely = verdict.odds >= (isHeard ? heard : told)
  if (verdict.value !== null && isLikely) {
    // A statement that says more than the value, or gives others of its kind, stays, marked.
    const saysMore =
      isHeard &&
      (older.terms.size > FEW_WORDS ||
        older.values.filter(({ kind }) => kind === verdict.value!.older.kind).length > 1 ||
        (verdict.odds < SURE && !otherValue(newer, older)))
    return { relation: saysMore ? 'doubts' : stance.mistaken ? 'corrects' : 'supersedes', reason: OTHER_VALUE, verdict }
  }
  if (stance.unreal) return NONE
  if (isRelated && !stance.corrects && isRepeat(newer, older, overlap)) return AGAIN
  if (deniesValue(newer, older)) return { relation: 'ends', reason: OVER }
  if (stance.past && !stance.ends) return NONE
  if (tellsEnded(newer, older))
    return { relation: older.terms.size > FEW_WORDS ? 'doubts' : 'supersedes', reason: REPLACED, verdict, all: true }
  return byAttribute(newer, older, overlap, isHeard, verdict, isLikely)
}

/** The answer of a statement about the same attribute. */
function byAttribute(
  newer: Reading,
  older: Reading,
  overlap: Overlap,
  isHeard: boolean,
  verdict: Verdict,
  isLikely: boolean,
): Answer {
  const isRelated = overlap.topicScore + overlap.termScore >= RELATED
  const { stance } = newer
  const { replaces, ends, corrects, begins } = stance
  const namesMistake = stance.mistaken || conflicting(newer.values, older.values)
  if (stance.adds && !replaces && !ends) return NONE
  // An order ends with another one about its matter, not with somebody's act.
  if (isOrder(older.text) && !isOrder(newer.text)) return NONE
  const isOther = otherValue(newer, older)
  // In a long statement an attribute may be named in passing.
  if (isOther && isHeard && newer.terms.size > FEW_WORDS && verdict.odds < HEARD_FACT) return NONE
  if (isOther) return { relation: corrects ? 'corrects' : 'supersedes', reason: OTHER_VALUE }
  if (isRelated && replaces && isOrder(older.text)) return { relation: 'supersedes', reason: REPLACED }
  // A name alone is no common matter, unless a mistake about it is named or both give a value of one scale.
  if (!isLikely || (isOnlyOfSomebody(overlap) && !namesMistake)) return NONE
  // A visit or a repair leaves nothing that could be over.
  if (isPastAct(older.text) && older.facts.length === 0 && !corrects && !(older.stance.begins && (ends || replaces)))
    return NONE
  // An attribute with several values (an allergy, a taste) keeps the old one unless the words say otherwise.
  if (!overlap.single && !(ends || replaces || corrects || begins)) return NONE
  const isLoose = corrects && !namesMistake && (isHeard || overlap.termScore === 0)
  const isPlain = isPlainly(older, overlap)
  if (isLoose && (isHeard || !isPlain)) return NONE
  if (isLoose || !isPlain) return { relation: 'doubts', reason: 'it may have changed', verdict }
  if (corrects) return { relation: 'corrects', reason: 'it puts a mistake right', verdict }
  // The ended thing is a topic of one value, or named by words of both.
  const { single, termScore, topicScore } = overlap
  const isNamed = termScore >= NAMED_BY_WORDS || termScore + topicScore >= SAME_MATTER || newer.topics.size === 0
  if (ends && (single ? !begins : isNamed)) return { relation: 'ends', reason: OVER, verdict }
  return { relation: 'supersedes', reason: REPLACED, verdict }
}

/** Whether the newer one says nothing about the older one. */
function isUnrelated(newer: Reading, older: Reading, overlap: Overlap): boolean {
  if (overlap.propScore + overlap.topicScore + overlap.termScore === 0) return true
  if (!samePerson(newer, older, overlap)) return true
  return !newer.stance.ends && !newer.stance.replaces && areOfTwoThings(newer, older)
}

/** Whether both only share a name, a sister or the like, of whom many things are told. */
function isOnlyOfSomebody({ topics, terms, names, propScore }: Overlap): boolean {
  if (propScore > 0 || topics.length + names.length === 0) return false
  const others = terms.filter((term) => !names.some((name) => name.startsWith(term)))
  return others.length <= Math.min(1, topics.length) && topics.every((topic) => isPerson(topic) && topic !== 'partner')
}

/** The least score of shared words that name the ended thing, and of the overlap of one matter. */
const [NAMED_BY_WORDS, SAME_MATTER] = [0.5, 1]
const MOST_NAMED = 2

/**
 * The common subject, in brackets: an attribute with a given value, else words of both, the nearest to their values
 * first; '' for none.
 */
function subjectOf(
  { reading: newer }: Read,
  { reading: older }: Read,
  { topics, terms }: Overlap,
  verdict?: Verdict,
): string {
  const { value = null } = verdict ?? {}
  const stated = value === null ? topics.find((topic) => newer.stated.has(topic) || older.stated.has(topic)) : undefined
  if (stated !== undefined) return ` (${stated.replaceAll('_', ' ')})`
  const near = value === null ? terms : wordsOfBoth(value.newer, value.older)
  const said = wordsIn(newer.text)
  // A term of Chinese text may be a part of a word (语班 of 英语班), or lie across two.
  const words = near.flatMap(
    (term) => said.find((word) => tellingTerm(word) === term) ?? said.find((word) => word.includes(term)) ?? [],
  )
  const named = [...new Set(words)].slice(0, MOST_NAMED)
  return named.length === 0 ? '' : ` (${named.map((word) => word.replace(/[\p{P}\s]{1,40}$/u, '')).join(', ')})`
}
