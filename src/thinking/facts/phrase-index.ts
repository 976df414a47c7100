/**
 * Which of many known phrases stand in a text? One table serves both languages; the longest phrase at a place covers
 * its words, so that 数据库 is not also 数据.
 */
import { readOnce } from '../../domain/read-once.ts'
import { hasHan } from '../../language/character-class.ts'
import { foldWord, sharedBeginning, stemTerm } from '../../language/terms.ts'

/** One word of a sentence; of Chinese, one character. */
export interface Word {
  /** The word as written. */
  readonly text: string
  /** The compared form: a stem, or the character itself. */
  readonly stem: string
  readonly start: number
  readonly han: boolean
}

const WORD =
  /[A-Za-z\u00c0-\u024f0-9][A-Za-z\u00c0-\u024f0-9+#]*(?:[.:'’-][A-Za-z\u00c0-\u024f0-9]{1,40})*|\p{Script=Han}/gu
const CONTRACTION = /['’](?:s|ve|re|ll|d|m)$/i

/** "Favourite", "neighbour": American English writes "or". */
const BRITISH = /(?<=[a-z]{3})our/

/** Stems met before; forgotten all at once when there are too many. */
const MOST_STEMS = 20_000
const stems = new Map<string, string>()

export const wordsOf = readOnce('words', (text) => cutWords(text))

/** As `wordsOf`, at most so many, without a cache: for tables that are read once. */
export function cutWords(text: string, most = Number.POSITIVE_INFINITY): readonly Word[] {
  const words: Word[] = []
  for (const { 0: written, index } of text.matchAll(WORD)) {
    const han = written.length <= 2 && hasHan(written)
    words.push({ text: written, stem: han ? written : stemOf(written), start: index, han })
    if (words.length >= most) break
  }
  return words
}

/** The compared form of a Latin word: "Moved", "moving" → "move"; "brother's" → "brother". */
export function stemOf(written: string): string {
  const known = stems.get(written)
  if (known !== undefined) return known
  const folded = foldWord(written.replace(CONTRACTION, ''))
  const stem = /^[a-z]+$/.test(folded) ? stemTerm(folded).replace(BRITISH, 'or') : folded
  if (stems.size >= MOST_STEMS) stems.clear()
  stems.set(` ${written}`.slice(1), stem)
  return stem
}

/** A phrase that was found. */
export interface PhraseHit<T> {
  readonly entry: T
  /** Index of its first word. */
  readonly at: number
  /** Words that it covers. */
  readonly length: number
}

/**
 * Lines of columns, the last two English phrases with commas between and Chinese ones with blanks; a single column is
 * English. A phrase behind ~ is a hint.
 */
export interface PhraseTable<T> {
  readonly lines: readonly string[]
  /** The entry of a phrase, by the columns before. */
  entryOf(columns: string, isHint: boolean): T
}

const HINT = '~'
/** Lookups after which the whole table is read: a process that answers one question needs few of its phrases. */
const FEW_LOOKUPS = 4

/**
 * Looks phrases up; several entries of one phrase are found each. A phrase stays a place in its table until its first
 * word is met.
 */
export function phraseIndex<T>(tables: readonly PhraseTable<T>[]) {
  let text = ''
  const parts = tables.map(({ lines, entryOf }) => {
    text += `${lines.join('\n')}\n`
    return { end: text.length, entryOf }
  })
  /** The places of phrases by the stem of their first word; a word is taken out when it is met. */
  const places = new Map<string, number[]>()
  const first: Words<T> = new Map()
  /** Stems that were looked for before all of the table was read. */
  const asked = new Set<string>()
  let lookups = 0

  /** Finds the phrases whose first word has one of these stems, or all that are left. */
  const look = (stems: ReadonlySet<string> | null): void => {
    for (const { 0: before, index } of text.matchAll(beginnings(stems))) {
      const place = index + before.length
      const { phrase } = phraseAt(text, place)
      const stem = phrase === '' ? undefined : cutWords(phrase, 1)[0]?.stem
      if (stem === undefined || asked.has(stem) || stems?.has(stem) === false) continue
      const known = places.get(stem)
      if (known === undefined) places.set(stem, [place])
      else known.push(place)
    }
  }
  const add = (place: number): void => {
    const { phrase, columns } = phraseAt(text, place)
    let [next, end]: [Words<T>, Place<T> | undefined] = [first, undefined]
    for (const { stem } of cutWords(phrase)) {
      end = next.get(stem) ?? { entries: [], next: new Map() }
      next.set(stem, end)
      next = end.next
    }
    const { entryOf } = parts.find((part) => place < part.end)!
    end?.entries.push(entryOf(columns, text[place - 1] === HINT))
  }
  /** Makes the phrases that begin with these words ready. */
  const meet = (words: readonly Word[]): void => {
    if (lookups <= FEW_LOOKUPS) {
      const fresh = new Set(words.map(({ stem }) => stem)).difference(asked)
      look(lookups === FEW_LOOKUPS ? null : fresh)
      for (const stem of fresh) asked.add(stem)
      lookups += 1
    }
    for (const { stem } of words) {
      places.get(stem)?.forEach(add)
      places.delete(stem)
    }
  }
  return {
    find(words: readonly Word[]): readonly PhraseHit<T>[] {
      meet(words)
      const hits: PhraseHit<T>[] = []
      for (let at = 0; at < words.length; ) {
        let [length, found]: [number, readonly T[]] = [1, []]
        let place = first.get(words[at]!.stem)
        for (let end = at + 1; place !== undefined; end += 1) {
          if (place.entries.length > 0) [length, found] = [end - at, place.entries]
          place = end < words.length ? place.next.get(words[end]!.stem) : undefined
        }
        for (const entry of found) hits.push({ entry, at, length })
        at += length
      }
      return hits
    },
  }
}

/** Matches what stands before each phrase whose first word may have one of these stems (null: any). */
function beginnings(stems: ReadonlySet<string> | null): RegExp {
  const shared = new Set(Array.from(stems ?? [], sharedBeginning))
  const sources =
    stems === null ? ['[^|, ~\\n]'] : Array.from(shared, (word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`(?:^|[|, ])~?(?=\\.?(?:${sources.join('|')}))`, 'gim')
}

/** The phrases that go on from a place, by the stem of their next word. */
type Words<T> = Map<string, Place<T>>

interface Place<T> {
  /** The phrases that end here. */
  readonly entries: T[]
  readonly next: Words<T>
}

/** The phrase that begins at a place, '' where none does, and the columns of its line before the phrases. */
function phraseAt(text: string, place: number): { readonly phrase: string; readonly columns: string } {
  const from = text.lastIndexOf('\n', place - 1) + 1
  const end = text.indexOf('\n', place)
  const line = text.slice(from, end < 0 ? text.length : end)
  const at = place - from
  const chinese = line.lastIndexOf('|')
  const english = line.lastIndexOf('|', chinese - 1) + 1
  const isEnglish = chinese < 0 || at <= chinese
  const [mark, first] = isEnglish ? [',', english] : [' ', chinese + 1]
  let before = line[at - 1] === HINT ? at - 1 : at
  while (isEnglish && line[before - 1] === ' ') before -= 1
  const isStart = before === first || (before > first && line[before - 1] === mark)
  const next = line.indexOf(mark, at)
  const last = isEnglish && chinese >= 0 ? chinese : line.length
  const phrase = isStart ? line.slice(at, next < 0 ? last : Math.min(next, last)) : ''
  return { phrase, columns: line.slice(0, Math.max(0, english - 1)) }
}
