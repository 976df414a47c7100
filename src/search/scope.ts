/**
 * Where may an answer come from? The turns that exist, of the conversation, project and time that were asked for.
 */
import { TURN_DELETED, type TurnView } from '../domain/contracts/turn-index.ts'
import type { RecallRequest } from '../domain/recall.ts'

/** The bounds of one recall. */
export interface Scope {
  /** Whether the turn may be part of the answer. */
  readonly accepts: (ordinal: number) => boolean
  /** Counts the turns inside the bounds, matched or not. */
  readonly total: () => number
}

/** Bounds of a request over a view; constant time unless the request narrows them. */
export function scopeOf(
  view: TurnView,
  request: Pick<RecallRequest, 'conversationId' | 'projectRoot' | 'since' | 'until'>,
): Scope {
  const { flags, conversation, createdAt } = view.columns
  const { conversationId, projectRoot, since, until } = request
  if (conversationId === null && projectRoot === null && since === null && until === null) {
    return { accepts: (ordinal) => (flags[ordinal]! & TURN_DELETED) === 0, total: () => view.live }
  }
  const from = since ?? -Infinity
  const to = until ?? Infinity
  const allowed = new Uint8Array(view.conversations.length)
  view.conversations.forEach((one, index) => {
    const named = conversationId === null || one.conversationId === conversationId
    if (named && (projectRoot === null || one.projectRoot === projectRoot)) allowed[index] = 1
  })
  const accepts = (ordinal: number): boolean =>
    allowed[conversation[ordinal]!] === 1 &&
    (flags[ordinal]! & TURN_DELETED) === 0 &&
    createdAt[ordinal]! >= from &&
    createdAt[ordinal]! <= to
  const total = (): number => {
    let count = 0
    for (let ordinal = 0; ordinal < view.size; ordinal++) if (accepts(ordinal)) count++
    return count
  }
  return { accepts, total }
}
