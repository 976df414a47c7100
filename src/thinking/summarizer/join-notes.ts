/**
 * Which note sums up a conversation whose stretches are already noted? One of the same size and shape: the opening, the
 * latest decisions, and symbols by how many stretches name them.
 */
import { SUMMARY_BYTES } from '../../domain/limits.ts'
import { isQuestion } from '../../language/questions.ts'
import { splitSentences } from '../../language/sentences.ts'
import { truncateUtf8 } from '../../language/utf8.ts'
import { tellingWords } from '../topic/common-words.ts'
import {
  bestSymbols,
  distinctDecisions,
  KEY_DECISIONS,
  KEY_SYMBOLS,
  type Line,
  readLines,
  writeLines,
} from './lines.ts'
import { isChinese, type RuleSummary } from './rules.ts'
import { needsAnother } from './telling.ts'

/** How much a later stretch counts against an earlier one of the same worth; the first counts more than all. */
const AGE_DISCOUNT = 0.5
const OPENING_WEIGHT = 1.5
const TERM_WEIGHT = 0.12
const MOST_TERMS = 9
/** The close of words that were cut where nobody told anything. */
const CUT = /…$/

/** One note from several, given oldest first; at most SUMMARY_BYTES UTF-8 bytes, empty only when none was given. */
export function joinNotes(notes: readonly RuleSummary[], options: { readonly maxBytes?: number } = {}): RuleSummary {
  const maxBytes = Math.min(options.maxBytes ?? SUMMARY_BYTES, SUMMARY_BYTES)
  const keySymbols = joinSymbols(notes)
  const keyDecisions = distinctDecisions(notes.flatMap((note) => note.keyDecisions)).slice(-KEY_DECISIONS)
  const chinese = isChinese(notes.map((note) => note.summary))
  const text = writeLines(
    notes.flatMap((note, at) => linesOf(note, at, notes.length, keyDecisions)),
    chinese,
    maxBytes,
  )
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

function linesOf(note: RuleSummary, at: number, of: number, decisions: readonly string[]): readonly Line[] {
  const newness = at === 0 ? OPENING_WEIGHT : (at + 1) / of
  let last: Line | undefined
  const lines = readLines(note.summary)
  return lines.flatMap(({ who, text }, line) => {
    // An answer needs the question in front of it.
    const asked = isAnswer(who) ? last : undefined
    last = undefined
    const sentences = splitSentences(text)
    return sentences.flatMap((sentence, place) => {
      // A question tells where it opens the talk or has an answer here.
      const isAnswered = place === sentences.length - 1 && isAnswer(lines[line + 1]?.who)
      if ((isQuestion(sentence) && !isAnswered && (at > 0 || line > 0)) || CUT.test(sentence)) return []
      const decides = decisions.some((decision) => sentence.includes(decision)) ? 1 : 0
      const worth = 1 + decides + TERM_WEIGHT * Math.min(tellingWords(sentence).length, MOST_TERMS)
      const score = worth * (1 - AGE_DISCOUNT + AGE_DISCOUNT * newness)
      const needs = asked ?? (needsAnother(sentence) ? last : undefined)
      last = { who: who ?? '', text: sentence, score, turn: at, needs: needs?.needs === undefined ? needs : undefined }
      return last
    })
  })
}

function isAnswer(who: string | null | undefined): boolean {
  return who === 'Assistant' || who === '助手'
}
