/**
 * Does a text forbid that it be kept ("don't save that …", 别记住, "off the record")? Who only tells of not keeping
 * forbids nothing, nor does a task with other things to store.
 */
import { asOrder, IN_MEMORY, KEEP, KEEP_HAN, KEEPING, KEPT, POLITE, THING } from './keeping.ts'

const OFF_RECORD = `\\boff the record\\b|\\bnot for the record\\b|\\bbetween (?:us|you and me) only\\b|\\b(?:keep|leave|take) ${THING} out of your (?:memory|memories|records?|notes)\\b`
const NOT =
  "(?:do(?: not|n['’]?t)|never|(?:you )?(?:should|must|need|may)(?: not|n['’]?t)|(?:you )?do(?: not|n['’]?t) (?:need|have) to|no need to|not(?: to)?)"
const RATHER_NOT =
  "i(?:['’]d| would) (?:rather|prefer)(?: it)?(?: if| that)? you (?:(?:did|do|would)(?: not|n['’]?t)|not|never)"
const DO_NOT_WANT = "(?:i|we) (?:do(?: not|n['’]?t)|would(?: not|n['’]?t)) (?:want|like|wish|need|expect)"
const SAID = `(?:${THING}|anything|what i [^.!?,;:\\n]{1,40}?|(?:my|our) [^.!?,;:\\n]{1,40}?)`
const PASSIVE = `(?:${SAID}(?:['’]s| is| are| must| should| may| shall)(?: not|n['’]t)|(?:none of ${THING}|nothing)(?: [a-z]+)?) (?:meant |supposed )?(?:to )?be ${KEPT}`
const ENGLISH = new RegExp(
  `(?:^|[,;:(—–]\\s{0,8}|- |\\b(?:please|but|so|and) )${POLITE}(?:(?:${NOT}|${RATHER_NOT}|${DO_NOT_WANT} you to)(?: ever| please){0,2} (?:${KEEP}|(?:put|keep|add|enter|write|save|store) ${SAID} ${IN_MEMORY})|(?:avoid|refrain from|stop) ${KEEPING}|${DO_NOT_WANT} ${SAID} (?:to be )?${KEPT}|${PASSIVE})`,
  'gi',
)
/** Behind the verb: nothing, or a word that points to what was said. */
const POINTS = new RegExp(
  `^(?: (?:${THING}|anything|everything|what i (?:['’]ve )?(?:just )?(?:said|told you)|what follows)(?: (?:conversation|chat|message|information|info|part|fact|detail|stuff|thing)s?)?)?(?: down)?(?:$|[^\\p{L}\\p{N}\\s]|\\s+(?:$|[^\\p{L}\\p{N}]|(?:please|pls|though|anywhere|down|for|about|from|regarding|but|ok|okay|at all|by you)\\b|${IN_MEMORY}\\b))`,
  'iu',
)
const CLAUSE =
  /^ (?:the fact )?that (?:(?:i|we|he|she|they|it|you|there|this|these|the|an?|my|our|his|her|their|its|some\w*|no ?\w*|every\w*)\b|(?-i:[A-Z]))/i
const OF_SELF = /^[^.!?,;:，：；(—–\n]{0,80}\b(?:i|me|my|mine|we|us|our|ours)\b/i
/** "Don't store my key in the code": another place than the memory. */
const ELSEWHERE = /^[^.!?,;:，：；(—–\n]{0,80} (?:in|into|to|on|as) (?:the|an?|git|plain|this|local)\b/i

const LEFT = '下来|下去|起来|下|来|住|了|啊|哦|吧|哈|呢|啦'
const CHINESE = new RegExp(
  `(?:(?<![我们叫让劝特区分级性告类])(?:不要|不用|不必|不需要|无需|别|別)|不许|不准|不得|请勿|勿|甭|莫|禁止|(?:不(?:希望|想|愿意?)|别|不要)(?:让|要|被)?(?=你|您|被|有?人))(?:再|去|要|会|你|您|被|有?人|给我|帮我|替我|往(?:心|记忆|笔记|脑子)里?写?|(?:把|将)([^，。！？；\\n]{1,40}?)){0,4}(?:${KEEP_HAN}|(?<=[里心])写)(?:${LEFT}){0,3}|(?:别|不要|请勿|甭|莫)(?:再|给我)?(?:留|作|做)(?:下|有)?[^，。！？；\\n]{0,30}?(?:记录|底|痕迹)`,
  'gu',
)
const POINTS_HAN =
  /^(?:[：:，,。！!；;、\s]|$|[这那它](?![么样])|任何|关于|有关|刚才|以上|上面|什么|(?:到|进|在)?(?:你的?)?(?:长期)?(?:记忆|笔记|档案)里?(?:[，。：！\s]|$))/u
const OF_SELF_HAN = /^[我咱俺]/u
/** Behind a verb of two characters, which means nothing but keeping, the words of the writer may come later. */
const HOLDS_SELF_HAN = /^[^，。！？；：\n]{0,30}[我咱俺]/u
const PLAIN_HAN = /(?:记住|记下|记录|保存|存储|储存)$/u

/** Most sentences are read no further. */
const MAY_FORBID =
  /\b(?:not|never|no need|avoid|refrain|stop|none|nothing|record|between|out of)\b|n['’]?t\b|[别別勿甭莫]|不[要用必许准得希想愿需]|无需|禁止/i
const MAY_KEEP =
  /remember|memor|retain|\bnot(?:e|ing)|record|sav|stor|\blog|down\b|mind\b|between|out of|[记記存录錄留底痕写登備备]/i
const SENTENCE = /[^.!?。！？\n]+[.!?。！？]*/gu

/** Whether a sentence of the text forbids that what is said be kept. */
export function forbids(text: string): boolean {
  if (!MAY_KEEP.test(text) || !MAY_FORBID.test(text)) return false
  for (const [said] of text.matchAll(SENTENCE))
    if (MAY_KEEP.test(said) && MAY_FORBID.test(said) && forbidsIn(said.trim())) return true
  return false
}

const OFF = new RegExp(OFF_RECORD, 'i')

function forbidsIn(sentence: string): boolean {
  const said = asOrder(sentence)
  if (/[吗？?]\s{0,40}$/.test(said)) return false
  if (OFF.test(said)) return true
  for (const { 0: words, index } of said.matchAll(ENGLISH)) {
    const rest = said.slice(index + words.length)
    if (POINTS.test(rest)) return true
    // "I like it but don't remember my …" goes on about the writer.
    if (/^(?:but|so|and) (?!.*\bplease )/i.test(words)) continue
    if (CLAUSE.test(rest) || (OF_SELF.test(rest) && !ELSEWHERE.test(rest))) return true
  }
  for (const { 0: words, 1: moved, index } of said.matchAll(CHINESE)) {
    const rest = said.slice(index + words.length)
    if (/留|作|做/.test(words) || POINTS_HAN.test(rest) || OF_SELF_HAN.test(rest)) {
      if (moved === undefined || /[我咱俺这那他她刚]|记/u.test(words)) return true
    }
    if (PLAIN_HAN.test(words) && HOLDS_SELF_HAN.test(rest)) return true
  }
  return false
}
