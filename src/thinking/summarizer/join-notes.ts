/**
 * Which note sums up a conversation whose stretches are already noted? One of the same size and shape: the opening, the
 * latest decisions, and symbols by how many stretches name them.
 */
import { SUMMARY_BYTES } from '../../domain/limits.ts'
import { splitSentences } from '../../language/sentences.ts'
import { truncateUtf8 } from '../../language/utf8.ts'
import {
  bestSymbols,
  distinctDecisions,
  KEY_DECISIONS,
  KEY_SYMBOLS,
  type Line,
  readLines,
  withDecision,
  writeLines,
} from './note-lines.ts'
import { ASSISTANT, worthOf } from './sentence-worth.ts'
import { isChinese, type RuleSummary, wordsSaidAgain } from './summarize-by-rules.ts'

/** The shown summary of a conversation: a second line tells what came of it, and more stand only where they are surely wanted. */
const OF_A_CONVERSATION = { least: 0.5, more: 0.7, most: 4 }
/** The close of words that were cut where nobody told anything. */
const CUT = /…$/

/** One note from several, given oldest first; at most SUMMARY_BYTES UTF-8 bytes, empty only when none was given. */
export function joinNotes(notes: readonly RuleSummary[], options: { readonly maxBytes?: number } = {}): RuleSummary {
  const maxBytes = Math.min(options.maxBytes ?? SUMMARY_BYTES, SUMMARY_BYTES)
  const keySymbols = joinSymbols(notes)
  const keyDecisions = distinctDecisions(notes.flatMap((note) => note.keyDecisions)).slice(-KEY_DECISIONS)
  const chinese = isChinese(notes.map((note) => note.summary))
  const text = writeLines(linesOf(notes, keyDecisions), chinese, maxBytes, OF_A_CONVERSATION, keySymbols)
  return { summary: text || truncateUtf8(notes[0]?.summary ?? '', maxBytes), keySymbols, keyDecisions }
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

function linesOf(notes: readonly RuleSummary[], decisions: readonly string[]): readonly Line[] {
  const read = notes.map(({ summary }) => readLines(summary))
  const around = wordsSaidAgain(read.flat().map(({ text }) => text))
  return read.flatMap((lines, turn) => {
    let last: Line | undefined
    return lines.flatMap(({ who, text }, at) => {
      const name = who ?? ''
      // An answer needs the question in front of it.
      const needs = ASSISTANT.test(name) ? last : undefined
      const sentences = splitSentences(text).filter((sentence) => !CUT.test(sentence))
      const said = sentences.map((sentence, place): Line => {
        const opens = turn === 0 && at === 0 && place === 0
        const worth = worthOf({ who: name, text: sentence, opens, around })
        // An answer is worth no more than what it answers, unless it decides something.
        const score = withDecision(Math.min(worth, needs?.score ?? worth), name, sentence, decisions)
        return { who: name, text: sentence, score, turn, needs }
      })
      if (said.length > 0 && needs === undefined)
        last = said.reduce((best, one) => (one.score > best.score ? one : best))
      return said
    })
  })
}
