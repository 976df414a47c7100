/** The one vocabulary of keeping in memory: which words order it, ask for it politely, or name what is kept. */
import { hasHan } from './character-class.ts'

/** Words before an order that do not change it. */
export const POLITE =
  "(?:(?:hey|hi|hello|ok|okay|oh|ah|right|well|yo|now|anyway|actually|btw|by the way|one more thing|before i forget|quick note|one last thing|while i think of it|thanks|thx|so|and|also|please|pls|plz|kindly|just|can you|could you|would you|will you|i want you to|i need you to|i(?:['’]d| would) like you to|i (?:hope|expect|ask) you (?:to|will)|you should|you must|you(?:['’]ll| will) want to|make sure (?:that )?(?:you|to)|be sure to|go ahead and|first|from now on|always|fyi)[,:]? +)*"
/** "Could you remember that …?" asks for nothing but that. */
const ASKED_TO =
  /^(?:[a-z' ]{1,80}[, ]{1,8})?(?:can|could|would|will) you\b|^(?:请问)?(?:你|您)?(?:能不能|可不可以|能否|可否|可以|能)/i

/** A question that asks for something to be remembered or forgotten, as the order that it is. */
export function asOrder(text: string): string {
  return ASKED_TO.test(text) ? text.replace(/[吗嘛]?\s{0,40}[?？]{1,40}$|[吗嘛]$/, hasHan(text) ? '。' : '.') : text
}

/** A word that points to what was or will be said. */
export const THING = '(?:any of )?(?:this|that|it|these|those|them)(?: one)?'
/** "In your long-term memory", "on file": the place of what is kept. */
export const IN_MEMORY =
  '(?:in|to|into|on) (?:(?:your|the|my|our|any|long-term) ){0,3}(?:memory|memories|notes?|records?|file|profile|mind|head)'
/** What makes keeping of a verb of many meanings: "make a note of", "write that down", "put it in your notes". */
const TAIL = `(?: ${THING})?(?: (?:(?:a|an|any) )?(?:(?:mental|written) )?(?:notes?|records?|track|log)(?: (?:of|about|on))?\\b| down\\b| ${IN_MEMORY}\\b| on ?to\\b)`
const keeping = (plain: string, light: string): string => `(?:(?:${plain})\\b(?:${TAIL})?|(?:${light})${TAIL})`

/** "Remember", "make a note of", "keep in mind", "write that down"; of "keep that" the object is no part. */
export const KEEP = keeping(
  `remember|memori[sz]e|retain|note|record|save|store|log(?! (?:in|into|out|on|off)\\b)|keep(?= ${THING}(?:\\s*(?:$|[^\\w\\s])| (?:in|on|for|with|safe|somewhere|please)\\b))`,
  'keep|bear|make|take|write|jot|put|add|enter|commit|hold|hang',
)
/** The same as nouns of doing: "avoid recording". */
export const KEEPING = keeping(
  'remembering|memori[sz]ing|retaining|noting|recording|saving|storing|logging',
  'keeping|making|taking|writing|jotting|putting|adding|entering|committing|holding',
)
/** And as what was done: "I want it saved". */
export const KEPT = keeping(
  'remembered|memori[sz]ed|retained|noted|recorded|saved|stored|logged',
  'kept|made|taken|written|jotted|put|added|entered|committed|held',
)
/** "Don't forget", "never ever forget": two denials order to remember. */
export const NOT_FORGET =
  "(?:(?:you )?(?:never|(?:do|must|should)(?: not|n['’]?t)(?: you)?|let['’]?s not|not to)(?: ever)? forget)"

/** 记住, 存进, 登记: the verbs of keeping; behind 忘 there is none. */
export const KEEP_HAN =
  '(?<!忘)(?:记住|記住|记下|記下|记录|記錄|记低|記低|记得|記得|记着|记牢|记好|记入|记进|记到|记|保存|储存|存储|存入|存进|存到|存下|存|收录|录入|写进|写入|写到|写下|备注|備註|登记|存档|留底)'
/** 别忘记: as `NOT_FORGET`. */
export const NOT_FORGET_HAN = '(?:(?:别|別|不要|不能|不可以?|莫|勿)(?:再)?忘(?:记|記|掉|了)?)'
