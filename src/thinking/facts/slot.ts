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
}

const CATEGORIES: Readonly<Record<string, Category>> = { f: 'fact', p: 'preference', h: 'pattern' }

/**
 * Reads a table of slots; throws on a line of another shape than `name | one or many, category letter | English words,
 * comma between two | Chinese words`.
 */
export function slotTable(table: readonly string[]): readonly Slot[] {
  return table.map((line) => {
    const [name, kind, ...words] = line.split('|').map((part) => part.trim())
    const category = CATEGORIES[kind?.[1] ?? '']
    if (name === undefined || words.length !== 2 || category === undefined)
      throw new Error(`not a line of a slot table: ${line}`)
    return { name, single: kind![0] === '1', category }
  })
}
