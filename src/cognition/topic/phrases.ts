/**
 * Which phrases of a sentence could name what it is about? In English runs of words that tell something, joined by what links
 * nouns ("leak in the worker"); in Chinese the end of a clause, behind the words that only lead to it. No phrase crosses
 * the border of a clause (after RAKE, Rose et al. 2010).
 */
import { CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS } from '../../text/stop-words.ts'
import { wordTerms } from '../../text/word-terms.ts'
import { rarityOf } from './common-words.ts'

/** Words that could name something, with the terms that they are weighed by. */
export interface Phrase {
  readonly text: string
  readonly terms: readonly string[]
  /** Clauses of its sentence before it. */
  readonly clause: number
}

type Part = Omit<Phrase, 'clause'>

function inClause(clause: number): (part: Part) => Phrase {
  return (part) => ({ ...part, clause })
}

/** What may stand inside an English phrase: "trip to Iceland", "leak in the worker". */
const LINKS = new Set('of to for in with on from into between about at by and a an the my our &'.split(' '))
const MOST_LINKS = 2
const MOST_WORDS = 10
const MOST_CHINESE_WORDS = 24
/** Behind a Chinese word that tells no more a phrase may begin. */
const LEADING = 0.5
const LINKING_VERB = /^(?:sound|look|seem|feel|become|mean)s?$/
const MANNER = /^\p{L}\p{Ll}*(?:al|ive|ent|ant|ous|ful|ru|ing|ed|ck|te|se|re|me)ly$/u
const PARTICIPLE = /^\p{Ll}{3,}(?<!e)ed$/u
const GERUND = /^\p{Ll}+ing$/u
/** Behind a verb. */
const OBJECT = /^(?:some|us|me|him|her|them|it|this|that|these|those|you|what|how)$/
/** A word behind "and" that tells less is a verb. */
const LEAST_JOINED = 0.3
const CLAUSE_BREAK = /[^\p{L}\p{N}\p{M}\s'’_./#+&$%:,-]+|[:,](?!\d)|[.](?=\s|$)|\s[-–—]{1,40}\s/u
const CHINESE_BREAK = /[，,；;：:。！!？?～…\n“”‘’「」（）()"]|——|\s—{1,40}\s/u
const HAN = /\p{Script=Han}/u
const PRONOUN = /[我你您他她它们咱]/u
/** What joins a clause to the others. */
const LEADS = /^.{0,3}?(?:因为|由于|虽然|尽管|如果|比如|例如|除了|尤其|反而|另外|其实)是?/u
/** A clause that only tells when. */
const WHILE = /(?:时|后|时候)$/u
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

interface Word {
  readonly text: string
  readonly term: string
  /** What links it to the word before: '' where nothing stands between. */
  readonly link: string
}

/** The phrases of a sentence in the order in which they begin; several may begin at one word or overlap. */
export function phrasesOf(sentence: string): readonly Phrase[] {
  return HAN.test(sentence)
    ? sentence.split(CHINESE_BREAK).flatMap((clause, at) => chinesePhrases(clause).map(inClause(at)))
    : sentence.split(CLAUSE_BREAK).flatMap((clause, at) => englishRuns(clause).flatMap(partsOf).map(inClause(at)))
}

/** The words of a text that tell something, each once: stems, or Chinese words. */
export function tellingWords(text: string): readonly string[] {
  const words = HAN.test(text) ? [...segmenter.segment(text)].map(({ segment }) => segment) : text.split(/\s+/)
  const terms = words.map((word) => (HAN.test(word) ? (tells(word) ? word : null) : englishTerm(bareOf(word))))
  return [...new Set(terms.filter((term) => term !== null))]
}

/** The word without the marks around it. */
function bareOf(word: string): string {
  const from = word.search(/[\p{L}\p{N}#$]/u)
  let to = word.length
  while (to > from && !/[\p{L}\p{N}+#%]/u.test(word[to - 1]!)) to--
  return from === -1 ? '' : word.slice(from, to)
}

function englishRuns(clause: string): readonly (readonly Word[])[] {
  const runs: Word[][] = []
  let run: Word[] = []
  let links: string[] = []
  const close = (): void => {
    if (run.length > 0) runs.push(run)
    run = []
    links = []
  }
  let before = ''
  for (const raw of clause.trim().split(/\s+/)) {
    const bare = bareOf(raw)
    const isLed = LINKS.has(before)
    before = bare.toLowerCase()
    if (LINKS.has(before) && run.length > 0 && links.length < MOST_LINKS) {
      links.push(bare)
      continue
    }
    const term = englishTerm(bare)
    // "Amy suggested a review", but "the limited edition".
    const tells = PARTICIPLE.test(bare) && !isLed
    // "relaxation Patrick suggested": who does it does not belong to what was named before.
    if (tells && run.length > 1 && isName(run.at(-1)!) && !isName(run.at(-2)!)) run.pop()
    // "the basket and hearing the crowd", "the list and use it": a verb begins anew.
    const joins = links.includes('and') && term !== null && (rarityOf(term) < LEAST_JOINED || GERUND.test(bare))
    // "… the hospital and met some people": what has an object is no thing.
    if (OBJECT.test(before) && run.at(-1)?.link === 'and') run.pop()
    if (term === null || tells || joins) close()
    if (term === null || tells) continue
    run.push({ text: bare, term, link: links.join(' ') })
    links = []
    if (run.length === MOST_WORDS) close()
  }
  close()
  return runs
}

function isName({ text }: Word): boolean {
  return /^\p{Lu}/u.test(text)
}

/** null for what names nothing: function words and letters. */
function englishTerm(bare: string): string | null {
  const word = bare.toLowerCase().replace(/['’](?:s|t|re|ve|ll|d|m)$/, '')
  if (ENGLISH_STOP_WORDS.has(word) || LINKING_VERB.test(word) || MANNER.test(bare) || /^[a-z]?$/.test(word)) return null
  const term = wordTerms(bare)[0]
  return term === undefined || rarityOf(term) === 0 ? null : term
}

/** A run of words is cut neither at its end, since its last word is what it names, nor before "of"; it may begin at each. */
function partsOf(run: readonly Word[]): readonly Part[] {
  const parts: Part[] = []
  for (let from = 0; from < run.length; from++)
    for (let to = from; to < run.length; to++) {
      if (to + 1 < run.length && (run[to + 1]!.link === '' || run[to + 1]!.link.startsWith('of'))) continue
      // "… of my site by reducing", "a schedule to ensure": its object is lost.
      if (to > from && run[to]!.link === 'to' && !isName(run[to]!)) continue
      if (to > from && GERUND.test(run[to]!.text) && (run[to]!.link !== '' || to + 1 < run.length)) continue
      const part = run.slice(from, to + 1)
      const text = part.map(({ text, link }, at) => (at === 0 || link === '' ? text : `${link} ${text}`)).join(' ')
      parts.push({ text, terms: [...new Set(part.map(({ term }) => term))] })
    }
  return parts
}

function chinesePhrases(clause: string): readonly Part[] {
  const words = [...segmenter.segment(clause.replace(LEADS, '').trim())].map(({ segment }) => segment)
  while (words.length > 0 && !tells(words.at(-1)!)) words.pop()
  if (WHILE.test(words.join(''))) return []
  const phrases: Part[] = []
  const behind = words.findLastIndex((word) => PRONOUN.test(word)) + 1
  const first = words.findIndex((word, at) => at >= behind && tells(word))
  for (let from = Math.max(0, first, words.length - MOST_CHINESE_WORDS); from < words.length; from++) {
    const [word, before] = [words[from]!, words[from - 1]]
    if (from !== first && (!mayBegin(word) || (before !== undefined && !leadsTo(before, word)))) continue
    const part = words.slice(from)
    const text = part.join('').trim()
    if (text.split('《').length !== text.split('》').length) continue
    phrases.push({ text, terms: tellingWords(text) })
  }
  return phrases
}

function tells(word: string): boolean {
  if (!HAN.test(word)) return /[\p{L}\p{N}]/u.test(word) && englishTerm(word) !== null
  if (PRONOUN.test(word) || rarityOf(word) === 0) return false
  return ![...word].every((character) => CHINESE_STOP_CHARACTERS.has(character) || rarityOf(character) === 0)
}

/** 些, 里 and other single characters that many chats use belong to what stands before them. */
function mayBegin(word: string): boolean {
  return tells(word) && (word.length > 1 || rarityOf(word) === 1)
}

/** Behind it a phrase may begin; two single characters are often a name that the segmenter does not know. */
function leadsTo(before: string, word: string): boolean {
  if (!HAN.test(before)) return false
  if (before.length > 1) return rarityOf(before) <= LEADING
  // What stands before 的 belongs to what stands behind it.
  if (before === '的') return false
  if (PRONOUN.test(before) || CHINESE_STOP_CHARACTERS.has(before)) return true
  return rarityOf(before) === 0 && word.length > 1
}
