/** Which outer features has a message: length, marks, script, questions, quotations? */
import { type MeaningTable, meaningMask } from './meaning.ts'

/** Names of the shapes, in the order of their weights. */
export const SHAPES = [
  'always',
  'chinese',
  'mixed',
  'one word',
  'up to 3 words',
  'up to 6 words',
  'up to 12 words',
  'up to 25 words',
  'up to 50 words',
  'long',
  'one clause',
  'two clauses',
  'three or four clauses',
  'many clauses',
  'asks at the end',
  'asks at the end, short',
  'mark of a question inside',
  'a statement before the question',
  'self in a clause that does not ask',
  'self only in clauses that ask',
  'self and task in different clauses',
  'no self',
  'no self, asks',
  'no self, no kin, asks',
  'no self, task',
  'kin without self',
  'quoted, long',
  'quoted, short',
  'colon, then much',
  'colon early',
  'several lines',
  'block of code',
  'code marks',
  'many figures',
  'exclamation',
  'several exclamations',
  'emoji',
  'emoji only',
  'no letters',
  'ellipsis',
  'equals sign',
  'ends in a stop',
  'foreign half',
  'dialogue',
  'repeated letters',
  'pasted, a little',
  'pasted, half',
  'pasted, nearly all',
  'unreal',
  'nothing but unreal',
] as const

const number = new Map<string, number>(SHAPES.map((name, at) => [name, at]))
const SELF = meaningMask('self', 'own', 'we')
const KIN = meaningMask('kin', 'acquaintance', 'third', 'pet')
const ASKS = meaningMask('ask', 'particle')
const TASKS = meaningMask('task', 'request', 'pasting', 'work')
const QUOTED = /["“”「『《‘]([^"“”」』》’]{2,200})["“”」』》’]/
const LONG_QUOTE = 25
const LONG_QUOTE_HAN = 10

/** Numbers of the shapes that a text has. */
export function shapeOf(
  text: string,
  prepared: string,
  words: readonly string[],
  clauses: MeaningTable,
  asks: boolean,
  pasted: number,
  unreal: number,
): readonly number[] {
  const found: number[] = [number.get('always')!]
  const add = (name: (typeof SHAPES)[number], holds: boolean): void => {
    if (holds) found.push(number.get(name)!)
  }
  const { han, latin } = countScripts(prepared)
  const chinese = han > latin
  const size = chinese ? Math.ceil(words.length * 0.62) : words.length
  add('chinese', chinese)
  add('mixed', han > 0 && latin > 0)
  add('foreign half', han > 2 && latin > 4)
  add('one word', size <= 1)
  add('up to 3 words', size > 1 && size <= 3)
  add('up to 6 words', size > 3 && size <= 6)
  add('up to 12 words', size > 6 && size <= 12)
  add('up to 25 words', size > 12 && size <= 25)
  add('up to 50 words', size > 25 && size <= 50)
  add('long', size > 50)
  const { count, self, selfAside, selfBesideTask, task, kin, stated } = surveyClauses(clauses)
  add('one clause', count <= 1)
  add('two clauses', count === 2)
  add('three or four clauses', count === 3 || count === 4)
  add('many clauses', count > 4)
  add('asks at the end', asks)
  add('asks at the end, short', asks && size <= 12)
  add('mark of a question inside', /[?？](?=.{0,200}\p{L})/su.test(text))
  add('a statement before the question', asks && stated)
  add('self in a clause that does not ask', selfAside)
  add('self only in clauses that ask', self && !selfAside)
  add('self and task in different clauses', task && selfBesideTask)
  add('no self', !self)
  add('no self, asks', !self && asks)
  add('no self, no kin, asks', !self && !kin && asks)
  add('no self, task', !self && task)
  add('kin without self', kin && !self)
  const quote = QUOTED.exec(text)?.[1] ?? ''
  const long = quote.length >= (/[\u3400-\u9fff]/.test(quote) ? LONG_QUOTE_HAN : LONG_QUOTE)
  add('quoted, long', long)
  add('quoted, short', quote !== '' && !long)
  const colon = text.search(/[:：]/)
  add('colon, then much', colon > 0 && text.length - colon > (chinese ? 12 : 40))
  add('colon early', colon > 0 && colon < (chinese ? 12 : 40))
  add('several lines', text.trim().includes('\n'))
  add('block of code', text.includes('```'))
  add(
    'code marks',
    /[{};]\s{0,40}$|=>|\(\)|==|<\/?\w{1,40}>|^\s{0,40}(?:at |import |def |function |select |\$ )/im.test(text),
  )
  add('many figures', (text.match(/\d/g)?.length ?? 0) > 5)
  add('exclamation', /[!！]/.test(text))
  add('several exclamations', /[!！].{0,200}[!！]/s.test(text))
  const emoji = /\p{Extended_Pictographic}/u.test(text)
  add('emoji', emoji)
  const letters = /[\p{L}\p{N}]/u.test(text)
  add('emoji only', emoji && !letters)
  add('no letters', !letters)
  add('pasted, a little', pasted > 0.05 && pasted <= 0.4)
  add('pasted, half', pasted > 0.4 && pasted <= 0.8)
  add('pasted, nearly all', pasted > 0.8)
  add('unreal', unreal > 0)
  add('nothing but unreal', unreal > 0 && words.length < 4)
  add('ellipsis', /…|\.\.\./.test(text))
  add('equals sign', /\S=\S/.test(text))
  add('ends in a stop', /[.。]\s{0,40}$/.test(text))
  add('dialogue', /^.{1,8}[:：].*\n.{1,8}[:：]/s.test(text))
  add('repeated letters', /(\p{L})\1\1/u.test(text))
  return found
}

/** The counts of self, kin, tasks and questions over all clauses. */
function surveyClauses(clauses: MeaningTable) {
  let count = 0
  let self = false
  let selfAside = false
  let selfBesideTask = false
  let task = false
  let kin = false
  let stated = false
  for (let row = 0; row < clauses.rows; row++) {
    const size = clauses.size(row)
    if (size === 0) continue
    count++
    const asks = clauses.hasAny(row, ASKS)
    const tasks = clauses.hasAny(row, TASKS)
    if (clauses.hasAny(row, SELF)) {
      self = true
      if (!asks) selfAside = true
      if (!tasks) selfBesideTask = true
    }
    if (tasks) task = true
    if (clauses.hasAny(row, KIN)) kin = true
    if (size > 1 && !asks) stated = true
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
