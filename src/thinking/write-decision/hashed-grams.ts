/**
 * Which letters and words does a text hold, as places in a table of fixed size? Runs of up to four letters, words and pairs
 * of neighbouring words, hashed; all digits are alike.
 */

/** Hashed letters and words fall into this many places; a power of two. */
export const HASHED_FEATURES = 1 << 15

const LONGEST_GRAM = 4
const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193
const LETTER_SALT = 1
const WORD_SALT = 17
const WORD_PAIR_SALT = 23
const SPACE = 32

/** One more character of an FNV-1a hash; digits are all alike. */
function mix(hash: number, code: number): number {
  return Math.imul(hash ^ (code >= 48 && code <= 57 ? 48 : code), FNV_PRIME)
}

/** Spreads a hash (as MurmurHash3 ends) and folds it into the hashed features. */
function fold(hash: number): number {
  let spread = hash ^ (hash >>> 15)
  spread = Math.imul(spread, 0x2c1b3c6d)
  spread ^= spread >>> 13
  return spread & (HASHED_FEATURES - 1)
}

function mixAll(start: number, text: string): number {
  let hash = start
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at))
  return hash
}

/** The damped counts for the usual counts of a message; longer texts have larger ones. */
const DAMPED = Float64Array.from({ length: 64 }, (_, count) => (count === 0 ? 0 : 1 + Math.log(count)))

function damped(count: number): number {
  return count < DAMPED.length ? DAMPED[count]! : 1 + Math.log(count)
}

/** Places of pieces, in the order in which they were met, and how often each was. */
export class Grams {
  /** How often each place was met by the text at hand, all zero between two texts; several times as fast as a map. */
  readonly #met = new Uint16Array(HASHED_FEATURES)
  #places = new Int32Array(1024)
  #damped = new Float64Array(1024)
  #count = 0

  /** How many places there are. */
  get count(): number {
    return this.#count
  }

  /** Takes the runs of letters of a prepared text. */
  readLetters(prepared: string): void {
    const text = ` ${prepared.replace(/\s+/g, ' ').trim()} `
    this.#makeRoom(text.length * LONGEST_GRAM)
    for (let from = 0; from < text.length; from++) {
      let hash = FNV_START ^ LETTER_SALT
      const end = Math.min(text.length, from + LONGEST_GRAM)
      for (let at = from; at < end; at++) {
        hash = mix(hash, text.charCodeAt(at))
        this.#meet(fold(hash))
      }
    }
  }

  /** Takes words, and pairs of neighbours; the first word is paired with nothing. */
  readWords(words: readonly string[]): void {
    this.#makeRoom(words.length * 2)
    let before = FNV_START ^ WORD_PAIR_SALT
    for (const word of words) {
      this.#meet(fold(mixAll(FNV_START ^ WORD_SALT, word)))
      this.#meet(fold(mixAll(mix(before, SPACE), word)))
      before = mixAll(FNV_START ^ WORD_PAIR_SALT, word)
    }
  }

  /**
   * Writes places and damped counts from a position on, scaled to a common length, and empties itself for the next
   * text.
   */
  take(at: Int32Array, value: Float32Array, position: number, length: number): void {
    const places = this.#places
    let squares = 0
    for (let one = 0; one < this.#count; one++) {
      const place = places[one]!
      const weight = damped(this.#met[place]!)
      this.#met[place] = 0
      this.#damped[one] = weight
      squares += weight * weight
    }
    const scale = length / Math.sqrt(squares || 1)
    for (let one = 0; one < this.#count; one++) {
      at[position + one] = places[one]!
      value[position + one] = this.#damped[one]! * scale
    }
    this.#count = 0
  }

  #meet(place: number): void {
    if (this.#met[place] === 0) this.#places[this.#count++] = place
    this.#met[place]!++
  }

  #makeRoom(most: number): void {
    if (most <= this.#places.length) return
    this.#places = new Int32Array(most)
    this.#damped = new Float64Array(most)
  }
}
