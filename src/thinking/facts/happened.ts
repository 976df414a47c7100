/**
 * Does a text tell a single event, or a state? Meeting Ida at the station stays true; "We host everything on Hetzner"
 * can cease to hold.
 */
import { hasHan } from '../../language/character-class.ts'
import { IRREGULAR_PAST } from '../../language/tense.ts'

const LASTING =
  /\b(?:every|each|always|usually|mostly|often|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|these days|nowadays|for now|currently|since)\b|每|平时|一直|通常|都(?:是|在|用|去|吃|喝|走|跟)|现在|目前|如今/i
const ONCE =
  /\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|weekend)|next (?:week|month|weekend|year)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|今天|今早|今晚|明天|后天|下(?:周|个?月|星期|礼拜)|(?:周|星期|礼拜)[一二三四五六日天]/i
const BYGONE_DAY =
  /\b(?:yesterday|last (?:night|week|month|weekend|year)|just (?:now|got|had|came))\b|昨|刚(?:刚|才)?|前天|去年|上(?:周|个?月|星期|礼拜)/i
const PAST_VERB = new RegExp(
  String.raw`(?<!\b(?:am|is|are|be|been|get|gets) |['’](?:m|s|re) )\b(?!(?<!\b(?:i|we|he|she|they) )(?:called|named)\b)(?:got|${IRREGULAR_PAST}|[a-z]{3,40}(?<!ne|b|f|s|fe|spe|exce|succe|proce|ind)ed)\b`,
  'i',
)
/** 了 at the end of a clause, or behind a verb with an object of one occasion; 过. */
const HAN_DONE = /[^\s，。了为太]了(?!吗|解|不)|[^经通超路]过(?:$|[，。！])/u
const HAN_ONCE = /[^经通超路]过(?:$|[，。！])/u

/** "We have a lodger called Piet": a state is told, and its verb form is no past. */
const STATE = /\b(?:am|is|are|has|have|do|does|can|im|don['’]?t)\b|['’](?:m|re|ve)\b/i

/** Whether it tells what is usual: "every day", 平时. */
export function isUsual(text: string): boolean {
  return LASTING.test(text)
}

/** true for an occasion, false for a state or a habit. */
export function happenedOnce(text: string): boolean {
  if (LASTING.test(text)) return false
  return ONCE.test(text) || BYGONE_DAY.test(text) || (hasHan(text) ? HAN_DONE.test(text) : PAST_VERB.test(text))
}

/** Whether it tells an act that is over: "was serviced in March", 昨天洗过; 租了间画室 tells what is so since. */
export function isPastAct(text: string): boolean {
  if (LASTING.test(text)) return false
  if (BYGONE_DAY.test(text)) return true
  return hasHan(text) ? HAN_ONCE.test(text) : PAST_VERB.test(text) && !STATE.test(text)
}
