/**
 * Which of many known texts is nearly the same as this one (specification 004)? The very same is found at once; the rest is
 * compared letter by letter only where lengths and letters leave it possible.
 */
import { foldedText } from '../language/duplicates.ts'
import { editSimilarity } from '../language/edit-distance.ts'

/** A known text that says the same. */
interface Twin {
  readonly text: string
  /** Threshold to 1. */
  readonly similarity: number
}

/** Known texts. */
export interface KnownTexts {
  add(text: string): void
  /**
   * The most alike text of at least this similarity, 0 to 1, or null; ties go to the first by characters. `saysOther`:
   * whether a text says something else than a known one, however alike they are.
   */
  twinOf(text: string, threshold: number, saysOther?: (text: string, known: string) => boolean): Twin | null
  /** Comparisons letter by letter that were made, and those that comparing with every text would have taken. */
  readonly effort: { readonly compared: number; readonly pairs: number }
}

/** Letters are counted in so many groups: more tell texts apart better, fewer are quicker. */
const GROUPS = 32

interface KnownText {
  readonly text: string
  readonly folded: string
  readonly letters: Uint16Array
}

/** An empty collection. */
export function knownTexts(): KnownTexts {
  const exact = new Map<string, string>()
  /** Texts by length, so that much longer or shorter ones are not even looked at. */
  const byLength = new Map<number, KnownText[]>()
  let compared = 0
  let pairs = 0
  return {
    add: (text) => {
      const folded = foldedText(text)
      if (exact.has(folded)) return
      exact.set(folded, text)
      const known = byLength.get(folded.length) ?? []
      byLength.set(folded.length, known)
      known.push({ text, folded, letters: lettersOf(folded) })
    },
    twinOf: (text, threshold, saysOther = () => false) => {
      const folded = foldedText(text)
      pairs += exact.size
      const same = exact.get(folded)
      if (same !== undefined) return { text: same, similarity: 1 }
      const letters = lettersOf(folded)
      let best: Twin | null = null
      for (const [length, known] of byLength) {
        // Rounding is for (1 - 0.8) × 10, which is a little less than 2.
        const allowed = Math.floor((1 - threshold) * Math.max(length, folded.length) + 1e-9)
        if (Math.abs(length - folded.length) > allowed) continue
        for (const other of known) {
          if (surplus(letters, other.letters) > allowed) continue
          compared += 1
          const similarity = editSimilarity(folded, other.folded)
          if (similarity + 1e-9 < threshold || similarity < (best?.similarity ?? 0)) continue
          if (best !== null && similarity === best.similarity && other.text >= best.text) continue
          if (!saysOther(text, other.text)) best = { text: other.text, similarity }
        }
      }
      return best
    },
    get effort() {
      return { compared, pairs }
    },
  }
}

function lettersOf(text: string): Uint16Array {
  const letters = new Uint16Array(GROUPS)
  for (let at = 0; at < text.length; at += 1) letters[text.charCodeAt(at) % GROUPS]! += 1
  return letters
}

/** Letters that one text has more of: no fewer edits make the other text of it. */
function surplus(a: Uint16Array, b: Uint16Array): number {
  let more = 0
  for (let group = 0; group < GROUPS; group += 1) more += Math.max(0, a[group]! - b[group]!)
  return more
}
