/**
 * Which neighbouring words of a query may be one identifier ("process payment" for processPayment)? An identifier is
 * indexed with its parts, so only joins whose parts meet in a turn with symbols are worth a look-up.
 */

import { holds } from '../domain/ascending.ts'
import { type PostingList, TURN_HAS_SYMBOLS } from '../domain/contracts/turn-index.ts'
import { indexTerms } from '../language/tokens.ts'
import { foldWord, passingTerms, wordTerms } from '../language/word-terms.ts'

/** A term of two to four words in one piece. */
export interface JoinedTerm {
  readonly term: string
  /** How many words, stop words included. */
  readonly words: number
  /** Terms of its words, stop words left out. */
  readonly parts: readonly string[]
}

const MOST_WORDS = 4
/** Longer lists are taken to meet: looking would take longer than the look-up saves. */
const LONGEST_LOOK = 2048

/** The terms of `terms` that are no term of the query's single words, with their parts. */
export function joinedTerms(query: string, terms: readonly string[]): readonly JoinedTerm[] {
  const single = indexTerms(query)
  const wanted = new Set(terms.filter((term) => !single.has(term)))
  if (wanted.size === 0) return []
  const words = (query.match(/[A-Za-z0-9]+/g) ?? []).map(foldWord)
  const joined: JoinedTerm[] = []
  for (let first = 0; first < words.length && wanted.size > 0; first++) {
    for (let last = first + 1; last < Math.min(words.length, first + MOST_WORDS); last++) {
      for (const term of passingTerms(words.slice(first, last + 1).join(''))) {
        if (!wanted.delete(term)) continue
        joined.push({ term, words: last - first + 1, parts: words.slice(first, last + 1).flatMap(wordTerms) })
      }
    }
  }
  return joined
}

/** The names whose parts meet in at least one turn that mentions symbols; `lists` by term. */
export function likelyJoins(
  joined: readonly JoinedTerm[],
  lists: ReadonlyMap<string, PostingList>,
  flags: Uint8Array,
): readonly string[] {
  return joined
    .filter(({ parts }) =>
      meet(
        parts.flatMap((part) => lists.get(part) ?? []),
        flags,
      ),
    )
    .map(({ term }) => term)
}

function meet(lists: readonly PostingList[], flags: Uint8Array): boolean {
  const [rarest, ...others] = [...lists].sort((a, b) => a.documents.length - b.documents.length)
  if (rarest === undefined) return false
  if (rarest.documents.length > LONGEST_LOOK) return true
  return rarest.documents.some(
    (ordinal) =>
      (flags[ordinal]! & TURN_HAS_SYMBOLS) !== 0 && others.every(({ documents }) => holds(documents, ordinal)),
  )
}
