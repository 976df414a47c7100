/** The effect of a new statement on an older memory: an end, a doubt, or none. A sentence in passing ends nothing. */
import { type Memory, REST_MAY_HOLD, speaksOf, subjectsOf } from '../../domain/memory.ts'
import { spelledOut } from '../../language/spelling.ts'
import { sameValue } from '../../thinking/change/compare-values.ts'
import { changedAsWhole } from '../../thinking/change/ended-values.ts'
import { ENDING, isPerson, type Related } from '../../thinking/change/statement-reading.ts'
import { plainTopics, topicsOf } from '../../thinking/facts/mentioned-attributes.ts'
import { stanceOf } from '../../thinking/facts/stance.ts'
import { cuesOf } from '../../thinking/facts/stance-cues.ts'
import { valueOfKind } from '../../thinking/facts/value-kinds.ts'
import type { Draft } from './draft.ts'

/** The effects; with `sameMatter` the draft may give the present value, and an end with a time is yet to come. */
export type Effect =
  | { readonly kind: 'end'; readonly at?: number }
  | { readonly kind: 'doubt'; readonly reason: string; readonly sameMatter: boolean }
  | { readonly kind: 'leave' }

type RelatedBy = Pick<Related, 'relation' | 'reason' | 'sameMatter' | 'repairs'>

const LEAVE: Effect = { kind: 'leave' }

/** A change that holds from a day on: "from next month", 下个月起. */
const BEGINS_LATER =
  /\b(?:from|starting|beginning|effective) (?:next|tomorrow|the)\b|从?[明下][^，。]{1,4}(?:起|开始)|从[明下]/i

/** The effect of the draft, which was said later, on the memory. A plan ends the present when its date has come. */
export function effectOn(other: Memory, draft: Draft, related: RelatedBy): Effect {
  const effect = effectNow(other, draft, related)
  const told = draft.facts.find(({ key }) => key === other.key)
  const { text, occurredAt, createdAt } = draft.memory
  if (told === undefined && effect.kind === 'end' && occurredAt > createdAt && BEGINS_LATER.test(text))
    return { kind: 'end', at: occurredAt }
  if (told === undefined || told.standing === 'corrects') return effect
  // A present state leaves a plan alone, which another plan or a change ends.
  if (isPlan(other, draft)) return told.standing === 'holds' && !stanceOf(draft.memory.text).begins ? LEAVE : effect
  if (told.standing !== 'planned') return effect
  return effect.kind === 'end' ? { kind: 'end', at: draft.memory.occurredAt } : LEAVE
}

/** Whether the memory's date had come neither when it was told nor when the draft was; an appointment's value is its date. */
function isPlan({ key, value, occurredAt, createdAt }: Memory, { memory }: Draft): boolean {
  return (
    key !== null && occurredAt > Math.max(createdAt, memory.createdAt) && valueOfKind('date', String(value)) === null
  )
}

/** Whether the draft tells that a plan is carried out, earlier than planned: that is no repeat of it. */
export function fulfils(draft: Draft, other: Memory): boolean {
  return isPlan(other, draft) && draft.facts.some(({ key, standing }) => key === other.key && standing === 'holds')
}

function effectNow(other: Memory, draft: Draft, { relation, reason, sameMatter = false, repairs }: RelatedBy): Effect {
  // The correction quotes what it puts right, so nothing is lost.
  if (repairs) return { kind: 'end' }
  if (!ENDING.has(relation))
    return relation === 'doubts' && other.suspect === null ? { kind: 'doubt', reason, sameMatter } : LEAVE
  const isNamed = relation === 'ends' && sameMatter && other.key !== null
  const touched = isNamed ? touchedBy(draft).union(new Set([other.key])) : touchedBy(draft)
  if (relation === 'corrects')
    return saysMore(other, touched) ? { kind: 'doubt', reason, sameMatter: true } : { kind: 'end' }
  const allowed = mayEnd(other, draft, relation === 'ends')
  if (allowed === 'leave') return LEAVE
  // Likeness alone ends nothing: only a statement on the same subject does.
  if (!sameMatter && !speaksOf(other, [...touched])) return { kind: 'doubt', reason, sameMatter: true }
  if (allowed === 'doubt') return { kind: 'doubt', reason, sameMatter: true }
  if (saysMore(other, touched)) return { kind: 'doubt', reason: `${reason}${REST_MAY_HOLD}`, sameMatter: true }
  return { kind: 'end' }
}

/** The subjects that a draft speaks of. */
export function touchedBy({ memory, facts }: Draft): ReadonlySet<string> {
  return new Set([...(memory.key === null ? [] : [memory.key]), ...subjectsOf(memory), ...facts.map(({ key }) => key)])
}

/** Whether a memory says something else in the same breath, which ending it would lose; a wish for replies is one matter. */
function saysMore(other: Memory, touched: ReadonlySet<string>): boolean {
  // The words of the value that changed say nothing beside it: "Java 11" is no version of its own.
  const value = other.key !== null && touched.has(other.key) ? String(other.value ?? '') : ''
  const rest = value === '' ? other.text : other.text.replace(new RegExp(RegExp.escape(value), 'i'), ' ')
  return plainTopics(topicsOf(spelledOut(rest))).some(
    (name) => !touched.has(name) && !isPerson(name) && name !== 'reply_style',
  )
}

/** Attributes of a person that one sentence in passing must not end. */
const OF_A_PERSON: ReadonlySet<string> = new Set(
  'home hometown employer job name age birthday school major partner boss doctor dentist landlord teacher'.split(' '),
)

/** Nothing of a person can be called off. */
const CALLED_OFF = /\b(?:cancel\w{0,6}|called off)\b|取消/gi

/** Whether the statement may end the memory, only doubt it, or neither. `isOver`: it gives no new value. */
function mayEnd(other: Memory, { memory, facts }: Draft, isOver: boolean): 'end' | 'doubt' | 'leave' {
  const keys = new Set(
    [...(other.key === null ? [] : [other.key]), ...subjectsOf(other)].filter((key) => OF_A_PERSON.has(key)),
  )
  if (keys.size === 0) return 'end'
  const mine = facts.filter(({ key }) => keys.has(key))
  if (mine.some(({ standing }) => standing === 'holds' || standing === 'planned' || standing === 'corrects'))
    return 'end'
  const denied = mine.find(({ key, standing }) => standing === 'ended' && key === other.key)
  // "I do not live in Munich" does not end a home in Berlin.
  if (denied !== undefined) return sameValue(denied.value, String(other.value ?? '')) ? 'end' : 'leave'
  // A lesson that is called off ends no teacher.
  const held = memory.text.replace(CALLED_OFF, ' ')
  if (isOver) return held === memory.text || cuesOf(held).ends ? 'end' : 'leave'
  const changed = changedAsWhole(memory.text)
  if ([...keys].some((key) => changed.has(key))) return 'end'
  return 'doubt'
}
