/** Which memories of these messages' matters are known? Those in the answer's context are no news. */
import { MINUTE_MS } from '../../domain/clock.ts'
import type { Memory } from '../../domain/memory.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import { withoutQuotedBlocks } from '../../language/quoted-block.ts'
import { type MatchedMemories, matchMemories } from '../../search/match-memories.ts'
import { MOST_KNOWN } from '../../thinking/exchange/exchange-prompt.ts'
import { topicsOf } from '../../thinking/facts/mentioned-attributes.ts'
import { shareFound, tellingTerms } from '../../thinking/model-answers/grounding.ts'
import { pointsBack } from '../../thinking/reconsolidate/reconsolidate-by-rules.ts'
import { compileFilter } from '../matching/filter.ts'
import { messageTerms } from '../matching/memory-candidates.ts'
import type { Draft, ThinkInput } from './draft.ts'

/** Memories around a round. */
export interface KnownBefore {
  /** Texts that were recalled for it; for a model also those that somebody else than the user repeats. */
  readonly injected: readonly string[]
  /** The best matches, best first. */
  readonly known: readonly Memory[]
  /** Episodes recalled shortly before its message: statements about them are theirs, too (002 R4). */
  readonly inUse: readonly Memory[]
}

const NOTHING: KnownBefore = { injected: [], known: [], inUse: [] }
const CHARACTERS_READ = 4000
const MOST_CANDIDATES = 40
/** A context is built before its message is stored, or while the answer is being written. */
const BEFORE_MS = MINUTE_MS
const AFTER_MS = 10 * MINUTE_MS
/** The time in which recalled memories count as spoken of: the life of working memory. */
const IN_USE_MS = 30 * MINUTE_MS
/** The share of its telling words from which a memory is said again. */
const REPEATED_SHARE = 0.7

/** Looks among the memories that share words with the round or its subject; `among` is as of a draft. */
export async function knownBefore(
  memories: MatchedMemories,
  userId: string,
  round: readonly ThinkMessage[],
  projectRoot: string | null,
  { earlier = [], among, asksModel }: { among?: Draft['among']; asksModel: boolean } & Pick<ThinkInput, 'earlier'>,
): Promise<KnownBefore> {
  const [first, last] = [round[0], round.at(-1)]
  if (first === undefined || last === undefined) return NOTHING
  const said = round.filter(({ role }) => role === 'user')
  const own = textOf(said)
  const others = asksModel ? textOf(round.filter(({ role }) => role !== 'user')) : ''
  const before = pointsBack(own) ? textOf(earlier) : ''
  // A new home is told without a word of the old one.
  const topics = asksModel ? [...topicsOf(own).keys()].join(', ') : ''
  const terms = messageTerms(`${topics}\n${own}\n${others}\n${before}`, asksModel)
  if (terms.length === 0) return NOTHING
  const { stored, accepts } = compileFilter(among)
  const filter = projectRoot === null ? stored : { ...stored, projectRoot }
  const { matches } = await matchMemories(memories, userId, terms, filter, MOST_CANDIDATES)
  const found = matches.map(({ memory }) => memory).filter((memory) => accepts?.(memory) ?? true)
  const [from, to] = [first.createdAt - BEFORE_MS, last.createdAt + AFTER_MS]
  const wasShown = ({ lastAccessed }: Memory): boolean =>
    lastAccessed !== null && lastAccessed >= from && lastAccessed <= to
  const isTold = ({ text }: Memory, words: string): boolean =>
    (shareFound(text.slice(0, CHARACTERS_READ), tellingTerms(words)) ?? 0) >= REPEATED_SHARE
  const isRepeated = (memory: Memory): boolean => !isTold(memory, own) && isTold(memory, others)
  // A memory in doubt may be said again: that settles it.
  const injected = found.filter(
    (memory) => memory.suspect === null && (wasShown(memory) || (asksModel && isRepeated(memory))),
  )
  // The clock may stand still between the recall and the message.
  const until = said.at(-1)?.createdAt ?? 0
  const inUse = found.filter(
    ({ memoryType, lastAccessed }) =>
      memoryType === 'episodic' && lastAccessed !== null && lastAccessed <= until && lastAccessed >= until - IN_USE_MS,
  )
  return { injected: injected.map(({ text }) => text), known: found.slice(0, MOST_KNOWN), inUse }
}

function textOf(messages: readonly ThinkMessage[]): string {
  return messages.map(({ content }) => withoutQuotedBlocks(content.slice(0, CHARACTERS_READ))).join('\n')
}
