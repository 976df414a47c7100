/**
 * Does a newer statement give another value of the very thing that an older one measures or dates: "the snack budget is up to
 * $75" after "a snack budget of $65", "moved from the 15th to the 22nd"? Told by the words right around the two values, in
 * questions and long messages too.
 */
import { indexTerms } from '../../text/tokens.ts'
import { isContent, type Profile } from './profile.ts'
import { isOneValue, type TypedValue } from './typed-values.ts'

/** Characters to each side of a value in which it is said of what. */
const AROUND = 28
/** And within which it is said that it has changed. */
const TOLD_WITHIN = 60
/** Words that both sides of two values share; one where the newer one repeats the old value. */
const SHARED = 2
const CHANGED =
  /\b(?:now|updated?|adjust(?:ed|ing)|chang(?:ed|ing)|revised|increas(?:ed|ing)|rais(?:ed|ing)|reduc(?:ed|ing)|cut|lower(?:ed|ing)|dropped|extend(?:ed|ing)|shorten(?:ed|ing)|instead|(?:up|down|back) (?:to|from)|grown|risen|improved)\b|[改调换]|[涨降增升减]|提[高到升]|[加减]到|现在|如今/i
/** Two of one kind have two days and two hours: only what is moved has another. */
const MOVED =
  /\b(?:new (?:\w{1,40} )?(?:date|day|time|deadline|slot)|(?:moved|rescheduled|postponed|pushed|delayed|extended|brought|changed|shifted)\b)|[改调挪]|推迟|提前|延[后期]/i
const CALENDAR: ReadonlySet<TypedValue['type']> = new Set(['date', 'weekday', 'time', 'year'])
/** "Down by 30 %", "an extra $200" give no value of their own. */
const RELATIVE = /\b(?:by|from|than|another|extra|additional|further|every) \W?$|[了多再从]\s?$/i

/** "From the 15th to the 22nd", "instead of $40": the value that is over stands beside. */
const REPLACED = /\b(?:from|than|instead of|not|was) (?:\w{1,40} ){0,2}\W?$|[从由]\s?$/i

/** The newer one gives another value of what the older one gives a value of. */
export function revalues(newer: Profile, older: Profile): boolean {
  return newer.values.some((value) => {
    const isAlike = (one: TypedValue): boolean => one.type === value.type && one.unit === value.unit
    const before = older.values.filter(isAlike)
    if (before.length === 0 || before.some((one) => isOneValue(one, value))) return false
    const values = newer.values.filter(isAlike)
    const replaced = values.find((one) => REPLACED.test(newer.text.slice(Math.max(0, one.at - AROUND), one.at)))
    const isDay = CALENDAR.has(value.type)
    const within = (isDay ? TOLD_WITHIN : AROUND) / (newer.han ? 2 : 1)
    const told = around(newer, value, TOLD_WITHIN, replaced)
    if (!(isDay ? MOVED : CHANGED).test(told.join(' ')) || RELATIVE.test(told[0])) return false
    const here = around(newer, value, within)
    const said = told.flatMap(wordsOf)
    return before.some((one) => {
      const there = around(older, one, within).flatMap(wordsOf)
      if (replaced !== undefined && isOneValue(replaced, one)) return said.some((term) => there.includes(term))
      // Which of several is meant nobody can say.
      if (before.length + values.length > 2) return false
      const shared = here.flatMap(wordsOf).filter((term) => there.includes(term))
      // Of Chinese every two characters count as a word.
      if (newer.han) return shared.length >= (isDay ? 2 * SHARED : 1)
      return shared.length >= SHARED && (isDay || shared.includes(measured(here) ?? ''))
    })
  })
}

/** The word that the value belongs to: the last one before it, else the first one behind it. */
function measured([before, after]: readonly [string, string]): string | undefined {
  return wordsOf(before).at(-1) ?? wordsOf(after)[0]
}

function wordsOf(text: string): readonly string[] {
  return [...indexTerms(text).keys()].filter(isContent)
}

/**
 * What stands before and behind a value within its sentence, and of an amount up to the next amount, but for the one that it
 * takes the place of.
 */
function around(
  { text, values }: Profile,
  { at, length, type }: TypedValue,
  within: number,
  replaced?: TypedValue,
): readonly [string, string] {
  const others = CALENDAR.has(type) ? [] : values.filter((one) => one !== replaced && !CALENDAR.has(one.type))
  const from = Math.max(0, at - within, ...others.filter((one) => one.at < at).map((one) => one.at + one.length))
  const to = Math.min(at + length + within, ...others.filter((one) => one.at > at).map((one) => one.at))
  const before = text.slice(Math.min(from, at), at)
  return [
    before.slice(before.search(/[^.!?。！？]{0,200}$/)),
    /^[^.!?。！？]*/.exec(text.slice(at + length, Math.max(to, at + length)))![0],
  ]
}
