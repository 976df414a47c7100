/**
 * Does a text tell a single event, or a state? Meeting Ida at the station stays true; "We host everything on Hetzner"
 * can cease to hold.
 */

const LASTING =
  /\b(?:every|each|always|usually|mostly|often|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|these days|nowadays|for now|currently|since)\b|每|平时|一直|通常|都(?:是|在|用|去|吃|喝|走|跟)|现在|目前|如今/i
const ONCE =
  /\b(?:yesterday|today|tonight|tomorrow|this (?:morning|afternoon|evening|weekend)|last (?:night|week|month|weekend|year)|next (?:week|month|weekend|year)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|just (?:now|got|had|came))\b|昨|今天|今早|今晚|刚(?:刚|才)?|明天|后天|前天|上(?:周|个?月|星期|礼拜)|下(?:周|个?月|星期|礼拜)|(?:周|星期|礼拜)[一二三四五六日天]/i
const PAST_VERB =
  /\b(?:was|were|did|went|got|bought|saw|met|took|came|made|found|had|gave|told|said|felt|lost|broke|fell|ate|drank|ran|won|spent|sent|left|brought|began|wrote|heard|sold|paid|slept|drove|flew|caught|[a-z]{3,40}(?<!ne|b|f|s|fe|spe|exce|succe|proce|ind)ed)\b/i
/** 了 at the end of a clause, or behind a verb with an object of one occasion; 过. */
const HAN_DONE = /[^\s，。了为太]了(?!吗|解|不)|[^经通超路]过(?:$|[，。！])/u

/** true for an occasion, false for a state or a habit. */
export function happenedOnce(text: string): boolean {
  if (LASTING.test(text)) return false
  return ONCE.test(text) || (/\p{Script=Han}/u.test(text) ? HAN_DONE.test(text) : PAST_VERB.test(text))
}
