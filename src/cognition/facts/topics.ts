/**
 * Which attributes does a text speak of? A topic is the name of a slot whose words stand in the text, with how plainly
 * it says so; statements and questions are compared by their topics where they use different words.
 */
import { atOnce } from '../../domain/pieces.ts'
import { growingPhraseIndex, type PhraseHit, type PhraseIndex } from './phrase-index.ts'
import type { Slot } from './slot.ts'
import { slotTable, wordTable } from './slot.ts'
import { ASKED_WORDS } from './slots-asked.ts'
import { FURTHER_SLOTS, FURTHER_WORDS } from './slots-further.ts'
import { LIFE_SLOTS } from './slots-life.ts'
import { LIFE_VALUES } from './slots-values-life.ts'
import { MORE_WORDS } from './slots-values-more.ts'
import { WORK_VALUES } from './slots-values-work.ts'
import { WORK_SLOTS } from './slots-work.ts'
import { type Word, wordsOf } from './words.ts'

/** What stands for no attribute although its words do elsewhere. */
const EMPTY_PHRASES = `at home, on the phone, phone call, phone in, in the car, by car, drive me mad, drive me crazy, on the house,
  in a book, on the same page, from the house, near the house, from home, from the flat, near home, home page, homepage, home directory, home screen, key value, single quotes, single line,
  every single, single time, a single one, not a single, single source, main thread, dark mode, light mode, boot camp, dog food, car park, at work, hard work, works fine,
  works now, still works, the work, no idea, a lot of work, take care, take a look, moving on, moved on, at all, at least,
  set up, looking at, per cent, running late, run out, in the end, bank holiday, for the weekend, kind of, type of, sort of, for ages, in ages, age ago, keys to,
  dry run, dry runs, test run, trial run, everything runs, still running, up and running, running on, runs on, runs in, ran clean, run the,
  runs the, running the, ran the, job running, sweep running, in the long run, run of the mill, runs clean, ran payroll, ever pass, pass the`
const EMPTY_HAN = `车友 车机 车间 车票 车站 车厢 堵车 打车 火车 火车站 手机上 电话里 工作量 生活 生意上 先生们 书面 打工人 地道 马上 马路 马虎 花钱 花了 花时间 花费 喝彩 鼓励 鼓舞 烟火 课题组
  琴键 单位时间 岁月 药丸 上课铃 楼上说 隔壁组 茶几 书架 书桌 狗血 猫腻 对象存储 面向对象 测试对象 哥们 老师傅 师傅们 大哥 小哥 辣鸡
  辣眼睛 酒店 课程 学姐 学长 学弟 学妹 小姐姐 姐妹们 打住 记住 忍住 站住 停住 稳住 抓住 顶住 靠住 撑住 憋住 捂住 堵住 接住 拦住 困住 花生 茶水间 鱼缸里 做梦 金额单位 计量单位
  货币单位 长度单位 重量单位`

const SLOTS: readonly Slot[] = [...slotTable(LIFE_SLOTS), ...slotTable(WORK_SLOTS), ...slotTable(FURTHER_SLOTS)]
const BY_NAME: ReadonlyMap<string, Slot> = new Map(SLOTS.map((slot) => [slot.name, slot]))

interface TopicWord {
  readonly slot: Slot | null
  readonly weight: number
}

let known: PhraseIndex<TopicWord> | undefined

/** Makes the table of topics ready, in pieces; a process that only stores turns never waits for it. */
export function* readyTopics(): Generator<void, PhraseIndex<TopicWord>> {
  known ??= yield* growingPhraseIndex(entries())
  return known
}

function index(): PhraseIndex<TopicWord> {
  return known ?? atOnce(readyTopics())
}

function* entries(): Generator<readonly [string, TopicWord]> {
  for (const [name, words] of [
    ...wordTable(LIFE_VALUES),
    ...wordTable(WORK_VALUES),
    ...wordTable(FURTHER_WORDS),
    ...wordTable(MORE_WORDS),
    ...wordTable(ASKED_WORDS),
  ]) {
    const slot = BY_NAME.get(name)
    if (slot === undefined) throw new Error(`words for no slot: ${name}`)
    for (const { word, weight } of words) yield [word, { slot, weight }]
  }
  for (const slot of SLOTS) for (const { word, weight } of slot.words) yield [word, { slot, weight }]
  const empty = [...EMPTY_PHRASES.split(','), ...EMPTY_HAN.split(/\s+/)]
  for (const phrase of empty) yield [phrase, { slot: null, weight: 0 }]
}

/** The slot of a name, undefined for a key that is no slot. */
export function slotNamed(name: string): Slot | undefined {
  return BY_NAME.get(name)
}

/** Topics of a text with their weight: 1 named, 0.5 hinted at; two hints make 1. */
export function topicsOf(text: string): ReadonlyMap<string, number> {
  return topicsOfWords(wordsOf(text))
}

/** The same for words that were cut already. */
export function topicsOfWords(words: readonly Word[]): ReadonlyMap<string, number> {
  const topics = new Map<string, number>()
  for (const { entry } of topicHits(words)) {
    if (entry.slot === null) continue
    const { name } = entry.slot
    topics.set(name, Math.min(1, (topics.get(name) ?? 0) + entry.weight))
  }
  for (const { text } of words) for (const name of compoundOf(text)) topics.set(name, 1)
  if (!topics.has('employer') && quitsWork(words)) topics.set('employer', 1)
  return topics
}

/** What a text says in so many words: those of its topics that are named, and not only hinted at. */
export function plainTopics(topics: ReadonlyMap<string, number>): readonly string[] {
  return [...topics].filter(([, weight]) => weight >= 1).map(([name]) => name)
}

/** "I quit." and "I quit today", but not "I quit smoking": only work is quit without saying what. */
function quitsWork(words: readonly Word[]): boolean {
  const at = words.findIndex(({ text }) => /^(?:quit|resigned)$/i.test(text))
  if (at < 1 || !words.slice(0, at).some(({ text }) => /^(?:i|i['’]ve|we)$/i.test(text))) return false
  const next = words[at + 1]?.text ?? ''
  return next === '' || /^(?:today|yesterday|last|this|on|and|at|so|because|in|for|after|without)$/i.test(next)
}

/** A product's name often ends in what it is: a capital, some letters, and a word of at least five letters. */
const COMPOUND = /^[A-Z][a-z]{2,}(phone|watch|reader|tablet|camera|laptop|coffee|piano|guitar|database|mobile)$/

function compoundOf(word: string): readonly string[] {
  const last = COMPOUND.exec(word)?.[1]
  return last === undefined
    ? []
    : index()
        .find(wordsOf(last))
        .flatMap(({ entry }) => entry.slot?.name ?? [])
}

/** Slots whose words stand at a place of a list of words. */
export function slotHitsIn(
  words: readonly Word[],
): readonly { readonly name: string; readonly at: number; readonly length: number }[] {
  return topicHits(words).flatMap(({ entry, at, length }) =>
    entry.slot === null ? [] : [{ name: entry.slot.name, at, length }],
  )
}

function topicHits(words: readonly Word[]): readonly PhraseHit<TopicWord>[] {
  return index().find(words)
}
