/** Which outer features has a message: length, marks, script, questions, quotations? */
import { MEANINGS } from './lexicon.ts'

const numbersOf = (names: string): readonly number[] => names.split(' ').map((name) => MEANINGS.indexOf(name))
const SELF = numbersOf('self own we')
const KIN = numbersOf('kin acquaintance third pet')
const ASKS = numbersOf('ask particle')
const TASKS = numbersOf('task request pasting work')
const QUOTED = /["“”「『《‘]([^"“”」』》’]{2,200})["“”」』》’]/
const LONG_QUOTE = 25
const LONG_QUOTE_HAN = 10
const CODE_MARKS = /[{};]\s{0,40}$|=>|\(\)|==|<\/?\w{1,40}>|^\s{0,40}(?:at |import |def |function |select |\$ )/im

/** The meanings of each clause. */
export type ClauseMeanings = readonly ReadonlySet<number>[]

/** Whether a text has each shape; their order is the order of their weights. */
export function shapesOf(
  text: string,
  prepared: string,
  words: readonly string[],
  clauses: ClauseMeanings,
  asks: boolean,
  pasted: number,
  unreal: number,
) {
  const { han, latin } = countScripts(prepared)
  const chinese = han > latin
  const size = chinese ? Math.ceil(words.length * 0.62) : words.length
  const { count, self, selfAside, selfBesideTask, task, kin, stated } = surveyClauses(clauses)
  const quote = QUOTED.exec(text)?.[1] ?? ''
  const isLongQuote = quote.length >= (/[\u3400-\u9fff]/.test(quote) ? LONG_QUOTE_HAN : LONG_QUOTE)
  const colon = text.search(/[:：]/)
  const emoji = /\p{Extended_Pictographic}/u.test(text)
  const letters = /[\p{L}\p{N}]/u.test(text)
  return {
    always: true,
    chinese,
    mixed: han > 0 && latin > 0,
    'one word': size <= 1,
    'up to 3 words': size > 1 && size <= 3,
    'up to 6 words': size > 3 && size <= 6,
    'up to 12 words': size > 6 && size <= 12,
    'up to 25 words': size > 12 && size <= 25,
    'up to 50 words': size > 25 && size <= 50,
    long: size > 50,
    'one clause': count <= 1,
    'two clauses': count === 2,
    'three or four clauses': count === 3 || count === 4,
    'many clauses': count > 4,
    'asks at the end': asks,
    'asks at the end, short': asks && size <= 12,
    'mark of a question inside': /[?？](?=.{0,200}\p{L})/su.test(text),
    'a statement before the question': asks && stated,
    'self in a clause that does not ask': selfAside,
    'self only in clauses that ask': self && !selfAside,
    'self and task in different clauses': task && selfBesideTask,
    'no self': !self,
    'no self, asks': !self && asks,
    'no self, no kin, asks': !self && !kin && asks,
    'no self, task': !self && task,
    'kin without self': kin && !self,
    'quoted, long': isLongQuote,
    'quoted, short': quote !== '' && !isLongQuote,
    'colon, then much': colon > 0 && text.length - colon > (chinese ? 12 : 40),
    'colon early': colon > 0 && colon < (chinese ? 12 : 40),
    'several lines': text.trim().includes('\n'),
    'block of code': text.includes('```'),
    'code marks': CODE_MARKS.test(text),
    'many figures': (text.match(/\d/g)?.length ?? 0) > 5,
    exclamation: /[!！]/.test(text),
    'several exclamations': /[!！].{0,200}[!！]/s.test(text),
    emoji,
    'emoji only': emoji && !letters,
    'no letters': !letters,
    ellipsis: /…|\.\.\./.test(text),
    'equals sign': /\S=\S/.test(text),
    'ends in a stop': /[.。]\s{0,40}$/.test(text),
    'foreign half': han > 2 && latin > 4,
    dialogue: /^.{1,8}[:：].*\n.{1,8}[:：]/s.test(text),
    'repeated letters': /(\p{L})\1\1/u.test(text),
    'pasted, a little': pasted > 0.05 && pasted <= 0.4,
    'pasted, half': pasted > 0.4 && pasted <= 0.8,
    'pasted, nearly all': pasted > 0.8,
    unreal: unreal > 0,
    'nothing but unreal': unreal > 0 && words.length < 4,
  }
}

/** The counts of self, kin, tasks and questions over all clauses. */
function surveyClauses(clauses: ClauseMeanings) {
  let count = 0
  let self = false
  let selfAside = false
  let selfBesideTask = false
  let task = false
  let kin = false
  let stated = false
  for (const meanings of clauses) {
    if (meanings.size === 0) continue
    count++
    const has = (one: number): boolean => meanings.has(one)
    const asks = ASKS.some(has)
    const tasks = TASKS.some(has)
    if (SELF.some(has)) {
      self = true
      if (!asks) selfAside = true
      if (!tasks) selfBesideTask = true
    }
    if (tasks) task = true
    if (KIN.some(has)) kin = true
    if (meanings.size > 1 && !asks) stated = true
  }
  return { count, self, selfAside, selfBesideTask, task, kin, stated }
}

/** How many Han characters, and how many runs of the letters a to z. */
function countScripts(prepared: string): { readonly han: number; readonly latin: number } {
  let han = 0
  let latin = 0
  let inside = false
  for (let at = 0; at < prepared.length; at++) {
    const code = prepared.charCodeAt(at)
    const letter = code >= 97 && code <= 122
    if (letter && !inside) latin++
    else if (code >= 0x3400 && code <= 0x9fff) han++
    inside = letter
  }
  return { han, latin }
}
