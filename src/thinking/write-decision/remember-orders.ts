/** Does the user order to remember? The statement of an order is kept without its ordering words. */
import { asOrder, KEEP, KEPT, NOT_FORGET, NOT_FORGET_HAN, POLITE, THING } from '../../language/keeping.ts'
import { isQuestion } from '../../language/questions.ts'

const NOTED = 'for (?:the|your) records?|for (?:your )?(?:future )?reference|mental note|note to self'
const ORDER = `(?:${NOT_FORGET}|${KEEP}|remind yourself|noting (?=for you\\b)|(?:what|something) i(?:['’]d| would) like (?:you to )?(?:${KEPT}|${KEEP})|i(?: need| want| would like|['’]d like) ${THING} (?:to be )?${KEPT}|so you (?:have|know) it|do(?: not|n['’]?t) (?:lose (?:this|that)|let me forget)|mind (?=this for me\\b)|pin(?= ${THING}\\b)|${NOTED})`
const AFTER =
  '(?:[, ]+(?:this(?: one)?|these|those|one (?:more )?thing|in (?:your|the) head|for good|for you|would (?:you|ye)|the following|something|that|it|all|of this|of that|for me|for later|for the future|down|please|pls|ok|okay|thanks|on file|on record|in mind|(?:in|to|into) (?:(?:your|the|my|long-term) )*(?:memory|notes|head)|with you(?: always)?|somewhere))*'
/** "This one matters, remember: …", where a mark announces what follows. */
const ANNOUNCED = '(?:(?:this|that|it|here|there|one)\\b[^,.:;!?]{0,30}[,;–—-] ?)?'
const ENGLISH_LEAD = new RegExp(
  `^(?:${ANNOUNCED}(?=[^,.:;!?]{0,40}:))?${POLITE}${ORDER}${AFTER}(?:\\s*[:,;—–-]+\\s*|\\s+)(?:that\\s+|the fact that\\s+)?`,
  'i',
)
/** An order that names nothing itself: "and please remember that for me". */
const BARE = `${POLITE}(?=.*\\b(?:remember|forget|this|that|it|these|those|all|notes?|down|memory)\\b)${ORDER}${AFTER}[.!~ ]*$`
const ENGLISH_BARE = new RegExp(`^${BARE}`, 'i')
const ENGLISH_TAIL = new RegExp(
  `(?:[,;.!—–-]{1,9}\\s{0,9}|\\s(?=(?:and |so )?(?:please|pls|remember (?:that|this|it)) ?))${BARE}`,
  'i',
)
/** "remember to call", "remember when", "remember what I said": the rest states nothing. */
const NO_STATEMENT =
  /^(?:to|when|what|how|who|why|where|if|whether|about|me|us|this|that|it|them|the time|the following|below)\b/i

const CHINESE_POLITE =
  '(?:(?:对了|另外|还有|哦|噢|嗯|啊|欸|诶|哎|喂|那|那个|顺便|话说|好的?|行)[，,、 ]*)*(?:请|麻烦|劳驾|劳烦|拜托|帮我|帮忙|帮|给我|替我|同我|你|您|能不能|可不可以|可以|能|要|可|给|千万|一定|得|都|先|一直|永远|务必|再|来|也|就|以后|从现在起|唔该|我(?:希望|想让?|要|需要|请)(?=你|您)|(?:把)?(?:[这那](?:[个条件一]?(?:事情?|信息|内容|点|条)|[个条点])|下面(?:这?[个条])?|以下(?:内容|信息)?)|有[个件]?(?:事情?|点)[儿]?)*'
const CHINESE_ORDER = `(?:牢牢)?(?:${NOT_FORGET_HAN}|记住|記住|(?<![你您])(?:记得|記得)|记下来|记下|記下|记一下|记一笔|记着|记牢|记好|(?:记录|記錄|登记|备注|備註)(?:一下|下来|下|(?=\\s*[：:，,])|(?<=[请您你]..|麻烦..|[帮给替]我..))|记低|記低|记到|[记記](?![不错錯混反岔漏])|存一下|存个档|存着|存档|牢记|切记|谨记|留个底|标记一下|放在心上)`
const CHINESE_AFTER =
  '(?:了|啊|哈|哦|喔|吧|呀|啦|咯|着|下来|下|住|好|一下|一点|点|一条|这[个条一]?(?:信息|内容|点)?|(?:你的)?(?:长期)?(?:记忆|笔记|备忘录?|档案|长期)里面?|我说的|这件事|一件事)*'
