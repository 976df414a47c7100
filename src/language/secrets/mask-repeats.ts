/**
 * Where does a secret found in one part of a record stand in another without its name, as 4711 of "My PIN is 4711"? A
 * secret that could be a word or another number is left there.
 */
import { changedData } from './walk-data.ts'

/** Listener for every masked secret, with its replacement. */
export type OnMasked = (secret: string, mask: string) => void

/** Shortest secret that is looked for inside words; shorter ones could be a part of anything. */
const SHORTEST_WITHIN = 6
/** Names of fields that point to something and must stay as they are. */
const POINTER = /(?:^|[_-])ids?$|Ids?$|At$|_at$/

/** The data with the secrets, by their masks, hidden wherever they are repeated. */
export function maskRepeats<T>(data: T, masks: ReadonlyMap<string, string>, onMasked?: OnMasked): T {
  const known = withoutCries(masks)
  const within = [...known.keys()].filter(isUnmistakable).toSorted((a, b) => b.length - a.length)
  const pattern =
    within.length === 0
      ? null
      : new RegExp(`(?<!\\w)(?:${within.map((secret) => RegExp.escape(secret)).join('|')})(?!\\w)`, 'g')
  const maskOf = (secret: string): string => {
    const mask = known.get(secret)!
    onMasked?.(secret, mask)
    return mask
  }
  return changedData(data, {
    text: (text, field) => {
      if (field !== null && POINTER.test(field)) return text
      if (known.has(text) && (field === 'value' || /\d/.test(text))) return maskOf(text)
      return pattern === null ? text : text.replace(pattern, maskOf)
    },
    number: (value, field) => (field === 'value' && known.has(String(value)) ? maskOf(String(value)) : value),
    fieldName: (name) => name,
    takenFor: (field) => field,
  })
}

/** true for letters with digits or signs, which nobody would say by chance. */
function isUnmistakable(secret: string): boolean {
  return secret.length >= SHORTEST_WITHIN && /[a-z]/i.test(secret) && /\d/.test(secret)
}

/**
 * Masks also for secrets without a final exclamation mark, as in "My password is Kiwi-7788!", where it may be the
 * sentence's.
 */
function withoutCries(masks: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const bare = [...masks].flatMap(([secret, mask]): [string, string][] => {
    const word = secret.replace(/!{1,40}$/, '')
    return word === secret || word === '' ? [] : [[word, mask.replace(String(secret.length), String(word.length))]]
  })
  return bare.length === 0 ? masks : new Map([...bare, ...masks])
}
