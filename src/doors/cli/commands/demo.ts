/** `mneme demo`: a bundled conversation, four questions, what was recalled and why; the clock stands on the day after it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { checkContent, checkRecord, checkTime } from '../../../domain/checks.ts'
import { DAY_MS } from '../../../domain/clock.ts'
import { invalid } from '../../../domain/errors.ts'
import type { Explanation, OpenMemory, RecallResultView } from '../../library/index.ts'
import type { CommandDefinition } from '../context.ts'
import { packageFile } from '../package-root.ts'
import { writeOut } from '../standard-streams.ts'

function conversationEnd(path: string): number {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  const created = lines.map((line) => checkRecord('', JSON.parse(line)).created_at)
  return Math.max(...created.map((time, index) => checkTime(`${path}:${index + 1}: created_at`, time)))
}

interface DemoQuestion {
  readonly query: string
  /** Text to look for in the answer; '' when nothing was said. */
  readonly shows: string
}

function readQuestions(): readonly DemoQuestion[] {
  const path = packageFile('examples/demo/questions.json')
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!Array.isArray(value)) throw invalid(path, 'is not a list', 'Install the package again.')
  return value.map((item: unknown, index) => {
    const at = `${path}[${index}]`
    const { query, shows } = checkRecord(at, item)
    return { query: checkContent(`${at}.query`, query), shows: typeof shows === 'string' ? shows : '' }
  })
}

const RESULTS = 3
const LISTED = 20

