/**
 * Which attributes has a person or a project? A slot is one of them with its words in both languages; the tables are
 * `data/words/attributes.txt` and `attribute-words.txt`.
 */
import type { Category } from '../../domain/memory.ts'

/** One attribute of a person or a project. */
export interface Slot {
  /** The key of the attribute, English snake_case. */
  readonly name: string
  /** true: one value at a time, so that a new one takes the place of the old one. */
  readonly single: boolean
  readonly category: Category
  /** Words and phrases that speak of it. */
  readonly words: readonly SlotWord[]
}

/** A word of a slot. */
export interface SlotWord {
  readonly word: string
  /** 1: the word names the attribute or one of its values; 0.5: it only hints at it. */
  readonly weight: number
}

const HINT = '~'
const HINT_WEIGHT = 0.5
const CATEGORIES: Readonly<Record<string, Category>> = { f: 'fact', p: 'preference', h: 'pattern' }

/**
 * Reads a table of slots; throws on a line of another shape than `name | one or many, category letter | English words,
 * comma between two | Chinese words`. A word behind ~ is a hint.
 */
export function slotTable(table: readonly string[]): readonly Slot[] {
  return table.map((line) => {
    const [name, kind, english, chinese] = line.split('|').map((part) => part.trim())
    const category = CATEGORIES[kind?.[1] ?? '']
    if (name === undefined || english === undefined || chinese === undefined || category === undefined)
      throw new Error(`not a line of a slot table: ${line}`)
    return { name, single: kind![0] === '1', category, words: wordsIn(english, chinese) }
  })
}

/** Reads a table of further words of slots, a line each: `name | English words | Chinese words`. */
export function slotWordTable(
  table: readonly string[],
): readonly (readonly [name: string, words: readonly SlotWord[]])[] {
  return table.map((line) => {
    const [name, english, chinese] = line.split('|').map((part) => part.trim())
    if (name === undefined || english === undefined || chinese === undefined)
      throw new Error(`not a line of a table of words: ${line}`)
    return [name, wordsIn(english, chinese)] as const
  })
}

function wordsIn(english: string, chinese: string): readonly SlotWord[] {
  const words = [...english.split(',').map((word) => word.trim()), ...chinese.split(/\s+/)]
  return words.filter((word) => word !== '').map(slotWord)
}

function slotWord(written: string): SlotWord {
  return written.startsWith(HINT)
    ? { word: written.slice(HINT.length), weight: HINT_WEIGHT }
    : { word: written, weight: 1 }
}
