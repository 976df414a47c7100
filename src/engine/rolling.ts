/**
 * Who waits for rolling summaries? Not whoever stores: the turns are acknowledged, and the summaries that became due are
 * written right after. Whoever asks for anything then waits for them, so that every turn is found among the newest ones or
 * in a summary. What could not be written stays due, and the next turn tries again.
 */
import { setImmediate } from 'node:timers/promises'
import type { ConversationLog } from '../domain/contracts/conversation-log.ts'
import type { Logger } from '../domain/logger.ts'

/** Rolling summaries that are on their way. */
export interface Rolling {
  /** Writes those of a conversation soon; `now` in milliseconds since the epoch. */
  soon(userId: string, conversationId: string, now: number): void
  /** Resolves when none are left, and never rejects; null: none are due. */
  readonly pending: Promise<void> | null
}

/** Writes them, one conversation after the other. */
export function rolling(log: ConversationLog, logger: Logger): Rolling {
  const due = new Map<string, () => Promise<unknown>>()
  let pending: Promise<void> | null = null
  const rollAll = async (): Promise<void> => {
    // The acknowledgement goes out first.
    await setImmediate()
    for (const [name, roll] of due) {
      due.delete(name)
      await roll().catch((error: unknown) =>
        logger.warn('rolling summaries could not be written yet', { operation: 'summarize', reason: String(error) }),
      )
    }
    pending = null
  }
  return {
    soon: (userId, conversationId, now) => {
      due.set(JSON.stringify([userId, conversationId]), async () => {
        const { rollSummaries } = await import('../usecases/upkeep/rolling-summary.ts')
        return rollSummaries(log, userId, conversationId, now)
      })
      pending ??= rollAll()
    },
    get pending() {
      return pending
    },
  }
}
