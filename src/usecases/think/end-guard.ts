/**
 * Is a sentence plain enough to end a memory of somebody's identity or home? A wrong end hides a truth, so without a
 * new value the old one is only doubted or left alone.
 */

import type { Memory } from '../../domain/memory.ts'
import { changedAsWhole } from '../../thinking/change/whole-change.ts'
import type { Draft } from './thoughts.ts'

/** Attributes of a person that one sentence in passing must not end. */
const OF_A_PERSON: ReadonlySet<string> = new Set([
  'home',
  'hometown',
  'employer',
  'job',
  'name',
  'age',
  'birthday',
  'school',
  'major',
  'partner',
  'boss',
  'doctor',
  'dentist',
  'landlord',
  'teacher',
])
/** The attributes with a name as value: "on holiday" takes the place of no boss. */
const NAMED: ReadonlySet<string> = new Set([
  'home',
  'hometown',
  'employer',
  'name',
  'school',
  'partner',
  'boss',
  'doctor',
  'dentist',
  'landlord',
  'teacher',
])

/**
 * `end` when the statement may end the memory, `doubt` when it may only cast doubt on it, `leave` when neither. `isOver`: it
 * says that something is over instead of giving a new value.
 */
export function mayEnd(other: Memory, { memory, facts }: Draft, isOver: boolean): 'end' | 'doubt' | 'leave' {
  const keys = new Set(
    [...(other.key === null ? [] : [other.key]), ...other.tags].filter((key) => OF_A_PERSON.has(key)),
  )
  if (keys.size === 0) return 'end'
  const mine = facts.filter(({ key }) => keys.has(key))
  const given = mine.find(({ standing }) => standing === 'holds' || standing === 'corrects')
  const before = String(other.value ?? '')
  if (given !== undefined) {
    const isNoName = NAMED.has(given.key) && given.key === other.key && beginsWithName(before) && isWords(given.value)
    return isNoName ? 'leave' : 'end'
  }
  const denied = mine.find(({ key, standing }) => standing === 'ended' && key === other.key)
  // "I do not live in Munich" does not end a home in Berlin.
  if (denied !== undefined) return fold(denied.value) === fold(before) ? 'end' : 'leave'
  if (isOver) return 'end'
  // The replaced attribute is none of a person: my work phone number, beside facts of the work.
  const replaced = facts.some(({ key, standing }) => key === other.key && standing !== 'held' && standing !== 'ended')
  if (replaced && other.key !== null && !OF_A_PERSON.has(other.key)) return 'end'
  const changed = changedAsWhole(memory.text)
  if ([...keys].some((key) => changed.has(key))) return 'end'
  return 'doubt'
}

function beginsWithName(value: string): boolean {
  return /^\p{Lu}/u.test(value)
}

/** Small Latin words only: a description, not a name. */
function isWords(value: string): boolean {
  return !/\p{Lu}|\p{Script=Han}/u.test(value)
}

function fold(value: string): string {
  return value.toLowerCase().replace(/[\s.'’-]+/gu, '')
}
