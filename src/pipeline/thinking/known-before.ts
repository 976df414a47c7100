/**
 * What did the assistant know when it answered these messages? Memories that had been put into its context, or that it
 * repeats, are no news when they come back; those in doubt may be settled by what is said now. Both are found by the words
 * of the round.
 */

import { shareFound, tellingTerms } from '../../cognition/answers/grounding.ts'
import type { ShownSuspect } from '../../cognition/exchange/prompt.ts'
import { MINUTE_MS } from '../../domain/clock.ts'
import type { Memory } from '../../domain/memory.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import { type MatchedMemories, matchMemories } from '../../search/match-memories.ts'
import { withoutInjectedBlocks } from '../../text/injected-block.ts'
import { memorySearchTerms } from '../memories-terms.ts'

/** Memories around a round. */
export interface KnownBefore {
  /** Texts that were recalled for it, or that somebody else than the user says again. */
  readonly injected: readonly string[]
  readonly suspects: readonly ShownSuspect[]
}

const NOTHING: KnownBefore = { injected: [], suspects: [] }
const CHARACTERS_READ = 4000
const MOST_CANDIDATES = 40
/** A context is built before its message is stored, or while the answer is being written. */
const BEFORE_MS = MINUTE_MS
const AFTER_MS = 10 * MINUTE_MS
/** From this share of its telling words on a memory is said again. */
const REPEATED_SHARE = 0.7

/** Looks among the user's memories that share words with the round. */
export async function knownBefore(
  memories: MatchedMemories,
  userId: string,
  round: readonly ThinkMessage[],
  projectRoot: string | null,
): Promise<KnownBefore> {
  const [first, last] = [round[0], round.at(-1)]
  if (first === undefined || last === undefined) return NOTHING
  const own = textOf(round.filter(({ role }) => role === 'user'))
  const others = textOf(round.filter(({ role }) => role !== 'user'))
  const terms = memorySearchTerms(`${own}\n${others}`, null)
  if (terms.length === 0) return NOTHING
  const filter = projectRoot === null ? {} : { projectRoot }
  const { matches } = await matchMemories(memories, userId, terms, filter, MOST_CANDIDATES)
  const [from, to] = [first.createdAt - BEFORE_MS, last.createdAt + AFTER_MS]
  const wasShown = ({ lastAccessed }: Memory): boolean =>
    lastAccessed !== null && lastAccessed >= from && lastAccessed <= to
  const [ownTerms, othersTerms] = [tellingTerms(own), tellingTerms(others)]
  const isRepeated = ({ text }: Memory): boolean =>
    (shareFound(text, othersTerms) ?? 0) >= REPEATED_SHARE && (shareFound(text, ownTerms) ?? 0) < REPEATED_SHARE
  return {
    // What is in doubt may be said again: that is what settles it.
    injected: matches.flatMap(({ memory }) =>
      memory.suspect === null && (wasShown(memory) || isRepeated(memory)) ? [memory.text] : [],
    ),
    suspects: matches.flatMap(({ memory: { id, text, suspect } }) =>
      suspect === null ? [] : [{ id, text, reason: suspect.reason }],
    ),
  }
}

function textOf(messages: readonly ThinkMessage[]): string {
  return messages.map(({ content }) => withoutInjectedBlocks(content.slice(0, CHARACTERS_READ))).join('\n')
}
