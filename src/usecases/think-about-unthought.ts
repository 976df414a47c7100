/**
 * Thinks later about turns that were stored without thinking, as imports are. Only jobs are enqueued here, one a
 * conversation: a second call finds nothing more to do.
 */

import { checkId, checkOptionalId, checkRecord } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { ConversationLog, UnthoughtCounts, Work } from '../domain/contracts/conversation-log.ts'
import { notFound } from '../domain/errors.ts'
import { breathe } from '../domain/pieces.ts'

/** The user, and the conversation; default: all. */
export interface ThinkLaterInput {
  readonly userId: string
  readonly conversationId?: string | null | undefined
}

/** Conversations handed over in one transaction. */
const CONVERSATIONS_A_PIECE = 100

/** How many turns will be thought about now. Rejects with not_found for an unknown conversation. */
export async function thinkAboutUnthought(
  log: ConversationLog,
  clock: Clock,
  input: ThinkLaterInput,
  { signal, onProgress }: Work = {},
): Promise<UnthoughtCounts> {
  checkRecord('', input, ['userId', 'conversationId'])
  const userId = checkId('userId', input.userId)
  const conversationId = checkOptionalId('conversationId', input.conversationId)
  if (conversationId !== null && (await log.conversation(userId, conversationId)) === null)
    throw notFound('conversation', conversationId, 'Name a conversation that exists; list them to see their ids.')
  let conversations = 0
  let turns = 0
  for (;;) {
    const part = { conversationId, limit: CONVERSATIONS_A_PIECE }
    const more = await log.thinkAboutUnthought(userId, part, clock().getTime())
    conversations += more.conversations
    turns += more.turns
    onProgress?.(conversations, null)
    if (more.conversations < CONVERSATIONS_A_PIECE) return { conversations, turns }
    await breathe(signal)
  }
}
