/**
 * How much does a sentence tell to someone who reads only it? Symbols, numbers, errors and fixes, questions that were
 * answered and their answers count for it; greetings, thanks and filler against it.
 */

/** What is known about a sentence besides its words. */
export interface SentencePlace {
  /** Symbols of its turn that it names. */
  readonly symbols: number
  /** It is the first sentence of its turn. */
  readonly opens: boolean
  /** It asks, and a turn follows. */
  readonly answeredQuestion: boolean
  /** The turn before it ended with a question. */
  readonly answers: boolean
  /** The user said it. */
  readonly byUser: boolean
}

const SYMBOL_WEIGHT = 1
const MOST_SYMBOLS = 3
const NUMBER_WEIGHT = 0.7
const TROUBLE_WEIGHT = 1.2
const LASTING_WEIGHT = 1
const PLACE_WEIGHT = 0.5
/** Shorter or longer sentences, in characters of Latin script (a Han character counts as three), tell less. */
const SHORTEST = 14
/** What scores less tells nothing. */
const LEAST_SCORE = 0.5
const LONGEST = 220

/** A short sentence of an answer that tells nothing of the above is consent or comfort. */
const SHORT_ANSWER = 45
const PICTURE = /\p{Extended_Pictographic}/gu
/** What would be, and parts that are played: nothing that somebody reads up on later. */
const UNREAL =
  /^(?:and |but |so )?if (?:i|we) (?:won|had|were|was|could|ever|only)\b.*\b(?:i|we)(?:['’]d| would| could)\b|^(?:let['’]?s )?pretend\b|\bi dream(?:t|ed)\b|^(?:要是|假如|如果|万一)(?=.*(?:就|早).*(?:哈|算了|了吧))|做梦|梦到|梦见|下辈子/i

/** Something broke, or was mended. */
const TROUBLE =
  /\b(?:error|exception|bug|crash(?:es|ed)?|fail(?:s|ed|ing|ure)?|broken|leak(?:s|ed|ing)?|race|deadlock|timeouts?|timed out|slow(?:er)?|fix(?:ed|es)?|solved?|resolved?|root cause|because|caused?|regression|panic|throws?|rejected|duplicate[sd]?)\b|错误|异常|报错|崩溃|失败|泄漏|竞态|死锁|超时|变慢|太慢|修复|解决|原因|根因|因为|导致|回归|重复|卡住|丢失/i
/** It will still hold tomorrow: a preference, a plan, a change, a deadline. */
const LASTING =
  /\b(?:prefer|always|never|from now on|moved?|switch(?:ed)?|migrat\w+|deadline|by (?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|next (?:week|month)|instead of|no longer|i live|my name|allergic|favou?rite)\b|喜欢|偏好|总是|从不|以后|改成|换成|迁移|搬到|截止|明天|下周|下个月|不再|我叫|我住|过敏/i
/** Nothing but politeness. */
const FILLER =
  /^(?:hi|hey|hello|thanks?|thank you|ok(?:ay)?|sure|great|perfect|nice|cool|got it|sounds good|you(?:'|’)?re welcome|no problem|(?:good )?(?:morning|afternoon|evening|night)|bye|see you|yes|no|yep|nope|of course|certainly|absolutely|let me know|happy to help|anything else|glad|how (?:nice|lovely|wonderful)|i see|i understand|wow|haha|that(?:'|’)?s (?:great|good|nice)|welcome|hope (?:this|that) helps|tell me about it|who wouldn(?:'|’)?t|brutal|savage|lol|lmao|haha\w*|fair enough|same here|you win|bless|lovely|wonderful|congratulations|congrats|good luck|cheers|nice one|agreed|noted|understood|indeed|exactly|brilliant|amazing|excellent|sorry to hear|poor you|what a (?:shame|pity)|worth \w+ing|that(?:'|’)?s (?:a lot|fair|true|fun|funny|sad|me told)|你好|您好|嗨|谢谢|多谢|感谢|好的|好吧|好|嗯|行|可以|没问题|不客气|辛苦了|收到|明白|明白了|再见|早上好|晚安|当然|是的|对|不是|太好了|太棒了|真棒|不错|哈哈+|笑死|服了|可不是|加油|恭喜|支持你|慢慢来|别灰心|破费了|记下了|记住了|已更正|更新好了|放松些|可以当作参考|还有别的吗|还有问题吗)(?:$|[\s,，.。!！?？~～、:：了呀啊哈])/i

/** What its words say of a sentence, wherever it stands. */
interface Words {
  /** See visualLength; pictures do not count. */
  readonly length: number
  readonly isFiller: boolean
  readonly worth: number
  readonly isUnreal: boolean
}

/** The same sentences come again with every summary of a conversation: they are read once. */
const known = new Map<string, Words>()
const MOST_KNOWN = 500

function wordsOf(sentence: string): Words {
  let words = known.get(sentence)
  if (words !== undefined) return words
  const length = visualLength(sentence.replace(PICTURE, ''))
  let worth = 0.2
  if (/\d/.test(sentence)) worth += NUMBER_WEIGHT
  if (TROUBLE.test(sentence)) worth += TROUBLE_WEIGHT
  if (LASTING.test(sentence)) worth += LASTING_WEIGHT
  const isFiller = length < 3 * SHORTEST && FILLER.test(sentence)
  words = { length, isFiller, worth, isUnreal: UNREAL.test(sentence) && !asks(sentence) }
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(sentence, words)
  return words
}

/** 0 for a sentence that tells nothing; otherwise larger tells more. Weights: ours, by reading. */
export function tellingScore(sentence: string, place: SentencePlace): number {
  const { length, isFiller, worth, isUnreal } = wordsOf(sentence)
  if (isFiller) return 0
  let score = worth + SYMBOL_WEIGHT * Math.min(place.symbols, MOST_SYMBOLS)
  for (const holds of [place.opens, place.answeredQuestion, place.answers, place.byUser]) {
    if (holds) score += PLACE_WEIGHT
  }
  if (!place.byUser && length < SHORT_ANSWER && score <= LEAST_SCORE + PLACE_WEIGHT - 0.2) return 0
  if (isUnreal) score *= 0.3
  if (length < SHORTEST) score *= 0.3
  else if (length > LONGEST) score *= 0.7
  return score < LEAST_SCORE ? 0 : score
}

/** true for a sentence that asks. */
export function asks(sentence: string): boolean {
  return /[?？]["'”’）)]*$/.test(sentence) || /[吗呢][。！]?$/.test(sentence)
}

/** Characters, a wide one counted as three, as it carries about as much as three Latin letters. */
function visualLength(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; at++) length += text.charCodeAt(at) >= 0x2e80 ? 3 : 1
  return length
}
