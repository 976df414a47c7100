/** Reads of a conversation must still hold when something is stored in it, so its chats take turns. */
import { inTurns } from '../../domain/in-turns.ts'
import type { ChatDependencies } from './dependencies.ts'

const inTurn = inTurns()

/** Does the work after that of other chats in one conversation; resolves, or rejects, as the work does. */
export function inConversation<T>(
  { log }: Pick<ChatDependencies, 'log'>,
  { userId, conversationId }: { readonly userId: string; readonly conversationId: string },
  work: () => Promise<T>,
): Promise<T> {
  return inTurn(log, JSON.stringify([userId, conversationId]), work)
}
