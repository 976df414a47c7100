/**
 * The first steps of every use case: it refuses work after the end, waits for due summaries, and keeps the process
 * alive until its answer. The background's timers would let it end.
 */

import type { ConversationLog } from '../domain/contracts/conversation-log.ts'
import { MnemeError } from '../domain/errors.ts'
import { giveWay } from '../domain/fair-turns.ts'
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
export function guards(...rolling: readonly Pick<Rolling, 'pending'>[]): Guards {
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
      for (const rolls of rolling) {
        const pending = rolls.pending(userIn(values))
        if (pending !== null) await held(() => pending)
      }
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

/** The user that a call names; undefined where it names none, and may concern any. */
export function userIn(values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const { userId } = (value ?? {}) as { readonly userId?: unknown }
    if (typeof userId === 'string') return userId
  }
  return undefined
}

/** Rolling summaries that are on their way. */
export interface Rolling {
  /** Writes those of a conversation soon; `now` in milliseconds since the epoch. */
  soon(userId: string, conversationId: string, now: number): void
  /** Resolves when none of the user (default: of anybody) are left, and never rejects; null: none are due. */
  pending(userId?: string): Promise<unknown> | null
}

/** Writes them, one conversation of a user after the other: nobody waits for those of another user. */
export function rolling(log: ConversationLog, logger: Logger): Rolling {
  const users = new Map<string, { readonly due: Map<string, number>; readonly done: Promise<void> }>()
  const rollAll = async (userId: string, due: Map<string, number>): Promise<void> => {
    for (const [conversationId, now] of due) {
      // The acknowledgement goes out first.
      await giveWay(userId)
      due.delete(conversationId)
      try {
        const { rollSummaries } = await import('./upkeep/rolling-summary.ts')
        await rollSummaries(log, userId, conversationId, now)
      } catch (error) {
        logger.warn('rolling summaries could not be written yet', { operation: 'summarize', reason: String(error) })
      }
    }
    users.delete(userId)
  }
  return {
    soon: (userId, conversationId, now) => {
      const known = users.get(userId)
      if (known !== undefined) known.due.set(conversationId, now)
      else {
        const due = new Map([[conversationId, now]])
        users.set(userId, { due, done: rollAll(userId, due) })
      }
    },
    pending: (userId) => {
      if (userId !== undefined) return users.get(userId)?.done ?? null
      return users.size === 0 ? null : Promise.all([...users.values()].map(({ done }) => done))
    },
  }
}
