/** What does the working memory of a conversation say without the turns that are taken back? Only what the rules see in the others. */
import { analyzeByRules } from '../cognition/conversation-analysis/rules.ts'
import type { Store } from '../contracts/store.ts'
import { WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import type { ThinkMessage } from '../domain/thought.ts'
import type { SourceTurns } from './source-turns.ts'

/** Turns of a conversation that are looked at, the last ones. */
const TURNS_READ = 32

/** Writes topic, variables and emotion of a living working memory anew; one that is idle or gone stays so. */
export async function renewAnalysis(
  { log, workingMemory }: Pick<Store, 'log' | 'workingMemory'>,
  userId: string,
  conversationId: string,
  { turns, whole }: SourceTurns,
  now: number,
): Promise<void> {
  const present = await workingMemory.get(userId, conversationId, now - WORKING_MEMORY_IDLE_MS)
  if (present === null) return
  const last = (await log.conversation(userId, conversationId))?.lastTurnId ?? 0
  const said = whole.has(conversationId)
    ? []
    : await log.turns(userId, conversationId, { from: Math.max(1, last - TURNS_READ + 1), to: last })
  const left = said
    .filter(({ turnId }) => turns.get(conversationId)?.has(turnId) !== true)
    .map(
      ({ role, content, speaker, turnId, createdAt }): ThinkMessage => ({ role, content, speaker, turnId, createdAt }),
    )
  const { topic, contextVariables, emotion } = analyzeByRules(left)
  const patch = { currentTopic: topic, contextVariables, lastEmotion: left.length === 0 ? null : emotion }
  // Taking back is no activity in the conversation.
  await workingMemory.update(userId, conversationId, patch, present.updatedAt)
}
