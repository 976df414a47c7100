/**
 * Turns that the user collected (001, `is_collected`): a mark that only the user sets. Recall, summaries and thinking do not
 * look at it; cleaning up by age leaves the turns that have it.
 */

import { checkBoolean, checkId, checkInteger, checkRecord } from '../domain/checks.ts'
import type { ConversationLog, Page } from '../domain/contracts/conversation-log.ts'
import { checkPage, type PageInput } from '../domain/page.ts'
import type { Turn } from '../domain/turn.ts'
import { getTurn } from './conversations.ts'

/** The mark on one turn. */
export interface CollectInput {
  readonly userId: string
  readonly conversationId: string
  readonly turnId: number
  /** false takes the mark off. */
  readonly isCollected: boolean
}

/** Sets the mark or takes it off, and returns the turn. Rejects with not_found when the user has no such turn. */
export async function collectTurn(log: ConversationLog, input: CollectInput): Promise<Turn> {
  checkRecord('', input, ['userId', 'conversationId', 'turnId', 'isCollected'])
  const userId = checkId('userId', input.userId)
  const conversationId = checkId('conversationId', input.conversationId)
  const turnId = checkInteger('turnId', input.turnId, 1, Number.MAX_SAFE_INTEGER)
  const turn = await log.collect(userId, { conversationId, turnId }, checkBoolean('isCollected', input.isCollected))
  if (turn !== null) return turn
  return getTurn(log, userId, conversationId, turnId)
}

/** Collected turns of all conversations, the last said first. */
export async function listCollectedTurns(log: ConversationLog, userId: string, input: PageInput): Promise<Page<Turn>> {
  checkRecord('', input, ['userId', 'limit', 'offset'])
  return log.collectedTurns(checkId('userId', userId), checkPage(input))
}
