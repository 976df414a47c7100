/**
 * Which candidates come into the file? Those that nothing in it says already, letter by letter (specification 004) and with
 * the same values, that the person has not taken out. What may have changed comes in, too: it is struck when it is known to have changed.
 */
import { givesOtherValue } from '../../cognition/notes/other-value.ts'
import type { SkippedEntry } from '../../domain/memory-file.ts'
import { type KnownTexts, knownTexts } from '../../text/duplicates.ts'
import type { Candidate } from './candidates.ts'

/** What there is to compare with. */
export interface ChoiceInput {
  readonly candidates: readonly Candidate[]
  /** Texts of the entries of the file, as memories and as they stand there; afterwards it is as it was. */
  readonly listed: KnownTexts
  /** Texts of what comes into the file anyway. */
  readonly coming: readonly string[]
  /** What the person took out or changed, with when. */
  readonly refused: readonly { readonly text: string; readonly at: number }[]
  /** 0 to 1. */
  readonly threshold: number
}

/** The choice, and how much was compared for it. */
export interface Choice {
  readonly chosen: readonly Candidate[]
  readonly skipped: readonly SkippedEntry[]
  readonly effort: KnownTexts['effort']
}

/** Chooses, in the order of the candidates: of two that say the same the first one comes in. */
export function chooseEntries({ candidates, listed, coming, refused, threshold }: ChoiceInput): Choice {
  const { compared, pairs } = listed.effort
  const added = [...coming]
  for (const text of added) listed.add(text)
  const refusals = knownTexts()
  const refusedAt = new Map<string, number>()
  for (const { text, at } of refused) {
    refusals.add(text)
    refusedAt.set(text, Math.max(at, refusedAt.get(text) ?? 0))
  }
  const chosen: Candidate[] = []
  const skipped: SkippedEntry[] = []
  for (const candidate of candidates) {
    const { memory, note } = candidate
    const { createdAt } = memory
    const { text } = note
    const refusal = refusals.twinOf(text, threshold, givesOtherValue)
    // Said again later, it is wanted again.
    if (refusal !== null && createdAt <= (refusedAt.get(refusal.text) ?? 0)) {
      skipped.push({ text, reason: 'refused', twin: refusal.text, similarity: refusal.similarity })
      continue
    }
    const twin = listed.twinOf(text, threshold, givesOtherValue)
    if (twin === null) {
      chosen.push(candidate)
      listed.add(text)
      added.push(text)
    } else {
      const reason = twin.similarity === 1 ? 'duplicate' : 'similar'
      skipped.push({ text, reason, twin: twin.text, similarity: twin.similarity })
    }
  }
  for (const text of added) listed.remove(text)
  const effort = { compared: listed.effort.compared - compared, pairs: listed.effort.pairs - pairs }
  return { chosen, skipped, effort }
}
