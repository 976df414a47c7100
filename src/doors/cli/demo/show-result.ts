/** One recalled turn or summary, as a person reads it: score, who, when, where, the text, and why. */
import type { Explanation, RecallResultView } from '../../library/index.ts'
import { paint, paintPart, textWidth, wrapToWidth } from '../paint.ts'

const INDENT = '       '
const WHY = 'why  '
/** Columns of text shown of one result; Chinese takes two a character. */
const LINES = 3

/** The lines of the result with this rank (from 1), `width` columns wide. */
export function showResult(result: RecallResultView, rank: number, width: number): string {
  const { relevance, createdAt, conversationId, explanation } = result
  const matched = explanation?.matched ?? []
  const head = [
    `${paint('title', `  ${rank}`)}  ${paint('good', relevance.toFixed(2))}`,
    paint('title', whoSpeaks(result)),
    paint('quiet', `${dayText(createdAt)} · ${conversationId}${place(result)}`),
  ].join('  ')
  const lines = [head, ...bodyLines(result.content ?? result.summary ?? '', matched, width)]
  if (explanation !== undefined)
    lines.push(`${INDENT}${paint('quiet', WHY)}${why(explanation, relevance, width - INDENT.length - WHY.length)}`)
  return lines.join('\n')
}

/** A day as a person writes it: 7 May 2026. */
export function dayText(time: string): string {
  return new Date(time).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
}

function whoSpeaks({ isSummary, speaker, role }: RecallResultView): string {
  if (isSummary) return 'summary'
  return speaker === null || speaker === '' ? (role ?? '') : speaker
}

function place({ turnId, span }: RecallResultView): string {
  if (turnId !== null) return ` #${turnId}`
  return span === null ? '' : ` #${span.from}–${span.to}`
}

function bodyLines(text: string, matched: readonly string[], width: number): readonly string[] {
  const room = width - INDENT.length
  // As many UTF-16 units as fill the lines: Chinese text takes two columns a unit.
  const columnsPerUnit = Math.max(1, textWidth(text.slice(0, 400)) / Math.max(1, text.slice(0, 400).length))
  const shown = excerpt(text, matched, Math.floor((room * LINES) / columnsPerUnit) - 2)
  const pattern = matchPattern(matched)
  return wrapToWidth(shown, room).map((line) => {
    const painted = pattern === null ? line : line.replace(pattern, (found) => paint('match', found))
    return `${INDENT}${painted}`
  })
}

/** Cuts fall on spaces or between Han characters, so they need not be grapheme-safe. */
const LEAD_IN = 40

/** One line of text of at most `length` UTF-16 units, with … where something was left out. */
export function excerpt(text: string, matched: readonly string[], length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= length) return line
  const first = firstMatch(line, matched)
  const from = first > length - LEAD_IN ? boundaryAfter(line, first - LEAD_IN) : 0
  const to = from + length >= line.length ? line.length : boundaryBefore(line, from + length)
  return `${from > 0 ? '…' : ''}${line.slice(from, to).trim()}${to < line.length ? '…' : ''}`
}

/** A pattern that finds the matched words in a text, longer forms of Latin words included; null when there are none. */
export function matchPattern(matched: readonly string[]): RegExp | null {
  const alternatives = matched
    .filter((term) => term.trim() !== '')
    .toSorted((a, b) => b.length - a.length)
    .map((term) => {
      const escaped = RegExp.escape(term)
      return /^[\p{Script=Latin}\p{Number}]+$/u.test(term)
        ? `(?<![\\p{L}\\p{N}])${escaped}[\\p{Script=Latin}\\p{N}]*`
        : escaped
    })
  return alternatives.length === 0 ? null : new RegExp(alternatives.join('|'), 'giu')
}

function firstMatch(line: string, matched: readonly string[]): number {
  return matchPattern(matched)?.exec(line)?.index ?? 0
}

function boundaryAfter(line: string, position: number): number {
  const next = line.slice(position).search(/\s|\p{Script=Han}/u)
  return next === -1 || next > LEAD_IN ? wellFormedCut(line, position) : position + next
}

function boundaryBefore(line: string, position: number): number {
  const last = line.slice(0, position).search(/(?:\s|\p{Script=Han})[^\s\p{Script=Han}]*$/u)
  return last === -1 || position - last > LEAD_IN ? wellFormedCut(line, position) : last + 1
}

