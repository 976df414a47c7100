/** Did the user ask for this to be remembered (004: 记住, 记录, 请记住)? Told by the message as it was written. */
import { splitSentences } from '../../text/sentences.ts'
import { isPlainOrder } from '../write-decision/order-words.ts'
import { decideByRules } from '../write-decision/rules.ts'
import { withoutOpening } from './stands-alone.ts'

/** Orders inside a sentence; "I'll never forget that" and "keep it up" are none. */
const WITHIN =
  /(?<!\b(?:i|we|i['’]ll|we['’]ll|always|can|will|never|to|must) )\b(?:remember (?:that|this|it|my|our|i|we|the)\b|(?:make|take) (?:a |me a )?(?:mental )?note\b|note (?:that|this) down|keep in mind that|write (?:this|that|it) down|for the record\b|save (?:this|that) (?:to|in) (?:your )?memory)|\b(?:do not|don['’]?t) forget(?: that)? (?:i|my|we|our)\b|(?<!我|我们|会|没|不|才|都|还|永远|一直)(?:记住|记下来?|记一下|记录一下|记录下来|记着|记好|备注一下|别忘了(?!我的?心))/i

/** Who says what they will remember, or what is worth remembering, orders nothing. */
const NO_ORDER =
  /\b(?:i|we|you|they)(?:['’](?:ll|ve|d)| will| would| can(?:['’]?t|not)?| could(?:n['’]?t)?| do(?:n['’]?t)?| did(?:n['’]?t)?| have)?(?: \w{1,40})? (?:remember|forget|keep (?:that|it|this) in mind)\b|\b(?:remember|forget) to\b|\b(?:important|nice|good|great|hard|never) to (?:remember|forget)\b|\b(?:i|we)(?:['’]ll| can| will| could) (?:write|note|jot|save|keep)\b|\b(?:i|we)(?: \w{1,40})? (?:should|must|might|ought to|need to|want to|wanna)\b[^.!?]{0,60}\b(?:write|note|jot|save|keep)\b|\b(?:remember|recall)\b[^.!?]{0,200}[?？]|会(?:永远|一直)?记[得住]|(?<![帮替给跟请])我(?:还|都|只|也|好像|已经|总)?记(?:得|不)|记得(?!我|[：:，,])|记录(?!一?下|[：:，,我的了]|低)|忘不了|难忘/i

/** "Just remember: never give up!" cheers somebody up and orders nothing. */
const CHEER =
  /\b(?:keep (?:going|it up|pushing|at it|fighting|shining)|rock on|you(?:['’]ve)? got this|(?:never|do(?:n['’]t| not)) give up|stay (?:strong|positive|motivated)|believe in yourself|anything is possible|hang in there|here for you|let it get you down|positiv(?:e|ity))\b|加油|坚持(?:住|下去)|(?:别|不要)放弃|相信自己/i
const OWN = /\b(?:i|my|me|we|our|us)\b|我/i
/** "Remember that block in Game 7?" asks; "Can you remember that I'm vegan?" orders. */
const ASKS = /[?？]\s{0,40}$/
const ASKS_TO = /\b(?:can|could|would|will) you\b|\bplease\b|[能可]|请|帮/i

/** Whether some sentence of the message orders it. */
export function isOrdered(message: string): boolean {
  const cheers = CHEER.test(message)
  const told = decideByRules({ content: message })
  // It knows more ways to order than the words here: "for your diary: …", 小本本记上.
  if (told.explicit && !cheers && !NO_ORDER.test(message)) return true
  return splitSentences(message)
    .map(withoutOpening)
    .some((sentence) => {
      if ((cheers && !OWN.test(sentence)) || (ASKS.test(sentence) && !ASKS_TO.test(sentence))) return false
      return isPlainOrder(sentence) || WITHIN.test(sentence)
    })
}
