/**
 * Which phrases of a sentence could name what it is about? In English runs of words that tell something, joined by what links
 * nouns ("leak in the worker"); in Chinese the end of a clause, behind the words that only lead to it. No phrase crosses
 * the border of a clause (after RAKE, Rose et al. 2010).
 */
import { readOnce } from '../../domain/read-once.ts'
import { CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS } from '../../language/stop-words.ts'
import { wordTerms } from '../../language/word-terms.ts'
import { rarityOf } from './common-words.ts'

/** Words that could name something, with the terms that they are weighed by. */
export interface Phrase {
  readonly text: string
  readonly terms: readonly string[]
  /** Clauses of its sentence before it. */
  readonly clause: number
  /** It ends where the run of words ends: what ends earlier names something only if it comes again. */
  readonly whole: boolean
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
/** Words of a phrase that ends before its run does. */
const MOST_WORDS_AGAIN = 5
const LINKING_VERB = /^(?:sound|look|seem|feel|become|mean)s?$/
const MANNER = /^\p{L}\p{Ll}*(?:al|ive|ent|ant|ous|ful|ul|ab|ib|ru|ing|ed|ck|te|se|re|me)ly$/u
/** A verb of the past, regular or not. */
const PARTICIPLE =
  /^(?:\p{Ll}{3,}(?<!e)ed|ate|became|come|began|bought|broke|brought|built|came|caught|chose|drove|drank|fell|felt|flew|forgot|found|gave|got|grew|heard|held|hit|kept|knew|led|left|lost|made|met|paid|ran|rode|sang|sat|saw|sent|shook|slept|sold|spent|spoke|stood|swam|taught|thought|threw|told|took|understood|went|woke|won|wore|wrote)$/u
const GERUND = /^\p{Ll}+ing$/u
/** Behind a verb. */
const OBJECT = /^(?:some|us|me|him|her|them|it|this|that|these|those|you|what|how)$/
/** A word behind "and" that tells less is a verb. */
const LEAST_JOINED = 0.3
const LEAST_OPENING = 0.5
const OPENS = /^(?!of\b|and\b|&)./
const CLAUSE_BREAK = /[^\p{L}\p{N}\p{M}\s'’_./#+&$%:,-]+|[:,](?!\d)|[.](?=\s|$)|\s[-–—]{1,40}\s/u
const CHINESE_BREAK = /[，,；;：:。！!？?～…\n“”‘’「」（）()"]|——|\s—{1,40}\s/u
const HAN = /\p{Script=Han}/u
const PRONOUN = /[我你您他她它们咱]|^[这那哪]/u
/** What joins words to one thing, and what follows a verb. */
const CHINESE_LINK = /^(?:.?的|和|与|及|、)$/u
const ASPECT = /^[了过着到好完]/u
/** 小程序, 高净值客户: a part of the word that follows. */
const PREFIX = /^[大小高低新老A-Z]$/u
/** 创始人, 订货会: a part of the word before, at the end of a clause. */
const SUFFIX = /^[人会家]$/u
/** A particle or 时: what stands before it is half of a clause. */
const CUTS = /^(?:[的了过着得地]|[时后前]$)/u
/** A count, which may stand inside a phrase only. */
const COUNT = /^\d+$|^[一二三四五六七八九十两几半多各每]+\p{Script=Han}?$/u
/** What no phrase ends with. */
const NO_END = /^(?:.?的|和|与|及|、)$/u
const NUMERAL = /[\d一二三四五六七八九十两几这那]$/u
/** What joins a clause to the others. */
const LEADS = /^.{0,3}?(?:因为|由于|虽然|尽管|如果|比如|例如|除了|尤其|反而|另外|其实|至于|关于|对于)是?/u
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

interface Word {
  readonly text: string
  readonly term: string
  /** What links it to the word before: '' where nothing stands between. */
  readonly link: string
}

/** The phrases of a sentence in the order in which they begin; several may begin at one word or overlap. */
export const phrasesOf = readOnce('phrases', (sentence): readonly Phrase[] =>
  HAN.test(sentence)
    ? sentence.split(CHINESE_BREAK).flatMap((clause, at) => chinesePhrases(clause).map(inClause(at)))
    : sentence.split(CLAUSE_BREAK).flatMap((clause, at) => englishRuns(clause).flatMap(partsOf).map(inClause(at))),
)

/** The words of a text that tell something, each once: stems, or Chinese words. */
export const tellingWords = readOnce('telling words', (text): readonly string[] => {
  const words = HAN.test(text) ? [...segmenter.segment(text)].map(({ segment }) => segment) : text.split(/\s+/)
  const terms = words.map((word) => (HAN.test(word) ? (tells(word) ? word : null) : englishTerm(bareOf(word))))
  return [...new Set(terms.filter((term) => term !== null))]
})

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
    const isLed = LINKS.has(before) && before !== 'and'
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

/** A run of words may begin at each; its last word, and what "of" leads to, is what it names. */
function partsOf(run: readonly Word[]): readonly Part[] {
  const parts: Part[] = []
  for (let from = 0; from < run.length; from++) {
    // "love the energy", "perfect for customers": what many say before a link is no noun.
    const next = run[from + 1]
    if (next !== undefined && OPENS.test(next.link) && rarityOf(run[from]!.term) < LEAST_OPENING) continue
    for (let to = from; to < run.length; to++) {
      const whole = to + 1 === run.length || (run[to + 1]!.link !== '' && !run[to + 1]!.link.startsWith('of'))
      // "… of my site by reducing", "a schedule to ensure": its object is lost.
      if (to > from && run[to]!.link === 'to' && !isName(run[to]!)) continue
      if (to > from && GERUND.test(run[to]!.text) && (run[to]!.link !== '' || to + 1 < run.length)) continue
      const part = run.slice(from, to + 1)
      const text = part.map(({ text, link }, at) => (at === 0 || link === '' ? text : `${link} ${text}`)).join(' ')
      parts.push({ text, terms: [...new Set(part.map(({ term }) => term))], whole })
    }
  }
  return parts
}

/** Runs of words that tell something, joined by 的, 和 or 、; each may begin later, and end earlier where it comes again. */
function chinesePhrases(clause: string): readonly Part[] {
  const words = chineseWords(clause.replace(LEADS, '').trim())
  const phrases: Part[] = []
  let run: string[] = []
  for (const [at, word] of [...words, ''].entries()) {
    const [before, next] = [words[at - 1] ?? '', words[at + 1] ?? '']
    // 别墅用的热泵: a verb before 的 belongs to what stands behind it.
    const verb = run.length > 0 && next === '的' && word.length === 1 && !CHINESE_STOP_CHARACTERS.has(word)
    const ends = run.length > 0 && next === '' && SUFFIX.test(word)
    // 一组照片, 睡眠变好了: what only counts, and what a particle follows, belongs to no thing.
    const isVerb = word.length === 1 && rarityOf(word) < 1 && ASPECT.test(next)
    const isCounted = word.length === 1 && NUMERAL.test(before)
    const countsInside = isCounted && run.at(-1) === before
    const joins = verb || ends || countsInside || ((run.length > 0 ? CHINESE_LINK : PREFIX).test(word) && tells(next))
    // The segmenter leaves particles at what follows: 了一. 规划一条路线: what stands before a count is its verb.
    const isCut = ASPECT.test(word) || (word !== '的' && CUTS.test(word)) || (COUNT.test(word) && before !== '的')
    if (
      ((tells(word) && !CHINESE_LINK.test(word)) || joins) &&
      !isVerb &&
      !(isCounted && !countsInside) &&
      !isCut &&
      run.length < MOST_CHINESE_WORDS
    )
      run.push(word)
    else {
      phrases.push(...chineseParts(run, word))
      run = []
    }
  }
  return phrases
}

/** The words of a clause; single characters that the segmenter left side by side are one word: 页面, 跳转. */
function chineseWords(clause: string): readonly string[] {
  const words: string[] = []
  let isOpen = false
  for (const { segment } of segmenter.segment(clause)) {
    const single =
      segment.length === 1 && HAN.test(segment) && !isFunction(segment) && !NUMERAL.test(words.at(-1) ?? '')
    if (single && isOpen) words[words.length - 1] += segment
    else words.push(segment)
    isOpen = single && words.at(-1)!.length < 3
  }
  return words
}

function isFunction(character: string): boolean {
  return (
    CHINESE_STOP_CHARACTERS.has(character) ||
    CHINESE_LINK.test(character) ||
    ASPECT.test(character) ||
    NUMERAL.test(character)
  )
}

function chineseParts(words: readonly string[], closing: string): readonly Part[] {
  const run = [...words]
  // "圣诞活动该怎么…": a single character before what tells nothing is a verb.
  const last = run.at(-1) ?? ''
  const isVerb = closing !== '' && last.length === 1 && HAN.test(last) && !SUFFIX.test(last)
  const isCut = isVerb || CUTS.test(closing) || COUNT.test(closing) || goesOn(closing)
  while (NO_END.test(run.at(-1) ?? '') || NUMERAL.test(run.at(-1) ?? '')) run.pop()
  return run.flatMap((word, from) => {
    // What stands before 的 belongs to what stands behind it; a single character is often half of a name.
    const before = run[from - 1]
    const isInside = before?.length === 1 && !CHINESE_LINK.test(before) && rarityOf(before) === 1
    if (before === '的' || isInside || COUNT.test(word) || (before !== undefined && !mayBegin(word))) return []
    const parts: Part[] = []
    for (let to = from; to < run.length; to++) {
      const whole = to === run.length - 1
      if (!whole && (to - from >= MOST_WORDS_AGAIN || !mayEnd(run[to]!, run[to + 1]!))) continue
      const part = run.slice(from, to + 1)
      const text = part.join('').trim()
      if (text.split('《').length !== text.split('》').length) continue
      const terms = part.filter(tells).map((one) => (HAN.test(one) ? one : englishTerm(bareOf(one))!))
      parts.push({ text, terms: [...new Set(terms)], whole: whole && !isCut })
    }
    return parts
  })
}

function mayEnd(word: string, next: string): boolean {
  return next !== '的' && !goesOn(next) && mayBegin(word)
}

/** A single character that is no function word ends what stands before it: 流动性, 摄入超标. */
function goesOn(next: string): boolean {
  return next.length === 1 && HAN.test(next) && !isFunction(next)
}

function tells(word: string): boolean {
  if (!HAN.test(word)) return /[\p{L}\p{N}]/u.test(word) && englishTerm(word) !== null
  if (PRONOUN.test(word) || rarityOf(word) === 0) return false
  return ![...word].every((character) => CHINESE_STOP_CHARACTERS.has(character) || rarityOf(character) === 0)
}

/** 些, 里 and other single characters that many chats use belong to what stands before them. */
function mayBegin(word: string): boolean {
  return tells(word) && !CHINESE_LINK.test(word) && word.length > 1
}
