/**
 * The effect of a conversation's analysis on its working memory: new variables join the old ones, an unknown topic
 * changes nothing.
 */

import type { Store } from '../../domain/contracts/store.ts'
import { WORKING_MEMORY_IDLE_MS } from '../../domain/limits.ts'
import type { ConversationAnalysis } from '../../thinking/conversation-analysis/types.ts'

/** The most variables that one conversation keeps; the oldest leave. */
const MOST_VARIABLES = 32

/** Updates the living working memory; nothing when there is none any more. */
export async function keepAnalysis(
  { workingMemory }: Pick<Store, 'workingMemory'>,
  userId: string,
  conversationId: string,
  { topic, contextVariables, emotion }: ConversationAnalysis,
  now: number,
): Promise<void> {
  const present = await workingMemory.get(userId, conversationId, now - WORKING_MEMORY_IDLE_MS)
  if (present === null) return
  const known = Object.entries(present.contextVariables).filter(([name]) => !(name in contextVariables))
  const variables = [...known, ...Object.entries(contextVariables)].slice(-MOST_VARIABLES)
  await workingMemory.update(
    userId,
    conversationId,
    {
      ...(topic === null ? {} : { currentTopic: topic }),
      contextVariables: Object.fromEntries(variables),
      ...(emotion === null ? {} : { lastEmotion: emotion }),
    },
    // Thinking is no activity: a late thought does not lengthen the life of a conversation that went quiet.
    present.updatedAt,
  )
}
