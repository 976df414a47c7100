/** Which quantities does a text give, and of which things? Each comes with the words around it. */
import { readOnce } from '../../domain/read-once.ts'
import { indexTerms } from '../../language/terms.ts'
import { wordsOf } from '../facts/phrase-index.ts'
import { rarityOf } from '../topic/word-rarity.ts'
import { countedIn, READ_CHARACTERS, type WrittenQuantity, writtenQuantities } from './written-quantities.ts'

const ENGLISH = `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
  sundays january february march april may june july august september october november december morning afternoon evening
  night noon midnight today tomorrow yesterday tonight week weeks weekly weekend month months monthly year years yearly
  day days daily hour hours minute minutes o'clock one two three four five six seven eight nine ten eleven twelve twice
  once half dozen thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty
  seventy eighty ninety hundred thousand quid pound pounds euro euros dollar dollars bucks grand pence everything
  something anything nothing http https www com ago early late always never usually often sometimes everyday people person day long little big small
  great nice bit ready live life need needs keep keeps kept put puts let lets come came start started finally actually
  feel felt try tried bring brought call called turn turned look looking seem happy sad bad better best old new name
  called move moved take took taken taking every`
const CHINESE = `今天 昨天 明天 前天 后天 今年 去年 明年 前年 上周 这周 下周 上个 这个 下个 周一 周二 周三 周四 周五 周六 周日 周末
  星期 礼拜 早上 上午 中午 下午 晚上 半夜 凌晨 每天 每周 每月 每年 天天 一天 一次 一年 一个 两个 三个 一月 二月 三月
  四月 五月 六月 七月 八月 九月 十月 分钟 小时 点钟 一周 两年 几年 半年 多年 以前 以后 之前 之后 最近 终于 已经 一直
  还有 有点 一点 因为 所以 结果 没有 可以 自己 这次 那次 一起 起来 出来 下来 上来 不用 不再 开始 觉得 时候 一下 大概
  差不 不多 好像 哈哈 年级 块钱 万块 千块 百块 十块 一千 一万 几百 几千 几万 两百 三百 四百 五百 不太 太喜 喜欢 统一`

/** The index's remnants of names that look like plurals: Inês, Anes. */
const REMNANTS = ['in', 'an', 'on', 'at']

const TERMS = new Set([...indexTerms(ENGLISH).keys(), ...REMNANTS, ...CHINESE.split(/\s+/)])

/** true for a word of time, number or mere filling. */
export function isTimeTerm(term: string): boolean {
  if (TERMS.has(term)) return true
  // A pair of characters with a pronoun or one that only joins words is no word of its own.
  return /^\p{Script=Han}{2}$/u.test(term) && /[我你他她它的了在是和与就而但又很吗呢吧啊哦嗯呀么着过们]/.test(term)
}

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
/** A text with more of them is a table; each pair of two statements' is weighed against all others. */
const MOST_QUANTITIES = 24

/** The quantities of a text in the order in which they stand. */
export const quantitiesOf = readOnce('quantities', (whole): readonly Quantity[] => {
  const text = whole.slice(0, READ_CHARACTERS)
  const ends = [0, ...[...text.matchAll(SENTENCE_END)].map(({ index, 0: mark }) => index + mark.length), text.length]
  const termsOf = new Map<number, readonly WordTerms[]>()
  return writtenQuantities(text)
    .toSorted((a, b) => a.at - b.at)
    .slice(0, MOST_QUANTITIES)
    .map((one) => {
      const next = ends.findIndex((end) => end > one.at)
      const [from, to] = [ends[next - 1] ?? 0, ends[next] ?? text.length]
      const words = termsOf.get(from) ?? termsOfWords(text.slice(from, to))
      termsOf.set(from, words)
      return { ...one, from, to, ...termsAround(text, from, to, words, one) }
    })
})

/** Words that only tell that something has changed, or how people write in chats: they name nothing that is measured. */
const FILLING = new Set([
  ...indexTerms(
    'increased increase adjusted adjust changed change updated update reduced reduce extended extend raised lowered cut dropped improved reached reach now new currently recently finally managed rescheduled reschedule moved moving pushed postponed kinda trying worried wondering considering help total around typically really averaging like pm per considering',
  ).keys(),
])

/** Such words in Chinese, where words are not parted: characters of these are in no term. */
const HAN_FILLING =
  /推迟|提[前高升]|延[后期长]|[涨降增升减调改换挪缩变加][到成至为加少高低长短了回]*|[定约排放]在|[达得超]到|现在|如今|目前|大概|差不多/g

/** Characters between a value and the beginning of the word that it is of. */
const BESIDE = 45
/** A mark between a word and a value: it is not of that word; a pair of Chinese characters is seldom one word. */
const BREAKS = /[,;:]|\p{Script=Han}/u

/** A word of a sentence with the terms that may name what is measured. */
interface WordTerms {
  readonly written: string
  readonly start: number
  readonly isHan: boolean
  readonly terms: readonly string[]
}

function termsOfWords(sentence: string): readonly WordTerms[] {
  const filling = [...sentence.matchAll(HAN_FILLING)]
  const words = wordsOf(sentence).filter(
    ({ start }) => !filling.some(({ index, 0: said }) => start >= index && start < index + said.length),
  )
  return words.map(({ text: written, start, han: isHan }, place) => {
    const next = words[place + 1]
    const pair = isHan && next?.han === true && next.start === start + 1 ? [written + next.text] : []
    const terms = (isHan ? pair : [...indexTerms(written).keys()]).filter(
      (term) => !/^\d/.test(term) && !FILLING.has(term) && !isTimeTerm(term) && rarityOf(term) > 0,
    )
    return { written, start, isHan, terms }
  })
}

function termsAround(
  text: string,
  from: number,
  to: number,
  words: readonly WordTerms[],
  { at, length, unit }: WrittenQuantity,
): Pick<Quantity, 'near' | 'apart' | 'heads' | 'own' | 'clause'> {
  const apart = new Map<string, string>()
  let last = { term: '', end: -1 }
  const before: (readonly string[])[] = []
  const behind: (readonly string[])[] = []
  const placed: { readonly term: string; readonly start: number }[] = []
  for (const { written, start, isHan, terms } of words) {
    if ((start + from >= at && start + from < at + length) || terms.length === 0) continue
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
  return { near, apart, heads, ...clauseOf(text.slice(from, to), at - from, length, placed) }
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
  // A number without a unit needs the counted thing, or the matter, near it.
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
