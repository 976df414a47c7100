/**
 * Which part of a sentence can be shown by itself? The one without a lead-in ("Hey Bo, so …"), cut at a clause where
 * too long; headings, formulas and halves give nothing.
 */
import { hasHan } from '../../language/character-class.ts'
import { isQuestion } from '../../language/questions.ts'

const GREETED = `(?:hi(?:ya)?|hey|hello|yo|howdy|good (?:morning|afternoon|evening)|morning|thanks(?: so much| a lot)?|thank you(?: so much)?|congrats|wow|welcome back|dear|sure|certainly|absolutely|definitely|exactly|indeed|of course|great|cool|nice|perfect|awesome|yes|yeah|yep|no|nope|nah|ok(?:ay)?|right|alright|got it|understood|sounds good|i see|well|man|dude|honestly|actually|anyway|by the way|btw|plus|also|in addition|however|additionally|for (?:example|instance)|as for me|oh|ah|aw+|h+m+|u+h+|u+m+|ha(?:ha)+|lol|omg|damn|so|and|but|or|then|please|to be honest|you know)`
/** Words that lead in, with the listener's name; those that need no comma stand last. */
const LEAD = new RegExp(
  String.raw`^(?:${GREETED}(?: (?:there|all|team|again|everyone|\p{Lu}[\p{L}]{1,20}))?\s?[,!.~…:-]+\s+|(?:so(?! (?:far|many|much)\b)|and|but|well|also|oh+|h+m+|u+gh+|yo|btw|fyi|plus|hey|hi|hello|ye[as]h?|ya|nah|lol)\s+|\p{Lu}[\p{Ll}]{2,15}[,!]\s+(?=(?:i|we|my|you|it|that|this|what|how|great|long|thanks)\b))`,
  'iu',
)
const CHINESE_LEAD =
  /^(?:(?:你好|您好|嗨|嘿|呼|哈喽|早上好|早安?|上午好|下午好|晚上好|在吗|好的?|嗯+|哦|噢|啊|哇|唉|对|是的?|是啊|没错|当然|谢谢你?|多谢|对了|另外|其实|明白|理解|确实|完全(?:正确|同意)|太好了|那个|话说|请问|首先|其次|最后|总之|此外)[呀啊哟吧的了呢]{0,2}[，,。！!~～…、：:\s]+|(?:对了|不过|但是?(?![凡愿])|而且|所以|那么|然后|并且|因此|同时)[，,]?)/u
const MOST_LEADS = 4

