/**
 * Detects speaker marks: headings ("## User"), bold words ("**Assistant:**") and plain words ("用户：…"), some with a
 * time. A role word inside a sentence is no mark.
 */
import type { Role } from '../../domain/turn.ts'
import { PLAIN_ROLE_PATTERN, ROLE_PATTERN, roleOfWord } from './role-words.ts'

/** The style of a log's speaker marks, one for the whole log; `heading-2` has two `#`. */
export type MarkStyle = `heading-${number}` | 'bold' | 'plain'

/** A mark and what stands on its line. */
export interface SpeakerMark {
  readonly style: MarkStyle
  readonly role: Role
  /** The time as written, null for none. */
  readonly time: string | null
  /** The text on the line of the mark; '' when there is none. */
  readonly rest: string
}

const TIME =
  '(?:\\d{4}[-/年.]\\d{1,2}[-/月.]\\d{1,2}日?(?:[T\\s,]+\\d{1,2}[:：]\\d{2}(?:[:：]\\d{2}(?:[.,]\\d{1,9})?)?(?:\\s*[AaPp][Mm])?(?:\\s*(?:Z|UTC|[+-]\\d{2}:?\\d{2}))?)?|\\d{1,2}[:：]\\d{2}(?:[:：]\\d{2})?(?:\\s*[AaPp][Mm])?)'
const BEFORE = `(?:[\\[(（【]?(${TIME})[\\])）】]?[\\s,|–—-]*)?`
const AFTER = `(?:\\s*(?:[\\[(（【–—|·,@-]|at)?\\s*(${TIME})\\s*[\\])）】]?)?`
/** Emoji before the word ("🧑 User"), and in a heading a number ("1. User"). */
const EMOJI = '(?:[\\p{So}\\p{Emoji_Modifier}\\uFE0F\\u200D]{1,8}\\s*)?'
const NUMBER = '(?:\\d{1,5}[.)、]\\s*)?'
const SAID = '(?:\\s+(?:said|says|asked|wrote))?'

const HEADING = new RegExp(
  `^ {0,3}(#{1,6})\\s+(?:\\*\\*|__)?${BEFORE}${NUMBER}${EMOJI}(${ROLE_PATTERN})${SAID}(?:\\*\\*|__)?${AFTER}\\s*(?:[:：]\\s*(?:\\*\\*|__)?(.*))?(?:\\*\\*|__)?\\s*#*$`,
  'iu',
)
const BOLD = new RegExp(
  `^ {0,3}(?:[-*>]\\s+)?${BEFORE}(\\*\\*|__)\\s*${EMOJI}(${ROLE_PATTERN})${SAID}${AFTER}\\s*([:：]?)\\s*\\2${AFTER}\\s*([:：]?)\\s*(.*)$`,
  'iu',
)
const PLAIN = new RegExp(`^ {0,3}${BEFORE}${EMOJI}(${PLAIN_ROLE_PATTERN})${SAID}${AFTER}\\s*([:：]|$)\\s*(.*)$`, 'iu')
/** Longest mark in characters: the patterns see only this much of a line, and the rest is text behind the mark. */
const LONGEST_MARK = 200

/** The mark in a line, or null. */
export function speakerMark(line: string): SpeakerMark | null {
  const start = line.slice(0, LONGEST_MARK)
  const mark = headingMark(start) ?? boldMark(start) ?? plainMark(start)
  return mark === null || line.length <= LONGEST_MARK ? mark : { ...mark, rest: mark.rest + line.slice(LONGEST_MARK) }
}

/** A line that holds nothing but a time, as some logs put under the speaker; the time as written, or null. */
export function timeLine(line: string): string | null {
  return TIME_LINE.exec(line.slice(0, LONGEST_MARK))?.[1] ?? null
}
const TIME_LINE = new RegExp(`^[\\s>*_\\[(（【]*(${TIME})[\\s*_\\])）】]*$`, 'u')

function headingMark(line: string): SpeakerMark | null {
  const match = HEADING.exec(line)
  const role = roleOfWord(match?.[3] ?? '')
  if (match === null || role === null) return null
  return { style: `heading-${match[1]!.length}`, role, time: match[2] ?? match[4] ?? null, rest: match[5] ?? '' }
}

function boldMark(line: string): SpeakerMark | null {
  const match = BOLD.exec(line)
  const role = roleOfWord(match?.[3] ?? '')
  if (match === null || role === null) return null
  const colon = `${match[5] ?? ''}${match[7] ?? ''}`
  const rest = match[8] ?? ''
  // "**User** stories are short" is a sentence, not a speaker.
  if (colon === '' && rest !== '') return null
  return { style: 'bold', role, time: match[1] ?? match[4] ?? match[6] ?? null, rest }
}

function plainMark(line: string): SpeakerMark | null {
  const match = PLAIN.exec(line)
  const role = roleOfWord(match?.[2] ?? '')
  if (match === null || role === null) return null
  const time = match[1] ?? match[3] ?? null
  // Without a colon only a time makes a word a speaker ("用户 2026-03-01 10:42").
  if (match[4] === '' && time === null) return null
  return { style: 'plain', role, time, rest: match[5] ?? '' }
}
