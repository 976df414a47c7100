/**
 * Which earlier statement does a correction mean that does not name its subject ("Not 60, I checked, it is every 30")?
 * The last one of the past days that says what is denied, or that has a value of the same type. One at most.
 */
import { type Profile, profileOf } from './profile.ts'
import type { Statement } from './statement.ts'
import { conflicting } from './typed-values.ts'

/** One corrects what one has just said; milliseconds. */
const STILL_IN_MIND = 10 * 86_400_000

/** Content words of a correction that only puts right. */
const SHORT = 8

/** "Not 60", "isn't Katerina", 不是周三: what is denied, as `v`. */
const DENIED =
  /\b(?:not|isn't|wasn't|never|instead of|rather than|no longer) (?:on |at |in |the |an? |called )*(?<v>[\w'-]+(?: [A-Z][\w'-]+)?)|(?:不是|不叫|不姓|并非|不在) ?(?<w>[^，。！？,\s是]{1,10})/gi

/** Position of the meant one among the older statements; null when none of them can be meant. */
export function meantBy(newer: Statement, olders: readonly Statement[]): number | null {
  const { stance, values, text, terms } = profileOf(newer)
  if (!stance.corrects || stance.past || stance.unreal) return null
  const denied = deniedIn(text)
  let meant: number | null = null
  let last: number | null = null
  for (const [at, older] of olders.entries()) {
    const age = newer.occurredAt - older.occurredAt
    if (age < 0 || age > STILL_IN_MIND) continue
    if (last === null || older.occurredAt >= olders[last]!.occurredAt) last = at
    if (meant !== null && older.occurredAt < olders[meant]!.occurredAt) continue
    const profile = profileOf(older)
    if (denied.some((value) => says(profile, value)) || (stance.mistaken && conflicting(values, profile.values)))
      meant = at
  }
  // "Typed it wrong, elk-27" has no subject of its own: it is about the last thing said.
  return meant ?? (stance.mistaken && terms.size <= SHORT ? last : null)
}

/** What a text denies: numbers and names, or two characters of Chinese; not "not good". */
function deniedIn(text: string): readonly string[] {
  return [...text.matchAll(DENIED)]
    .map(({ groups }) => groups?.v ?? groups?.w ?? '')
    .filter((value) => /\d|^[A-Z]|^\p{Script=Han}{2}/u.test(value))
}

function says({ text }: Profile, value: string): boolean {
  const at = text.toLowerCase().indexOf(value.toLowerCase())
  if (at < 0) return false
  const around = `${text[at - 1] ?? ' '}${text[at + value.length] ?? ' '}`
  return /\p{Script=Han}/u.test(value) || !/[A-Za-z0-9]/.test(around)
}
