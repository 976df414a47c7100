/** Reads text with speaker marks: between two marks stands one turn, verbatim but for blank lines and rulers around it. */
import { ROLES, type Role } from '../../domain/turn.ts'
import { conversationOf, itemOf, type LogItem, type LogSource, parseLogTime } from './log-item.ts'
import { type TextLine, textsOf } from './read-memories.ts'
import type { Line } from './read-stream.ts'

interface OpenTurn {
  readonly mark: SpeakerMark
  readonly line: number
  readonly texts: string[]
  characters: number
}

const DATE = /(\d{4})[-/._年]?(\d{2})[-/._月]?(\d{2})/
/** Most lines read again because of unclosed fences, as a multiple of the log; beyond it fences are ordinary lines. */
const MOST_READINGS = 20

export async function* readMarkedText(
  lines: AsyncIterable<Line>,
  source: LogSource,
  style: MarkStyle,
): AsyncGenerator<LogItem> {
  const { name, fallbackTime, maxContentBytes } = source
  let open: OpenTurn | null = null
  let time = dateIn(name) ?? fallbackTime
  let position = 0
  let skippedPreface = false
  const ended = ({ mark, line, texts, characters }: OpenTurn): LogItem => {
    const written = mark.time ?? timeLine(texts[0] ?? '')
    if (mark.time === null && written !== null) texts.shift()
    time = (written === null ? null : parseLogTime(written, time)) ?? time
    position++
    if (characters > maxContentBytes)
      return { kind: 'refused', line, reason: `the turn is longer than ${maxContentBytes} bytes` }
    const place = { conversationId: conversationOf(name), createdAt: time, position, externalId: null }
    return itemOf({ kind: 'turn', turn: { ...place, role: mark.role, content: contentOf(texts) } }, line, source)
  }
  for await (const { line, text, reason, mark } of withMarks(textsOf(lines), style, maxContentBytes)) {
    if (reason !== undefined) yield { kind: 'refused', line, reason }
    else if (mark !== null && opensTurn(mark, open !== null)) {
      if (open !== null) yield ended(open)
      open = { mark, line, texts: [], characters: 0 }
      if (mark.rest !== '') add(open, mark.rest, maxContentBytes)
    } else if (open !== null) add(open, text, maxContentBytes)
    else {
      time = dateIn(text) ?? time
      if (skippedPreface || text.trim() === '') continue
      skippedPreface = true
      yield { kind: 'skipped', line, reason: 'before the first speaker' }
    }
  }
  if (open !== null) yield ended(open)
}

/** A turn that is too long to store is counted but not kept. */
function add(turn: OpenTurn, text: string, most: number): void {
  if (turn.characters <= most) turn.texts.push(text)
  turn.characters += text.length + 1
}

type MarkedLine = TextLine & { readonly mark: SpeakerMark | null }

/** The lines with their marks of this style; in code is none, and code that does not end within `most` characters is none. */
async function* withMarks(lines: AsyncIterable<TextLine>, style: MarkStyle, most: number): AsyncGenerator<MarkedLine> {
  /** The lines from an opening fence on. */
  let held: MarkedLine[] = []
  let characters = 0
  let fence: Fence | null = null
  let [seen, readAgain] = [0, 0]
  function* take(one: MarkedLine): Generator<MarkedLine> {
    const isOpen = fence !== null
    const mayOpen = isOpen || readAgain <= MOST_READINGS * seen
    fence = mayOpen ? fenceAfter(isOpen ? one.text : (one.mark?.rest ?? one.text), fence) : null
    if (!isOpen && fence === null) return yield one
    held.push(one)
    characters += one.text.length + 1
    if (fence === null) yield* released().map((line, at) => (at === 0 ? line : { ...line, mark: null }))
    else if (characters > most) yield* giveUp()
  }
  /** Treats the open fence as text, and reads the lines behind it again as ordinary ones. */
  function* giveUp(): Generator<MarkedLine> {
    const [opening, ...again] = released()
    yield opening!
    readAgain += again.length
    for (const line of again) yield* take(line)
  }
  const released = (): readonly MarkedLine[] => {
    const all = held
    ;[held, characters, fence] = [[], 0, null]
    return all
  }
  for await (const line of lines) {
    seen++
    const mark = line.reason === undefined ? speakerMark(line.text) : null
    const one = { ...line, mark: mark?.style === style ? mark : null }
    if (line.reason === undefined) yield* take(one)
    else yield one
  }
  while (held.length > 0) yield* giveUp()
}

/** In plain text "System: Ubuntu 24.04" is more often content than a speaker, unless it stands alone or first. */
function opensTurn({ role, style, rest }: SpeakerMark, isLater: boolean): boolean {
  const isRare = role === 'system' || role === 'tool'
  return !(style === 'plain' && isLater && isRare && rest !== '')
}

function contentOf(texts: readonly string[]): string {
  const from = texts.findIndex((text) => text.trim() !== '')
  const to = texts.findLastIndex((text) => !/^\s*(?:[-*_]\s*){3,}$|^\s*$/.test(text)) + 1
  return from < 0 ? '' : texts.slice(from, Math.max(from, to)).join('\n')
}

function dateIn(text: string): number | null {
  const match = DATE.exec(text.slice(0, 300))
  return match === null ? null : parseLogTime(`${match[1]}-${match[2]}-${match[3]}`, null)
}

/** The style of a log's speaker marks, one for the whole log; `heading-2` has two `#`. */
export type MarkStyle = `heading-${number}` | 'bold' | 'plain'

