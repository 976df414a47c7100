/**
 * Which earlier statement does a correction mean that does not name its subject ("Not 60, I checked, it is every 30")?
 * The last one of the past days that says what is denied, or that has a value of the same type. One at most.
 */
import { type Profile, profileOf } from './profile.ts'
import type { Statement } from './statement.ts'
import { conflicting } from './typed-values.ts'

/** One corrects what one has just said; milliseconds. */
const STILL_IN_MIND = 10 * 86_400_000

/** Of "it" one speaks with whom one has just told what it is; milliseconds. */
const JUST_SAID = 2 * 86_400_000
const IT_IS = /(?:^|[.!?,;]\s*)(?:it|that)(?:['’]s| is| was| should be)\b|(?:^|[。！？，])(?:那|它|这)?(?:应该)?是/i

/** Content words of a correction that only puts right, and of one that may say more beside. */
const SHORT = 8
const LONGER = 16

/** Which statement is meant; `plainly`: it can only be this one, else it may be. */
export interface Meant {
  readonly at: number
  readonly plainly: boolean
}

/** "Not 60", "isn't Katerina", 不是周三: what is denied, as `v`. */
const DENIED =
  /\b(?:not|isn't|wasn't|never|instead of|rather than|no longer) (?:on |at |in |the |an? |called )*(?<v>[\w'-]+(?: [A-Z][\w'-]+)?)|(?:不是|不叫|不姓|并非|不在) ?(?<w>[^，。！？,\s是]{1,10})/gi

/** The meant one among the older statements by its position; null when none of them can be meant. */
export function meantBy(newer: Statement, olders: readonly Statement[]): Meant | null {
  const { stance, values, text, terms } = profileOf(newer)
  if (stance.past || stance.unreal) return null
  if (!stance.corrects) return plain(valueOfLast(newer, olders))
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
  if (meant !== null || last === null) return plain(meant)
  return stance.mistaken && terms.size <= LONGER ? { at: last, plainly: terms.size <= SHORT } : null
}

function plain(at: number | null): Meant | null {
  return at === null ? null : { at, plainly: true }
}

/** "It's the 12th, he is not amused": said of what one has just spoken of, where that gave another date. */
function valueOfLast(newer: Statement, olders: readonly Statement[]): number | null {
  const { values, text } = profileOf(newer)
  if (values.length === 0 || !IT_IS.test(text)) return null
  const just = olders.flatMap((older, at) => {
    const age = newer.occurredAt - older.occurredAt
    return age >= 0 && age <= JUST_SAID ? [at] : []
  })
  const last = just.sort((a, b) => olders[b]!.occurredAt - olders[a]!.occurredAt)[0]
  return last !== undefined && conflicting(values, profileOf(olders[last]!).values) ? last : null
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
