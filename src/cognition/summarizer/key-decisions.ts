/** Which decisions stand at the end? Repeats are said once, in the words of the last time; the order stays. */
import { withinBytes } from './note.ts'

/** Most decisions that a summary lists. */
export const KEY_DECISIONS = 5
/** Longest decision in UTF-8 bytes. */
const DECISION_BYTES = 120

/** What ends a spoken sentence without saying anything. */
const TRAILING = /[\s.。;；,，!！]*(?:吧|啦|哈|哦|呗|了哈|then|please)?[\s.。;；,，!！]*$/i

/** A word that only announces a decision; the list says that already. */
const ANNOUNCEMENT = /^(?:(?:agreed|decided|decision|ok(?:ay)?|done|conclusion|决定|结论|同意|好的?)\s*[:：,，]\s*)+/i

/** The decisions, in the order they were made, without repeats, each at most 120 UTF-8 bytes. */
export function distinctDecisions(found: readonly string[]): readonly string[] {
  const kept: { text: string; readonly key: string }[] = []
  for (let at = found.length - 1; at >= 0; at--) {
    const text = found[at]!.replace(/\s+/g, ' ').trim().replace(ANNOUNCEMENT, '').replace(TRAILING, '')
    const key = text.toLowerCase()
    if (text === '' || kept.some((other) => other.key.includes(key))) continue
    const shorter = kept.findIndex((other) => key.includes(other.key))
    if (shorter === -1) kept.push({ text, key })
    // The fuller words of an earlier time take the place of the shorter ones.
    else kept[shorter] = { text, key }
  }
  return kept.reverse().map(({ text }) => withinBytes(text, DECISION_BYTES))
}
