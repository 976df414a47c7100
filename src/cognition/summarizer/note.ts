/**
 * Writes the note itself: key symbols, then decisions, then telling sentences, as many as the bytes allow.
 * A part is taken whole or shortened at a character; the note is never longer than `maxBytes` UTF-8 bytes.
 */
import { truncateUtf8, utf8Length } from '../../text/utf8.ts'

/** The material of a note, each list the most important first (sentences: in the order to be read). */
export interface NoteParts {
  readonly symbols: readonly string[]
  readonly decisions: readonly string[]
  /** Already chosen sentences with how telling they are; the best go in first, the note keeps their order. */
  readonly sentences: readonly { readonly text: string; readonly score: number }[]
}

/** The words around the parts in one language. */
interface Phrases {
  readonly discussed: string
  readonly decided: string
  readonly comma: string
  readonly semicolon: string
  readonly stop: string
}

const ENGLISH: Phrases = { discussed: 'Discussed ', decided: 'Decided: ', comma: ', ', semicolon: '; ', stop: '. ' }
const CHINESE: Phrases = { discussed: '讨论了 ', decided: '决定：', comma: '、', semicolon: '；', stop: '。' }

/** Symbols named at the head of a note; the rest stays in the list beside it. */
const HEAD_SYMBOLS = 6
/** Shares of the bytes that symbols, and symbols with decisions, take at most while other parts want some too. */
const SHARE_OF_SYMBOLS = 0.3
const SHARE_WITH_DECISIONS = 0.75
/** A sentence is shortened rather than left out when at least this much of it fits. */
const SMALLEST_PIECE_BYTES = 36
const LONGEST_SENTENCE_BYTES = 150
/** With less room than this the note is full. */
const SHORTEST_SENTENCE_BYTES = 12

/** The note; empty only when there is no part at all. */
export function writeNote(parts: NoteParts, chinese: boolean, maxBytes: number): string {
  const phrases = chinese ? CHINESE : ENGLISH
  const alone = parts.decisions.length + parts.sentences.length === 0
  const head = headOf(parts.symbols, phrases, alone ? maxBytes : maxBytes * SHARE_OF_SYMBOLS)
  const decisionRoom = maxBytes * (parts.sentences.length === 0 ? 1 : SHARE_WITH_DECISIONS) - utf8Length(head)
  const decided = decidedOf(parts.decisions, phrases, decisionRoom)
  const opening = [head, decided].filter((part) => part !== '').join('')
  const body = bodyOf(parts.sentences, phrases, maxBytes - utf8Length(opening))
  return withinBytes((opening + body).trim(), maxBytes)
}

function headOf(symbols: readonly string[], phrases: Phrases, room: number): string {
  const names: string[] = []
  let bytes = utf8Length(phrases.discussed) + utf8Length(phrases.stop)
  for (const name of symbols.slice(0, HEAD_SYMBOLS)) {
    bytes += utf8Length(name) + utf8Length(phrases.comma)
    if (bytes > room) break
    names.push(name)
  }
  return names.length === 0 ? '' : phrases.discussed + names.join(phrases.comma) + phrases.stop
}

function decidedOf(decisions: readonly string[], phrases: Phrases, room: number): string {
  let text = ''
  for (const decision of decisions) {
    const lead = text === '' ? phrases.decided : phrases.semicolon
    const free = Math.floor(room) - utf8Length(text) - utf8Length(lead) - utf8Length(phrases.stop)
    if (free < SMALLEST_PIECE_BYTES && free < utf8Length(decision)) break
    text += lead + withinBytes(decision, free)
  }
  return text === '' ? '' : text + phrases.stop
}

function bodyOf(sentences: NoteParts['sentences'], phrases: Phrases, room: number): string {
  const best = sentences.map((sentence, at) => ({ ...sentence, at })).sort((a, b) => b.score - a.score || a.at - b.at)
  const chosen: { readonly text: string; readonly at: number }[] = []
  let free = room
  for (const { text, at } of best) {
    if (free < SHORTEST_SENTENCE_BYTES) break
    const closing = endsSentence(text) ? '' : phrases.stop.trim()
    const limit = Math.min(free - closing.length * 3 - 1, LONGEST_SENTENCE_BYTES)
    // Most sentences are left out; a character takes at least one byte, so most of them need no counting.
    const bytes = text.length > limit ? Number.POSITIVE_INFINITY : utf8Length(text)
    if (bytes <= limit) {
      chosen.push({ text: text + closing, at })
      free -= bytes + closing.length * 3 + 1
    } else if (limit >= SMALLEST_PIECE_BYTES) {
      const piece = withinBytes(text, limit)
      chosen.push({ text: piece, at })
      free -= utf8Length(piece) + 1
    }
  }
  return chosen
    .sort((a, b) => a.at - b.at)
    .map((sentence) => sentence.text)
    .reduce((joined, text) => (joined === '' ? text : joined + between(joined, text) + text), '')
}

/** Chinese sentences follow each other without a space. */
function between(before: string, after: string): string {
  if (/[。！？；」』”）]$/.test(before)) return ''
  return before.endsWith('…') && /^[\u2e80-\uffef]/.test(after) ? '' : ' '
}

function endsSentence(text: string): boolean {
  return /[.!?。！？…:：;；]["'”’）)]*$/.test(text)
}

/** The text, or its beginning with an ellipsis, in at most `maxBytes`; '' when not even that fits. */
export function withinBytes(text: string, maxBytes: number): string {
  const whole = truncateUtf8(text, maxBytes)
  if (whole === text) return text
  if (!whole.endsWith('…')) return ''
  const cut = whole.slice(0, -1)
  // Not in the middle of a Latin word, unless the word is all there is.
  const inWord = /[A-Za-z0-9_]$/.test(cut) && /^[A-Za-z0-9_]/.test(text.slice(cut.length, cut.length + 1))
  const atWord = inWord ? cut.replace(/[\s,;:，；、]*[A-Za-z0-9_]*$/, '') : cut
  const kept = (atWord.length > cut.length / 2 ? atWord : cut).trimEnd()
  return kept === '' ? '' : `${kept}…`
}
