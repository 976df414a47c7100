/**
 * Which words of a sentence could stand as a title? In English things and acts ("repairing an old tram"), in Chinese
 * whole clauses without their front; never cut inside a thing or a quotation.
 */
import { CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS } from '../../language/stop-words.ts'
import { wordList } from '../../language/word-lists.ts'
import { refersBack } from '../write-decision/refers-back.ts'
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

const HAN = /\p{Script=Han}/u
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
  /^(?:please|kinda|sorta|kind|sort|really|pretty|quite|bit|lots?|super|already|always|never|now|even|still|yet|maybe|sure|btw|today|yesterday|tomorrow|tonight|later|soon|together|due|congrats|thanks|bummer|kudos|here|again|right|\p{L}+ly)$/u
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
/** Words for somebody or something that was named elsewhere. */
const CHINESE_POINTS =
  /[他她它]|(?<![\ue000-\ue0ff])[这那](?![周月年])|类似|^(?:里面|其|包括|比如|例如|像|尤其|特别是)/u
/** A beginning that waits for the clause behind it. */
const CHINESE_WAITS = /(?:时候?|[之以]?后|的话)$/u
/** Chinese words that a phrase keeps in front, since the next ones depend on them. */
const PREPOSITION = /^(?:在|跟着|按照|围绕|通过|把|和|跟|与|同|从|向|给|对|对于|关于|为|为了|让|被|由|用|将)$/u
/** A clause that goes on from something else, or only says how it is. */
const CHINESE_GOES_ON = /[也还都又却]|越来越|[挺得]很?|没/u
const [ASKED, GOES_ON] = [1.4, 0.6]
/** Words in front of what is asked for. */
const CHINESE_ASKS =
  /^.{0,8}?(?:有没有|是否有|有什么|有哪些|有啥|能不能|能否|帮我(?![妈爸家])|请问|想知道|想问问?|想请教|想了解|想听听|想聊聊|关于|针对|对于)(?:一下)?/u
/** Words in front of what a sentence is about: its time, its subject, a wish to ask. */
const CHINESE_FRONT =
  /^(?:.{0,12}?我们?(?![妈爸家])|因为|由于|虽然|尽管|如果|只是|总?感觉|总?觉得|刚刚?|正想?|又|再|还|也|才|都|最近|终于|突然|特别|[昨今前明后]天|[今昨][早晚]|[早晚]上|[上下中]午|周[一二三四五六日末]|正?在(?=研究|规划|构思|准备|考虑|筹备|整理|计划|策划|挑|学|做|看|找|写|想|尝试|为)|(?<=^正)在)/u
const LEAST_OPENING_CHINESE = 0.3
const SINGLE = /^(?:(?![我你您咱来号日年点时内外里前后间一二三四五六七八九十两几])\p{Script=Han}|[A-Z])$/u
const PARTICLES = /(?:这些|那些|等等?|之类|什么的?|可以推荐|[吗呢吧啊呀哦嘛啦的\s]){1,40}$/u
const MOST_FRONTS = 6
const MOST_HAN = 26
const FEWEST_HAN = 4

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
  const chinese = HAN.test(sentence)
  return masked.split(chinese ? CHINESE_BREAK : CLAUSE_BREAK).flatMap((clause, at) =>
    (chinese ? chineseTexts : englishTexts)(clause)
      .map(restored)
      .filter((text) => [...text].length <= most)
      .map((text) => ({
        text,
        terms: tellingWords(text),
        clause: at,
        weight: CHINESE_ASKS.test(clause) ? ASKED : CHINESE_GOES_ON.test(text) ? GOES_ON : 1,
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
      (VERB.test(words[to]!) || (!isAct && GERUND.test(words[to]!)) || (from === start && isAct && ends.length === 0))
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
    const startsAct = at > from && /[^s]s$/.test(word) && GERUND.test(words[at + 1]?.toLowerCase() ?? '')
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

function chineseTexts(clause: string): readonly string[] {
  let bare = clause.trim()
  for (let fronts = 0; fronts < MOST_FRONTS; fronts++) bare = bare.replace(CHINESE_ASKS, '').replace(CHINESE_FRONT, '')
  const words = wordsIn(bare)
  let from = 0
  while (
    from < words.length &&
    !PREPOSITION.test(words[from]!) &&
    !MASKED_ONE.test(words[from]!) &&
    !(rarityOf(words[from]!) > LEAST_OPENING_CHINESE && tellingTerm(words[from]!) !== null)
  )
    from++
  // 小程序, 刚上完: a single character belongs to the word behind it.
  while (from > 0 && SINGLE.test(words[from - 1]!) && !CHINESE_STOP_CHARACTERS.has(words[from - 1]!)) from--
  const text = words.slice(from).join('').replace(PARTICLES, '').trim()
  const length = [...text].length
  return length < FEWEST_HAN ||
    length > MOST_HAN ||
    CHINESE_POINTS.test(text) ||
    CHINESE_WAITS.test(text) ||
    refersBack(clause)
    ? []
    : [text]
}
