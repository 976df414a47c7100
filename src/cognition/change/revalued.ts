/**
 * Does a newer statement give another value of the very thing that an older one measures or dates: "the snack budget is up to
 * $75" after "a snack budget of $65", "moved from the 15th to the 22nd"? Told by the words right around the two values, in
 * questions and long messages too.
 */
import { indexTerms } from '../../text/tokens.ts'
import type { Profile } from './profile.ts'
import { isOneValue, type TypedValue } from './typed-values.ts'

/** Characters to each side of a value in which it is said of what. */
const AROUND = 45
/** Words that both sides of two values share: where a word of change stands there, where the old value is repeated, and else. */
const SHARED = 2
const SHARED_REPEATED = 1
const SHARED_PLAIN = 4
const CHANGED =
  /\b(?:new|now|updated?|adjust(?:ed|ing)|chang(?:ed|ing)|revised|increas(?:ed|ing)|rais(?:ed|ing)|reduc(?:ed|ing)|cut|lower(?:ed|ing)|dropped|extend(?:ed|ing)|shorten(?:ed|ing)|mov(?:ed|ing)|reschedul(?:ed|ing)|postponed|pushed|delayed|brought forward|instead|(?:up|down|back) (?:to|from)|grown|risen|improved|added)\b|[改调换]|推迟|提前|延[后期长]|[涨降增升减]|现在|如今/i
/** Two of one kind have two days and two hours: only what is moved has another. */
const MOVED =
  /\b(?:new|mov(?:ed|ing)|reschedul(?:ed|ing)|postponed|pushed|delayed|extend(?:ed|ing)|brought forward|chang(?:ed|ing)|revised|updated?)\b|[改调挪]|推迟|提前|延[后期]/i
const CALENDAR: ReadonlySet<TypedValue['type']> = new Set(['date', 'weekday', 'time', 'year'])

/** The newer one gives another value of what the older one gives a value of. */
export function revalues(newer: Profile, older: Profile): boolean {
  return newer.values.some(
    (value) =>
      !older.values.some((before) => isOneValue(value, before)) &&
      older.values.some((before) => before.type === value.type && before.unit === value.unit && of(value, before)),
  )

  function of(value: TypedValue, before: TypedValue): boolean {
    const here = around(newer.text, value)
    if (!(CALENDAR.has(value.type) ? MOVED : CHANGED).test(here)) {
      return !CALENDAR.has(value.type) && sharedBy(here, before) >= SHARED_PLAIN
    }
    const isRepeated = newer.values.some((one) => isOneValue(one, before))
    return sharedBy(here, before) >= (isRepeated ? SHARED_REPEATED : SHARED)
  }

  function sharedBy(here: string, before: TypedValue): number {
    const there = indexTerms(around(older.text, before))
    return [...indexTerms(here).keys()].filter((term) => newer.terms.has(term) && there.has(term)).length
  }
}

/** The words around a value, whole ones, within its sentence. */
function around(text: string, { at, length }: TypedValue): string {
  const before = text.slice(Math.max(0, at - AROUND), at)
  const after = text.slice(at + length, at + length + AROUND)
  return `${before.slice(before.search(/[^.!?。！？]*$/))} ${/^[^!?。！？]*/.exec(after)![0]}`
}
