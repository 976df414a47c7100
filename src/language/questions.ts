/** Does this text end in a question? Kept as a flag of every indexed turn, so it looks at the end of the text only. */

const LOOKED_AT = 200
const SENTENCE_END = /[。！？!?\n；;]|\.(?=\s)/g
const ENDS_WITH_MARK = /[?？](?:[\s"'”’)）\]」』*_~.!！…\p{Extended_Pictographic}]|\ufe0f){0,40}$/u
const CHINESE_END =
  /(?:吗|呢|么|嘛|没有|(?<!一)([\u3400-\u9fff])不\1以?|怎么办|为什么|咋办|咋样|怎么样|如何|哪里|哪儿|什么|多少|几点)[\s。.!！~～…]{0,40}$/
/** Behind a full stop only these ask: 吗, and 呢 with a question word before it. */
const STATED_END = /吗。|(?:什么|啥|谁|哪|怎么|多少|几)[^，。]{0,20}呢。/
const CHINESE_START =
  /^(?:请问|为什么|为何|怎么|怎样|如何|什么|哪个|哪些|哪里|谁|是否|能否|可否|有没有|是不是|能不能|可不可以|咋)/
/** Question words inside the last clause; behind words like know, tell or explain they ask nothing. */
const CHINESE_WITHIN =
  /为什么|为何|怎么(?!都|也)|哪[个些里儿天年月位家]|[在到去]哪|(?<![这那下上])几[点号岁]|(?<!每)[周期拜]几|什么时候|多少|是不是|能不能|有没有|要不要|会不会|谁(?!都|也)|(?<!没)啥(?!都|也)/
const CHINESE_ANSWERED = /知道|明白|告诉|解释|说明|了解|讨论|清楚|记得|不怎么|没怎么|原因/
const CHINESE_STATEMENT =
  /^(?:如何.*(?:如下|方法是)|什么都|怎么都|谁都)|(?:不知道|没什么|为了什么)[^，。]{0,200}[。.]?$/
const ENGLISH_START =
  /^(?:(?:and|so|but|ok|okay|hey|hi|well|please|btw)[,\s]+)*(?:(?:who|whom|whose|what|what's|when|where|which|why|how|any idea|anyone know)\s+\S|(?:is|are|was|were|do|does|did|can|could|will|would|should|shall|has|have|had|may|might|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|can't|couldn't|won't|wouldn't|shouldn't)\s+(?:i|you|he|she|it|we|they|there|this|that|these|those|the|an?|any\w*|some\w*|every\w*|my|your|his|her|its|our|their|(?-i:[A-Z])\w*)\b(?!['’]?[a-z]{0,2}['’]))/i
/** "When I was young, …", "What a day", "How nice", "Have fun", "Will do", "Do it now" open no question. */
const ENGLISH_STATEMENT =
  /^(?:what an? |how (?:nice|lovely|cool|great|sweet|wonderful|exciting|fun|awesome|kind|funny|beautiful)\b|have (?:a|an|fun|you seen this)\b|will do|do (?:it|this|that|not)\b|may (?:the|you|your)\b|can't wait|where (?:i|we|there)\b|which (?:is|was|means|makes)\b|what (?:i|we|you) (?:need|want|mean|did|do|like|love|said)\b|could be|would be|is what|had (?:a|an|to|the|some)\b|don't\b|won't\b|can't\b|couldn't\b|didn't\b|was (?:a|the|so|just)\b|are (?:all|just)\b|has (?:been|a|the)\b|might (?:be|have)\b|is (?:a|the) \w+ (?:that|of))/i
/** A question word with a subject behind it, and a clause that follows or a full stop: "When I fly I sleep", "What I hate is dill." */
const ENGLISH_CLAUSE =
  /^(?:when (?:i|we|he|she|they|it|you|the|my|our|his|her|their)\b.*(?:,| (?:i|we)\b)|(?:when|where|what|why|how|who|which) (?:i|we|he|she|they|it|my|our|his|her|their)\b.*\.["'”’)\]]{0,3}$)/i

/** true when the last sentence asks, with a mark, with 吗/呢/…, or by beginning with a question word. */
export function isQuestion(text: string): boolean {
  const end = text.length > LOOKED_AT ? text.slice(-LOOKED_AT) : text
  if ((end.includes('?') || end.includes('？')) && ENDS_WITH_MARK.test(end)) return true
  const last = lastSentence(end)
  if (last === '') return false
  if (/[\u3400-\u9fff]/.test(last)) {
    const clause = last.slice(last.lastIndexOf('，') + 1)
    const isStated = /。["”’」』）]{0,9}$/.test(last)
    const asks = (isStated ? STATED_END : CHINESE_END).test(last) || CHINESE_START.test(last)
    if (isStated) return asks && !CHINESE_STATEMENT.test(last)
    return (asks && !CHINESE_STATEMENT.test(last)) || (CHINESE_WITHIN.test(clause) && !CHINESE_ANSWERED.test(clause))
  }
  const isStated = ENGLISH_STATEMENT.test(last) || ENGLISH_CLAUSE.test(last) || /[!！]\s{0,40}$/.test(last)
  return ENGLISH_START.test(last) && !isStated
}

const BEGINS_AS_ONE =
  /^(?:(?:ok|okay|so|and|but|also|hey|hi|well|please|now|then)[,\s]+)*(?:please|can you|could you|would you|will you|do you|remind me|tell me|show me|give me|help|write|draft|list|explain|summari[sz]e|translate|find|search|remember when|what|when|where|who|why|how|which|any idea|i(?:['’]d| would) like (?:to know|you)|i (?:want|need) (?:you )?to know|i(?:['’]m| am| was) (?:just |also |kinda )?(?:wondering|curious)|i(?:['’]d (?:love|like|appreciate)| need| could use) (?:some |your |any )?(?:help|advice|guidance|tips|suggestions|ideas|feedback)|let me know)\b|^(?:请|帮(?!助(?!我))|麻烦|能不能|可不可以|可以帮|给我|告诉我|写|列|翻译|总结|解释|查一?下|提醒我|还记得|你记得|我想知道|想问)/i

/** Whether the text asks something, or begins as a question or an order to the listener does. */
export function asksOrOrders(text: string): boolean {
  return isQuestion(text) || BEGINS_AS_ONE.test(text)
}

/** The last sentence of the text: all behind the last sentence end, apart from one at the very end. */
function lastSentence(text: string): string {
  const trimmed = text.trimEnd()
  let start = 0
  for (const { index } of trimmed.matchAll(SENTENCE_END)) if (index < trimmed.length - 1) start = index + 1
  return trimmed.slice(start).trim()
}

const ASKS_OF_THE_PAST =
  /^\W{0,5}(?:(?:so|and|but|wait|hey|ok|okay)[\s,]{1,3})?(?:(?:what|who|whom|whose|when|where|which|how|why)(?:\s(?!(?:do|does|is|are|can|could|should|would|will|i|you|we)\b)[\w'’-]{1,30}){0,5}\s)?(?:did|was|were|had)(?:n['’]t)?\b/i

/** true for an English question about the past: "What did …", "Which of them was …", "Did I …". */
export function asksOfThePast(text: string): boolean {
  return ASKS_OF_THE_PAST.test(text)
}

const ASKS_OF_SELF =
  /(?:\b(?:(?:what|why)(?!\s(?:(?:can|could|should|would)\s(?:i|we)|do\si)\b)|who|whom|whose|when|where|which|how\s(?:big|far|heavy|long|many|much|often|old))\b|(?:^|[.?!,]\s{0,3})(?:am|are|did|had|have|is|was|were)\b)[^.!?;:,"“]{0,60}?\b(?:i|my|mine|our|ours|us|we)\b/i
const CHINESE_SELF = /(?<![给帮跟教让诉])[我咱](?!就?特?别?挺?想)/
const CHINESE_ASKING = /什么|啥|谁|哪|几|多少|多久|怎么|为何|吗/

/** true for a question about the one who asks: "When do I …", "Where is my …", 我……哪天; not for "How do I …". */
export function asksOfSelf(text: string): boolean {
  if (ASKS_OF_SELF.test(text)) return true
  return text.split(/[，。！？；,.!?;\n]/).some((clause) => CHINESE_SELF.test(clause) && CHINESE_ASKING.test(clause))
}

const OF_SELF =
  /\b(?:i|i['’]?(?:m|ve|d|ll)|my|mine|myself|we|we['’](?:re|ve)|our|ours)\b|\b(?:about|for|of|to|with) (?:me|us)\b|(?<![帮给教替跟让请陪诉])[我咱俺]/i
const POINTS =
  /\b(?:the|this|that|these|those|he|she|his|her|him|they|their|them|did|was|were|had|been|has|have|who(?:m|se)?|when|where|which|how (?:much|many|long|old|often|far|big)|what (?:time|day|date))\b|[这那他她谁了过]|之前|以前|上次|后来|原来|多少|[几多](?:号|点|天|岁|个|位|斤|页|月|年|次|级|大|久|长|远|高|重)|周几|星期几|什么时候|何时|哪[天年月位家]|在哪/i
const TO_MAKE =
  /^\W{0,5}(?:(?:please|can you|could you)\s{1,3})?(?:write|draft|compose|suggest|recommend|plan|make|give|list|help|find)\b|^(?:请|帮|给|写|列|推荐|安排|规划|做)/i

/** "passport expiry?": words to look for, which say nothing of what they are about. */
const NO_SENTENCE = /^\W{0,3}[\w'’-]{1,40}(?:\s[\w'’-]{1,40})?\W{0,3}$/
const TO_TELL = /^\W{0,5}(?:please\s)?(?:tell|remind|show) me\b|^(?:告诉我|讲讲|说说)/i

/** true for a question, and for an order to tell something, which is one in other words. */
export function asksOrWantsToldOf(text: string): boolean {
  return isQuestion(text) || TO_TELL.test(text)
}

/** Whether a text is about the one who writes it, in whole or in part; "tell me" and 帮我 say nothing of him. */
export function isOfSelf(text: string): boolean {
  return OF_SELF.test(text)
}

/**
 * true for a question about a kind of thing: it points at nobody, at nothing told of, and at no time that is over. It
 * asks for no time, place, person or number either.
 */
export function asksInGeneral(text: string): boolean {
  return isQuestion(text) && !NO_SENTENCE.test(text) && !OF_SELF.test(text) && !POINTS.test(text)
}

/** true for an order to make something, such as a text, a list or a plan. */
export function ordersToMake(text: string): boolean {
  return TO_MAKE.test(text) && !isQuestion(text)
}
