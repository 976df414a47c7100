/** The turns whose words a model's text holds most of: the text can be taken back with them. */

import type { NewProfileLine } from '../../domain/contracts/profile-store.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import { shareFound, tellingTerms } from '../../thinking/answers/grounding.ts'
import type { Draft } from './thoughts.ts'

/** The share of the best message's score from which another one is a source, too. */
const OF_THE_BEST = 0.5

/** The messages that a text comes from, at least one. `isOwn`: only the user's count. */
export function sourceMessages(
  text: string,
  messages: readonly ThinkMessage[],
  isOwn: boolean,
): readonly ThinkMessage[] {
  const possible = isOwn ? messages.filter(({ role }) => role === 'user') : messages
  const shares = possible.map(({ content }) => shareFound(text, tellingTerms(content)) ?? 0)
  const best = Math.max(0, ...shares)
  if (best > 0) return possible.filter((_, at) => shares[at]! >= OF_THE_BEST * best)
  return isOwn && possible.length > 0 ? possible.slice(-1) : messages
}

/** The draft with the numbers of the turns that it comes from. */
export function withSources(draft: Draft, sources: readonly ThinkMessage[]): Draft {
  const sourceTurnIds = sources.flatMap(({ turnId }) => (turnId === null ? [] : [turnId]))
  return { ...draft, memory: { ...draft.memory, sourceTurnIds } }
}

/** The lines with the turns that told them, where unknown: the user's turns that share a word with them. */
export function withTellings(
  lines: readonly NewProfileLine[],
  conversationId: string | null,
  messages: readonly ThinkMessage[],
): readonly NewProfileLine[] {
  if (conversationId === null) return lines
  return lines.map((line) => {
    if (line.telling !== undefined) return line
    const isOwn = messages.some(
      ({ role, content }) => role === 'user' && (shareFound(line.text, tellingTerms(content)) ?? 0) > 0,
    )
    const turnIds = sourceMessages(line.text, messages, isOwn).flatMap(({ turnId }) => turnId ?? [])
    return { ...line, telling: { conversationId, turnIds } }
  })
}
