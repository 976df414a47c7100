/**
 * How much does a statement tell to someone who reads only it? Words that carry meaning, those that others take up,
 * numbers, troubles and what lasts count for it; what leans on a sentence before it, cheers or only announces, against it.
 */
import { isGenericTerm } from '../../text/generic-words.ts'
import { indexTerms } from '../../text/tokens.ts'

/** What is known about a statement besides its words. */
export interface StatementPlace {
  /** Terms of the turns around it. */
  readonly around: ReadonlySet<string>
  /** It is the first sentence of its turn. */
  readonly opens: boolean
  /** A person said it, not the assistant. */
  readonly byPerson: boolean
  /** The people have names: they talk to each other, and ask back without wanting anything. */
  readonly amongPeople: boolean
}

const MOST_TERMS = 9
const TERM_WEIGHT = 0.12
const SHARED_WEIGHT = 0.1
const DETAIL_WEIGHT = 0.3
const LASTING_WEIGHT = 0.4
const PLACE_WEIGHT = 0.3
/** What is taken off for a pronoun without its noun, for cheering, for what is no news. */
const LEANING = 0.6
const CHEERING = 0.7
/** With fewer terms a statement of the assistant tells nothing. */
const FEWEST_TERMS = 2
const FEWEST_HAN_TERMS = 3

