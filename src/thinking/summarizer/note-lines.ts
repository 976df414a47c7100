/**
 * How is a note written, and read again? A line for each speaker with whole statements behind the name.
 */
import type { Turn } from '../../domain/turn.ts'
import { findDecisions } from '../../language/decisions.ts'
import { splitSentences } from '../../language/sentences.ts'
import { singleSpaced } from '../../language/spelling.ts'
import { utf8Length } from '../../language/utf8.ts'
import { rarityOf, tellingWords } from '../topic/word-rarity.ts'
import { speaksForUser, statementOf } from './prose.ts'
import { ASSISTANT } from './sentence-worth.ts'

/** A statement. `score` says how likely it is wanted (0 to 3, more where it decides or opens), `needs` which one it answers. */
export interface Line {
  readonly who: string
  readonly text: string
  readonly score: number
  readonly turn: number
  readonly needs?: Line | undefined
}

/** The bounds of a note: the least worth of the second line and of `more`, and how many lines; the best one always stands. */
export interface Choice {
  readonly least: number
  readonly more: number
  readonly most: number
}

/** The factor of each further statement of one turn. */
const SAME_TURN = 0.8
/** The share of the words of the shorter of two statements, at least so many, from which they say the same. */
const TOLD_AGAIN = 0.6
const FEWEST_TOLD = 4
const NAMED = /^([^\n:：]{1,80}?)(?:: |：)(.+)$/

/** The gain where both agreed on an assistant's words, and how many times more a person's own decision is worth. */
const [AGREED, DECIDED] = [0.8, 1.6]

/** The worth of a line, more where it states one of the decisions. */
export function withDecision(worth: number, who: string, text: string, decisions: readonly string[]): number {
  if (!decisions.some((decision) => text.includes(decision))) return worth
  return ASSISTANT.test(who) ? worth + AGREED : worth * DECIDED
}

/** The note; '' when no line tells anything. Where no chosen line says one of `named`, the best line that says the first of them comes along. */
export function writeLines(
  lines: readonly Line[],
  chinese: boolean,
  maxBytes: number,
  { least, more, most }: Choice,
  named: readonly string[],
): string {
  const places = new Map(lines.map((line, at) => [line, at]))
  const chosen = new Set<Line>()
  const inOrder = (more: readonly Line[]): readonly Line[] =>
    [...new Set([...chosen, ...more])].sort((a, b) => places.get(a)! - places.get(b)!)
  const worth = (line: Line): number =>
    line.score * SAME_TURN ** [...chosen].filter(({ turn }) => turn === line.turn).length
  const isTold = (line: Line): boolean =>
    [...chosen].some(({ who, text }) => who === line.who && (text === line.text || saysAlike(text, line.text)))
  const fits = (line: Line): boolean => utf8Length(noteOf(inOrder(withNeeded(line)), chinese)) <= maxBytes
  const add = (from: readonly Line[]): void => {
    const best = from.reduce((top, line) => (worth(top) >= worth(line) ? top : line))
    for (const line of withNeeded(best)) chosen.add(line)
  }
  let left = lines
  while (chosen.size < most) {
    left = left.filter(
      (line) => (chosen.size === 0 || worth(line) > (chosen.size === 1 ? least : more)) && !isTold(line) && fits(line),
    )
    if (left.length === 0) break
    add(left)
  }
  const naming = (from: Iterable<Line>): readonly (readonly Line[])[] =>
    named.map((name) => [...from].filter(({ text }) => text.includes(name))).filter(({ length }) => length > 0)
  if (chosen.size > 0 && chosen.size < most && naming(chosen).length === 0) {
    const [first] = naming(lines.filter((line) => !isTold(line) && fits(line)))
    if (first !== undefined) add(first)
  }
  return noteOf(inOrder([]), chinese)
}

function saysAlike(one: string, other: string): boolean {
  const [words, others] = [tellingWords(one), tellingWords(other)]
  const fewest = Math.min(words.length, others.length)
  return fewest >= FEWEST_TOLD && words.filter((word) => others.includes(word)).length > TOLD_AGAIN * fewest
}

function withNeeded(line: Line): readonly Line[] {
  return line.needs === undefined ? [line] : [line.needs, line]
}

function noteOf(lines: readonly Line[], chinese: boolean): string {
  const parts: string[] = []
  let before: Line | undefined
  for (const line of lines) {
    const gap = /[。！？”」』]$/.test(before?.text ?? '') ? '' : ' '
    if (before?.who === line.who) parts[parts.length - 1] += gap + line.text
    else parts.push(`${line.who}${chinese ? '：' : ': '}${line.text}`)
    before = line
  }
  return parts.join('\n')
}

/** The lines of a note; a line of another form has no name. */
export function readLines(note: string): readonly { readonly who: string | null; readonly text: string }[] {
  return note
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const named = NAMED.exec(line)
      return named === null ? { who: null, text: line } : { who: named[1]!, text: named[2]! }
    })
}

