/**
 * Which words of a sentence could stand as a title? Whole clauses without lead-ins; in English also their ends ("for an
 * old tram") and beginnings, never cut inside a thing or a quotation.
 */
import { CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS } from '../../language/stop-words.ts'
import { refersBack } from '../write-decision/refers-back.ts'
import { rarityOf, tellingTerm, tellingWords, wordsIn } from './common-words.ts'

/** Words that could name something, with the terms that they are weighed by. */
export interface Phrase {
  readonly text: string
  readonly terms: readonly string[]
  /** Clauses of its sentence before it. */
  readonly clause: number
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
/** Words that link the words of one thing. */
const LINK =
  /^(?:of|to|for|in|with|on|from|into|between|about|at|by|and|or|vs|as|per|&|without|during|over|after|before|like|than)$/
/** Words of time: no part of a title. */
const WHEN =
  /(?:\s(?:on|in|since|by|until|for))?\s(?:(?:last|next|this|every) (?:\w{1,20} )?(?:week(?:end)?|month|year|night|morning|evening|afternoon|time|spring|summer|autumn|fall|winter|\w{2,6}day)|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}(?:st|nd|rd|th)?(?:[-–]\d{1,2})?)\b/giu
/** Words behind which no phrase begins: the next word belongs to the one before. */
const HOLDS =
  /^(?:to|of|and|or|&|as|per|is|are|was|were|am|been|being|be|ha[sd]|have|do(?:es)?|did|can|could|will|would|should|may|might|must|not|\p{L}+n['’]t|\p{L}+ly)$/u
/** Words that only colour another one. */
const FILLER =
  /^(?:kinda|sorta|kind|sort|really|pretty|quite|bit|lots?|super|already|always|never|now|even|still|yet|maybe|sure|btw|today|yesterday|tomorrow|tonight|here|again|right|\p{L}+ly)$/u
/** Words that begin a statement about the words before them. */
const FINITE =
  /^(?:i|we|you|he|she|it|they|is|are|was|were|am|ha[sd]|have|do(?:es)?|did|can|could|will|would|should|may|might|must|\p{L}+n['’]t|that|which|who|because|since|if|when|while|whether|where|how|what|why|so|but|not|also|then|th?ere|(?:sound|look|seem|feel|mean|make|keep|get|become)s?|felt|made|kept|got|used|gave|went)$/u
const MODAL = /^(?:will|can|may|might|must)$/
/** A lone word of such an ending is a verb without its object. */
const VERB = /^\p{Ll}{2,}(?:ing|ed)$|^(?:made|met|took|gave|tried|told|saw|found|left)$/u
/** The least telling weight of a word in the opening of a phrase. */
const LEAST_OPENING = 0.6
const LEAST_FIRST = 0.25
const MOST_WORDS = 40
/** Words for somebody or something that was named elsewhere. */
const POINTS = /^(?:your|his|her|hers|him|their|theirs|them|its|this|these|those)$/
const CHINESE_POINTS = /[他她它]|^(?:这|那|其|包括|比如|例如|像|尤其|特别是)/u
/** A beginning that waits for the clause behind it. */
const CHINESE_WAITS = /(?:时候?|[之以]?后|的话)$/u
/** Chinese words that a phrase keeps in front, since the next ones depend on them. */
const PREPOSITION = /^(?:在|把|和|跟|与|同|从|向|给|对|对于|关于|为|为了|让|被|由|用|将)$/u
const LEAST_OPENING_CHINESE = 0.3
const SINGLE = /^(?:(?![我你您咱来号日年点时内外里前后间一二三四五六七八九十两几])\p{Script=Han}|[A-Z])$/u
const PARTICLES = /(?:这些|那些|等等?|之类|[吗呢吧啊呀哦嘛啦的\s]){1,40}$/u
const MOST_HAN = 32
const FEWEST_HAN = 3

/** The phrases of at most `most` characters, in the order in which they begin. */
export function phrasesOf(sentence: string, most: number): readonly Phrase[] {
  const quoted: string[] = []
  const masked = sentence.replace(QUOTED, (text) =>
    quoted.length < MOST_QUOTED ? String.fromCharCode(MASK + quoted.push(text) - 1) : text,
  )
  const restored = (text: string): string => text.replace(MASKED, (mask) => quoted[mask.charCodeAt(0) - MASK] ?? '')
  const chinese = HAN.test(sentence)
  return masked.split(chinese ? CHINESE_BREAK : CLAUSE_BREAK).flatMap((clause, at) =>
    (chinese ? chineseTexts : englishTexts)(clause)
      .map(restored)
      .filter((text) => [...text].length <= most)
      .map((text) => ({ text, terms: tellingWords(text), clause: at })),
  )
}

function englishTexts(clause: string): readonly string[] {
  const words = clause.replace(/\s+/g, ' ').replace(WHEN, '').trim().split(' ').slice(0, MOST_WORDS)
  const texts: string[] = []
  for (const [from, word] of words.entries()) {
    const before = words[from - 1]?.toLowerCase() ?? ''
    if (isFunction(word) || (before !== '' && !isFunction(before))) continue
    if (texts.length > 0 && HOLDS.test(before)) continue
    let [start, to] = [from, endOfRun(words, from)]
    if (!words.slice(start, to).some(opens)) continue
    // "considering a tram", "awesome news": words of many tell nothing in front.
    while (!opens(words[start]!) && rarityOf(tellingTerm(words[start]!) ?? 'make') <= LEAST_FIRST) start++
    for (;;) {
      const run = words.slice(start, to)
      if (run.some((one) => POINTS.test(one.toLowerCase()))) break
      const isLost = to < words.length && losesObject(run, words[to]!.toLowerCase())
      if (!isLost) texts.push(run.join(' '))
      let next = to
      while (next < words.length && isFunction(words[next]!) && !tellsOf(words[next]!)) next++
      if (next === to || next >= words.length || tellsOf(words[next]!)) break
      to = endOfRun(words, next)
    }
  }
  return texts
}

/** A verb at the end whose object follows ("to ensure we …"), or one alone behind a linking word: "… and met". */
function losesObject(run: readonly string[], next: string): boolean {
  const last = run.at(-1)!
  if (/^to$/i.test(run.at(-2) ?? '') && !LINK.test(next)) return true
  return VERB.test(last) && (/ed$/.test(last) || !LINK.test(next) || isFunction(run.at(-2) ?? 'a'))
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

function tellsOf(word: string): boolean {
  return FINITE.test(contracted(word.toLowerCase()))
}

/** "that's" → "that", "I've" → "i", but "Ana's" is no subject of a clause. */
function contracted(word: string): string {
  return word.replace(/['’](?:s|re|ve|ll|d|m)$/, '')
}

function chineseTexts(clause: string): readonly string[] {
  const words = wordsIn(clause.trim())
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