const CHINESE_LEAD = new RegExp(`^${CHINESE_POLITE}${CHINESE_ORDER}${CHINESE_AFTER}[\\s，,：:。!！、—-]*`)
/** Words that order something only where it follows behind a colon. */
const CHINESE_BEFORE_COLON = new RegExp(
  `^${CHINESE_POLITE}(?:保存|存起来|存一下|存|备忘|备忘录|备份一下|[加写存放](?:到|进|入))${CHINESE_AFTER}(?:(?:你的)?(?:长期)?(?:记忆|笔记|档案))?\\s*[：:]\\s*(?=\\S)`,
)
/** 把我的地址记下来：人民路…: the thing is named before the verb. */
const CHINESE_MOVED = new RegExp(
  `^${CHINESE_POLITE}把((?![这那下以])[^，。：:\\n]{2,40}?)${CHINESE_ORDER}${CHINESE_AFTER}(?=[：:])`,
)
const CHINESE_BARE = new RegExp(`^${CHINESE_POLITE}${CHINESE_ORDER}${CHINESE_AFTER}[\\s。.!！~～]*$`)
const CHINESE_TAIL = new RegExp(`(?<![\\s，,。；;！!])[\\s，,。；;！!]+${CHINESE_BARE.source.slice(1)}`)
const FEWEST_LATIN_WORDS = 3
const FEWEST_HAN = 4
/** "I'm vegan" holds a subject and a verb in one word, 我吃素 in few characters. */
const OF_MYSELF = /^(?:i|we)['’](?:m|re|ve)\s|^我/i

/** An order stands where a clause begins, or behind its listener: "I must remember" and 我每天记录 tell of remembering. */
const ANY_ORDER = new RegExp(
  `(?:^|[.!?,;:\\n(—–-]\\s{0,9}|\\b(?:please|pls|you (?:to|should|must|can|could|will|would|(?:need|have) to)) )${POLITE}${ORDER}|\\b(?:${NOTED})\\b|(?:^|[^\\p{L}\\p{N}‘“'"「《]|(?=[你您请]|麻烦|[帮给替]我))${CHINESE_POLITE}${CHINESE_ORDER}`,
  'iu',
)

/** Whether the text has words that may order something to be remembered. */
export function mentionsOrder(text: string): boolean {
  return ANY_ORDER.test(text)
}

const PLAIN =
  /\b(?:remember|forget|(?:keep|bear) (?:this |that |it )?in mind|memori[sz]e)\b(?:\s{0,3}(?:[:,;.!—–-]|$)| (?:that|this|it|the fact|i|i['’]\w{1,2}|we|my|our)\b)|(?<![记別别])[记記][住下牢](?=[了啊哈哦来]?(?:[\s，,：:。.!！]|[我咱他她你这那]|$))|[别不][要]?忘|[牢切谨][记記]|[记記]一下/iu

/** Whether a sentence orders what it states in words that mean nothing but remembering; "note" and "save" may mean a task. */
export function ordersPlainly(sentence: string): boolean {
  return PLAIN.test(sentence) && mentionsOrder(sentence) && withoutOrder(sentence) !== sentence
}

/** Whether a sentence is such an order, and no more: "please keep that in mind", 请记住这一点. */
export function isBareOrder(sentence: string): boolean {
  const order = asOrder(sentence.trim())
  return ENGLISH_BARE.test(order) || CHINESE_BARE.test(order)
}

/** "Please remember that I'm allergic to nuts" → "I'm allergic to nuts"; "remember to call her" stays as it is. */
export function withoutOrder(sentence: string): string {
  const order = asOrder(sentence.trim())
  const moved = order.replace(CHINESE_MOVED, '$1')
  if (moved !== order) return moved
  for (const words of [ENGLISH_LEAD, CHINESE_BEFORE_COLON, CHINESE_LEAD, ENGLISH_TAIL, CHINESE_TAIL]) {
    const rest = order.replace(words, '').trim()
    if (rest !== order && isStatement(rest)) return rest
  }
  return sentence
}

/** Clauses of a sentence behind which an order is looked for. */
const MOST_CLAUSES = 8

/** "Write a letter, and remember I hate lilies": what is said before an order behind it, and the order; null for none. */
export function orderBehind(sentence: string): readonly [before: string, order: string] | null {
  if (!mentionsOrder(sentence)) return null
  for (const { index, 0: mark } of [...sentence.matchAll(/[,，;；]/g)].slice(0, MOST_CLAUSES)) {
    const order = sentence.slice(index + mark.length).trim()
    const ordered = withoutOrder(order)
    if (ordered !== order && order.endsWith(ordered)) return [sentence.slice(0, index), order]
  }
  return null
}

function isStatement(text: string): boolean {
  if (NO_STATEMENT.test(text) || isQuestion(text)) return false
  const han = text.match(/[\u3400-\u9fff]/g)?.length ?? 0
  const latin = text.match(/[a-z0-9][\w#-]*/gi)?.length ?? 0
  const own = OF_MYSELF.test(text) ? 1 : 0
  if (han > 0) return han + latin + own >= FEWEST_HAN
  return text.split(/\s+/).length + own >= FEWEST_LATIN_WORDS
}
