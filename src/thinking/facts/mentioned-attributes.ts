/**
 * Which attributes does a text speak of? A topic is the name of a slot whose words stand in it, with a weight; texts in
 * different words are compared by topics.
 */
import type { Category } from '../../domain/memory.ts'
import { readOnce } from '../../domain/read-once.ts'
import { lazy } from '../../domain/scheduling.ts'
import { wordTable } from '../../language/word-lists.ts'
import { type PhraseHit, phraseIndex, stemOf, type Word, wordsOf } from './phrase-index.ts'
import { kindOf } from './value-kinds.ts'

/** One attribute of a person or a project. */
interface Slot {
  /** The key of the attribute, English snake_case. */
  readonly name: string
  /** true: one value at a time, so that a new one takes the place of the old one. */
  readonly single: boolean
  readonly category: Category
}

const CATEGORIES: Readonly<Record<string, Category>> = { f: 'fact', p: 'preference', h: 'pattern' }

const slotsByName = lazy(
  () =>
    new Map(
      wordTable('attributes')
        .map(slotOf)
        .map((slot) => [slot.name, slot]),
    ),
)

/** The slot of a line: `name | one or many, category letter | English words, comma between two | Chinese words`. */
function slotOf(line: string): Slot {
  const [name, kind, ...words] = line.split('|').map((part) => part.trim())
  const category = CATEGORIES[kind?.[1] ?? '']
  if (name === undefined || words.length !== 2 || category === undefined)
    throw new Error(`not a line of a slot table: ${line}`)
  return { name, single: kind![0] === '1', category }
}

interface TopicWord {
  readonly slot: Slot | null
  readonly weight: number
}

const index = lazy(() =>
  phraseIndex<TopicWord>([
    { lines: wordTable('attribute-words'), entryOf: topicWord },
    { lines: wordTable('attributes'), entryOf: topicWord },
    { lines: wordTable('no-attributes'), entryOf: () => ({ slot: null, weight: 0 }) },
  ]),
)

/** A hint weighs half. */
function topicWord(columns: string, isHint: boolean): TopicWord {
  const name = columns.split('|', 1)[0]!.trim()
  const slot = slotNamed(name)
  if (slot === undefined) throw new Error(`words for no slot: ${name}`)
  return { slot, weight: isHint ? 0.5 : 1 }
}

/** The slot of a name, undefined for a key that is no slot. */
export function slotNamed(name: string): Slot | undefined {
  return slotsByName().get(name)
}

/** Topics of a text with their weight: 1 named, 0.5 hinted at; two hints make 1. */
export const topicsOf = readOnce('topics', (text) => topicsOfWords(wordsOf(text)))

/** As `topicsOf`, for words that were cut already. */
function topicsOfWords(words: readonly Word[]): ReadonlyMap<string, number> {
  const topics = new Map<string, number>()
  for (const { entry } of topicHits(words)) {
    if (entry.slot === null) continue
    const { name } = entry.slot
    topics.set(name, Math.min(1, (topics.get(name) ?? 0) + entry.weight))
  }
  if (!topics.has('employer') && quitsWork(words)) topics.set('employer', 1)
  return topics
}

/** The topics that a text names, and not only hints at. */
export function plainTopics(topics: ReadonlyMap<string, number>): readonly string[] {
  return [...topics].filter(([, weight]) => weight >= 1).map(([name]) => name)
}

/** "I quit." and "I quit today", but not "I quit smoking": quitting without an object is of work. */
function quitsWork(words: readonly Word[]): boolean {
  const at = words.findIndex(({ text }) => /^(?:quit|resigned)$/i.test(text))
  if (at < 1 || !words.slice(0, at).some(({ text }) => /^(?:i|i['’]ve|we)$/i.test(text))) return false
  return /^(?:|today|yesterday|last|this|on|and|at|so|because|in|for|after)$/i.test(words[at + 1]?.text ?? '')
}

/** Slots that a place of a list of words names, and not only hints at. */
export function slotHitsIn(
  words: readonly Word[],
): readonly { readonly name: string; readonly at: number; readonly length: number }[] {
  return topicHits(words).flatMap(({ entry, at, length }) =>
    entry.slot === null || entry.weight < 1 ? [] : [{ name: entry.slot.name, at, length }],
  )
}

/** The words that name no attribute but a value or another thing: "Acme" of "my job at Acme", "migraine" of "my migraine". */
export function beyondAttributes(text: string): string {
  const words = wordsOf(text)
  const names = topicHits(words).filter(
    ({ entry: { slot }, at, length }) =>
      slot?.single === true || words.slice(at, at + length).every(({ stem }) => stem === stemOf(slot?.name ?? '')),
  )
  const named = new Set(names.flatMap(({ at, length }) => words.slice(at, at + length)))
  return words.flatMap((word) => (named.has(word) && !PROPER.test(word.text) ? [] : word.text)).join(' ')
}

/** A name's first letters: "the Kia" is one car. */
const PROPER = /^\p{Lu}\p{Ll}/u

function topicHits(words: readonly Word[]): readonly PhraseHit<TopicWord>[] {
  const hits = index().find(words)
  const moved = movedThing(words, hits)
  return hits.filter(({ entry, at, length }) => entry.slot?.name !== 'home' || moved < at || moved >= at + length)
}

const MOVES: ReadonlySet<string> = new Set(['move', 'relocate', '搬', '迁'])
const THING = /^(?:the|my|our|his|her|their|its|it|them|everything)$/i
const TOWARDS = /^(?:to|into|onto|from|over|back|[到去进往至了])$/i
const BESIDE_TARGET =
  /^(?:for|in|on|at|with|because|and|but|near|above|when|since|by|after|before|last|next|this|so|where)$/i
/** Kinds of attributes that are where, or with whom, people live. */
const LIVED_WITH: ReadonlySet<string | undefined> = new Set(['place', 'person', 'organisation'])

/** Whether a thing moves, or somebody moves to one, and nobody's home: "moved the standup", "from Java to Kotlin". */
export function movesThing(text: string): boolean {
  const words = wordsOf(text)
  return movedThing(words, index().find(words)) >= 0
}

/** The place of the word that tells such a move; negative where none does. */
function movedThing(words: readonly Word[], hits: readonly PhraseHit<TopicWord>[]): number {
  const moved = words.findIndex(({ stem }) => MOVES.has(stem))
  if (moved < 0) return moved
  const behind = words.slice(moved + 1)
  const start = behind.findIndex(({ text }) => !TOWARDS.test(text))
  if (start <= 0) return THING.test(behind[0]?.text ?? '') ? moved : -1
  const end = behind.findIndex(({ text }) => BESIDE_TARGET.test(text))
  const target = hits.filter(({ at }) => at > moved + start && (end < 0 || at <= moved + end))
  const kinds = target.flatMap(({ entry: { slot, weight } }) =>
    slot === null ? [] : [[kindOf(slot.name), weight] as const],
  )
  const isThing = kinds.some(([kind, weight]) => weight === 1 && !LIVED_WITH.has(kind))
  return isThing && !kinds.some(([kind]) => kind === 'place') ? moved : -1
}

/** The relatives of some attributes, without these. */
export function relativesOf(topics: readonly string[]): readonly string[] {
  const all = wordTable('families')
    .filter((line) => topics.some((topic) => ` ${line} `.includes(` ${topic} `)))
    .flatMap((line) => line.split(' '))
  return [...new Set(all)].filter((topic) => !topics.includes(topic))
}
