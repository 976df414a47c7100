/**
 * Which secrets stand in this text: issued keys, private keys, passwords in addresses, values called a secret? Their
 * shape alone tells, in linear time, and ordinary code (hashes, UUIDs, placeholders, variables) is left alone.
 */
import { readOnce } from '../../domain/read-once.ts'
import { assignedSecrets } from './assigned-secrets.ts'
import { cardNumbers } from './card-numbers.ts'
import { issuedKeys } from './issued-keys.ts'
import { numbersOfPersons } from './numbers-of-persons.ts'
import type { Secret } from './secret.ts'
import { mayNameSecret } from './secret-names.ts'
import { spokenSecrets } from './spoken-secrets.ts'
import { isMaskedValue, isPlaceholder } from './value-shape.ts'

/** scheme://user:password@host; the user may be missing. */
const ADDRESS = /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,24}:\/\/[^\s:@/'"<>]{0,100}:([^\s/'"`<>]{1,200})@(?=[\w[])/dgi
const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
/** Shortest text that can name a secret, such as "pin 4821". */
const SHORTEST = 6
const KEY_ENDS = '-----END '
const LONGEST_PRIVATE_KEY = 20_000
/** The remaining lines of a key that was cut off, the last one of any length. */
const KEY_LINES = /(?:\s|\\n|[A-Za-z0-9+/=]{16,})*(?:(?<=\n)[A-Za-z0-9+/=]{1,15}(?=\s|$))?/y

/** The secrets of a text, in order; none overlaps another. */
export const findSecrets = readOnce('secrets', (text): readonly Secret[] => {
  if (text.length < SHORTEST) return []
  const found = [
    ...privateKeys(text),
    ...issuedKeys(text),
    ...addressPasswords(text),
    ...cardNumbers(text),
    ...numbersOfPersons(text),
    ...(mayNameSecret(text) ? [...assignedSecrets(text), ...spokenSecrets(text)] : []),
  ]
  return found.length < 2 ? found : joined(found)
})

function addressPasswords(text: string): readonly Secret[] {
  if (!text.includes('://')) return []
  return [...text.matchAll(ADDRESS)].flatMap(({ 1: password = '', indices }) => {
    const [from, to] = indices![1]!
    return isPlaceholder(password) || isMaskedValue(password) ? [] : [{ from, to, shown: '' }]
  })
}

function privateKeys(text: string): readonly Secret[] {
  if (!text.includes('-----BEGIN ')) return []
  const found: Secret[] = []
  let done = 0
  let end = 0
  for (const { 0: begin, index } of text.matchAll(PRIVATE_KEY)) {
    if (index < done) continue
    const from = index + begin.length
    if (end >= 0 && end < from) end = text.indexOf(KEY_ENDS, from)
    const isWhole = end >= 0 && end - from <= LONGEST_PRIVATE_KEY
    done = isWhole ? end : from + linesOfKey(text, from).trimEnd().length
    // A mask between the marks holds no key.
    if (done > from && !isMaskedValue(text.slice(from, from + 40))) found.push({ from, to: done, shown: '' })
  }
  return found
}

function linesOfKey(text: string, from: number): string {
  KEY_LINES.lastIndex = from
  return KEY_LINES.exec(text)?.[0] ?? ''
}

/** Joins overlapping finds; the longest beginning is the part that may be shown. */
function joined(found: readonly Secret[]): readonly Secret[] {
  const ordered = found.toSorted((a, b) => a.from - b.from || b.shown.length - a.shown.length || b.to - a.to)
  const apart: Secret[] = []
  for (const secret of ordered) {
    const last = apart.at(-1)
    if (last === undefined || secret.from >= last.to) apart.push(secret)
    else apart[apart.length - 1] = united(last, secret)
  }
  return apart
}

function united({ from, to, shown, isSaid }: Secret, other: Secret): Secret {
  const bothSaid = isSaid === true && other.isSaid === true
  return { from, to: Math.max(to, other.to), shown, ...(bothSaid ? { isSaid: true as const } : {}) }
}
