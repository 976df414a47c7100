/** Which values does a text say are not so ("not 60", "isn't Katerina", "no stent, it is", 不是周三), and does another text give one? */
import { hasHan } from '../../language/character-class.ts'

const DENIED =
  /\b(?:not|isn't|wasn't|aren't|weren't|never|instead of|rather than|no longer) (?:a question of |about |from |for |on |at |in |the |an? |called |to ){0,40}(?<v>[\w'-]+(?: [A-Z][\w'-]+)?)|\bno (?<u>[\w'-]{1,40})(?=,? (?:it|he|she|they|just|but)\b)|(?:不是|不叫|不姓|并非|不在|不放|没有|不用) ?(?<w>[^，。！？,\s是]{1,10})/gi
/** "Not sure", "not good": a denial without a value. */
const NO_VALUE =
  /^(?:sure|good|bad|well|that|this|it|so|very|really|too|only|just|yet|bad|been|have|had|going|a|the|my|his|her|our|one|any|all|quite|as|to|me|him|what|how|enough|worth|able|gonna|happy|right|wrong|ever|again|there|here|now|much|many|even|because|if|like|want|get|be|in|on|until|before|once|mind|idea|longer|more)$/i

/** The denied values, as written: numbers, names, words that name something, two characters of Chinese. */
export function deniedIn(text: string): readonly string[] {
  return (
    [...text.replaceAll('’', "'").matchAll(DENIED)]
      // The second word belongs to it when it is part of a name.
      .map(({ groups }) => (groups?.v ?? groups?.u ?? groups?.w ?? '').replace(/ [^A-Z].{0,200}$/, ''))
      .filter((value) => /\d|^[A-Za-z]{3}|^\p{Script=Han}{2}/u.test(value) && !NO_VALUE.test(value))
  )
}

/** A number or a name: it can hardly stand in another text by chance. */
export function isPlainValue(value: string): boolean {
  return /\d|^[A-Z]|^\p{Script=Han}{2}/u.test(value)
}

/** Whether a text gives the value as a word of its own. */
export function givesValue(text: string, value: string): boolean {
  const at = text.toLowerCase().indexOf(value.toLowerCase())
  if (at < 0) return false
  const around = `${text[at - 1] ?? ' '}${text[at + value.length] ?? ' '}`
  return hasHan(value) || !/[A-Za-z0-9]/.test(around)
}

/** How a text begins that gives a value for something it does not name: "It's a knee", 人家姓阎. */
export const GIVES_ONE =
  /^(?:oh |and |well |so |turns out |sorry[,:]? )*(?:it|that|they)(?:['’]s|['’]re| is| are| was)\b|^(?:哦|原来|结果|啊)?(?:人家)?(?:那|它|这)?(?:其实|应该)?[是叫姓]/i
