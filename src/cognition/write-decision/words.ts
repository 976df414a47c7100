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

const WORD =
  /[\u3400-\u9fff\u3041-\u30ff\uac00-\ud7af]|[a-z0-9\u00c0-\u024f]+(?:['.\-+#/:_@&]+[a-z0-9\u00c0-\u024f]+)*(?:\+\+|#)?|\p{Extended_Pictographic}|[^\s]/gu
const WORD_START = /[\p{L}\p{N}\p{Extended_Pictographic}]/u
const HAN = /[\u3400-\u9fff]/

/** The text as the lexicon and the weights see it: lower-case, simplified, with plain apostrophes and full-width forms narrowed. */
export function plain(text: string): string {
  let result = ''
  const lower = text.toLowerCase()
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at)
    if (code < 128) result += lower[at]
    else if (code === 0x2019 || code === 0x2018) result += "'"
    else if (code >= 0xff01 && code <= 0xff5e) result += String.fromCharCode(code - 0xfee0).toLowerCase()
    else if (code >= 0x3400 && code <= 0x9fff) result += String.fromCharCode(simplified(code))
    else result += lower[at]
  }
  return result
}

/** Cuts a text that `plain` has prepared. Anything that is no word, and a space between Han characters, ends a clause. */
export function cutWords(text: string): Words {
  const words: string[] = []
  const clauses: number[] = []
  let clause = 0
  let end = 0
  let open = false
  for (const match of text.matchAll(WORD)) {
    const word = match[0]
    if (!WORD_START.test(word)) {
      if (open && !(word === '"' || word === "'")) {
        clause++
        open = false
      }
      end = match.index + word.length
      continue
    }
    const previous = words.at(-1)
    const gap = match.index > end && open && previous !== undefined
    if (gap && (text.slice(end, match.index).includes('\n') || (HAN.test(word) && HAN.test(previous)))) clause++
    words.push(word)
    clauses.push(clause)
    open = true
    end = match.index + word.length
  }
  return { words, clauses }
}
