/** Which meanings of a word tell whether a message is worth keeping? The list that the lexicons speak of. */

/** Meanings of words and phrases; their order is the order of the weights, so the weights are trained anew when it changes. */
export const MEANINGS = [
  // persons
  'self',
  'own',
  'we',
  'you',
  'kin',
  'acquaintance',
  'third',
  'pet',
  'public',
  'people',
  // acts of the message
  'ask',
  'particle',
  'task',
  'request',
  'work',
  'pasting',
  'given',
  'style',
  'once',
  'onwards',
  'remember',
  'recall',
  'forget',
  'greeting',
  'thanks',
  'laughter',
  'fragment',
  'correction',
  // certainty and reality
  'negation',
  'perhaps',
  'suppose',
  'hearsay',
  'fiction',
  // time
  'future',
  'planned',
  'past',
  'passing',
  'happened',
  'frequency',
  'since',
  'ended',
  'date',
  'clock',
  // subjects
  'like',
  'dislike',
  'decide',
  'trouble',
  'solved',
  'setting',
  'technology',
  'health',
  'body',
  'diet',
  'occupation',
  'study',
  'living',
  'place',
  'feeling',
  'having',
  'measure',
  'money',
  'food',
  'pastime',
  'vehicle',
  'home',
  'event',
  'identifier',
  'number',
  'shape',
  'being',
  'first-name',
  'rule',
  'puzzled',
] as const

export type Meaning = (typeof MEANINGS)[number]

/** Words and phrases of each meaning, separated by commas. */
export type Lexicon = Readonly<Partial<Record<Meaning, string>>>

const BITS = 32
/** Whole numbers that hold the bits of one row. */
const WIDTH = Math.ceil(MEANINGS.length / BITS)

/** Some meanings at once, to be looked for in a row. */
export type MeaningMask = Int32Array

/** The mask of some meanings. */
export function meaningMask(...names: readonly Meaning[]): MeaningMask {
  const mask = new Int32Array(WIDTH)
  for (const name of names) {
    const meaning = MEANINGS.indexOf(name)
    mask[meaning >> 5]! |= 1 << (meaning & 31)
  }
  return mask
}

/** Rows of meanings, none at first. */
export class MeaningTable {
  readonly rows: number
  readonly #bits: Int32Array

  constructor(rows: number) {
    this.rows = rows
    this.#bits = new Int32Array(rows * WIDTH)
  }

  /** Gives a meaning, by its number in MEANINGS, to a row that exists. */
  add(row: number, meaning: number): void {
    this.#bits[row * WIDTH + (meaning >> 5)]! |= 1 << (meaning & 31)
  }

  /** Whether a row has one of the meanings; a row behind the last one has none. */
  hasAny(row: number, mask: MeaningMask): boolean {
    if (row >= this.rows) return false
    const from = row * WIDTH
    for (let at = 0; at < WIDTH; at++) if ((this.#bits[from + at]! & mask[at]!) !== 0) return true
    return false
  }

  /** The numbers of the meanings of a row, ascending, written into `list`; how many there are. */
  read(row: number, list: Int32Array): number {
    let count = 0
    for (let at = 0; at < WIDTH; at++) {
      let left = this.#bits[row * WIDTH + at]!
      while (left !== 0) {
        const lowest = 31 - Math.clz32(left & -left)
        list[count++] = at * BITS + lowest
        left &= left - 1
      }
    }
    return count
  }

  /** How many meanings a row has, counted up to 2. */
  size(row: number): 0 | 1 | 2 {
    let count = 0
    for (let at = 0; at < WIDTH; at++) {
      const bits = this.#bits[row * WIDTH + at]!
      if (bits === 0) continue
      if (count > 0 || (bits & (bits - 1)) !== 0) return 2
      count = 1
    }
    return count === 0 ? 0 : 1
  }
}
