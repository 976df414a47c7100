/** Is a text that comes back, from an export, the stored one, or the stored one with masks in it? */

const MASK = /…\(masked, (\d{1,7}) characters\)/g
/** Most characters of a secret that are shown before its mask. */
const LONGEST_SHOWN = 40

/** true when the texts are the same; a mask stands for anything of its length. */
export function isSameOrMasked(stored: string, given: string): boolean {
  if (given === stored) return true
  let storedAt = 0
  let givenAt = 0
  let hidden = 0
  for (const { 0: mask, 1: length, index } of given.matchAll(MASK)) {
    storedAt = behind(stored, given.slice(givenAt, index), storedAt, hidden)
    if (storedAt < 0) return false
    givenAt = index + mask.length
    hidden = Number(length)
  }
  return givenAt > 0 && behind(stored, given.slice(givenAt), storedAt, hidden, true) === stored.length
}

/** The place where the stored text goes on when `part` stands behind `hidden` characters from `at`; else -1. */
function behind(stored: string, part: string, at: number, hidden: number, isLast = false): number {
  for (let skipped = hidden; skipped >= Math.max(0, hidden - LONGEST_SHOWN); skipped--) {
    const end = at + skipped + part.length
    if (stored.startsWith(part, at + skipped) && (!isLast || end === stored.length)) return end
  }
  return -1
}
