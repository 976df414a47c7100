/**
 * What was said in these turns, in one short note? The Summarizer without a model: it takes sentences out of the turns
 * in their own language, key symbols and decisions first, and never exceeds `maxBytes` or cuts a character in two.
 */
import { SUMMARY_BYTES } from '../../domain/limits.ts'
import type { Turn } from '../../domain/turn.ts'
import { findDecisions } from '../../text/decisions.ts'
import { splitSentences } from '../../text/sentences.ts'
import { featuresOf } from '../write-decision/features.ts'
import { KINDS } from '../write-decision/kinds.ts'
import { judge } from '../write-decision/linear-model.ts'
import { withoutHandedOver } from '../write-decision/own-words.ts'
import { fallbackNote } from './fallback-note.ts'
import { distinctDecisions, KEY_DECISIONS } from './key-decisions.ts'
import { rankSymbols } from './key-symbols.ts'
import { withinBytes, writeNote } from './note.ts'
import { proseOf } from './prose.ts'
import { asks, tellingScore } from './telling.ts'

/** A note about some turns. */
export interface RuleSummary {
  /** At most SUMMARY_BYTES UTF-8 bytes; never empty when there were turns. */
  readonly summary: string
  /** Most mentioned first, at most 8, as written. */
  readonly keySymbols: readonly string[]
  /** In the order they were made, at most 5, each at most 120 UTF-8 bytes. */
  readonly keyDecisions: readonly string[]
}

/** Characters of all turns together that are read, and the least of one turn. */
const CHARACTERS_READ = 16_000
const CHARACTERS_READ_OF_A_TURN = 3_000
const FEWEST_CHARACTERS_OF_A_TURN = 160
/** A greeting in front of what is said. */
const GREETING =
  /^(?:(?:hi|hey|hello|yo|hiya|你好|您好|嗨|在吗|哈喽|好的?|ok(?:ay)?)(?:\s+(?:there|all|team))?[,，!！、~?？]\s*|yo\s+)/i
/** Sentences of one turn that are weighed. */
const SENTENCES_OF_A_TURN = 24

/** Summarises turns of one conversation, given in order. `maxBytes` is at most, and by default, SUMMARY_BYTES. */
export function summarizeByRules(turns: readonly Turn[], options: { readonly maxBytes?: number } = {}): RuleSummary {
  const maxBytes = Math.min(options.maxBytes ?? SUMMARY_BYTES, SUMMARY_BYTES)
  const allowance = Math.floor(CHARACTERS_READ / Math.max(turns.length, 1))
  const perTurn = Math.min(CHARACTERS_READ_OF_A_TURN, Math.max(FEWEST_CHARACTERS_OF_A_TURN, allowance))
  const prose = turns.map(({ role, content }) => {
    const text = proseOf(content, perTurn)
    return role === 'user' ? withoutHandedOver(text) : text
  })
  const chinese = isChinese(prose)
  const decisions = distinctDecisions(prose.flatMap((text, at) => decisionsIn(text, turns[at]!.role)))
  const keyDecisions = decisions.slice(-KEY_DECISIONS)
  const keySymbols = rankSymbols(turns, prose, keyDecisions)
  const sentences = tellingSentences(turns, prose, keyDecisions)
  const note = writeNote({ symbols: keySymbols, decisions: keyDecisions, sentences }, chinese, maxBytes)
  const summary = note === '' ? fallbackNote(turns, chinese, maxBytes) : note
  return { summary: withinBytes(summary, maxBytes), keySymbols, keyDecisions }
}

/** "110 it is", "I'll keep it short": an answer that only says yes to what the user told decides nothing. */
const CONSENT =
  /^(?:\S+ ){1,4}it is\b|^it is$|^(?:then )?i(?:['’]ll| will) (?:keep|stick|add|make|do|use) (?:it|that|this|them|those|to|with (?:it|that|this|them))\b/i

function decisionsIn(text: string, role: Turn['role']): readonly string[] {
  const decisions = findDecisions(text)
  return decisions.filter((decision) => (role === 'assistant' ? !CONSENT.test(decision) : !isOwnNews(decision)))
}

/** Verbs that settle a question of work as well as they tell of somebody's day: "we dropped Redis", "I dropped my phone". */
const TOLD =
  /^(?:i|we|they|he|she)(?:['’]ve| have| had)? (?:all |both |finally |also |just |then )?(?:moved to|fixed|solved|resolved|dropped|replaced|picked)\b/i
/** Probability that the decider must leave it to be settled, set up or solved. */
const SETTLED_SHARE = 0.3
const SETTLED: ReadonlySet<string> = new Set(['decision', 'config', 'problem_solution'])

/** "I moved to Turin": told with the words of a decision, but the decider holds it for something else. */
function isOwnNews(decision: string): boolean {
  if (!TOLD.test(decision)) return false
  if (/\bpicked up\b/i.test(decision)) return true
  const { kinds } = judge(featuresOf(decision))
  return KINDS.reduce((sum, { reason }, at) => sum + (SETTLED.has(reason) ? kinds[at]! : 0), 0) < SETTLED_SHARE
}

/** The note is written in Chinese when Han characters outnumber Latin words. */
export function isChinese(texts: readonly string[]): boolean {
  let han = 0
  let words = 0
  for (const text of texts) {
    let inWord = false
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const latin = (code | 32) >= 97 && (code | 32) <= 122
      if (latin && !inWord) words++
      inWord = latin
      if (code >= 0x4e00 && code <= 0x9fff) han++
    }
  }
  return han > words
}

function tellingSentences(
  turns: readonly Turn[],
  prose: readonly string[],
  decisions: readonly string[],
): readonly { readonly text: string; readonly score: number }[] {
  const found: { text: string; score: number }[] = []
  const seen = new Set<string>()
  let questionBefore = false
  for (const [at, turn] of turns.entries()) {
    const sentences = splitSentences(prose[at]!).slice(0, SENTENCES_OF_A_TURN)
    for (const [place, raw] of sentences.entries()) {
      const text = raw.replace(/\s+/g, ' ').replace(GREETING, '')
      const key = text.toLowerCase()
      if (text === '' || seen.has(key) || isCovered(text, decisions)) continue
      seen.add(key)
      const score = tellingScore(text, {
        symbols: turn.symbols.reduce((count, symbol) => (text.includes(symbol) ? count + 1 : count), 0),
        opens: place === 0,
        answeredQuestion: asks(text) && at + 1 < turns.length,
        answers: questionBefore && place === 0,
        byUser: turn.role === 'user',
      })
      if (score > 0) found.push({ text, score: turn.role === 'tool' ? score / 2 : score })
    }
    questionBefore = asks(sentences.at(-1)?.trim() ?? '')
  }
  return found
}

/** A sentence that decisions cover to this share says nothing more than they do. */
const COVERED = 0.5

function isCovered(sentence: string, decisions: readonly string[]): boolean {
  let covered = 0
  for (const decision of decisions) {
    const core = decision.endsWith('…') ? decision.slice(0, -1) : decision
    if (core.includes(sentence)) return true
    if (sentence.includes(core)) covered += core.length
  }
  return covered >= COVERED * sentence.length
}