/** Most decisions that a summary lists. */
export const KEY_DECISIONS = 5
/** Longest decision in UTF-8 bytes. */
const DECISION_BYTES = 120
/** Longer words between quotation marks are somebody else's. */
const QUOTED = /["“「『][^"”」』\n]{12,2000}["”」』]/g
/** Words at the end of a spoken sentence that say nothing. */
const TRAILING = /[\s.。;；,，!！]{0,9}(?:吧|啦|哈|哦|呗|了哈|then|please)?[\s.。;；,，!！]{0,9}$/i
/** "We'll keep doing our best" names nothing that was decided. */
const LEAST_TOLD = 1
const CONSENT =
  /^(?:yes|yeah|yep|ok(?:ay)?|sure|great|perfect|good|cool|nice|agreed|sounds good|thanks?|deal|fine|do it|go ahead|let['’]s|makes sense|好|行|可以|同意|嗯|没问题|谢谢|就这样|对|是的|赞成)/i
const TOGETHER = /\b(?:we|let['’]?s)\b|我们|咱们/i
const SETTLES_TOGETHER =
  /\bwe(?:['’]ve| have)? (?:decided|agreed|settled)\b|(?:我们|咱们).{0,6}(?:决定|约定|同意|商定)/i

/** The decisions in these words of a turn. `next` is the turn that follows, if it is known. */
export function decisionsIn(words: string, turn: Turn, next: Turn | undefined): readonly string[] {
  if (turn.role === 'tool' || turn.role === 'system' || !speaksForUser(turn.content)) return []
  const said = words.replace(QUOTED, '')
  const decisions = findDecisions(said).filter((decision) => toldBy(decision) >= LEAST_TOLD)
  const settled = splitSentences(said).filter((sentence) => SETTLES_TOGETHER.test(sentence))
  const isSettled = (decision: string): boolean => settled.some((sentence) => sentence.includes(decision))
  if (turn.role === 'user' || turn.speaker !== null) return decisions
  const consented = next?.role === 'user' && CONSENT.test(next.content.slice(0, 200).trimStart())
  if (!consented) return decisions.filter(isSettled)
  const together = splitSentences(said).filter((sentence) => TOGETHER.test(sentence))
  return decisions.filter((decision) => together.some((sentence) => sentence.includes(decision)))
}

function toldBy(decision: string): number {
  return tellingWords(decision).reduce((sum, word) => sum + rarityOf(word), 0)
}

/** The decisions, in the order they were made, without repeats: the fuller words win. Each has at most 120 UTF-8 bytes. */
export function distinctDecisions(found: readonly string[]): readonly string[] {
  const kept: { text: string; readonly key: string }[] = []
  for (let at = found.length - 1; at >= 0; at--) {
    const text = singleSpaced(found[at]!).trim().replace(TRAILING, '')
    const key = text.toLowerCase()
    if (text === '' || kept.some((other) => other.key.includes(key))) continue
    const shorter = kept.findIndex((other) => key.includes(other.key))
    if (shorter === -1) kept.push({ text, key })
    else kept[shorter] = { text, key }
  }
  return kept.reverse().flatMap(({ text }) => inFewBytes(text))
}

function inFewBytes(text: string): readonly string[] {
  if (utf8Length(text) <= DECISION_BYTES) return [text]
  const shorter = statementOf(text, (piece) => utf8Length(piece) <= DECISION_BYTES)
  return shorter === null ? [] : [shorter.replace(TRAILING, '')]
}

/** Most symbols that a summary lists. */
export const KEY_SYMBOLS = 8
/** Symbols of one turn that are weighed; a pasted file can name thousands. */
const SYMBOLS_OF_A_TURN = 64
/** A turn that speaks of the symbol, and one that only shows it in a block of code. */
const TURN_WEIGHT = 2
const CODE_ONLY_WEIGHT = 0.5
const MENTION_WEIGHT = 1
const DECISION_WEIGHT = 3
const MOST_MENTIONS = 5

/** The key symbols, most important first; ties by first mention. `prose` holds the words of each turn. */
export function rankSymbols(
  turns: readonly Turn[],
  prose: readonly string[],
  decisions: readonly string[],
): readonly string[] {
  const scores = new Map<string, number>()
  for (const [at, turn] of turns.entries()) {
    for (const symbol of turn.symbols.slice(0, SYMBOLS_OF_A_TURN)) {
      const mentions = countMentions(prose[at]!, symbol)
      const weight = mentions === 0 ? CODE_ONLY_WEIGHT : TURN_WEIGHT + MENTION_WEIGHT * mentions
      scores.set(symbol, (scores.get(symbol) ?? 0) + weight)
    }
  }
  for (const [symbol, score] of scores) {
    if (decisions.some((decision) => decision.includes(symbol))) scores.set(symbol, score + DECISION_WEIGHT)
  }
  return bestSymbols(scores)
}

/** The KEY_SYMBOLS names with the highest scores; of `mutex` and `Mutex` only the better one. */
export function bestSymbols(scores: ReadonlyMap<string, number>): readonly string[] {
  const best = new Map<string, string>()
  for (const [symbol] of [...scores].sort((a, b) => b[1] - a[1])) {
    const key = symbol.toLowerCase()
    if (!best.has(key)) best.set(key, symbol)
    if (best.size === KEY_SYMBOLS) break
  }
  return [...best.values()]
}

function countMentions(text: string, symbol: string): number {
  let count = 0
  for (
    let at = text.indexOf(symbol);
    at !== -1 && count < MOST_MENTIONS;
    at = text.indexOf(symbol, at + symbol.length)
  ) {
    count++
  }
  return count
}