/** Never between the halves of a surrogate pair. */
function wellFormedCut(line: string, position: number): number {
  const unit = line.charCodeAt(position)
  return unit >= 0xdc00 && unit <= 0xdfff ? position - 1 : position
}

/** Columns of a score of 1. */
const BAR_COLUMNS = 20
/** Number of parts that are named; smaller contributions appear in the bar only. */
const NAMED_PARTS = 4
const SEPARATOR = ' · '

/** Plain names of ranking features; an unlisted feature keeps its own name. */
const NAMES: Readonly<Record<string, string>> = {
  words: 'its words',
  coverage: 'rare words',
  context: 'turns around it',
  answer: 'question before',
  next: 'next turn',
  before: 'earlier turn',
  conversation: 'conversation',
  speaker: 'who speaks',
  date: 'when',
  person: 'by a person',
  length: 'detail',
  statement: 'statement',
  recency: 'recent',
  symbol: 'code names',
}

interface Part {
  readonly name: string
  readonly share: number
}

/** The bar and its legend on one line of at most `width` columns. */
export function why(explanation: Explanation, relevance: number, width: number): string {
  const parts = largestParts(explanation)
  const cells = Math.max(1, Math.round(relevance * BAR_COLUMNS))
  const sizes = allot(parts, cells)
  const bar = sizes.map((size, index) => (size === 0 ? '' : paintPart(index, '━'.repeat(size)))).join('')
  const rest = paint('quiet', '╌'.repeat(Math.max(0, BAR_COLUMNS - cells)))
  return `${bar}${rest}  ${legend(parts, width - BAR_COLUMNS - 2)}`
}

/** The largest parts with their shares, as many as there is room for. */
function legend(parts: readonly Part[], room: number): string {
  const shown: string[] = []
  let used = 0
  for (const [index, { name, share }] of parts.slice(0, NAMED_PARTS).entries()) {
    const percent = `${Math.round(share * 100)} %`
    used += (index === 0 ? 0 : SEPARATOR.length) + textWidth(name) + 1 + percent.length
    if (used > room) break
    shown.push(`${paintPart(index, name)} ${paint('quiet', percent)}`)
  }
  return shown.join(paint('quiet', SEPARATOR))
}

function largestParts({ features }: Explanation): readonly Part[] {
  const total = features.reduce((sum, { contribution }) => sum + contribution, 0)
  return features
    .filter(({ contribution }) => contribution > 0)
    .toSorted((a, b) => b.contribution - a.contribution)
    .map(({ feature, contribution }) => ({ name: NAMES[feature] ?? feature, share: contribution / total }))
}

/** Distributes the cells among the parts by largest remainder, so that they add up. */
function allot(parts: readonly Part[], cells: number): readonly number[] {
  const sizes = parts.map(({ share }) => Math.floor(share * cells))
  const byRemainder = parts
    .map(({ share }, index) => ({ index, remainder: share * cells - Math.floor(share * cells) }))
    .toSorted((a, b) => b.remainder - a.remainder)
  const left = cells - sizes.reduce((sum, size) => sum + size, 0)
  for (const { index } of byRemainder.slice(0, left)) sizes[index] = (sizes[index] ?? 0) + 1
  return sizes
}

/** Commands to try next in a clone of the project. */
const STEPS: readonly (readonly [command: string, meaning: string])[] = [
  ['npx mneme store --role user --content "We deploy on Fridays, 部署在周五"', 'remember something'],
  ['npx mneme recall --query "什么时候 deploy?" --explain', 'ask for it, from any later process'],
  ['npx mneme import --from-logs ~/.claude/projects', 'bring the coding chats that you have'],
  ['npx mneme doctor', 'see where it is kept'],
  ['npm test', 'see that it works'],
]

/** The closing lines. */
export function nextSteps(): string {
  const width = Math.max(...STEPS.map(([command]) => textWidth(command)))
  const lines = STEPS.map(
    ([command, meaning]) =>
      `  ${paint('command', command)}${' '.repeat(width - textWidth(command))}  ${paint('quiet', meaning)}`,
  )
  return `${paint('title', 'Now you')}\n${lines.join('\n')}\n\n`
}
