/** Which turns are taken back or removed? Their numbers, by conversation. */
import type { TakenBackTurns } from '../domain/contracts/profile-store.ts'
import type { Store } from '../domain/contracts/store.ts'
import { breathe } from '../domain/pieces.ts'

/** Which turns are meant: of one conversation, one turn of it, or all said before a moment that the user did not collect. */
export type SourceScope =
  | { readonly kind: 'conversation'; readonly conversationId: string }
  | { readonly kind: 'turn'; readonly conversationId: string; readonly turnId: number }
  | { readonly kind: 'older'; readonly before: number }

const TURNS_A_PIECE = 200
const CONVERSATIONS_A_PIECE = 200

/** The turns of the scope; old ones are looked for in pieces. */
export async function sourceTurns(
  { log }: Pick<Store, 'log'>,
  userId: string,
  scope: SourceScope,
): Promise<TakenBackTurns> {
  if (scope.kind === 'conversation') return { turns: new Map(), whole: new Set([scope.conversationId]) }
  if (scope.kind === 'turn')
    return { turns: new Map([[scope.conversationId, new Set([scope.turnId])]]), whole: new Set() }
  const turns = new Map<string, Set<number>>()
  for (let offset = 0; ; offset += CONVERSATIONS_A_PIECE) {
    const { items } = await log.conversations(userId, { limit: CONVERSATIONS_A_PIECE, offset })
    for (const { conversationId, createdAt, lastTurnId } of items) {
      if (createdAt >= scope.before) continue
      for (let from = 1; from <= lastTurnId; from += TURNS_A_PIECE) {
        const range = { from, to: Math.min(lastTurnId, from + TURNS_A_PIECE - 1) }
        const old = (await log.turns(userId, conversationId, range)).filter(
          (turn) => turn.createdAt < scope.before && !turn.isCollected,
        )
        const numbers = turns.get(conversationId) ?? new Set()
        for (const { turnId } of old) turns.set(conversationId, numbers.add(turnId))
      }
      await breathe()
    }
    if (items.length < CONVERSATIONS_A_PIECE) return { turns, whole: new Set() }
  }
}

/** Whether the scope holds a turn; null: something that was told to the conversation without one. */
export function isTaken(
  { turns, whole }: TakenBackTurns,
  conversationId: string | null,
  turnId: number | null,
): boolean {
  if (conversationId === null) return false
  return whole.has(conversationId) || (turnId !== null && turns.get(conversationId)?.has(turnId) === true)
}