export const demo: CommandDefinition = {
  run: async () => {
    const { openMemory } = await import('../../library/open-memory.ts')
    const file = packageFile('examples/demo/conversation.jsonl')
    const now = new Date(conversationEnd(file) + DAY_MS)
    const folder = mkdtempSync(join(tmpdir(), 'mneme-demo-'))
    const memory = await openMemory({ path: join(folder, 'demo.db'), userId: 'demo', clock: () => now })
    try {
      const started = performance.now()
      await memory.conversations.importLogs(file)
      const took = performance.now() - started
      await writeOut(await imported(memory, took, now))
      for (const [index, question] of readQuestions().entries())
        await writeOut(await answer(memory, question, index + 1))
      await writeOut(nextSteps())
    } finally {
      await memory.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function imported(memory: OpenMemory, took: number, now: Date): Promise<string> {
  const { items } = await memory.conversations.list({ limit: LISTED })
  const { turns } = await memory.maintenance.stats()
  const oldestFirst = items.toReversed()
  const nameWidth = Math.max(...items.map(({ conversationId }) => textWidth(conversationId)))
  const rows = oldestFirst.map(
    ({ conversationId, turnCount, createdAt }) =>
      `  ${padToWidth(conversationId, nameWidth)}  ${String(turnCount).padStart(3)} turns  ${paint('quiet', dayText(createdAt))}`,
  )
  const head = `${paint('title', 'Mneme')} remembers conversations and recalls the right few of them: no model, no key, no service.`
  const done = `Imported ${turns} turns of ${items.length} conversations in ${Math.round(took)} ms:`
  return `\n${head}\n\n${done}\n${rows.join('\n')}\n\n${paint('quiet', `Now it is ${dayText(now.toISOString())}, and you ask:`)}\n\n`
}

async function answer(memory: OpenMemory, { query, shows }: DemoQuestion, number: number): Promise<string> {
  const width = columns()
  const { results, totalSearched, latencyMs } = await memory.conversations.recall(query, {
    limit: RESULTS,
    explain: true,
  })
  const title = `${paint('title', `${number}.`)} ${paint('question', query)}`
  const figures = paint('quiet', `   ${totalSearched} turns searched in ${latencyMs.toFixed(1)} ms`)
  const note = shows === '' ? [] : wrapToWidth(shows, width - 3).map((line) => `   ${paint('quiet', line)}`)
  const shown = results.map((result, index) => showResult(result, index + 1, width))
  return `${[title, figures, ...note, '', ...shown].join('\n')}\n\n`
}

const INDENT = '       '
const WHY = 'why  '
/** Columns of text shown of one result; Chinese takes two a character. */
const LINES = 3

function showResult(result: RecallResultView, rank: number, width: number): string {
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

function dayText(time: string): string {
  const how = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  return new Date(time).toLocaleDateString('en-GB', how)
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

const LEAD_IN = 40

/** One line of text of at most `length` UTF-16 units, with … where something was left out. */
export function excerpt(text: string, matched: readonly string[], length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= length) return line
  const first = matchPattern(matched)?.exec(line)?.index ?? 0
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

export function why(explanation: Explanation, relevance: number, width: number): string {
  const parts = largestParts(explanation)
  const cells = Math.max(1, Math.round(relevance * BAR_COLUMNS))
  const sizes = allot(parts, cells)
  const bar = sizes.map((size, index) => (size === 0 ? '' : paintPart(index, '━'.repeat(size)))).join('')
  const rest = paint('quiet', '╌'.repeat(Math.max(0, BAR_COLUMNS - cells)))
  return `${bar}${rest}  ${legend(parts, width - BAR_COLUMNS - 2)}`
}

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

function allot(parts: readonly Part[], cells: number): readonly number[] {
  const sizes = parts.map(({ share }) => Math.floor(share * cells))
  const byRemainder = parts
    .map(({ share }, index) => ({ index, remainder: share * cells - Math.floor(share * cells) }))
    .toSorted((a, b) => b.remainder - a.remainder)
  const left = cells - sizes.reduce((sum, size) => sum + size, 0)
  for (const { index } of byRemainder.slice(0, left)) sizes[index] = (sizes[index] ?? 0) + 1
  return sizes
}

const STEPS: readonly (readonly [command: string, meaning: string])[] = [
  ['npx mneme store --role user --content "We deploy on Fridays, 部署在周五"', 'remember something'],
  ['npx mneme recall --query "什么时候 deploy?" --explain', 'ask for it, from any later process'],
  ['npx mneme import --from-logs ~/.claude/projects', 'bring the coding chats that you have'],
  ['npx mneme doctor', 'see where it is kept'],
  ['npm test', 'see that it works'],
]

function nextSteps(): string {
  const width = Math.max(...STEPS.map(([command]) => command.length))
  const lines = STEPS.map(([command, meaning]) => {
    return `  ${paint('command', padToWidth(command, width))}  ${paint('quiet', meaning)}`
  })
  return `${paint('title', 'Now you')}\n${lines.join('\n')}\n\n`
}

const STYLES = {
  title: 'bold',
  quiet: 'gray',
  match: ['bold', 'yellow'],
  question: ['bold', 'cyan'],
  command: 'green',
  good: 'green',
} as const satisfies Record<string, Parameters<typeof styleText>[0]>

const SERIES = ['cyan', 'magenta', 'yellow', 'green', 'blue', 'red'] as const

function paint(meaning: keyof typeof STYLES, text: string): string {
  return styleText(STYLES[meaning], text, { stream: process.stdout })
}

function paintPart(index: number, text: string): string {
  return styleText(SERIES[index % SERIES.length] ?? 'cyan', text, { stream: process.stdout })
}

/** Columns to write in: the terminal's, between 60 and 100; 100 in a pipe. */
function columns(): number {
  return Math.min(100, Math.max(60, process.stdout.columns || 100))
}

/** How many columns a text takes on a terminal: Chinese, Japanese, Korean and emoji take two. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** East Asian Wide and Fullwidth (Unicode Standard Annex 11), and what is drawn as emoji. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u231a\u231b\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}])|\ufe0f/u
const NO_WIDTH = /^[\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}]+$/u

function graphemeWidth(grapheme: string): number {
  return NO_WIDTH.test(grapheme) ? 0 : WIDE.test(grapheme) ? 2 : 1
}

export function textWidth(text: string): number {
  return [...segmenter.segment(text)].reduce((width, { segment }) => width + graphemeWidth(segment), 0)
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)))
}

/** Lines of at most `width` columns, broken at spaces in Latin text and anywhere in Chinese. */
export function wrapToWidth(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  // A word with its spaces, or one wide character with the punctuation that must not begin a line.
  for (const piece of text.match(/[^\s\u2e80-\uffef]+\s*|[\u2e80-\uffef][，。、；：？！）》」』”’]*\s*|\s+/gu) ?? []) {
    if (line !== '' && textWidth(line) + textWidth(piece.trimEnd()) > width) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += piece
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()]
}