export interface SpeakerMark {
  readonly style: MarkStyle
  readonly role: Role
  readonly time: string | null
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
const VAGUE_WORDS: Readonly<Partial<Record<Role, string>>> = {
  user: 'customer developer 提问 开发者',
  assistant: 'model llm deepseek qwen kimi 模型 回答',
  tool: 'function',
}

const CLEAR = roleMap(CLEAR_WORDS)
const ALL: ReadonlyMap<string, Role> = new Map([...CLEAR, ...roleMap(VAGUE_WORDS)])

function roleMap(words: Readonly<Partial<Record<Role, string>>>): ReadonlyMap<string, Role> {
  return new Map(ROLES.flatMap((role) => (words[role]?.split(' ') ?? []).map((word) => [word, role] as const)))
}

/** All words, and those for plain text, as the alternatives of a pattern, longest first. */
const ROLE_PATTERN = alternatives(ALL)
const PLAIN_ROLE_PATTERN = alternatives(CLEAR)

function alternatives(words: ReadonlyMap<string, Role>): string {
  const longestFirst = [...words.keys()].sort((a, b) => b.length - a.length)
  return longestFirst.map((word) => word.replaceAll('.', '\\.')).join('|')
}

const TIME_PATTERN =
  '(?:\\d{4}[-/年.]\\d{1,2}[-/月.]\\d{1,2}日?(?:[T\\s,]+\\d{1,2}[:：]\\d{2}(?:[:：]\\d{2}(?:[.,]\\d{1,9})?)?(?:\\s*[AaPp][Mm])?(?:\\s*(?:Z|UTC|[+-]\\d{2}:?\\d{2}))?)?|\\d{1,2}[:：]\\d{2}(?:[:：]\\d{2})?(?:\\s*[AaPp][Mm])?)'
const BEFORE = `(?:[\\[(（【]?(?<before>${TIME_PATTERN})[\\])）】]?[\\s,|–—-]*)?`
const after = (name: string): string =>
  `(?:\\s*(?:[\\[(（【–—|·,@-]|at)?\\s*(?<${name}>${TIME_PATTERN})\\s*[\\])）】]?)?`
const AFTER = after('after')
/** Emoji before the word ("🧑 User"), and in a heading a number ("1. User"). */
const EMOJI = '(?:[\\p{So}\\p{Emoji_Modifier}\\uFE0F\\u200D]{1,8}\\s*)?'
const NUMBER = '(?:\\d{1,5}[.)、]\\s*)?'
const SAID = '(?:\\s+(?:said|says|asked|wrote))?'

const MARKS = [
  `(?<hashes>#{1,6})\\s+(?:\\*\\*|__)?${BEFORE}${NUMBER}${EMOJI}(?<role>${ROLE_PATTERN})${SAID}(?:\\*\\*|__)?${AFTER}\\s*(?:[:：]\\s*(?:\\*\\*|__)?(?<rest>.*))?(?:\\*\\*|__)?\\s*#*`,
  `(?:[-*>]\\s+)?${BEFORE}(?<bold>\\*\\*|__)\\s*${EMOJI}(?<role>${ROLE_PATTERN})${SAID}${AFTER}\\s*(?<colon>[:：]?)\\s*\\k<bold>${after('late')}\\s*(?<last>[:：]?)\\s*(?<rest>.*)`,
  `${BEFORE}${EMOJI}(?<role>${PLAIN_ROLE_PATTERN})${SAID}${AFTER}\\s*(?<colon>[:：]|$)\\s*(?<rest>.*)`,
].map((mark) => new RegExp(`^ {0,3}${mark}$`, 'iu'))
/** Longest mark in characters: the patterns see only this much of a line, and the rest is text behind the mark. */
const LONGEST_MARK = 200

export function speakerMark(line: string): SpeakerMark | null {
  for (const pattern of MARKS) {
    const found = pattern.exec(line.slice(0, LONGEST_MARK))?.groups
    const role = ALL.get(found?.role?.trim().toLowerCase() ?? '')
    if (found === undefined || role === undefined) continue
    const { hashes, bold, colon, last, rest = '', before, after, late } = found
    const time = before ?? after ?? late ?? null
    // "**User** stories are short" is a sentence; in plain text only a colon or a time makes a word a speaker.
    const isSentence = bold === undefined ? colon === '' && time === null : `${colon}${last}` === '' && rest !== ''
    if (isSentence) continue
    const style = hashes !== undefined ? (`heading-${hashes.length}` as const) : bold !== undefined ? 'bold' : 'plain'
    return { style, role, time, rest: rest + line.slice(LONGEST_MARK) }
  }
  return null
}

export function timeLine(line: string): string | null {
  return TIME_LINE.exec(line.slice(0, LONGEST_MARK))?.[1] ?? null
}
const TIME_LINE = new RegExp(`^[\\s>*_\\[(（【]*(${TIME_PATTERN})[\\s*_\\])）】]*$`, 'u')

/** An open fence of Markdown code: its characters, at least three. Lines inside are never marks of speakers. */
type Fence = string

const OPENING = /^ {0,3}(`{3,}|~{3,})(.*)$/
const CLOSING = /^ {0,3}(`{3,}|~{3,})[ \t]*$/

/** The fence that is open after this line, given the one that was open before it. */
function fenceAfter(line: string, open: Fence | null): Fence | null {
  if (open !== null) {
    const close = CLOSING.exec(line)?.[1]
    return close !== undefined && close[0] === open[0] && close.length >= open.length ? null : open
  }
  const match = OPENING.exec(line)
  if (match === null) return null
  // A backtick behind the opening makes it code within a line.
  return match[1]!.startsWith('`') && match[2]!.includes('`') ? null : match[1]!
}

/** The style of a log beginning with `text`: the one with two speakers and the most marks; null without any mark. */
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
