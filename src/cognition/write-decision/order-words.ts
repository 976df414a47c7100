/** What is left of an order to remember when the ordering words are taken off? The statement, or the text as it was. */
import { isQuestion } from '../../text/questions.ts'

const POLITE =
  "(?:(?:hey|hi|hello|ok|okay|oh|ah|right|well|yo|now|anyway|actually|btw|by the way|one more thing|before i forget|quick note|one last thing|while i think of it|thanks|thx|so|and|also|please|pls|plz|kindly|just|can you|could you|would you|will you|i want you to|i need you to|i'd like you to|you should|you must|make sure (?:you|to)|always|fyi)[,:]? +)*"
const ORDER =
  "(?:remember|never forget|do(?: not|n['’]?t) forget|note|keep in mind|bear in mind|keep it in mind|make a (?:mental )?note|take (?:a )?note|note down|jot down|write (?:this |it )?down|save|store|log|record|memori[sz]e|(?:keep|pin)(?= (?:this|that|it)\\b)|hang on to|hold on ?to|commit (?:this|that|it) to memory|put (?:this|that|it) in your (?:memory|notes)|add (?:this |that )?to (?:your )?(?:memory|notes)|for (?:the|your) records?|for (?:your )?(?:future )?reference|mental note|note to self)"
const AFTER =
  '(?:[, ]+(?:this(?: one)?|that|it|of this|of that|for me|for later|for the future|down|please|pls|on file|on record|in mind|in your (?:memory|notes|head)|with you(?: always)?|somewhere))*'
const ENGLISH_LEAD = new RegExp(
  `^${POLITE}${ORDER}${AFTER}(?:\\s*[:,;—–-]+\\s*|\\s+)(?:that\\s+|the fact that\\s+)?`,
  'i',
)
const ENGLISH_TAIL =
  /[,;.—–-]*\s+(?:so |and )?(?:please |pls )?(?:remember (?:that|this|it)|keep (?:that|this|it) (?:in mind|on file)|(?:make a |take )note(?: of (?:that|this|it))?|note (?:that|this|it)(?: down)?|do(?: not|n['’]?t) forget(?: (?:that|this|it))?|save (?:that|this|it))(?: for (?:me|later))?(?:,? (?:please|pls|ok|thanks))?[.!]*$/i
/** "remember to call", "remember when", "remember what I said": without the order nothing is stated. */
const NO_STATEMENT = /^(?:to|when|what|how|who|why|where|if|whether|about|me|us|this|that|it|them|the time)\b/i

const CHINESE_POLITE =
  '(?:(?:对了|另外|还有|哦|噢|嗯|啊|欸|诶|哎|喂|那|那个|顺便|话说|好的?|行)[，,、 ]*)*(?:请|麻烦|劳驾|拜托|帮我|帮忙|帮|给我|替我|同我|你|您|要|可|千万|一定|得|都|先|务必|再|来|也|唔该)*'
const CHINESE_ORDER =
  '(?:牢牢)?(?:记住|記住|记得|記得|记下来|记下|記下|记一下|记一笔|记着|记牢|记好|记录一下|记录下|记录|記錄|记低|記低|记到|记|備註|备注一下|备注|存一下|存个档|存着|存档|别忘了|别忘|別忘了|不要忘了|莫忘|勿忘|牢记|切记|谨记|登记一下|登记|留个底|标记一下|放在心上)'
const CHINESE_AFTER =
  '(?:了|啊|哈|哦|喔|吧|呀|啦|咯|着|下|住|一下|一点|一条|(?:你的)?(?:长期)?(?:记忆|笔记|备忘录?|档案|长期)里面?|我说的|这个|这件事|一件事)*'
const CHINESE_LEAD = new RegExp(`^${CHINESE_POLITE}${CHINESE_ORDER}${CHINESE_AFTER}[\\s，,：:。!！、—-]*`)
const CHINESE_TAIL = new RegExp(
  `[\\s，,。；;！!]+(?:这个|这点|这些)?${CHINESE_POLITE}${CHINESE_ORDER}${CHINESE_AFTER}[\\s。.!！~～]*$`,
)
const FEWEST_LATIN_WORDS = 3
const FEWEST_HAN = 4

/** Words that order plainly, at the head of a message and followed by what is to be remembered. */
const ENGLISH_ORDER = new RegExp(
  `^${POLITE}(?:remember|never forget|do(?: not|n['’]?t) forget|note|keep in mind|bear in mind|make a (?:mental )?note|take (?:a )?note|memori[sz]e|save|store|record|keep)(?: (?:this|that|it|down|for me|of this|in mind))*(?:\\s*[:：]\\s*|\\s+that\\s+|\\s+the fact that\\s+)(?=\\S)`,
  'i',
)
const CHINESE_ORDER_HEAD = new RegExp(
  `^${CHINESE_POLITE}(?:牢牢)?(?:记住|记下来?|记一下|记录(?:一下|下来?)?|记着|记牢|记好|牢记|切记|谨记|备注(?:一下)?|别忘了)${CHINESE_AFTER}\\s*[：:，,。]\\s*(?=\\S)`,
)
const ANY_ORDER = new RegExp(`\\b${ORDER}\\b|${CHINESE_ORDER}`, 'i')

/** An order that cannot be taken for anything else: "remember that …", "note: …", 记住：…; what follows states something. */
export function isPlainOrder(text: string): boolean {
  for (const order of [ENGLISH_ORDER, CHINESE_ORDER_HEAD]) {
    const rest = text.trim().replace(order, '')
    if (rest !== text.trim() && !NO_STATEMENT.test(rest) && !isQuestion(rest)) return true
  }
  return false
}

/** Whether the text has any word that could order something to be remembered. */
export function mentionsOrder(text: string): boolean {
  return ANY_ORDER.test(text)
}

/** "Please remember that I'm allergic to nuts" → "I'm allergic to nuts"; "remember to call her" stays as it is. */
export function withoutOrder(sentence: string): string {
  for (const order of [ENGLISH_LEAD, CHINESE_LEAD, ENGLISH_TAIL, CHINESE_TAIL]) {
    const rest = sentence.replace(order, '').trim()
    if (rest !== sentence.trim() && isStatement(rest)) return rest
  }
  return sentence
}

function isStatement(text: string): boolean {
  if (NO_STATEMENT.test(text) || isQuestion(text)) return false
  const han = text.match(/[\u3400-\u9fff]/g)?.length ?? 0
  const latin = text.match(/[a-z0-9][\w#-]*/gi)?.length ?? 0
  return han > 0 ? han + latin >= FEWEST_HAN : text.split(/\s+/).length >= FEWEST_LATIN_WORDS
}
