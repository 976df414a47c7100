/** Where does a sentence end, in English and Chinese? Blocks of code are left out; nothing else of the text is lost. */
import { readInPieces } from '../domain/read-once.ts'
import { atOnce } from '../domain/scheduling.ts'

/** A stretch of a text; from inclusive, to exclusive. */
export interface Region {
  readonly from: number
  readonly to: number
  readonly kind: 'prose' | 'inline' | 'block'
}

const LONGEST_INLINE = 300

/** The regions of a text in order; backticks themselves and the language name of a block belong to none. */
export function codeRegions(text: string): readonly Region[] {
  if (!text.includes('`')) return [{ from: 0, to: text.length, kind: 'prose' }]
  const regions: Region[] = []
  let prose = 0
  let at = text.indexOf('`')
  while (at >= 0) {
    const fence = text.startsWith('```', at)
    const region = fence ? block(text, at) : inline(text, at)
    if (region === null) {
      at = text.indexOf('`', at + 1)
      continue
    }
    if (at > prose) regions.push({ from: prose, to: at, kind: 'prose' })
    regions.push(region)
    prose = Math.min(text.length, region.to + (fence ? 3 : 1))
    at = text.indexOf('`', prose)
  }
  if (prose < text.length) regions.push({ from: prose, to: text.length, kind: 'prose' })
  return regions
}

