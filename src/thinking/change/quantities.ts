/** Which quantities does a text give, and of which things? Each comes with the words around it. */
import { readOnce } from '../../domain/read-once.ts'
import { indexTerms } from '../../language/tokens.ts'
import { wordsOf } from '../facts/words.ts'
import { rarityOf } from '../topic/common-words.ts'
import { isTimeTerm } from './time-terms.ts'
import { countedIn, type WrittenQuantity, writtenQuantities } from './written-quantities.ts'

/** One quantity of a text. */
export interface Quantity extends WrittenQuantity {
  /** Terms of its sentence that carry content, with their distance from the quantity in such terms: 1 beside it. */
  readonly near: ReadonlyMap<string, number>
  /** The word right before such a term that distinguishes it: "trip" of "budget". */
  readonly apart: ReadonlyMap<string, string>
  /** The words that it may be of: the nearest before it with its own first word, and the last noun right behind it. */
  readonly heads: ReadonlySet<string>
  /** Those of its own clause, with the clause before where this one says "it" or names next to nothing. */
  readonly own: ReadonlySet<string>
  /** Its own clause. */
  readonly clause: string
  /** Place of its sentence. */
  readonly from: number
  readonly to: number
}

const SENTENCE_END = /[.!?]{1,40}(?=\s|$)|[。！？\n]+/g
/** Numbers are in no other text for a reason; longer texts are read to here. */
const READ_CHARACTERS = 3000
/** A text with more of them is a table; the words around each are read. */
const MOST_QUANTITIES = 64

/** The quantities of a text in the order in which they stand. */
export const quantitiesOf = readOnce('quantities', (whole): readonly Quantity[] => {
  const text = whole.slice(0, READ_CHARACTERS)
  const ends = [0, ...[...text.matchAll(SENTENCE_END)].map(({ index, 0: mark }) => index + mark.length), text.length]
  return writtenQuantities(text)
    .toSorted((a, b) => a.at - b.at)
    .slice(0, MOST_QUANTITIES)
    .map((one) => {
      const next = ends.findIndex((end) => end > one.at)
      const [from, to] = [ends[next - 1] ?? 0, ends[next] ?? text.length]
      return { ...one, from, to, ...termsAround(text, from, to, one) }
    })
})

/** Words that only tell that something has changed, or how people write in chats: they name nothing that is measured. */
const FILLING = new Set([
  ...indexTerms(
    'increased increase adjusted adjust changed change updated update reduced reduce extended extend raised lowered cut dropped improved reached reach now new currently recently finally managed rescheduled reschedule moved moving pushed postponed kinda trying worried wondering considering help total around typically really averaging like pm per considering',
  ).keys(),
])

/** The same in Chinese, where words are not parted: characters of these are in no term. */
const HAN_FILLING =
  /推迟|提[前高升]|延[后期长]|[涨降增升减调改换挪缩变加][到成至为加少高低长短了回]*|[定约排放]在|[达得超]到|现在|如今|目前|大概|差不多/g

/** Characters between a value and the beginning of the word that it is of. */
const BESIDE = 45
/** A mark between a word and a value: it is not of that word; a pair of Chinese characters is seldom one word. */
const BREAKS = /[,;:]|\p{Script=Han}/u

function termsAround(
  text: string,
  from: number,
  to: number,
  { at, length, unit }: WrittenQuantity,
): Pick<Quantity, 'near' | 'apart' | 'heads' | 'own' | 'clause'> {
  const apart = new Map<string, string>()
  let last = { term: '', end: -1 }
  const before: string[][] = []
  const behind: string[][] = []
  const placed: { readonly term: string; readonly start: number }[] = []
  const sentence = text.slice(from, to)
  const filling = [...sentence.matchAll(HAN_FILLING)]
  const words = wordsOf(sentence).filter(
    ({ start }) => !filling.some(({ index, 0: said }) => start >= index && start < index + said.length),
  )
  for (const [place, { text: written, start, han: isHan }] of words.entries()) {
    if (start + from >= at && start + from < at + length) continue
    const next = words[place + 1]
    const pair = isHan && next?.han === true && next.start === start + 1 ? [written + next.text] : []
    const terms = (isHan ? pair : [...indexTerms(written).keys()]).filter(
      (term) => !/^\d/.test(term) && !FILLING.has(term) && !isTimeTerm(term) && rarityOf(term) > 0,
    )
    if (terms.length === 0) continue
    ;(start + from < at ? before : behind).push(terms)
    placed.push(...terms.map((term) => ({ term, start })))
    if (isHan) continue
    if (last.end + 1 === start && text[start + from - 1] === ' ') apart.set(terms[0]!, last.term)
    last = { term: terms[0]!, end: start + written.length }
  }
  const near = new Map<string, number>()
  const noun = countedIn(text.slice(at + length, to))
  const nearest = placed.findLast(({ start }) => start + from < at)
  const isBeside =
    nearest !== undefined && at - from - nearest.start <= BESIDE && !BREAKS.test(text.slice(from + nearest.start, at))
  const named = isBeside ? [nearest.term, apart.get(nearest.term) ?? ''] : []
  const heads = new Set([...named, noun, unit].filter((word) => word !== ''))
  for (const side of [before.reverse(), behind])
    for (const [place, terms] of side.entries())
      for (const term of terms) near.set(term, Math.min(place + 1, near.get(term) ?? Infinity))
  return { near, apart, heads, ...clauseOf(sentence, at - from, length, placed) }
}

