/** Does the user order to remember? The statement of an order is kept without its ordering words. */
import { asOrder, POLITE } from '../../language/keeping.ts'
import { isQuestion } from '../../language/questions.ts'

const ORDER =
  "(?:remember|never forget|do(?: not|n['’]?t) forget|note|keep in mind|bear in mind|keep it in mind|make a (?:mental )?note|take (?:a )?note|note down|jot (?:this |that |it )?down|write (?:this |that |it )?down|remind yourself|noting (?=for you\\b)|(?:what|something) i(?:['’]d| would) like (?:you to )?(?:stored|remembered|noted|kept|store|remember|note|keep)|so you (?:have|know) it|do(?: not|n['’]?t) (?:lose (?:this|that)|let me forget)|mind (?=this for me\\b)|log (?=my\\b)|save|store|log(?= (?:this|that|it)\\b)|record|memori[sz]e|(?:keep|pin)(?= (?:this|that|it)\\b)|hang on to|hold on ?to|commit (?:this|that|it) to memory|put (?:this |that |it )?(?:down )?in(?:to)? (?:your |the |my )?(?:memory|notes)|add (?:this |that |it )?to (?:your |the |my )?(?:memory|notes)|for (?:the|your) records?|for (?:your )?(?:future )?reference|mental note|note to self)"
const AFTER =
  '(?:[, ]+(?:this(?: one)?|one (?:more )?thing|in (?:your|the) head|for good|for you|would (?:you|ye)|the following|something|that|it|of this|of that|for me|for later|for the future|down|please|pls|on file|on record|in mind|(?:in|to|into) (?:(?:your|the|my|long-term) )*(?:memory|notes|head)|with you(?: always)?|somewhere))*'
const ENGLISH_LEAD = new RegExp(
  `^${POLITE}${ORDER}${AFTER}(?:\\s*[:,;—–-]+\\s*|\\s+)(?:that\\s+|the fact that\\s+)?`,
  'i',
)
const ENGLISH_TAIL =
  /[,;.—–-]{0,40}\s{1,40}(?:so |and )?(?:please |pls )?(?:remember (?:that|this|it)|keep (?:that|this|it) (?:in mind|on file)|(?:make a |take )note(?: of (?:that|this|it))?|note (?:that|this|it)(?: down)?|do(?: not|n['’]?t) forget(?: (?:that|this|it))?|save (?:that|this|it))(?: for (?:me|later))?(?:,? (?:please|pls|ok|thanks))?[.!]{0,40}$/i
/** "remember to call", "remember when", "remember what I said": the rest states nothing. */
const NO_STATEMENT =
  /^(?:to|when|what|how|who|why|where|if|whether|about|me|us|this|that|it|them|the time|the following|below)\b/i

const CHINESE_POLITE =
  '(?:(?:对了|另外|还有|哦|噢|嗯|啊|欸|诶|哎|喂|那|那个|顺便|话说|好的?|行)[，,、 ]*)*(?:请|麻烦|劳驾|劳烦|拜托|帮我|帮忙|帮|给我|替我|同我|你|您|能不能|可不可以|可以|能|要|可|千万|一定|得|都|先|务必|再|来|也|以后|从现在起|唔该|把(?:这[个条点]|这件事|下面(?:这?[个条])?|以下(?:内容|信息)?))*'
const CHINESE_ORDER =
  '(?:牢牢)?(?:记住|記住|记得|記得|记下来|记下|記下|记一下|记一笔|记着|记牢|记好|记录一下|记录下|记录|記錄|记低|記低|记到|[记記](?![不错錯混反岔漏])|備註|备注一下|备注|存一下|存个档|存着|存档|别忘了|别忘|別忘了|不要忘了|莫忘|勿忘|牢记|切记|谨记|登记一下|登记|留个底|标记一下|放在心上)'
const CHINESE_AFTER =
  '(?:了|啊|哈|哦|喔|吧|呀|啦|咯|着|下来|下|住|好|一下|一点|点|一条|这[个条](?:信息|内容)?|(?:你的)?(?:长期)?(?:记忆|笔记|备忘录?|档案|长期)里面?|我说的|这个|这件事|一件事)*'
const CHINESE_LEAD = new RegExp(`^${CHINESE_POLITE}${CHINESE_ORDER}${CHINESE_AFTER}[\\s，,：:。!！、—-]*`)
/** Words that order something only where it follows behind a colon. */
const CHINESE_BEFORE_COLON = new RegExp(
  `^${CHINESE_POLITE}(?:保存|存起来|存一下|存|备忘|备忘录|备份一下|[加写存放](?:到|进|入))${CHINESE_AFTER}\\s*[：:]\\s*(?=\\S)`,
)
const CHINESE_TAIL = new RegExp(
  `(?<![\\s，,。；;！!])[\\s，,。；;！!]+(?:这个|这点|这些)?${CHINESE_POLITE}${CHINESE_ORDER}${CHINESE_AFTER}[\\s。.!！~～]*$`,
)
const FEWEST_LATIN_WORDS = 3
const FEWEST_HAN = 4
/** "I'm vegan" holds a subject and a verb in one word. */
const OF_MYSELF = /^(?:i|we)['’](?:m|re|ve)\s/i

const ANY_ORDER = new RegExp(`\\b${ORDER}\\b|${CHINESE_ORDER}`, 'i')

/** Whether the text has any word that could order something to be remembered. */
export function mentionsOrder(text: string): boolean {
  return ANY_ORDER.test(text)
}

/** "Please remember that I'm allergic to nuts" → "I'm allergic to nuts"; "remember to call her" stays as it is. */
export function withoutOrder(sentence: string): string {
  const order = asOrder(sentence.trim())
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
  if (han > 0) return han + latin >= FEWEST_HAN
  return text.split(/\s+/).length + (OF_MYSELF.test(text) ? 1 : 0) >= FEWEST_LATIN_WORDS
}
