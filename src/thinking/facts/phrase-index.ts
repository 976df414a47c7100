/**
 * Which of many known phrases stand in a text? One table serves both languages; the longest phrase at a place covers
 * its words, so that 数据库 is not also 数据.
 */
import { cutWords, type Word } from './words.ts'

/** A phrase that was found. */
export interface PhraseHit<T> {
  readonly entry: T
  /** Index of its first word. */
  readonly at: number
  /** Words that it covers. */
  readonly length: number
}

/** Looks phrases up; made once for its tables. */
export interface PhraseIndex<T> {
  find(words: readonly Word[]): readonly PhraseHit<T>[]
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

/** The usual beginnings of a phrase, which need no cutting. */
const PLAIN_START = /^(?:[A-Za-z0-9]{2}|[\u4e00-\u9fff])/
const HINT = '~'

/**
 * Several entries of one phrase are found each. A phrase stays a place in its table until its first word is met, since a
 * process that answers one question needs few of them.
 */
export function phraseIndex<T>(tables: readonly PhraseTable<T>[]): PhraseIndex<T> {
  const lines = tables.flatMap(({ lines, entryOf }) => lines.map((line) => ({ line, entryOf })))
  const byStart = placesByStart(lines.map(({ line }) => line))
  const byStem = new Map<string, number[]>()
  const first: Words<T> = new Map()
  const phraseAt = ([number, from, to]: readonly number[]): string => lines[number!]!.line.slice(from, to)
  const add = (place: readonly number[]): void => {
    let [next, end]: [Words<T>, Place<T> | undefined] = [first, undefined]
    for (const { stem } of cutWords(phraseAt(place))) {
      end = next.get(stem) ?? { entries: [], next: new Map() }
      next.set(stem, end)
      next = end.next
    }
    const { line, entryOf } = lines[place[0]!]!
    const columns = line.slice(0, Math.max(0, line.lastIndexOf('|', line.lastIndexOf('|') - 1)))
    end?.entries.push(entryOf(columns, line[place[1]! - 1] === HINT))
  }
  /** The phrases that begin with this word. */
  const beginning = (stem: string): Place<T> | undefined => {
    const known = first.get(stem)
    if (known !== undefined) return known
    for (const place of taken(byStart, startOf(stem))) keep(byStem, firstStem(phraseAt(place)), place)
    for (const place of taken(byStem, stem)) add(place)
    return first.get(stem)
  }
  return {
    find(words) {
      const hits: PhraseHit<T>[] = []
      for (let at = 0; at < words.length; ) {
        let [length, found]: [number, readonly T[]] = [1, []]
        let place = beginning(words[at]!.stem)
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

/** Adds the place of a phrase: number of its line, first character and end, one after the other. */
function keep(places: Map<string, number[]>, key: string, place: readonly number[]): void {
  const known = places.get(key)
  if (known === undefined) places.set(key, [...place])
  else known.push(...place)
}

/** The places under a key, each by itself, which are then gone from there. */
function taken(places: Map<string, number[]>, key: string): readonly (readonly number[])[] {
  const all = places.get(key)
  if (all === undefined) return []
  places.delete(key)
  return Array.from({ length: all.length / 3 }, (_, at) => all.slice(at * 3, at * 3 + 3))
}

/** The phrases that go on from a place, by the stem of their next word. */
type Words<T> = Map<string, Place<T>>

interface Place<T> {
  /** The phrases that end here. */
  readonly entries: T[]
  readonly next: Words<T>
}

/** The first two letters, equal for all words that share a stem; of Chinese, the character. */
function startOf(stem: string): string {
  return stem.slice(0, 2)
}

function firstStem(phrase: string): string {
  const [word] = cutWords(phrase, 1)
  if (word === undefined) throw new Error(`a phrase without words: ${phrase}`)
  return word.stem
}

/** The places of all phrases, by how they begin. */
function placesByStart(lines: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (let number = 0; number < lines.length; number += 1) {
    const line = lines[number]!
    const chinese = line.lastIndexOf('|')
    const english = line.lastIndexOf('|', chinese - 1)
    const take = (from: number, to: number, separator: string): void => {
      for (let at = from, end = 0; at < to; at = end + 1) {
        end = line.indexOf(separator, at)
        if (end < 0 || end > to) end = to
        while (line[at] === ' ' || line[at] === HINT) at += 1
        if (at >= end) continue
        const begins = line.slice(at, at + 4)
        const start = PLAIN_START.exec(begins)?.[0].toLowerCase() ?? startOf(firstStem(line.slice(at, end)))
        keep(found, start, [number, at, end])
      }
    }
    take(english + 1, chinese < 0 ? line.length : chinese, ',')
    if (chinese >= 0) take(chinese + 1, line.length, ' ')
  }
  return found
}
