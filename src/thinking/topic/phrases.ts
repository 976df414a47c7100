/**
 * Which words of a sentence could stand as a title? Things and acts ("repairing an old tram", 老船的修理), never cut inside
 * a thing or a quotation.
 */
import { hasHan } from '../../language/character-class.ts'
import { CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS } from '../../language/stop-words.ts'
import { wordList } from '../../language/word-lists.ts'
import { rarityOf, tellingTerm, tellingWords, wordsIn } from './common-words.ts'

/** Words that could name something, with the terms that they are weighed by. */
export interface Phrase {
  readonly text: string
  readonly terms: readonly string[]
  /** Clauses of its sentence before it. */
  readonly clause: number
  /** How much it counts: more where it is asked for, less where it goes on from something else. */
  readonly weight: number
}

const QUOTED =
  /(?<![\p{L}\p{N}])(?:"[^"\n]{1,60}"|'[^'\n]{1,60}'(?![\p{L}\p{N}]))|‘[^’\n]{1,60}’|“[^”\n]{1,60}”|《[^》\n]{1,60}》/gu
/** The stand-in of a quotation while its sentence is cut. */
const MASK = 0xe000
const MASKED = /[\ue000-\ue0ff]/g
const MOST_QUOTED = 0x100
const CLAUSE_BREAK =
  /[^\p{L}\p{N}\p{M}\ue000-\ue0ff\s'’_./+#&$%@:,-]+|[:,](?!\d)|[.](?=\s|$)|\s[-–—]{1,40}\s|\s(?=(?:and|but|so|or) (?:i|we|you|it|he|she|they|my|our|can|could|should|would|how|what|do|does|is|are|to)\b)/iu
const CHINESE_BREAK = /[，,；;：:。！!？?～…\n（）()]|——|\s—{1,40}\s/u
/** Words that link one thing to the next. */
const LINK =
  /^(?:of|to|for|in|with|on|from|into|between|about|at|by|and|or|vs|as|per|&|without|during|over|after|before|like|than)$/
/** Those behind which a time or a manner stands: no phrase goes on with them. */
const OUTSIDE = /^(?:by|per|during|over|after|before|like|than)$/
/** A link behind which another thing follows. */
const ADDS = /^(?:and|or|&|vs)$/
/** Words before a thing, which may stand within a phrase, and those that are left outside. */
const ARTICLE = /^(?:an?|the|my|our|all|some)$/
const COUNTS =
  /^(?:what|which|some|any|no|each|every|another|all|many|few|several|more|most|have|ha[sd]|[$€£]?\d[\d.,]{0,9}%?|\S{1,40}['’]s)$/
/** Behind such a word, the one before was a verb: "dared me", "enjoyed the". */
const OBJECT = /^(?:an?|the|my|our|me|us|it|this|these|those|him|her|them|your|his|their|its|some|any|out|up|off|down)$/
/** Words of time: no part of a title. */
const WHEN =
  /(?:\s(?:on|in|since|by|until|for))?\s(?:(?:last|next|this|every) (?:\w{1,20} )?(?:week(?:end)?|month|year|night|morning|evening|afternoon|time|spring|summer|autumn|fall|winter|\w{2,6}day)|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}(?:st|nd|rd|th)?(?:[-–]\d{1,2})?)\b/giu
/** Words that only colour another one. */
const FILLER =
  /^(?:please|kinda|sorta|kind|sort|really|pretty|quite|bit|lots?|super|already|always|never|now|even|still|yet|maybe|sure|btw|today|yesterday|tomorrow|tonight|later|soon|together|due|instead|congrats|thanks|bummer|kudos|here|again|right|\p{L}+ly)$/u
/** Words that begin a statement about the words before them. */
const FINITE =
  /^(?:i|we|you|he|she|it|they|is|are|was|were|am|ha[sd]|have|do(?:es)?|did|can|could|will|would|should|may|might|must|\p{L}+n['’]t|that|which|who|because|since|if|when|while|whether|where|how|what|why|so|but|not|also|then|th?ere|['’]?(?:cause|cuz|til)|(?:sound|look|seem|feel|mean|make|keep|get|become)s?|felt|made|kept|got|used|gave|went)$/u
const MODAL = /^(?:will|can|may|might|must)$/
/** The subject of what somebody does, or the word before a verb in its base form. */
const ACTS = /^(?:to|i|we|ive|(?:i|we)['’](?:ve|ll|d))$/
/** Words between a subject and its verb. */
const BETWEEN = /^(?:have|had|will|would|can|could|should|did|do)$/
/** Verbs that tell no act of their own, plain or with -ing and -ed. */
const NO_ACT =
  /^(?:try|ask|tell|let|see|know|say|go|be|do|get|keep|start|beg[aiu]n|continu|decid|seem|feel|think|hop|wish|want|need|help|lov|lik|prefer|enjoy|hat|guess|look|wonder|hav|mean|us|consider|talk|plan|mak|ensur|struggl|work|find|tak|giv|com|happen|remember|worr)(?:e|y|s|es|ies|ed|ied|ing|d|t|ying|ning|ting)?$/
/** Those of them behind which no thing follows. */
const NO_OBJECT = /^(?:feel|seem|look|be|go|get|keep|happen|com)/
/** Verbs in the past, which are no part of a thing. */
const PAST =
  /^(?:went|saw|met|took|came|found|gave|told|said|lost|broke|fell|ate|drank|ran|won|spent|sent|brought|began|wrote|heard|sold|paid|slept|drove|flew|caught|woke|made|bought|taught|knew|became|chose|grew|\p{Ll}{2,20}[^e\P{Ll}]ed)$/u
/** Endings by which a word is a noun, an adjective, an act. */
const NOUN = /(?:ion|ment|ness|ity|ship|s)$/
/** "… and incorporate": a verb, and no further thing. */
const VERB = /(?:[^aeiou]ate|ize|ify)$/
const ADJECTIVE = /(?:(?:[^t]|suit|profit|comfort)able|ible|[^m]ful|ous|less|ish)$/
const GERUND = /^\p{L}[\p{Ll}'’-]{2,40}ing$/u
/** The least telling weight of some word of a phrase. */
const LEAST_OPENING = 0.5
const LEAST_FIRST = 0.25
const MOST_WORDS = 40
/** A number or a word that points, with the word that counts: 一家, 那套, 了个. */
const COUNTED =
  /(?:第?[一二三四五六七八九十百千万两几半数多\d]{1,9}|[这那哪每某各整])(?:多|来)?(?:个?月份?|个|家(?![人庭])|天(?!气)|周(?:[一二三四五六日天末]|年)?|年(?!代)|[款套次种份条件位张顿场块片段杯本篇只点分元岁遍趟批台炉辆部间双页号层人步门栋组节句笔封首道碗瓶盒袋根支堂]|小时|分钟|公里|会儿)|了(?:[个款套条份顿场篇些趟批炉张位件]|会儿)|[上下]个?(?:月|周末?|星期|礼拜|次)/gu
/** Words that lead to what is asked for or planned. */
const CHINESE_ASKS = /怎么|如何|什么|哪|是否|有没有|能不能|推荐|关于|帮我|请教|想(?!到)|打算|计划|准备|规划|需要|担心/u
const ASKED = 1.6
/** Words that link the parts of a Chinese thing, and those of an act with its place. */
const CHINESE_LINK = /^(?:的|和|与|及|到)$/u
/** Words that end what is said of a thing: 起来, 主要是; figures and signs. */
const CHINESE_BETWEEN = /^(?:大家|[时来后前上下里完内成万亿]|不.)$|.[来去是在到完]$|[^心所]得$|^[^\p{L}]{0,40}$/u
/** Behind such a word a verb tells what somebody did. */
const CHINESE_TELLS = /^(?:[了着过来到给完起下\n]|什么|[得成]$)/u
const HALF = /^[里地前后上下内外]$/u
/** 摄影群里 → 摄影群. */
const PLACE_END = /(?<=^\p{Script=Han}{2,20})里$/u
const LONE = /^\p{Script=Han}$/u
const MOST_HAN = 20
const FEWEST_HAN = 2

/** The phrases of at most `most` characters, in the order in which they begin. */
export function phrasesOf(sentence: string, most: number): readonly Phrase[] {
  const quoted: string[] = []
  const masked = sentence.replace(QUOTED, (text) =>
    quoted.length < MOST_QUOTED ? String.fromCharCode(MASK + quoted.push(text) - 1) : text,
  )
  const restored = (text: string): string =>
    quoted.length === 0
      ? text
      : text
          .replace(/([\ue000-\ue0ff]) (?=[\ue000-\ue0ff])/g, '$1, ')
          .replace(MASKED, (mask) => (quoted[mask.charCodeAt(0) - MASK] ?? '').replace(/[,.](?=["”]$)/, ''))
  const chinese = hasHan(sentence)
  return masked.split(chinese ? CHINESE_BREAK : CLAUSE_BREAK).flatMap((clause, at) =>
    (chinese ? chineseTexts : englishTexts)(clause)
      .map(restored)
      .filter((text) => [...text].length <= most)
      .map((text) => ({
        text,
        terms: tellingWords(text),
        clause: at,
        weight: chinese && CHINESE_ASKS.test(clause) ? ASKED : 1,
      })),
  )
}

/** Things with the links between them ("a map of tide tables"), and acts with their object ("tuning the organ"). */
function englishTexts(clause: string): readonly string[] {
  const words = clause.replace(/\s+/g, ' ').replace(WHEN, '').trim().split(' ').slice(0, MOST_WORDS)
  const texts: string[] = []
  for (const [from, word] of words.entries()) {
    if (isFunction(word, words[from + 1] ?? '')) continue
    const act = actAt(words, from)
    if (act === null && !beginsThing(words, from)) continue
    let start = from
    // "a new tram", "awesome news": words of many tell nothing in front.
    if (act === null)
      while (
        start + 1 < words.length &&
        !opens(words[start]!) &&
        rarityOf(tellingTerm(words[start]!) ?? 'make') <= LEAST_FIRST
      )
        start++
    const verb = endOfRun(words, from)
    // A short clause is whole: "My oven trips the fuse".
    if (
      from < 2 &&
      verb === from + 2 &&
      ARTICLE.test(words[verb]?.toLowerCase() ?? '') &&
      endOfRun(words, verb + 1) === words.length
    )
      texts.push(words.slice(from).join(' '))
    for (const end of endsOf(words, start, act !== null)) {
      const rest = words.slice(start + (act === null ? 0 : 1), end)
      if (
        (act === null && from === 0 && end < words.length && !BE.test(words[end]!.toLowerCase())) ||
        !rest.some(opens)
      )
        continue
      texts.push([...(act === null ? [] : [act]), ...rest].join(' '))
    }
  }
  return texts
}
const BE = /^(?:is|are|was|were|ha[sd]|have|will|can|starts?|of|for|in|with)$/

/** The places where a phrase from `start` on may end, the nearest first. */
function endsOf(words: readonly string[], start: number, isAct: boolean): readonly number[] {
  const ends: number[] = []
  let from = start
  let to = isAct ? start + 1 : start
  for (;;) {
    const end = endOfRun(words, to)
    const cut = endOfThings(words, to, end)
    const link = words[end]?.toLowerCase() ?? ''
    // "without compromising" waits for its object.
    const waits = OBJECT.test(link) && GERUND.test(words[end - 1]!.toLowerCase())
    if (cut > to && !waits) ends.push(cut)
    if (cut < end || end >= words.length) return ends
    const isObject =
      (ARTICLE.test(link) && GERUND.test(words[end - 1]!.toLowerCase())) ||
      (isAct && end === start + 1 && ARTICLE.test(link))
    if (!isObject && (!LINK.test(link) || OUTSIDE.test(link))) return ends
    to = isObject ? end : end + 1
    const hasArticle = ARTICLE.test(words[to]?.toLowerCase() ?? '')
    if (hasArticle) to++
    if (link === 'to' && !hasArticle && !/^\p{Lu}/u.test(words[to] ?? '')) return ends
    if (to >= words.length || isFunction(words[to]!, words[to + 1] ?? '')) return ends
    if (
      ADDS.test(link) &&
      (VERB.test(words[to]!) ||
        GERUND.test(words[to]!) ||
        PAST.test(words[to]!) ||
        (from === start && isAct && ends.length === 0))
    )
      return ends
    from = to
  }
}

/** The end of the things in a run of words: a verb behind them is none ("my friend dared me", "the studio starts teaching"). */
function endOfThings(words: readonly string[], from: number, to: number): number {
  if (from === to) return to
  for (let at = from; at < to; at++) {
    const word = words[at]!.toLowerCase()
    const isPast = PAST.test(word) && (at === to - 1 || !/ed$/.test(word))
    const startsAct =
      at > from &&
      ((/[^s]s$/.test(word) && GERUND.test(words[at + 1]?.toLowerCase() ?? '')) ||
        (GERUND.test(word) && NO_ACT.test(word)))
    // "the exercises Ana showed me"
    const isSubject = at > from && isGivenName(words[at]!) && /^\p{Ll}/u.test(words[at - 1]!)
    if (isPast || startsAct || isSubject) return at
  }
  const next = words[to]?.toLowerCase() ?? ''
  const last = words[to - 1]!.toLowerCase()
  if (ADJECTIVE.test(last) || /^\d{1,4}(?:st|nd|rd|th)$/.test(last)) return from
  if (OBJECT.test(next)) return GERUND.test(last) ? to : to - 1
  return next === 'to' && rarityOf(tellingTerm(last) ?? 'make') <= LEAST_FIRST ? from : to
}

function isGivenName(word: string): boolean {
  return /^\p{Lu}/u.test(word) && wordList('given-names').has(word.toLowerCase())
}

/** The act of a verb at this place, in its -ing form; null where there is none. */
function actAt(words: readonly string[], at: number): string | null {
  const word = words[at]!
  const next = words[at + 1]?.toLowerCase() ?? ''
  if (NO_ACT.test(word.toLowerCase()) || next === '' || ADDS.test(next)) return null
  if (isFunction(next) && !ARTICLE.test(next) && !LINK.test(next)) return null
  let before = at - 1
  while (before >= 0 && (FILLER.test(words[before]!.toLowerCase()) || BETWEEN.test(words[before]!.toLowerCase())))
    before--
  const subject = words[before]?.toLowerCase() ?? ''
  if (GERUND.test(word)) return ARTICLE.test(subject) || COUNTS.test(subject) ? null : word
  if (!/^\p{Ll}{2,20}$/u.test(word)) return null
  const leads = words[before - 1]?.toLowerCase() ?? ''
  // "could you compare tents", "help me plan a trip"
  if ((subject === 'you' && BETWEEN.test(leads)) || (subject === 'me' && leads === 'help'))
    return LINK.test(next) ? null : gerundOf(word, false)
  const isPlace = subject === 'to' && (NOUN.test(word) || !(ARTICLE.test(next) || LINK.test(next)))
  return ACTS.test(subject) && !isPlace ? gerundOf(word, subject !== 'to') : null
}

/** "invest", "invested" → "investing"; null for other forms of the past. */
function gerundOf(verb: string, isTold: boolean): string | null {
  if (isTold && /[^e]ed$/.test(verb)) return verb.replace(/(?:ied|ed)$/, (end) => (end === 'ied' ? 'ying' : 'ing'))
  if (PAST.test(verb)) return null
  if (/ie$/.test(verb)) return verb.replace(/ie$/, 'ying')
  if (/[^eoy]e$/.test(verb)) return verb.replace(/e$/, 'ing')
  return /^[^aeiou]*[aeiou][bdglmnprt]$/.test(verb) || /(?:[bf]e|com|ad|[fr]or|per)(?:gin|mit|get)$/.test(verb)
    ? `${verb}${verb.at(-1)!}ing`
    : `${verb}ing`
}

function beginsThing(words: readonly string[], at: number): boolean {
  if (PAST.test(words[at]!.toLowerCase()) || /^[$€£]?\d/.test(words[at]!)) return false
  if (at === 0) return true
  const before = words[at - 1]!.toLowerCase()
  if (ARTICLE.test(before) || COUNTS.test(before)) return true
  if (before === 'to') return /^\p{Lu}/u.test(words[at]!) || NOUN.test(words[at]!)
  if (LINK.test(before)) return !ADDS.test(before) || /^\p{Lu}/u.test(words[at]!)
  if (isFunction(before)) return /^\p{Lu}/u.test(words[at]!)
  return (NO_ACT.test(before) && !NO_OBJECT.test(before)) || actAt(words, at - 1) !== null
}

function opens(word: string): boolean {
  const term = tellingTerm(word)
  return MASKED_ONE.test(word) || (term !== null && rarityOf(term) >= LEAST_OPENING)
}
const MASKED_ONE = /[\ue000-\ue0ff]/

function endOfRun(words: readonly string[], from: number): number {
  let to = from
  while (to < words.length && !isFunction(words[to]!, words[to + 1] ?? '')) to++
  return to
}

function isFunction(word: string, next?: string): boolean {
  const plain = word.toLowerCase()
  if (next !== undefined && MODAL.test(plain) && (next === '' || LINK.test(next.toLowerCase()))) return false
  return ENGLISH_STOP_WORDS.has(plain) || LINK.test(plain) || FILLER.test(plain) || FINITE.test(contracted(plain))
}

/** "that's" → "that", "I've" → "i", but "Ana's" is no subject of a clause. */
function contracted(word: string): string {
  return word.replace(/['’](?:s|re|ve|ll|d|m)$/, '')
}

/** Things ("秋季新品的宣传方案") and acts with their object ("申请驾照"): runs without a word that only serves others. */
function chineseTexts(clause: string): readonly string[] {
  const serving = wordList('chinese-serving-words')
  const verbs = wordList('chinese-verbs')
  // 涨了, 我爸: the segmenter leaves particles and pronouns with their words.
  const words = joinedWords(wordsIn(clause.replace(/一下子?/g, '').replace(COUNTED, '\n'))).flatMap((word) =>
    serving.has(word) ? word : word.split(/(?=了$)|(?<=^[我你他她很])/u),
  )
  const isServing = (word: string): boolean => serving.has(word) || CHINESE_STOP_CHARACTERS.has(word)
  // Verbs of everybody and told acts stay outside: 说, 推荐, 签了.
  const isOutside = (word: string, at: number): boolean =>
    !MASKED_ONE.test(word) &&
    !(word === '会' && (words[at + 1] === undefined || words[at + 1] === '的')) &&
    (isServing(word) ||
      CHINESE_BETWEEN.test(word) ||
      (verbs.has(word) && CHINESE_TELLS.test(words[at + 1] ?? '')) ||
      (verbs.has(word) && words[at + 1] !== '的' && rarityOf(word) <= (word.length > 1 ? LEAST_FIRST : 0)) ||
      (word.length > 1 && tellingTerm(word) === null))
  // 会议室订 …: a single verb behind a thing begins what is left out.
  const isLeft = (at: number): boolean =>
    CHINESE_LINK.test(words[at]!) ||
    (at + 1 < words.length && words[at]!.length === 1 && verbs.has(words[at]!) && (words[at - 1] ?? '').length > 1)
  const outside = words.map(isOutside)
  const texts: string[] = []
  for (let from = 0; from < words.length; from++) {
    if (outside[from]) continue
    let to = from + 1
    while (to < words.length && (CHINESE_LINK.test(words[to]!) || !outside[to])) to++
    let end = to
    while (end > from && isLeft(end - 1)) end--
    // A verb may lead the thing, or stay outside, as it does before another: 带女儿去 ….
    const goesOn = end === to && verbs.has(words[to] ?? '')
    for (let start = from; start < end; start++) {
      const before = words[start - 1] ?? ''
      const isPart = words[start]!.length === 1 && !MASKED_ONE.test(words[start]!)
      if ((start > from && (!verbs.has(before) || isPart)) || CHINESE_LINK.test(words[start]!)) continue
      // Without its 不 a thing is its contrary.
      if (before === '不' || (goesOn && start + 1 < end && verbs.has(words[start]!))) continue
      const text = words.slice(start, end).join('').trim().replace(PLACE_END, '')
      const length = [...text].length
      if ((length >= FEWEST_HAN || MASKED_ONE.test(text)) && length <= MOST_HAN) texts.push(text)
    }
    from = to
  }
  return texts
}

/** 邻|里 → 邻里: a place or time behind one lone character is half of a word that the segmenter does not know. */
function joinedWords(words: readonly string[]): readonly string[] {
  const joined: string[] = []
  let isLone = false
  for (const word of words) {
    if (isLone && HALF.test(word)) joined.push(`${joined.pop()}${word}`)
    else joined.push(word)
    isLone = LONE.test(word) && !CHINESE_STOP_CHARACTERS.has(word) && !wordList('chinese-verbs').has(word)
  }
  return joined
}
