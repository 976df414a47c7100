/**
 * Which of many known phrases stand in a text? One table serves both languages; the longest phrase at a place covers
 * its words, so that 数据库 is not also 数据.
 */
import { foldWord } from '../../language/word-terms.ts'
import { cutWords, type Word } from './words.ts'

/** A phrase that was found. */
export interface PhraseHit<T> {
  readonly entry: T
  /** Index of its first word. */
  readonly at: number
  /** Words that it covers. */
  readonly length: number
}

/** Looks phrases up; made once for a table. */
export interface PhraseIndex<T> {
  find(words: readonly Word[]): readonly PhraseHit<T>[]
}

/** The first two letters of a word, equal for all forms that share a stem; of Chinese, the character. */
const START = /[a-z0-9]{1,2}|\p{L}/u

/**
 * Several entries of one phrase are found each. Phrases are cut when a word that begins like them is first met, since a
 * process that answers one question needs few of them.
 */
export function phraseIndex<T>(entries: Iterable<readonly [phrase: string, entry: T]>): PhraseIndex<T> {
  const uncut = Map.groupBy(entries, ([phrase]) => startOf(foldWord(phrase.slice(0, 4))))
  const first: Words<T> = new Map()
  const cut = (start: string): void => {
    for (const [phrase, entry] of uncut.get(start) ?? []) {
      let [next, place]: [Words<T>, Place<T> | undefined] = [first, undefined]
      for (const { stem } of cutWords(phrase)) {
        place = next.get(stem) ?? { entries: [], next: new Map() }
        next.set(stem, place)
        next = place.next
      }
      if (place === undefined) throw new Error(`a phrase without words: ${phrase}`)
      place.entries.push(entry)
    }
    uncut.delete(start)
  }
  return {
    find(words) {
      const hits: PhraseHit<T>[] = []
      for (let at = 0; at < words.length; ) {
        let [length, found]: [number, readonly T[]] = [1, []]
        const { stem } = words[at]!
        cut(startOf(stem))
        let place = first.get(stem)
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

/** The phrases that go on from a place, by the stem of their next word. */
type Words<T> = Map<string, Place<T>>

interface Place<T> {
  /** The phrases that end here. */
  readonly entries: T[]
  readonly next: Words<T>
}

function startOf(word: string): string {
  return START.exec(word)?.[0] ?? ''
}
