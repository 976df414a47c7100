/** Which decisions stand at the end? Repeats are said once, in the words of the last time; the order stays. */
import { shortened } from './note.ts'

/** Most decisions that a summary lists. */
export const KEY_DECISIONS = 5
/** Longest decision in UTF-8 bytes. */
const DECISION_BYTES = 120

/** The decisions, in the order they were made, without repeats, each at most 120 UTF-8 bytes. */
export function distinctDecisions(found: readonly string[]): readonly string[] {
  const kept: string[] = []
  const keys: string[] = []
  for (let at = found.length - 1; at >= 0; at--) {
    const text = shortened(found[at]!.replace(/\s+/g, ' ').trim().replace(/[\s.。;；,，]+$/, ''), DECISION_BYTES)
    const key = text.toLowerCase()
    if (text === '' || keys.some((other) => other.includes(key) || key.includes(other))) continue
    kept.unshift(text)
    keys.push(key)
  }
  return kept
}
