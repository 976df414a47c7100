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

const HINT = '~'
const [HINT_CODE, SPACE_CODE] = [HINT.charCodeAt(0), ' '.charCodeAt(0)]
/** A place is one number: that of its line times this, and its first character. */
const LONGEST_LINE = 0x10000

/**
 * Several entries of one phrase are found each. A phrase stays a place in its table until its first word is met, since a
 * process that answers one question needs few of them.
 */
export function phraseIndex<T>(tables: readonly PhraseTable<T>[]): PhraseIndex<T> {
  const lines = tables.flatMap(({ lines, entryOf }) => lines.map((line) => ({ line, entryOf })))
  const byStart = placesByStart(lines.map(({ line }) => line))
  const byStem = new Map<string, number[]>()
  const first: Words<T> = new Map()
  const phraseAt = (place: number): string => {
    const { line } = lines[Math.floor(place / LONGEST_LINE)]!
    const from = place % LONGEST_LINE
    return line.slice(from, endOf(line, from, englishOf(line)))
  }
  const add = (place: number): void => {
    let [next, end]: [Words<T>, Place<T> | undefined] = [first, undefined]
    for (const { stem } of cutWords(phraseAt(place))) {
      end = next.get(stem) ?? { entries: [], next: new Map() }
      next.set(stem, end)
      next = end.next
    }
    const { line, entryOf } = lines[Math.floor(place / LONGEST_LINE)]!
    const columns = line.slice(0, Math.max(0, englishOf(line)[0] - 1))
    end?.entries.push(entryOf(columns, line[(place % LONGEST_LINE) - 1] === HINT))
  }
  /** The phrases that begin with this word. */
  const beginning = (stem: string): Place<T> | undefined => {
    const known = first.get(stem)
    if (known !== undefined) return known
    for (const place of taken(byStart, startOf(stem, 0))) keep(byStem, firstStem(phraseAt(place)), place)
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

function keep<Key>(places: Map<Key, number[]>, key: Key, place: number): void {
  const known = places.get(key)
  if (known === undefined) places.set(key, [place])
  else known.push(place)
}

/** The places under a key, which are then gone from there. */
function taken<Key>(places: Map<Key, number[]>, key: Key): readonly number[] {
  const all = places.get(key) ?? []
  places.delete(key)
  return all
}

/** The phrases that go on from a place, by the stem of their next word. */
type Words<T> = Map<string, Place<T>>

interface Place<T> {
  /** The phrases that end here. */
  readonly entries: T[]
  readonly next: Words<T>
}

/** The first two letters as a number, equal for all words that share a stem; of Chinese, the character. */
function startOf(text: string, at: number): number {
  const first = lowercase(text.charCodeAt(at))
  return isHan(first) || text.length <= at + 1 ? first : first * 0x10000 + lowercase(text.charCodeAt(at + 1))
}

function lowercase(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code
}

function isHan(code: number): boolean {
  return code >= 0x4e00 && code <= 0x9fff
}

/** Whether the letters at the beginning of a phrase are those of its first stem, so that it needs no cutting. */
function isPlain(start: number): boolean {
  const [first, second] = [Math.floor(start / 0x10000), start % 0x10000]
  return first === 0 ? isHan(second) : isLetter(first) && isLetter(second)
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

function firstStem(phrase: string): string {
  const [word] = cutWords(phrase, 1)
  if (word === undefined) throw new Error(`a phrase without words: ${phrase}`)
  return word.stem
}

/** Where the English phrases of a line begin and end; behind them come the Chinese ones. */
function englishOf(line: string): readonly [from: number, to: number] {
  const chinese = line.lastIndexOf('|')
  return [line.lastIndexOf('|', chinese - 1) + 1, chinese < 0 ? line.length : chinese]
}

/** The end of the phrase that begins here. */
function endOf(line: string, at: number, [, to]: readonly [number, number]): number {
  const isEnglish = at <= to
  const end = line.indexOf(isEnglish ? ',' : ' ', at)
  const last = isEnglish ? to : line.length
  return end < 0 || end > last ? last : end
}

/** The places of all phrases, by how they begin. */
function placesByStart(lines: readonly string[]): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (let number = 0; number < lines.length; number += 1) {
    const line = lines[number]!
    if (line.length >= LONGEST_LINE)
      throw new Error(`a line of more than ${LONGEST_LINE} characters: ${line.slice(0, 80)}`)
    const english = englishOf(line)
    for (let at = english[0]; at < line.length; at += 1) {
      for (let code = line.charCodeAt(at); code === SPACE_CODE || code === HINT_CODE; code = line.charCodeAt(at))
        at += 1
      const end = endOf(line, at, english)
      if (at < end) {
        const start = startOf(line, at)
        keep(found, isPlain(start) ? start : startOf(firstStem(line.slice(at, end)), 0), number * LONGEST_LINE + at)
      }
      at = Math.max(at, end)
    }
  }
  return found
}
