/** The keywords of a text: Latin and technical names, nouns, then verbs and adjectives, each by frequency. */
import type { Jieba } from '@node-rs/jieba'
import { lazy } from '../domain/scheduling.ts'
import { hasHan } from './character-class.ts'
import { stemTerm } from './terms.ts'
import { CHINESE_STOP_CHARACTERS, EMPTY_CHINESE, ENGLISH_STOP_WORDS, wordTable } from './word-lists.ts'

export const MOST_KEYWORDS = 20
const LONGEST_TEXT = 20_000

const LATIN_WORD =
  /(?:\p{Nd}{1,3}(?=\p{Lu})|(?<![\p{L}\p{N}.])\.)?[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}][[\p{L}\p{N}\p{M}]--\p{Script=Han}]*(?:[.+#'’_\/\-]{1,40}[[\p{L}\p{N}]--\p{Script=Han}]{1,40})*[+#]{0,2}/gv
/** 请用, 帮我: words of what only asks somebody to do something. */
const ASKING = /^[请帮给用把我你让替]+$/u
/** "please", 麻烦, 劳驾: words of a request, whatever is asked for. */
const requests = lazy(
  () => new Set(wordTable('meanings').flatMap((line) => (line.startsWith('request|') ? line.split(/[|,] ?/) : []))),
)

/** The importance of a part of speech: smaller is more important; undefined is none. A word of no dictionary is a name. */
function rankOfTag(tag: string, word: string): number | undefined {
  if (tag === 'x') return [...word].some((one) => CHINESE_STOP_CHARACTERS.has(one)) ? undefined : 1
  if (/^(?:n|vn|an|j|l|i)/.test(tag)) return 1
  if (/^(?:v|a)/.test(tag)) return 2
  return /^(?:t|s|b|z)$/.test(tag) ? 3 : undefined
}

interface Candidate {
  readonly word: string
  readonly rank: number
  readonly at: number
  count: number
}

/** Keywords as written, most important first, without repeats. */
export async function extractKeywords(text: string): Promise<readonly string[]> {
  const bounded = text.slice(0, LONGEST_TEXT).toWellFormed()
  const candidates = new Map<string, Candidate>()
  const latinOnly = !hasHan(bounded)
  for (const match of bounded.matchAll(LATIN_WORD)) addLatin(candidates, match[0], match.index, latinOnly)
  if (!latinOnly) addHan(candidates, bounded, await jieba())
  return [...candidates.values()]
    .sort((a, b) => a.rank - b.rank || b.count - a.count || a.at - b.at)
    .slice(0, MOST_KEYWORDS)
    .map((candidate) => candidate.word)
}

function addLatin(candidates: Map<string, Candidate>, word: string, at: number, latinOnly: boolean): void {
  const name = word.replace(/['’](?:s|t|re|ve|ll|d|m)$/i, '')
  const folded = name.toLowerCase()
  if (ENGLISH_STOP_WORDS.has(folded) || requests().has(folded) || (name.length < 2 && !/^[CR]$/.test(name))) return
  // Among English words only names stand out; in Chinese text every Latin word is one.
  const technical = /[A-Z].{0,200}[A-Z]|[a-z][A-Z]|[\d_.#+/]/.test(name) || (/^[A-Z]/.test(name) && at > 0)
  add(candidates, stemTerm(folded), name, latinOnly && !technical ? 1 : 0, at)
}

function addHan(candidates: Map<string, Candidate>, text: string, segmenter: Jieba): void {
  let at = 0
  for (const { word, tag } of segmenter.tag(text, true)) {
    const rank = rankOfTag(tag, word) ?? (terms().has(word) ? 1 : undefined)
    const isEmpty = EMPTY_CHINESE.has(word) || ASKING.test(word) || requests().has(word)
    if (rank !== undefined && hasHan(word) && [...word].length > 1 && !isEmpty) add(candidates, word, word, rank, at)
    at += word.length
  }
}

function add(candidates: Map<string, Candidate>, key: string, word: string, rank: number, at: number): void {
  const known = candidates.get(key)
  if (known === undefined) candidates.set(key, { word, rank, at, count: 1 })
  else known.count++
}

/** Terms of programming are names, whatever part of speech the dictionary takes them for. */
const terms = lazy(() => new Set(wordTable('programming-terms').flatMap((line) => line.split('|', 1)[0]!.split(' '))))
/** The frequency of a usual word in the dictionary. */
const USUAL = 1000

const jieba = lazy(async () => {
  const [{ Jieba }, { dict }] = await Promise.all([import('@node-rs/jieba'), import('@node-rs/jieba/dict.js')])
  const segmenter = Jieba.withDict(dict)
  // Terms that its dictionary lacks or finds seldom, such as 后端, would be cut in two.
  const lacking = [...terms()].filter((term) => hasHan(term) && segmenter.cut(term, false).length > 1)
  segmenter.loadDict(Buffer.from(lacking.map((term) => `${term} ${USUAL} n`).join('\n')))
  return segmenter
})
