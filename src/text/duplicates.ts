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
  /** Takes a text out that was added; one that was added several times is known until it was taken out as often. */
  remove(text: string): void
  /**
   * The most alike text of at least this similarity, 0 to 1, of several the first in the order of their characters; null
   * when there is none. `saysOther`: whether the text says something else than a known one, however alike they are.
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

/** A text that is known, in the forms in which it was added: they differ in case, width or white space at most. */
interface KnownText {
  readonly folded: string
  /** One for each time that it was added and not taken out, in the order of their characters: when they came tells nothing. */
  readonly forms: string[]
  /** Among those of its length. */
  at: number
}

/** Texts of one length, with the counts of their letters side by side. */
interface OfLength {
  readonly texts: KnownText[]
  letters: Uint8Array
  words: Int32Array
}

/** An empty collection. */
export function knownTexts(): KnownTexts {
  const exact = new Map<string, KnownText>()
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
      const known = exact.get(folded)
      if (known !== undefined) {
        const behind = known.forms.findIndex((form) => form >= text)
        known.forms.splice(behind < 0 ? known.forms.length : behind, 0, text)
        return
      }
      const same = byLength.get(folded.length) ?? noneYet()
      byLength.set(folded.length, same)
      const at = same.texts.length
      if (at * GROUPS === same.letters.length) grow(same)
      countLetters(folded, same.letters, at * GROUPS)
      const fresh = { folded, forms: [text], at }
      same.texts.push(fresh)
      exact.set(folded, fresh)
    },
    remove: (text) => {
      const folded = foldedText(text)
      const known = exact.get(folded)
      const form = known?.forms.indexOf(text) ?? -1
      if (known === undefined || form < 0) return
      known.forms.splice(form, 1)
      if (known.forms.length > 0) return
      exact.delete(folded)
      const { texts, letters } = byLength.get(folded.length)!
      const last = texts.pop()!
      if (last === known) return
      letters.copyWithin(known.at * GROUPS, last.at * GROUPS, (last.at + 1) * GROUPS)
      last.at = known.at
      texts[last.at] = last
    },
    twinOf: (text, threshold, saysOther = () => false) => {
      const folded = foldedText(text)
      pairs += exact.size
      const same = exact.get(folded)
      if (same !== undefined) return { text: same.forms[0]!, similarity: 1 }
      countLetters(folded, counts, 0)
      neighbours.fill(0)
      for (let at = 1; at < folded.length; at++)
        neighbours[groupOf(folded.charCodeAt(at - 1), folded.charCodeAt(at))]! += 1
      let best = NONE
      for (const [length, { texts, words }] of byLength) {
        const longer = Math.max(length, folded.length)
        const least = Math.max(threshold, best.similarity)
        // Rounding is for (1 - 0.8) × 10, which is a little less than 2.
        const allowed = Math.floor((1 - least) * longer + 1e-9)
        if (Math.abs(length - folded.length) > allowed) continue
        const surplus = Math.min(allowed, allowed + folded.length - length)
        for (let at = 0; at < texts.length; at++) {
          if (!mayBeNear(wanted, words, at * WORDS, surplus)) continue
          const other = texts[at]!
          if (!sharesNeighbours(folded, other.folded, neighbours, allowed)) continue
          compared += 1
          const similarity = editSimilarity(folded, other.folded)
          if (similarity + 1e-9 < threshold || similarity < best.similarity) continue
          const known = other.forms[0]!
          if (similarity === best.similarity && known >= best.text) continue
          if (!saysOther(text, known)) best = { text: known, similarity }
        }
      }
      return best === NONE ? null : best
    },
    get effort() {
      return { compared, pairs }
    },
  }
}

const NONE: Twin = { text: '', similarity: 0 }

function noneYet(): OfLength {
  const letters = new Uint8Array(GROUPS * 4)
  return { texts: [], letters, words: new Int32Array(letters.buffer) }
}

function grow(same: OfLength): void {
  const larger = new Uint8Array(same.letters.length * 2)
  larger.set(same.letters)
  same.letters = larger
  same.words = new Int32Array(larger.buffer)
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

/**
 * No fewer edits make one text of the other: each edit changes at most one surplus letter on either side. What `a` has more
 * of is counted, against as many as `allowed`; what `b` has more of differs from that as their lengths do. The high bit of
 * each byte is set before subtracting, so that none borrows from its neighbour; it stays set where the count is no smaller
 * (SIMD within a register, Lamport 1975). Two words are added up before their bytes are parted.
 */
function mayBeNear(a: Int32Array, b: Int32Array, from: number, allowed: number): boolean {
  let more = 0
  for (let word = 0; word < WORDS; word += 2) {
    const first = ((a[word]! | HIGH_BITS) - b[from + word]!) | 0
    const second = ((a[word + 1]! | HIGH_BITS) - b[from + word + 1]!) | 0
    const firstNoSmaller = (first >>> 7) & LOW_BITS
    const secondNoSmaller = (second >>> 7) & LOW_BITS
    const excess =
      ((first & ((firstNoSmaller << 7) - firstNoSmaller)) + (second & ((secondNoSmaller << 7) - secondNoSmaller))) | 0
    const pairs = (excess & 0x00ff00ff) + ((excess >>> 8) & 0x00ff00ff)
    more += (pairs & 0xffff) + (pairs >>> 16)
    if (more > allowed) return false
  }
  return true
}

const HIGH_BITS = 0x80808080 | 0
const LOW_BITS = 0x01010101

/**
 * No fewer edits make one text of the other: each edit parts at most two pairs of neighbouring letters on either side (the
 * q-gram lemma, Ukkonen 1992). `neighbours` counts the pairs of `text`, and is as it was afterwards.
 */
function sharesNeighbours(text: string, other: string, neighbours: Int32Array, allowed: number): boolean {
  // So many pairs of the other text may be in none of the pairs of this one.
  let spare = other.length - Math.max(text.length, other.length) + 2 * allowed
  let end = 1
  for (let last = other.charCodeAt(0); end < other.length && spare >= 0; end++) {
    const next = other.charCodeAt(end)
    const left = neighbours[groupOf(last, next)]!--
    if (left <= 0) spare -= 1
    last = next
  }
  for (let at = 1, last = other.charCodeAt(0); at < end; at++) {
    const next = other.charCodeAt(at)
    neighbours[groupOf(last, next)]!++
    last = next
  }
  return spare >= 0
}

/** The group of two neighbouring letters. */
function groupOf(letter: number, next: number): number {
  return (letter * 31 + next) & (PAIR_GROUPS - 1)
}
