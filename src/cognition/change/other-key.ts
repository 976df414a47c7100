/**
 * Do two statements hold keys that different services issued? Then neither says anything about the other, however alike
 * they are told: the key of one cloud does not end the key of another.
 */
import { findSecrets } from '../../text/secrets/find-secrets.ts'

/** Whether both hold a key, and no two of them begin as keys of one issuer do. */
export function holdsOtherKey(newer: string, older: string): boolean {
  const mine = issuersOf(newer)
  const theirs = mine === null ? null : issuersOf(older)
  return mine !== null && theirs !== null && mine.size + theirs.size > 0 && mine.isDisjointFrom(theirs)
}

/** What their keys show of who issued them, if anything; null: there is no key. */
function issuersOf(text: string): ReadonlySet<string> | null {
  const secrets = findSecrets(text)
  return secrets.length === 0 ? null : new Set(secrets.flatMap(({ shown }) => (shown === '' ? [] : [shown])))
}