/** Where one clause of a sentence ends and the next begins. */
const NEXT_CLAUSE =
  /[,;:()—–]\s|\s-\s|[，；：]|\s(?:and|but|so|while|which|because|considering|since|if|when|though|how|what|that)\s|\s(?=(?:can|could|do|should) (?:you|i)\b)/gi
/** A clause about what the clause before names. */
const GOES_ON = /\b(?:it|they|this|these)\b|^(?:has|have|is|was|now|recently|improved)\b/i
/** Terms that name a quantity. */
const NAMING = 2

function clauseOf(
  sentence: string,
  at: number,
  length: number,
  placed: readonly { readonly term: string; readonly start: number }[],
): Pick<Quantity, 'own' | 'clause'> {
  const starts = [0, ...[...sentence.matchAll(NEXT_CLAUSE)].map(({ index, 0: mark }) => index + mark.length)]
  const to = starts.find((start) => start >= at + length) ?? sentence.length
  const termsFrom = (from: number): ReadonlySet<string> =>
    new Set(placed.flatMap(({ term, start }) => (start >= from && start < to ? [term] : [])))
  let place = starts.findLastIndex((start) => start <= at)
  const clause = sentence.slice(starts[place], to)
  let own = termsFrom(starts[place]!)
  while (place > 0 && (own.size < NAMING || GOES_ON.test(sentence.slice(starts[place], at)))) {
    place -= 1
    const longer = termsFrom(starts[place]!)
    const names = longer.size >= NAMING && longer.size > own.size
    own = longer
    if (names) break
  }
  return { own, clause }
}

/** Whether two quantities are values of one scale: the same kind and unit, or one that does not name its unit. */
export function isOneScale(a: Quantity, b: Quantity): boolean {
  // An amount of money may be given without its currency.
  if (a.kind !== b.kind) return isBare(a, b) || isBare(b, a)
  if (a.kind === 'version') return a.unit === b.unit || a.unit === '' || b.unit === ''
  if (a.kind !== 'count') return a.unit === b.unit
  if (a.unit === b.unit) return true
  if (a.unit !== '' && b.unit !== '') return false
  // Who says the number alone names what is counted, or the matter.
  return (
    a.near.has(b.unit) || b.near.has(a.unit) || [...a.near.keys()].filter((term) => b.near.has(term)).length >= NAMING
  )
}

function isBare(amount: Quantity, { kind }: Quantity): boolean {
  return amount.kind === 'count' && amount.unit === '' && kind === 'money'
}

/** Whether two quantities have one value, or one's is a part of the other's: "the 5th" and "April 5th". */
export function isOneValue(a: Quantity, b: Quantity): boolean {
  if (a.kind === 'day') {
    const [[m, d, e], [n, f, g]] = [a.value.split('-'), b.value.split('-')]
    return (m === n || m === '' || n === '') && d === f && (e === g || e === undefined || g === undefined)
  }
  if (a.kind === 'clock') return a.value === b.value || sameHour(a.value, b.value) || sameHour(b.value, a.value)
  return a.value === b.value
}

/** 3:00 may be 15:00. */
function sameHour(a: string, b: string): boolean {
  const [[h, m], [i, n]] = [a.split(':'), b.split(':')]
  return Number(h) + 12 === Number(i) && m === n
}

/** A scale on which both give values, and none in common: both cannot be so of one thing. */
export function conflicting(newer: readonly Quantity[], older: readonly Quantity[]): boolean {
  return newer.some(
    (value) =>
      older.some((one) => isOneScale(one, value)) &&
      !newer.some((a) => isOneScale(a, value) && older.some((b) => isOneScale(a, b) && isOneValue(a, b))),
  )
}
