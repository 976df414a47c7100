/**
 * Detects speaker marks: headings ("## User"), bold words ("**Assistant:**") and plain words ("用户：…"), some with a
 * time. A role word inside a sentence is no mark.
 */
import { ROLES, type Role } from '../../domain/turn.ts'

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

/** Words that mark a speaker even in plain text ("User: …"). */
const CLEAR_WORDS: Readonly<Record<Role, string>> = {
  user: 'user human you me 用户 人类 我 问',
  assistant:
    'assistant ai claude chatgpt gpt gpt-4 gpt-4o gpt-5 gemini copilot bot 助手 助理 ai助手 智能助手 机器人 答',
  system: 'system 系统',
  tool: 'tool 工具',
}

/** Words that also begin ordinary lines ("Model: …"); they mark a speaker only as a heading or in bold. */
const VAGUE_WORDS: Readonly<Record<Role, string>> = {
  user: 'customer developer 提问 开发者',
  assistant: 'model llm deepseek qwen kimi 模型 回答',
  system: '',
  tool: 'function',
}

const CLEAR = roleMap(CLEAR_WORDS)
const ALL: ReadonlyMap<string, Role> = new Map([...CLEAR, ...roleMap(VAGUE_WORDS)])

function roleMap(words: Readonly<Record<Role, string>>): ReadonlyMap<string, Role> {
  return new Map(
    ROLES.flatMap((role) =>
      words[role]
        .split(' ')
        .filter(Boolean)
        .map((word) => [word, role] as const),
    ),
  )
}

/** The role that a word names, in any case; null when it names none. */
function roleOfWord(word: string): Role | null {
  return ALL.get(word.trim().toLowerCase()) ?? null
}

/** All words, and those for plain text, as the alternatives of a pattern, longest first. */
const ROLE_PATTERN = alternatives(ALL)
const PLAIN_ROLE_PATTERN = alternatives(CLEAR)

function alternatives(words: ReadonlyMap<string, Role>): string {
  return [...words.keys()]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll('.', '\\.'))
    .join('|')
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

/** An open fence of Markdown code: its characters, at least three. Lines inside are never marks of speakers. */
export type Fence = string

const OPENING = /^ {0,3}(`{3,}|~{3,})(.*)$/
const CLOSING = /^ {0,3}(`{3,}|~{3,})[ \t]*$/

/** The fence that is open after this line, given the one that was open before it. */
export function fenceAfter(line: string, open: Fence | null): Fence | null {
  if (open !== null) {
    const close = CLOSING.exec(line)?.[1]
    return close !== undefined && close[0] === open[0] && close.length >= open.length ? null : open
  }
  const match = OPENING.exec(line)
  if (match === null) return null
  // A backtick behind the opening makes it code within a line.
  return match[1]!.startsWith('`') && match[2]!.includes('`') ? null : match[1]!
}

/**
 * The style of a log, of which `text` is the beginning: the one with two speakers and the most marks, headings before
 * bold words. null without any mark.
 */
export function chooseMarkStyle(text: string): MarkStyle | null {
  const counts = new Map<MarkStyle, { marks: number; roles: Set<string> }>()
  let fence: Fence | null = null
  for (const line of text.split(/\r?\n/)) {
    const before: Fence | null = fence
    fence = fenceAfter(line, before)
    const mark = before === null && fence === null ? speakerMark(line) : null
    if (mark === null) continue
    const count = counts.get(mark.style) ?? { marks: 0, roles: new Set() }
    count.marks++
    count.roles.add(mark.role)
    counts.set(mark.style, count)
  }
  const ranked = [...counts].sort(
    ([a, first], [b, second]) =>
      Math.min(second.roles.size, 2) - Math.min(first.roles.size, 2) ||
      second.marks - first.marks ||
      a.localeCompare(b),
  )
  return ranked[0]?.[0] ?? null
}
