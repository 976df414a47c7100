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
  /** The most alike text of at least this similarity, 0 to 1; null when there is none. */
  twinOf(text: string, threshold: number): Twin | null
  /** Comparisons letter by letter that were made, and those that comparing with every text would have taken. */
  readonly effort: { readonly compared: number; readonly pairs: number }
}

/** Letters are counted in so many groups: more tell texts apart better, fewer are quicker. */
const GROUPS = 32

interface Known {
  readonly text: string
  readonly folded: string
  readonly letters: Uint16Array
}

/** An empty collection. */
export function knownTexts(): KnownTexts {
  const exact = new Map<string, Known>()
  /** By length, so that texts that are too long or too short are not even looked at. */
  const byLength = new Map<number, Known[]>()
  let compared = 0
  let pairs = 0
  return {
    add: (text) => {
      const folded = foldedText(text)
      if (exact.has(folded)) return
      const known = { text, folded, letters: lettersOf(folded) }
      exact.set(folded, known)
      const same = byLength.get(folded.length)
      if (same === undefined) byLength.set(folded.length, [known])
      else same.push(known)
    },
    twinOf: (text, threshold) => {
      const folded = foldedText(text)
      pairs += exact.size
      const same = exact.get(folded)
      if (same !== undefined) return { text: same.text, similarity: 1 }
      const letters = lettersOf(folded)
      let best: Twin | null = null
      for (const [length, group] of byLength) {
        const longer = Math.max(length, folded.length)
        const least = Math.max(threshold, best?.similarity ?? 0)
        // Rounding is for (1 - 0.8) × 10, which is a little less than 2.
        const allowed = Math.floor((1 - least) * longer + 1e-9)
        if (Math.abs(length - folded.length) > allowed) continue
        for (const known of group) {
          if (!mayBeNear(letters, known.letters, allowed)) continue
          compared += 1
          const similarity = editSimilarity(folded, known.folded)
          if (similarity + 1e-9 >= threshold && similarity > (best?.similarity ?? 0))
            best = { text: known.text, similarity }
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
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

function lettersOf(text: string): Uint16Array {
  const letters = new Uint16Array(GROUPS)
  for (let at = 0; at < text.length; at++) letters[text.charCodeAt(at) % GROUPS]!++
  return letters
}

/** No fewer edits make one text of the other: each edit changes at most one surplus letter on either side. */
function mayBeNear(a: Uint16Array, b: Uint16Array, allowed: number): boolean {
  let more = 0
  let less = 0
  for (let group = 0; group < GROUPS; group++) {
    const difference = a[group]! - b[group]!
    if (difference > 0) more += difference
    else less -= difference
    if (more > allowed || less > allowed) return false
  }
  return true
}
