/**
 * Which of many known texts is nearly the same as this one (specification 004)? The very same is found at once; the rest
 * is compared letter by letter only where lengths and letters leave it possible, so that no twin is missed and few are
 * compared.
 */
import { editSimilarity } from './edit-distance.ts'

/** A known text that says the same. */
export interface Twin {
  readonly text: string
  /** Threshold to 1. */
  readonly similarity: number
}

/** Known texts. */
export interface KnownTexts {
  add(text: string): void
  /**
   * The most alike text of at least this similarity, 0 to 1; null when there is none. `saysOther`: whether the text says
   * something else than a known one, however alike they are.
   */
  twinOf(text: string, threshold: number, saysOther?: (text: string, known: string) => boolean): Twin | null
  /** Comparisons letter by letter that were made, and those that comparing with every text would have taken. */
  readonly effort: { readonly compared: number; readonly pairs: number }
}

/** Letters are counted in so many groups: more tell texts apart better, fewer are quicker. */
const GROUPS = 32
/** Letters of one group that are told apart; more are so many. One bit of each byte is free for borrowing. */
const MOST_LETTERS = 127
/** Neighbouring letters are counted in so many groups. */
const PAIR_GROUPS = 1024
/** Four counts lie in one word, and are compared at once. */
const WORDS = GROUPS / 4

/** Texts of one length, with the counts of their letters side by side. */
interface OfLength {
  readonly texts: string[]
  readonly folded: string[]
  letters: Uint8Array
  words: Int32Array
}

/** An empty collection. */
export function knownTexts(): KnownTexts {
  const exact = new Map<string, string>()
  /** By length, so that texts that are too long or too short are not even looked at. */
  const byLength = new Map<number, OfLength>()
  const counts = new Uint8Array(GROUPS)
  const wanted = new Int32Array(counts.buffer)
  const neighbours = new Int32Array(PAIR_GROUPS)
  let compared = 0
  let pairs = 0
  return {
    add: (text) => {
      const folded = foldedText(text)
      if (exact.has(folded)) return
      exact.set(folded, text)
      let same = byLength.get(folded.length)
      if (same === undefined) {
        const letters = new Uint8Array(GROUPS * 4)
        same = { texts: [], folded: [], letters, words: new Int32Array(letters.buffer) }
        byLength.set(folded.length, same)
      }
      const at = same.texts.length * GROUPS
      if (at === same.letters.length) {
        const larger = new Uint8Array(at * 2)
        larger.set(same.letters)
        same.letters = larger
        same.words = new Int32Array(larger.buffer)
      }
      countLetters(folded, same.letters, at)
      same.texts.push(text)
      same.folded.push(folded)
    },
    twinOf: (text, threshold, saysOther = () => false) => {
      const folded = foldedText(text)
      pairs += exact.size
      const same = exact.get(folded)
      if (same !== undefined) return { text: same, similarity: 1 }
      countLetters(folded, counts, 0)
      neighbours.fill(0)
      for (let at = 1; at < folded.length; at++) neighbours[pairGroup(folded, at)]! += 1
      let best: Twin | null = null
      for (const [length, { texts, folded: others, words }] of byLength) {
        const longer = Math.max(length, folded.length)
        const least = Math.max(threshold, best?.similarity ?? 0)
        // Rounding is for (1 - 0.8) × 10, which is a little less than 2.
        const allowed = Math.floor((1 - least) * longer + 1e-9)
        if (Math.abs(length - folded.length) > allowed) continue
        for (let at = 0; at < others.length; at++) {
          if (!mayBeNear(wanted, words, at * WORDS, allowed)) continue
          if (!sharesNeighbours(folded, others[at]!, neighbours, allowed)) continue
          compared += 1
          const similarity = editSimilarity(folded, others[at]!)
          if (similarity + 1e-9 < threshold || similarity <= (best?.similarity ?? 0)) continue
          if (!saysOther(text, texts[at]!)) best = { text: texts[at]!, similarity }
        }
      }
      return best
    },
    get effort() {
      return { compared, pairs }
    },
  }
}

/** Case, width and white space make no other text. */
export function foldedText(text: string): string {
  const plain = MORE_THAN_ASCII.test(text) ? text.normalize('NFKC') : text
  const lower = plain.toLowerCase()
  return (UNEVEN_SPACE.test(lower) ? lower.replace(/\s+/g, ' ') : lower).trim()
}

const MORE_THAN_ASCII = /[^\0-\x7f]/
const UNEVEN_SPACE = /\s\s|[^\S ]/

/** Writes how many letters of each group the text has. */
function countLetters(text: string, letters: Uint8Array, from: number): void {
  letters.fill(0, from, from + GROUPS)
  for (let at = 0; at < text.length; at++) {
    const group = from + (text.charCodeAt(at) & (GROUPS - 1))
    if (letters[group]! < MOST_LETTERS) letters[group]!++
  }
}

/** No fewer edits make one text of the other: each edit changes at most one surplus letter on either side. */
function mayBeNear(a: Int32Array, b: Int32Array, from: number, allowed: number): boolean {
  let more = 0
  let less = 0
  for (let word = 0; word < WORDS; word++) {
    const one = a[word]!
    const other = b[from + word]!
    more += surplus(one, other)
    less += surplus(other, one)
    if (more > allowed || less > allowed) return false
  }
  return true
}

/**
 * No fewer edits make one text of the other: each edit parts at most two pairs of neighbouring letters on either side (the
 * q-gram lemma, Ukkonen 1992). `neighbours` counts the pairs of `text`, and is as it was afterwards.
 */
function sharesNeighbours(text: string, other: string, neighbours: Int32Array, allowed: number): boolean {
  let shared = 0
  for (let at = 1; at < other.length; at++) {
    const group = pairGroup(other, at)
    if (neighbours[group]! > 0) shared += 1
    neighbours[group]! -= 1
  }
  for (let at = 1; at < other.length; at++) neighbours[pairGroup(other, at)]! += 1
  return Math.max(text.length, other.length) - 1 - shared <= 2 * allowed
}

/** The group of the letter here and the one before it. */
function pairGroup(text: string, at: number): number {
  return (text.charCodeAt(at - 1) * 31 + text.charCodeAt(at)) & (PAIR_GROUPS - 1)
}

/**
 * By how much four counts exceed four others, together. The high bit of each byte is set before subtracting, so that none
 * borrows from its neighbour; it stays set where the count is no smaller (SIMD within a register, Lamport 1975).
 */
function surplus(counts: number, others: number): number {
  const difference = ((counts | 0x80808080) - others) | 0
  const noSmaller = (difference >>> 7) & 0x01010101
  const excess = difference & ((noSmaller << 7) - noSmaller)
  const pairs = (excess & 0x00ff00ff) + ((excess >>> 8) & 0x00ff00ff)
  return (pairs + (pairs >>> 16)) & 0xffff
}
