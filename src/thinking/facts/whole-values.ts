/**
 * Which commas, colons, brackets and full stops belong to a value and end no clause? Those in a number, hour, date, web
 * address, phone number or abbreviation are replaced by stand-ins before cutting, and put back after reading.
 */
import { ENGLISH_MONTH, FULL_WEEKDAY } from '../../language/date-rule.ts'

/** The marks that may belong to a value, each with its stand-in: characters that no text uses. */
const STAND_INS: readonly (readonly [mark: string, standIn: string])[] = [
  ['.', '\ue700'],
  [',', '\ue701'],
  [':', '\ue702'],
  ['(', '\ue703'],
  [')', '\ue704'],
]
const standInOf = new Map(STAND_INS)
const markOf = new Map(STAND_INS.map(([mark, standIn]) => [standIn, mark]))

/** The number of a day in a month, as English writes it. */
export const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`
const YEAR = String.raw`(?:19|20)\d\d\b`
const WITHIN_VALUE = new RegExp(
  [
    // 1,250.50 and 10:45; "Dr. Patel"; "e.g."
    String.raw`(?<=\d)[.,:](?=\d)|\.(?=\s+\S)|(?<=\b[a-z])\.(?=[a-z]\b)`,
    // May 5, 1990; May, 1990; Saturday, June 14
    String.raw`(?<=\b${ENGLISH_MONTH}(?: ${DAY})?),(?= ?${YEAR})`,
    String.raw`(?<=\b${FULL_WEEKDAY}),(?= (?:the )?(?:${DAY}|${ENGLISH_MONTH})\b)`,
    // https://example.org; (030) 12 34
    String.raw`(?<=\bhttps?):(?=//)|\((?=\d{1,4}\))|(?<=\(\d{1,4})\)`,
  ].join('|'),
  'gi',
)

/** A mark within a number, as a source for a pattern over what `joinMarks` gave or over plain text. */
export const MARK_IN_NUMBER = `[.,:${STAND_INS.map(([, standIn]) => standIn).join('')}]`

/** The sentence, of the same length, with stand-ins for the marks that belong to a value. */
export function joinMarks(sentence: string): string {
  return sentence.replace(WITHIN_VALUE, (mark) => standInOf.get(mark) ?? mark)
}

/** The words as they were written. */
export function asWritten(joined: string): string {
  return joined.replace(/[\ue700-\ue704]/g, (standIn) => markOf.get(standIn) ?? standIn)
}
