/** Did the user ask for this to be remembered (004: 记住, 记录, 请记住)? Told by the message as it was written. */
import { splitSentences } from '../../text/sentences.ts'
import { isPlainOrder } from '../write-decision/order-words.ts'
import { withoutOpening } from './stands-alone.ts'

/** Orders inside a sentence; "I'll never forget that" and "keep it up" are none. */
const WITHIN =
  /(?<!\b(?:i|we|i['’]ll|we['’]ll|always|can|will|never|to|must) )\b(?:remember (?:that|this|it|my|our|i|we|the)\b|(?:make|take) (?:a |me a )?(?:mental )?note\b|note (?:that|this) down|keep in mind that|write (?:this|that|it) down|for the record\b|save (?:this|that) (?:to|in) (?:your )?memory)|\b(?:do not|don['’]?t) forget(?: that)? (?:i|my|we|our)\b|(?<!我|我们|会|没|不|才|都|还|永远|一直)(?:记住|记下来?|记一下|记录一下|记录下来|记着|记好|备注一下|别忘了(?!我的?心))/i

/** "Just remember: never give up!" cheers somebody up and orders nothing. */
const CHEER =
  /\b(?:keep (?:going|it up|pushing|at it|fighting|shining)|rock on|you(?:['’]ve)? got this|(?:never|do(?:n['’]t| not)) give up|stay (?:strong|positive|motivated)|believe in yourself|anything is possible|hang in there|positiv(?:e|ity))\b|加油|坚持(?:住|下去)|(?:别|不要)放弃|相信自己/i
const OWN = /\b(?:i|my|me|we|our|us)\b|我/i
/** "Remember that block in Game 7?" asks; "Can you remember that I'm vegan?" orders. */
const ASKS = /[?？]\s*$/
const ASKS_TO = /\b(?:can|could|would|will) you\b|\bplease\b|[能可]|请|帮/i

/** Whether some sentence of the message orders it. */
export function isOrdered(message: string): boolean {
  const cheers = CHEER.test(message)
  return splitSentences(message)
    .map(withoutOpening)
    .some((sentence) => {
      if ((cheers && !OWN.test(sentence)) || (ASKS.test(sentence) && !ASKS_TO.test(sentence))) return false
      return isPlainOrder(sentence) || WITHIN.test(sentence)
    })
}