/** Something broke, or was mended; it will still hold tomorrow: a preference, a plan, a change, a deadline. */
const LASTING =
  /\b(?:error|exception|bug|crash(?:es|ed)?|fail(?:s|ed|ing|ure)?|broken|leak(?:s|ed|ing)?|race|deadlock|timeouts?|timed out|slow(?:er)?|fix(?:ed|es)?|solved?|resolved?|root cause|prefer|always|never|from now on|moved?|switch(?:ed)?|migrat\w+|deadline|by (?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|next (?:week|month)|instead of|no longer|i live|my name|allergic|favou?rite|plan(?:ning)? to|going to|started|bought|booked|got|lost|won|joined|finished|completed)\b|错误|异常|报错|崩溃|失败|泄漏|死锁|超时|变慢|太慢|修复|解决|原因|因为|导致|回归|丢失|喜欢|偏好|总是|从不|以后|改成|换成|迁移|搬到|截止|明天|下周|下个月|不再|我叫|我住|过敏|买了|订了|预约|完成|决定|打算|计划/i
const LEANS_WITHIN = /\s(?:it|this|that|them|one|those)\b/i
const FEW_TERMS = 5
/** A pronoun that stands for what was said before. */
const LEANS =
  /^(?:it|its|it['’]s|that|that['’]s|this|these|those|they|they['’]re|them|he|she|his|her|there|both|one|another|either|which|who|the (?:same|first|second|other|former|latter))\b|^(?:它|他|她|这|那|其|比如|例如|特别是|尤其是|或者|一方面|另一|同样|此|其中|前者|后者|两者|都)/i
const CHEERS =
  /^(?:(?:i['’]m |i am |so )?(?:glad|happy|sorry|thrilled|proud|excited) (?:to hear|that|for|you|of)|(?:i['’]m |i am )?sorry\b|(?:that|it|this) (?:sounds|must|seems|looks)|sounds|(?:i )?(?:hope|bet|wish|appreciate|love that|totally|completely|can imagine)|you['’](?:re|ve)|your|you (?:are|can|have|should|must|deserve)|have (?:a|fun)|keep|good luck|best of|congrat|let me know|how (?:about|are|do|was|is)|what (?:about|do you)|do you|did you|are you|have you|any |who(?:['’]s| is)|tell me|thanks|thank you|can['’]t wait|no worries|it['’]s (?:great|awesome|amazing|nice|good|wonderful|so|completely|okay|understandable|important|all))|^(?:听起来|听你|你提到|你是在|看来|恭喜|加油|祝|希望你|谢谢|感谢|真(?:棒|好|不错|为你)|太(?:棒|好)|这(?:个|种|是一?[个种])?.{0,8}(?:很棒|很好|真好|不错|好消息)|你(?:真|太|这)|我(?:很|非常)?(?:理解|明白|能感受到|乐意|可以帮)|理解你|能感受到|很高兴|好主意)/i
/** The assistant says what it is going to do, or how its answer is made. */
const ANNOUNCES =
  /\b(?:here(?:['’]s| is| are)|below|(?:the )?following|let['’]?s (?:break|go|start|walk|look|review|consider|explore|tackle|dive|see|use|take|create|work|refine|address|focus|proceed|assume|say|think|find|calculate|verify|denote|define|put|continue|summarize)|let me|i(?:['’]d| would|['’]ll| will) (?:be (?:happy|glad)|love|recommend following|help|guide|provide|give|assume)|i can (?:help|provide|assist|certainly)|happy to|feel free|step[- ]by[- ]step|would you like|if you (?:have|need|want|could|provide|share|tell)|could you (?:please )?(?:provide|share|tell|specify|clarify|let)|we(?:['’]ll| will| can| need to|['’]re going to)|by \w+ing (?:these|this|the above|all|proper|open|\w+ in)|let['’]?s (?:apply|discuss|ensure|add|enhance|update|implement|plan|outline|prioritize|organize|adjust|improve|integrate|set)|these (?:steps|strategies|tips)|this (?:approach|plan|schedule|version|code|script|setup|way|will|should|ensures|example)|in this (?:example|case|version|code)|you can (?:follow|use the|modify|refine|adjust)|hope this|enjoy your|once you|make sure)\b|如下|以下|我(?:来|会|可以|将)(?:帮|为|给|先|从|和)|我们(?:可以|来|先|一起|不妨)|让我们|希望(?:能|对|这)|需要我|如果你(?:需要|想|愿意)|你(?:可以|想|希望|觉得|更|是想|是希望|是因为)|对吗|是吗|好吗/i
/** The assistant writes in somebody's place: a draft, an example. */
const DRAFTS = /\b(?:I|I['’]m|I['’]ve|my|me|we|our)\b/
/** What would be, and parts that are played: nothing that somebody reads up on later. */
const UNREAL =
  /^(?:if (?:i|we) (?:won|had|were|was|could|ever|only)\b.{0,200}\b(?:i|we)(?:['’]d| would| could)\b|(?:let['’]?s )?pretend\b|i dream(?:t|ed)\b|imagine\b)|^(?:要是|假如|如果|万一)(?=.{0,60}(?:就|早).{0,60}(?:哈|算了|了吧))|做梦|梦到|梦见|下辈子/i

/** The terms of a text that carry meaning. */
export function tellingTerms(text: string): readonly string[] {
  return [...indexTerms(text).keys()].filter((term) => !isGenericTerm(term))
}

/** 0 for a statement that tells nothing; otherwise larger tells more. Weights: ours, by reading. */
export function tellingScore(statement: string, place: StatementPlace): number {
  const terms = tellingTerms(statement)
  const han = /\p{Script=Han}/u.test(statement)
  if (terms.length < (place.byPerson ? 1 : han ? FEWEST_HAN_TERMS : FEWEST_TERMS) || UNREAL.test(statement)) return 0
  if (
    !place.byPerson &&
    (ANNOUNCES.test(statement) || CHEERS.test(statement) || DRAFTS.test(statement) || asks(statement))
  )
    return 0
  const scale = han ? 0.6 : 1
  let score = TERM_WEIGHT * Math.min(terms.length * scale, MOST_TERMS)
  score += SHARED_WEIGHT * Math.min(terms.filter((term) => place.around.has(term)).length * scale, MOST_TERMS / 2)
  if (/\d|[^.!?。\s] \p{Lu}\p{Ll}|[《“"]/u.test(statement)) score += DETAIL_WEIGHT
  if (LASTING.test(statement)) score += LASTING_WEIGHT
  if (place.opens) score += PLACE_WEIGHT
  if (place.byPerson) score += PLACE_WEIGHT
  if (LEANS.test(statement)) score -= LEANING
  else if (terms.length < FEW_TERMS && LEANS_WITHIN.test(statement)) score -= LEANING / 2
  if (CHEERS.test(statement)) score -= CHEERING
  if (place.amongPeople && asks(statement)) score -= PLACE_WEIGHT
  return Math.max(0, score)
}

/** true for a sentence that asks. */
export function asks(sentence: string): boolean {
  return /[?？]["'”’）)]*$/.test(sentence) || /[吗呢][。！]?$/.test(sentence)
}
