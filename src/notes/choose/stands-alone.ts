/**
 * Can a sentence stand alone in notes that are read months later, by somebody who was not there? Not if it asks, speaks to
 * somebody, or begins by pointing at what was said before ("It helped").
 */
import { isQuestion } from '../../language/questions.ts'

/** Words that only begin a turn of talk: they are taken off. */
const ENGLISH_OPENING =
  /^(?:(?:oh|wow|ooh|aww?|haha|lol|yeah|yep|yup|yes|sure|well|so|and|but|also|plus|actually|honestly|anyways?|okay|ok|hey|hi|hello|thank(?:s| you)(?: (?:so much|a lot|again))?(?: for [^,.!?;–—-]{1,40})?|absolutely|definitely|totally|exactly|agreed|btw|by the way|guess what|you know|i mean|to be honest|of course)\b(?:,? \p{Lu}\p{Ll}+(?=[!,.]))?\s*(?:[,;:.!–—-]+\s*|(?=\s)\s*))+(?=\S)/iu
const CHINESE_OPENING =
  /^(?:(?:哈哈+|嗯+|哦+|啊|哎呀?|唉|对了|对啊?|是的|是啊|好的?|好吧|行|那个?|然后|所以|而且|另外|其实|说实话|话说|顺便(?:说一下)?|还有|不过|但是?)[\s，,。.!！~～…、]+)+(?=\S)/
const TO_SOMEBODY = /\b(?:you|your|yours|yourself|y['’]all|u)\b|\blet['’]?s\b|\bwe both\b|[你您]|咱俩/i
const POINTS =
  /^(?:it|its|it['’]s|it['’]ll|that|that['’]s|this|these|those|they|they['’](?:re|ve|ll|d)|them|their|he|he['’]s|she|she['’]s|his|her|such|same|both|there|there['’]s|here|then|another|one|which)\b|^(?:它们?|他们?|她们?|这(?!周|个月|年)|那(?!年)|此|其(?!实|中)|后者|前者|两者|都|也(?!许)|还是)/i

/** The sentence without words that only tie it to the talk, with a capital in front. */
export function withoutOpening(sentence: string): string {
  const said = sentence.trim()
  const bare = said.replace(CHINESE_OPENING, '').replace(ENGLISH_OPENING, '').trim()
  return (bare === '' ? said : bare).replace(/^\p{Ll}(?=\p{Ll}|\s|['’])/u, (letter) => letter.toUpperCase())
}

/**
 * Whether a sentence is understood by itself. `follows`: the sentence before it is shown, so that "it" may point there.
 */
export function standsAlone(sentence: string, follows = false): boolean {
  if (isQuestion(sentence) || TO_SOMEBODY.test(sentence)) return false
  return follows || !POINTS.test(sentence)
}
