/** Puts exported working memory back as far as it still lives; a later state of a conversation that is here stays. */

import { checkId, checkInteger, checkMetadata, checkText } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { WorkingMemoryStore } from '../domain/contracts/memory-store.ts'
import { LIMITS, WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import type { WorkingMemory } from '../domain/memory.ts'

/** The outcome of restoring them. */
export interface RestoredWorkingMemories {
  readonly added: number
  /** Those here already, in this state or a later one. */
  readonly existing: number
  /** Idle for more than 30 minutes by now, so that they were left out. */
  readonly expired: number
}

/** Restores those that live, in one transaction. A time that lies ahead of this clock counts as now. */
export async function restoreWorkingMemory(
  store: WorkingMemoryStore,
  clock: Clock,
  userId: string,
  restored: readonly WorkingMemory[],
): Promise<RestoredWorkingMemories> {
  const user = checkId('userId', userId)
  const now = clock().getTime()
  const living = restored
    .filter(({ updatedAt }) => updatedAt >= now - WORKING_MEMORY_IDLE_MS)
    .map((memory) => ({
      sessionId: checkId('sessionId', memory.sessionId),
      currentTopic: checkOptionalText('currentTopic', memory.currentTopic),
      contextVariables: checkMetadata('contextVariables', memory.contextVariables) ?? {},
      turnCount: checkInteger('turnCount', memory.turnCount, 1, Number.MAX_SAFE_INTEGER),
      lastEmotion: checkOptionalText('lastEmotion', memory.lastEmotion),
      createdAt: Math.min(memory.createdAt, now),
      updatedAt: Math.min(memory.updatedAt, now),
    }))
  const added = living.length === 0 ? 0 : (await store.restore(user, living)).length
  return { added, existing: living.length - added, expired: restored.length - living.length }
}

/** A text of working memory, or null. */
export function checkOptionalText(field: string, value: string | null): string | null {
  return value === null ? null : checkText(field, value, { maxBytes: LIMITS.metadataBytes })
}
