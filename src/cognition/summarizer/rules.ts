/**
 * What was said in these turns, in one short note? The Summarizer without a model: it takes sentences out of the turns
 * in their own language, key symbols and decisions first, and never exceeds `maxBytes` or cuts a character in two.
 */
import { SUMMARY_BYTES } from '../../domain/limits.ts'
import type { Turn } from '../../domain/turn.ts'
import { findDecisions } from '../../text/decisions.ts'
import { splitSentences } from '../../text/sentences.ts'
import { fallbackNote } from './fallback-note.ts'
import { distinctDecisions, KEY_DECISIONS } from './key-decisions.ts'
import { rankSymbols } from './key-symbols.ts'
import { shortened, writeNote } from './note.ts'
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
/** Sentences of one turn that are weighed. */
const SENTENCES_OF_A_TURN = 24

/** Summarises turns of one conversation, given in order. `maxBytes` is at most, and by default, SUMMARY_BYTES. */
export function summarizeByRules(
  turns: readonly Turn[],
  options: { readonly maxBytes?: number } = {},
): RuleSummary {
  const maxBytes = Math.min(options.maxBytes ?? SUMMARY_BYTES, SUMMARY_BYTES)
  const allowance = Math.floor(CHARACTERS_READ / Math.max(turns.length, 1))
  const perTurn = Math.min(CHARACTERS_READ_OF_A_TURN, Math.max(FEWEST_CHARACTERS_OF_A_TURN, allowance))
  const prose = turns.map((turn) => proseOf(turn.content, perTurn))
  const chinese = isChinese(prose)
  const decisions = distinctDecisions(prose.flatMap((text) => findDecisions(text)))
  const keyDecisions = decisions.slice(-KEY_DECISIONS)
  const keySymbols = rankSymbols(turns, prose, keyDecisions)
  const sentences = tellingSentences(turns, prose, keyDecisions)
  const note = writeNote({ symbols: keySymbols, decisions: keyDecisions, sentences }, chinese, maxBytes)
  const summary = note === '' ? fallbackNote(turns, chinese, maxBytes) : note
  return { summary: shortened(summary, maxBytes), keySymbols, keyDecisions }
}

/** The note is written in Chinese when Han characters outnumber Latin words. */
export function isChinese(texts: readonly string[]): boolean {
  let han = 0
  let words = 0
  for (const text of texts) {
    han += text.match(/\p{Script=Han}/gu)?.length ?? 0
    words += text.match(/[A-Za-z]+/g)?.length ?? 0
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
      const text = raw.replace(/\s+/g, ' ').trim()
      const key = text.toLowerCase()
      if (text === '' || seen.has(key) || decisions.some((decision) => overlaps(text, decision))) continue
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

/** The sentence is where the decision was found, or says no more than it. */
function overlaps(sentence: string, decision: string): boolean {
  const core = decision.replace(/…$/, '')
  return sentence.includes(core) || core.includes(sentence)
}
