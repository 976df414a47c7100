/**
 * Which words does a text hold, and which of them stand in one clause? Latin words are words, each Han character is a
 * word, an emoji is a word; all lower-case and simplified, so that one lexicon serves every way of writing.
 */
import { simplified } from './simplified.ts'

/** The words of a text in order, and for each the number of its clause, counted from 0. */
export interface Words {
  readonly words: readonly string[]
  readonly clauses: readonly number[]
}

const WORD_START = /[\p{L}\p{N}\p{Extended_Pictographic}]/u
const SPACE = /\s/
const QUOTES = '"\''
const JOINERS = "'.-+#/:_@&"

/** What one UTF-16 unit can be part of. */
const HAN = 1
const LETTER = 2
const MARK = 3
const BLANK = 4
/** Kana, hangul and whatever else stands for itself. */
const OTHER = 5

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[a-z0-9]/.test(character) ? LETTER : SPACE.test(character) ? BLANK : MARK
})

function kindOf(code: number): number {
  if (code < 128) return ASCII[code]!
  if (code >= 0x3400 && code <= 0x9fff) return HAN
  if (code >= 0xc0 && code <= 0x24f) return LETTER
  return SPACE.test(String.fromCharCode(code)) ? BLANK : OTHER
}

/** The text as the lexicon and the weights see it: lower-case, simplified, with plain apostrophes and full-width forms narrowed. */
export function plain(text: string): string {
  const lower = text.toLowerCase()
  let at = 0
  while (at < lower.length && lower.charCodeAt(at) < 128) at++
  if (at === lower.length) return lower
  const codes = new Uint16Array(lower.length)
  for (at = 0; at < lower.length; at++) codes[at] = plainCode(lower.charCodeAt(at))
  let result = ''
  for (at = 0; at < codes.length; at += PIECE) {
    result += String.fromCharCode.apply(null, codes.subarray(at, at + PIECE) as unknown as number[])
  }
  return result
}

/** So many arguments are safe for one call. */
const PIECE = 4096

function plainCode(code: number): number {
  if (code < 128) return code
  if (code >= 0x3400 && code <= 0x9fff) return simplified(code)
  if (code === 0x2019 || code === 0x2018) return 0x27
  if (code < 0xff01 || code > 0xff5e) return code
  const narrow = code - 0xfee0
  return narrow >= 65 && narrow <= 90 ? narrow + 32 : narrow
}

/**
 * Cuts a text that `plain` has prepared. Anything that is no word, and a space between Han characters, ends a clause. Marks
 * within a Latin word belong to it ("node.js", "o'neil"), as `++` and `#` do at its end.
 */
export function cutWords(text: string): Words {
  const words: string[] = []
  const clauses: number[] = []
  let clause = 0
  let open = false
  let gap = false
  let newline = false
  let previous = 0
  for (let at = 0; at < text.length; ) {
    const kind = kindOf(text.charCodeAt(at))
    if (kind === BLANK) {
      gap = true
      newline ||= text[at] === '\n'
      at++
      continue
    }
    const end =
      kind === LETTER ? latinEnd(text, at) : kind === OTHER ? at + (text.codePointAt(at)! > 0xffff ? 2 : 1) : at + 1
    const word = text.slice(at, end)
    if (kind === MARK || (kind === OTHER && !WORD_START.test(word))) {
      if (open && !QUOTES.includes(word)) {
        clause++
        open = false
      }
    } else {
      if (gap && open && (newline || (kind === HAN && previous === HAN))) clause++
      words.push(word)
      clauses.push(clause)
      open = true
      previous = kind
    }
    gap = false
    newline = false
    at = end
  }
  return { words, clauses }
}

function latinEnd(text: string, from: number): number {
  let end = from + 1
  for (;;) {
    while (end < text.length && kindOf(text.charCodeAt(end)) === LETTER) end++
    let behind = end
    while (behind < text.length && JOINERS.includes(text[behind]!)) behind++
    if (behind === end || behind >= text.length || kindOf(text.charCodeAt(behind)) !== LETTER) break
    end = behind
  }
  if (text.startsWith('++', end)) return end + 2
  return text[end] === '#' ? end + 1 : end
}