/** A block runs to its closing fence, or to the end of a text that was cut off. */
function block(text: string, at: number): Region {
  let from = at + 3
  while (from < text.length && /[\w+#.-]/.test(text[from]!)) from++
  const startsWithLanguage = text[from] === '\n' || text[from] === '\r'
  const close = text.indexOf('```', at + 3)
  const to = close < 0 ? text.length : close
  return { from: startsWithLanguage ? Math.min(from, to) : at + 3, to, kind: 'block' }
}

/** A name in a sentence ends on its own line; a lone backtick is only a character. */
function inline(text: string, at: number): Region | null {
  const limit = Math.min(text.length, at + LONGEST_INLINE)
  for (let end = at + 1; end < limit; end++) {
    const character = text[end]
    if (character === '`') return end > at + 1 ? { from: at + 1, to: end, kind: 'inline' } : null
    if (character === '\n') return null
  }
  return null
}

/** The text before, between and behind the blocks between two ``` marks; an unclosed one reaches to the end. */
export function withoutFences(text: string): readonly string[] {
  return text.split('```').filter((_, at) => at % 2 === 0)
}

/** Shortened words behind which a sentence goes on: titles, months, initials. */
const ABBREVIATION =
  /(?:^|[\s("“‘]|(?<!\p{L})')(?:mr|mrs|ms|mx|dr|prof|rev|fr|hon|sen|gov|capt|cpt|col|gen|lt|maj|sgt|st|mt|ft|vs|cf|ca|e\.g|i\.e|viz|approx|resp|dept|univ|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|[a-hj-z])\.$/iu
/** Abbreviations that may also end a sentence, which they do before a capital letter. */
const MAY_STAND_LAST =
  /(?:^|[\s("'“‘])(?:etc|inc|ltd|co|corp|jr|sr|ave|rd|blvd|a\.m|p\.m|ph\.d|m\.d|b\.sc|m\.sc|d\.c|u\.s|u\.k|u\.s\.a|\d{1,40}(?:a|p)\.m)\.$/i
/** Abbreviations only before a figure: "No. 5", but "I said no." */
const BEFORE_FIGURE = /(?:^|[\s(])(?:no|nos|nr|fig|figs|vol|art|sec|ext)\.$/i
/** UTF-16 units of the longest abbreviation before a full stop. */
const LONGEST_ABBREVIATION = 9
/** The number of an item in a list: at the head of a sentence, or behind a mark that opens or parts a list. */
const ITEM_NUMBER = /(?:^|[:：;；,，、])\s{0,8}\d{1,2}\.$/
/** UTF-16 units of the longest item number before its full stop. */
const LONGEST_NUMBER = 8
/** Most characters of a sentence; a longer one is data and is cut, so that no rule reads more at once. */
const LONGEST = 4000
/** Characters after which others may run. */
const A_PIECE = 32_768
const MAY_END = /[.。！？；!?\n]/g
const CLOSERS = '"\'”’)）]」』】》`*'

/** The sentences of a text in order, trimmed, without empty ones; a line break ends a sentence as a full stop does. */
export const splitSentences = readInPieces('sentences', function* (text): Generator<void, readonly string[]> {
  const sentences: string[] = []
  let start = 0
  let read = 0
  const prose = withoutFences(text).join('\n')
  // A sentence can end only at one of these; a look at every character would take ten times as long.
  for (const { index } of prose.matchAll(MAY_END)) {
    if (index < start) continue
    if (index > read + A_PIECE) {
      read = index
      yield
    }
    if (prose[index] === '\n') {
      push(sentences, prose.slice(start, index))
      start = index + 1
      continue
    }
    if (!endsSentence(prose, index, start)) continue
    let end = index + 1
    while (end < prose.length && ('。！？!?…'.includes(prose[end]!) || CLOSERS.includes(prose[end]!))) end++
    push(sentences, prose.slice(start, end))
    start = end
  }
  push(sentences, prose.slice(start))
  return sentences
})

/** The last of its sentences; '' where it has none. As a line break ends a sentence, only the last lines are cut. */
export function lastSentence(text: string): string {
  const prose = withoutFences(text).join('\n')
  for (let to = prose.length, from = 0; to > 0; to = from - 1) {
    from = prose.lastIndexOf('\n', to - 1) + 1
    const last = splitSentences(prose.slice(from, to)).at(-1)
    if (last !== undefined) return last
  }
  return ''
}

/** The text with `by` for each of its sentences that goes; the time grows as the text does. */
export function withoutSentences(text: string, goes: (sentence: string) => boolean, by: string): string {
  return atOnce(takingSentences(text, goes, by))
}

/** As `withoutSentences`, with pauses in a long text. */
export function* takingSentences(
  text: string,
  goes: (sentence: string) => boolean,
  by: string,
): Generator<void, string> {
  let rest = ''
  let from = 0
  let read = 0
  for (const sentence of yield* splitSentences.pieces(text)) {
    read += sentence.length
    if (read > A_PIECE) {
      read = 0
      yield
    }
    const at = goes(sentence) ? text.indexOf(sentence, from) : -1
    if (at < 0) continue
    rest += text.slice(from, at) + by
    from = at + sentence.length
  }
  return from === 0 ? text : rest + text.slice(from)
}

/** Whether the mark at `at` ends the sentence that begins at `start`: not the one behind "Dr." or inside a number. */
export function endsSentence(text: string, at: number, start: number): boolean {
  const character = text[at]!
  if ('。！？；'.includes(character)) return true
  // Within an address or a password: "postgres://ann:secret!@db".
  if (character === '!' || character === '?') return !/[\w=.@#$%&/]/.test(text[at + 1] ?? ' ')
  if (character !== '.') return false
  const next = text[at + 1]
  if (next !== undefined && !/\s/.test(next) && !CLOSERS.includes(next)) return false
  if (ITEM_NUMBER.test(text.slice(Math.max(start, at - LONGEST_NUMBER), at + 1).trimStart())) return false
  return !isShortened(text.slice(Math.max(start, at - LONGEST_ABBREVIATION), at + 1), firstBehind(text, at + 1))
}

/** The first character from a place on that is no white space. */
function firstBehind(text: string, from: number): string | undefined {
  let at = from
  while (at < text.length && /\s/.test(text[at]!)) at++
  return text[at]
}

/** The full stop at the end of `word` belongs to a shortened word, and the sentence goes on with `next`. */
function isShortened(word: string, next: string | undefined): boolean {
  if (next === undefined) return false
  if (BEFORE_FIGURE.test(word)) return /\d/.test(next)
  if (MAY_STAND_LAST.test(word)) return !/\p{Lu}/u.test(next)
  return ABBREVIATION.test(word)
}

function push(sentences: string[], sentence: string): void {
  if (sentence.length > LONGEST) {
    for (let from = 0; from < sentence.length; ) {
      const to = endOfPiece(sentence, from)
      push(sentences, sentence.slice(from, to))
      from = to
    }
    return
  }
  const trimmed = sentence.trim()
  if (trimmed !== '' && /[\p{L}\p{N}]/u.test(trimmed)) sentences.push(trimmed)
}

/** The place after the last gap between words in reach, else within the run, never inside a surrogate pair. */
function endOfPiece(sentence: string, from: number): number {
  const to = from + LONGEST
  if (to >= sentence.length) return sentence.length
  const gap = sentence.slice(from, to).lastIndexOf(' ')
  if (gap > LONGEST / 2) return from + gap + 1
  return /[\ud800-\udbff]/.test(sentence[to - 1]!) ? to - 1 : to
}
