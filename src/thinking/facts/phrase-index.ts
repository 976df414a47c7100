/**
 * Which of many known phrases stand in a text? One table serves both languages; the longest phrase at a place covers
 * its words, so that 数据库 is not also 数据.
 */
import { atOnce } from '../../domain/pieces.ts'
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

/** Phrases that are cut between two pauses; a few milliseconds. */
const PHRASES_A_PIECE = 100

/** Several entries of one phrase are found each. */
export function phraseIndex<T>(entries: Iterable<readonly [phrase: string, entry: T]>): PhraseIndex<T> {
  return atOnce(growingPhraseIndex(entries))
}

/** As `phraseIndex`, in pieces: each `next` cuts some phrases. */
export function* growingPhraseIndex<T>(
  entries: Iterable<readonly [phrase: string, entry: T]>,
): Generator<void, PhraseIndex<T>> {
  const byPhrase = new Map<string, T[]>()
  const longest = new Map<string, number>()
  let cut = 0
  for (const [phrase, entry] of entries) {
    cut += 1
    if (cut % PHRASES_A_PIECE === 0) yield
    const stems = cutWords(phrase).map(({ stem }) => stem)
    const first = stems[0]
    if (first === undefined) throw new Error(`a phrase without words: ${phrase}`)
    const key = stems.join(' ')
    const known = byPhrase.get(key)
    if (known === undefined) byPhrase.set(key, [entry])
    else known.push(entry)
    longest.set(first, Math.max(longest.get(first) ?? 0, stems.length))
  }
  return {
    find(words) {
      const hits: PhraseHit<T>[] = []
      for (let at = 0; at < words.length; ) {
        const length = longestAt(words, at, byPhrase, longest)
        for (const entry of length === 0 ? [] : byPhrase.get(keyAt(words, at, length))!)
          hits.push({ entry, at, length })
        at += Math.max(1, length)
      }
      return hits
    },
  }
}

function longestAt<T>(
  words: readonly Word[],
  at: number,
  byPhrase: ReadonlyMap<string, readonly T[]>,
  longest: ReadonlyMap<string, number>,
): number {
  const most = Math.min(longest.get(words[at]!.stem) ?? 0, words.length - at)
  for (let length = most; length > 0; length -= 1) if (byPhrase.has(keyAt(words, at, length))) return length
  return 0
}

function keyAt(words: readonly Word[], at: number, length: number): string {
  if (length === 1) return words[at]!.stem
  let key = words[at]!.stem
  for (let next = at + 1; next < at + length; next += 1) key += ` ${words[next]!.stem}`
  return key
}