/** A close of a clause with a whole sentence in front. */
const CLAUSE_CLOSE =
  /,\s{1,40}(?=(?:(?:and|or) (?:i|we|it|he|she|they|you|the|my|then|how|what|if|i['’]\w{1,40}|we['’]\w{1,40}|it['’]\w{1,40}|that['’]\w{1,40}|can|could|also|maybe)\b|but|so|because|since|although|though|while|whereas|where|when|if|as|especially|particularly|considering|given|including|specifically|like|you know|(?:can|could|would|will|do|does|is|are|should) (?:i|you|we|it|this|that|there)|what|how|why|i|i['’]\w{1,40}|we|we['’]\w{1,40}|it|it['’]s|he|she|they|maybe|any|thanks|just|please|with|to|for|after|before|especially|and [a-z]{1,40}(?:ing|ed)\b|[a-z]{1,40}ing)\b)|;\s+|\s{1,40}[-–—]{1,40}\s+|\s{1,40}(?=(?:because|so that|although|whereas|(?:(?<!(?-i:\p{Lu})[\p{L}'’]{0,20} )and|but|so|since) (?:i|we|she|he|they|i['’]\w{1,40}|we['’]\w{1,40}|it['’]s))\b)|[，；;](?=.{2})/giu
/** A last clause that only leads to one that was cut: "…, and given that it rains". */
const LEADS_ON =
  /[,;]?\s(?:and|but|so|or)\s(?:given|if|when|while|since|as|after|although|though|because)\b[^,]{0,200}$|(?:^|[，；])(?:如果|虽然|尽管|既然|除了|不仅|不但|一方面|既|即使|只要|一想到|因为|由于)[^，；]{0,100}$/i
/** Formulas, code, addresses of pictures and remnants of a cut. */
const NO_PROSE =
  /\\[([a-z{]|\$\$|[{}<>|=]{2}|\w\(\)?;|^\W*https?:\S+\W*$|\[[^\]]{0,200}$|_{3}|…$|\.\.\.$|[:：]\s?\d{1,2}[.。]?$|^\d{1,2}[.、)）]/i

/** Words of Latin script and Han characters: how much a text says. */
function lengthInWords(text: string): number {
  return (text.match(/[\p{Script=Han}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’._/-]*/gu) ?? []).length
}

/** The sentence without its lead-in. */
export function withoutLead(sentence: string): string {
  let text = sentence.replace(/[\s\u2060\u200b]+/g, ' ').trim()
  for (let leads = 0; leads < MOST_LEADS; leads++) {
    const rest = text.replace(hasHan(text.slice(0, 8)) ? CHINESE_LEAD : LEAD, '')
    if (rest === text) break
    text = rest.trim()
  }
  return text
}

/** The sentence, or as many of its first clauses as `fits` takes, as it may be shown; null where that is nothing. */
export function statementOf(sentence: string, fits: (text: string) => boolean): string | null {
  const text = withoutLead(sentence.slice(0, LONGEST_SENTENCE))
  if (NO_PROSE.test(text)) return null
  const chinese = hasHan(text)
  const whole = closed(text, text)
  if (sentence.length < LONGEST_SENTENCE && fits(whole)) return isWhole(whole, chinese) ? whole : null
  const ends = [...text.matchAll(CLAUSE_CLOSE)].slice(0, MOST_ENDS)
  for (const { index } of ends.toReversed()) {
    const told = closed(text.slice(0, index).trim().replace(LEADS_ON, ''), text)
    if (fits(told) && isWhole(told, chinese)) return told
  }
  return null
}

/** UTF-16 units of a sentence that are looked at, and places where it could end. */
const LONGEST_SENTENCE = 800
const MOST_ENDS = 40
const FEWEST_WORDS = 4
const FEWEST_HAN = 6
/** A shorter question only takes up a word of the other. */
const FEWEST_HAN_ASKED = 10

function isWhole(text: string, chinese: boolean): boolean {
  if (lengthInWords(text) < (!chinese ? FEWEST_WORDS : /？/.test(text) ? FEWEST_HAN_ASKED : FEWEST_HAN)) return false
  const letters = text.match(/[\p{L}\p{N}\s]/gu)?.length ?? 0
  return letters > 0.75 * [...text].length
}

/** Words that lead to the clause that was cut; "rain or not" ends by itself. */
const LEADS_TO_CUT = /[,\s]{1,40}(?:especially|particularly|but|and|so|like|you know|or|even|just|(?<!\bor )not)$/i

/** The piece with a capital in front, and behind it a full stop, or the question mark of a question. */
function closed(piece: string, sentence: string): string {
  const ended = piece.replace(/[\s,;:，；：、~～\-–—.。!！?？]{1,40}$/u, '')
  const bare = piece === sentence ? ended : ended.replace(LEADS_TO_CUT, '')
  const ending = piece === sentence ? (/[!！?？]["'”’)）]{0,40}$/.exec(piece.slice(-3))?.[0]?.[0] ?? null) : null
  const asked = ending ?? (isQuestion(bare) ? '?' : '.')
  const mark = hasHan(bare) ? ({ '?': '？', '!': '！', '.': '。' }[asked] ?? asked) : asked
  return (/["'”’]$/.test(bare) && /[.!?。！？]["'”’]$/.test(bare) ? bare : bare + mark).replace(
    /^\p{Ll}(?=[\p{Ll}'’-]{0,40}(?:[\s,.!?]|$))(?!.*\p{Script=Han})/u,
    (letter) => letter.toUpperCase(),
  )
}
