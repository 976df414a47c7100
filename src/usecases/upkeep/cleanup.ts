/** Forgetting on request: the turns that go, and the derived texts that go or are written anew with them. */
import type { ConversationLog, RemovalCounts, RemovalScope, Work } from '../../domain/contracts/conversation-log.ts'
import type { JobQueue } from '../../domain/contracts/job-queue.ts'
import type { MemoryStore, WorkingMemoryStore } from '../../domain/contracts/memory-store.ts'
import { refreshConversationSummary, renewSummaries } from './rolling-summary.ts'

/** The counts of a cleanup. */
export interface CleanupCounts {
  readonly conversationsDeleted: number
  readonly turnsDeleted: number
  readonly summariesDeleted: number
  readonly memoriesDeleted: number
  /** The shrinkage of the database file, in whole KiB, rounded up. */
  readonly spaceFreedKb: number
}

/** The stores of a cleanup. */
export interface CleanupStores {
  readonly log: ConversationLog
  readonly memories: MemoryStore
  readonly workingMemory: WorkingMemoryStore
  readonly jobs: JobQueue
}

/** Removes the scope for good; summaries that also cover removed turns are written anew. */
export async function cleanUp(
  { log, memories, workingMemory, jobs }: CleanupStores,
  userId: string,
  scope: RemovalScope,
  now: number,
  work?: Work,
): Promise<CleanupCounts> {
  let memoriesDeleted = 0
  if (scope.kind === 'all') {
    // First, so that no work that still runs writes anything after it.
    await jobs.remove(userId)
    memoriesDeleted = await memories.removeAll(userId)
    for (const { sessionId } of await workingMemory.list(userId, 0)) await workingMemory.remove(userId, sessionId)
  }
  const removed = await log.remove(userId, scope, work)
  await renewDerived(log, userId, removed, now)
  return {
    conversationsDeleted: removed.conversations,
    turnsDeleted: removed.turns,
    summariesDeleted: removed.summaries,
    memoriesDeleted,
    spaceFreedKb: Math.ceil(removed.bytesFreed / 1024),
  }
}

/** Writes the summaries anew that spoke of turns that are gone. */
export async function renewDerived(
  log: ConversationLog,
  userId: string,
  { stale, shortened }: Pick<RemovalCounts, 'stale' | 'shortened'>,
  now: number,
): Promise<void> {
  await renewSummaries(log, userId, stale, now)
  for (const conversationId of shortened) await refreshConversationSummary(log, userId, conversationId)
}
