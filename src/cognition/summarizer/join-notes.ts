/**
 * What was said in the whole conversation, when its stretches are already noted? One note of the same size and shape,
 * from the rolling summaries in order: symbols by how many stretches name them, the latest decisions, what opened it.
 */
import { SUMMARY_BYTES } from '../../domain/limits.ts'
import { splitSentences } from '../../text/sentences.ts'
import { distinctDecisions, KEY_DECISIONS } from './key-decisions.ts'
import { bestSymbols, KEY_SYMBOLS } from './key-symbols.ts'
import { withinBytes, writeNote } from './note.ts'
import { isChinese, type RuleSummary } from './rules.ts'
import { tellingScore } from './telling.ts'

/** The opening phrases of a note; its symbols and decisions are known from its lists. */
const OPENING = /^(?:Discussed |Decided: |讨论了 |决定：)/
/** How much a later stretch counts against an earlier one of the same worth; the first counts in full again. */
const AGE_DISCOUNT = 0.5

/** One note from several, given oldest first; at most SUMMARY_BYTES UTF-8 bytes, empty only when none was given. */
export function joinNotes(notes: readonly RuleSummary[], options: { readonly maxBytes?: number } = {}): RuleSummary {
  const maxBytes = Math.min(options.maxBytes ?? SUMMARY_BYTES, SUMMARY_BYTES)
  const keySymbols = joinSymbols(notes)
  const keyDecisions = distinctDecisions(notes.flatMap((note) => note.keyDecisions)).slice(-KEY_DECISIONS)
  const sentences = joinSentences(notes, keySymbols)
  const chinese = isChinese(notes.map((note) => note.summary))
  const text = writeNote({ symbols: keySymbols, decisions: keyDecisions, sentences }, chinese, maxBytes)
  const summary = text === '' ? withinBytes(notes[0]?.summary ?? '', maxBytes) : text
  return { summary, keySymbols, keyDecisions }
}

function joinSymbols(notes: readonly RuleSummary[]): readonly string[] {
  const scores = new Map<string, number>()
  for (const note of notes) {
    for (const [place, symbol] of note.keySymbols.entries()) {
      scores.set(symbol, (scores.get(symbol) ?? 0) + 1 - place / (2 * KEY_SYMBOLS))
    }
  }
  return bestSymbols(scores)
}

function joinSentences(
  notes: readonly RuleSummary[],
  symbols: readonly string[],
): readonly { text: string; score: number }[] {
  const seen = new Set<string>()
  const found: { text: string; score: number }[] = []
  for (const [at, note] of notes.entries()) {
    const newness = at === 0 ? 1 : (at + 1) / notes.length
    for (const raw of splitSentences(note.summary)) {
      const text = raw.trim()
      if (text === '' || OPENING.test(text) || seen.has(text)) continue
      seen.add(text)
      const named = symbols.reduce((count, symbol) => (text.includes(symbol) ? count + 1 : count), 0)
      const place = { symbols: named, opens: false, answeredQuestion: false, answers: false, byUser: false }
      found.push({ text, score: tellingScore(text, place) * (1 - AGE_DISCOUNT + AGE_DISCOUNT * newness) })
    }
  }
  return found
}
