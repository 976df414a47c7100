/**
 * The first steps of every use case: it refuses work after the end, waits for due summaries, and keeps the process
 * alive until its answer. The background's timers would let it end.
 */

import { setImmediate } from 'node:timers/promises'
import type { ConversationLog } from '../domain/contracts/conversation-log.ts'
import { MnemeError } from '../domain/errors.ts'
import type { Logger } from '../domain/logger.ts'

/** The longest that a timer can wait. */
const LONG_MS = 2 ** 31 - 1

/** Wraps a use case. */
export type Guard = <A extends unknown[], R>(work: (...values: A) => Promise<R>) => (...values: A) => Promise<R>

/** The guards of one engine. */
export interface Guards {
  /** Refuses work once the engine was closed, before anything else is looked at. */
  readonly open: Guard
  /** As `open`, without waiting; for callers that store. */
  readonly openAtOnce: Guard
  /** Keeps the process alive while this is awaited. */
  readonly held: <R>(work: () => Promise<R>) => Promise<R>
  readonly isClosed: boolean
  close(): void
}

/** Guards that let everything in until they are closed. */
export function guards(rolls: Pick<Rolling, 'pending'>): Guards {
  let isClosed = false
  let awaited = 0
  let timer: NodeJS.Timeout | undefined
  const held = async <R>(work: () => Promise<R>): Promise<R> => {
    awaited += 1
    timer ??= setInterval(() => {}, LONG_MS)
    try {
      return await work()
    } finally {
      awaited -= 1
      if (awaited === 0) {
        clearInterval(timer)
        timer = undefined
      }
    }
  }
  const openAtOnce: Guard = (work) => {
    return async (...values) => {
      if (isClosed) throw new MnemeError('closed', 'This memory was closed.', { remedy: 'Open it again.' })
      return held(() => work(...values))
    }
  }
  const open: Guard = (work) => {
    const opened = openAtOnce(work)
    return async (...values) => {
      if (rolls.pending !== null) await held(async () => rolls.pending)
      return opened(...values)
    }
  }
  return {
    open,
    held,
    openAtOnce,
    get isClosed() {
      return isClosed
    },
    close: () => {
      isClosed = true
    },
  }
}

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
        const { rollSummaries } = await import('./upkeep/rolling-summary.ts')
        return rollSummaries(log, userId, conversationId, now)
      })
      pending ??= rollAll()
    },
    get pending() {
      return pending
    },
  }
}
