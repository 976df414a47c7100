/** The common dependencies of all use cases. No door is known here; times are milliseconds since the epoch. */
import type { ConversationLog } from '../domain/contracts/conversation-log.ts'
import type { Store } from '../domain/contracts/store.ts'
import { closedError, MnemeError } from '../domain/errors.ts'
import type { Logger } from '../domain/logger.ts'
import { saidOfFile } from '../domain/plain-file.ts'
import { giveWay } from '../domain/scheduling.ts'
import { activityNotes } from './activity.ts'
import { type StoredTurn, type StoreInput, storeTurns } from './conversations.ts'
import { withQuietCallbacks } from './guarded-adapters.ts'
import type { ResolvedOptions } from './open-options.ts'
import { queryEmbedder } from './query-vector.ts'
import { createThinking, type Models } from './thinking.ts'
import { turnMeanings } from './turn-meanings.ts'
import { createSweeper } from './working-memory.ts'

export type Core = ReturnType<typeof createCore>

/** Brings everything together, and takes up work that an earlier process left undone. */
export function createCore(store: Store, options: ResolvedOptions, models: Models) {
  const { clock, logger, background, elsewhere } = options
  const { log } = store
  const worksHere = background && elsewhere === null
  const now = (): number => clock().getTime()
  const rolls = summaryRolls(log, logger)
  const guard = createGuards([rolls, ...(elsewhere === null ? [] : [elsewhere])], (error) => explained(store, error))
  const activity = { ...activityNotes(now), ...(elsewhere === null ? {} : { recalled: elsewhere.recalled }) }
  const thinking = createThinking({ store, options }, models, activity)
  const { worker, embedSoon } = thinking
  const meaning = turnMeanings({ store, logger, background })
  const sweeps = createSweeper(store, { ...options, background: worksHere })
  const openAndStore = guard.openAtOnce(async (input: StoreInput): Promise<readonly StoredTurn[]> => {
    const stored = await storeTurns({ store, options }, rolls.soon, input)
    // Messages to think about are embedded after that.
    if (options.thinking) worker.wake()
    else await embedSoon(input.userId)
    meaning.soon(input.userId)
    sweeps.soon()
    return stored
  })
  worker.wake()
  // An embedding model that is new has to make the vectors anew.
  const beginning = worksHere ? thinking.embedMissing() : Promise.resolve()
  return {
    store,
    options,
    models,
    thinking,
    /** Absent without a model of meaning. */
    embedQuery:
      models.embedder === null || thinking.vectorsOf === null
        ? undefined
        : queryEmbedder(models.embedder, store.vectors, logger, embedSoon, thinking.vectorsOf),
    meanings: meaning,
    activity,
    /** Refuses work after the end, and waits for the rolling summaries of the user that is named, or of all. */
    open: guard.open,
    /** As `open`, for what removes something: it works on a full disk as well. */
    openRemoval: <A extends unknown[], R>(work: (...values: A) => Promise<R>) =>
      guard.open((...values: A) => store.removing(() => work(...values))),
    /** As `open`, for what no summary has a part in. */
    openAtOnce: guard.openAtOnce,
    now,
    /** Stores turns and has them thought about; waits for no rolling summaries. */
    storeTurns: openAndStore,
    /** As `storeTurns`, with the due rolling summaries, for callers that read on in one go. */
    storeAndRoll: async (input: StoreInput): Promise<readonly StoredTurn[]> => {
      const stored = await openAndStore(input)
      await rolls.pending(input.userId)
      return stored
    },
    /** New turns of an import: they are embedded, and thought about where that is asked for. */
    restored: async (userId: string, isThoughtAbout: boolean): Promise<void> => {
      if (isThoughtAbout) worker.wake()
      await embedSoon(userId)
      meaning.soon(userId)
    },
    /** A record of the operation, the user and the number of memories (002 R10.4); a mere look is told more quietly. */
    done: (operation: string, user: string, count: number, level: 'debug' | 'info' = 'info'): void =>
      logger[level]('a memory operation is done', { operation, user, count }),
    idle: guard.open(async () => {
      await beginning
      await worker.idle()
      await meaning.idle()
      await sweeps.idle()
      await store.idle()
    }),
    close: async (): Promise<void> => {
      if (guard.isClosed) return
      guard.close()
      await guard.held(async () => {
        await rolls.pending()
        await worker.close()
        await meaning.close()
        await sweeps.close()
        await Promise.all([models.llm?.close(), models.embedder?.close()])
        await beginning
        await store.close()
      })
    },
  }
}

/** An error that is none of ours, as what it comes from where the file is damaged. */
export async function explained(store: Pick<Store, 'check'>, error: unknown): Promise<unknown> {
  const said = saidOfFile(error)
  if (said instanceof MnemeError || !(error instanceof Error) || error.name === 'AbortError') return said
  const wrong = (await store.check().catch(() => [])).find(({ ok }) => !ok)
  if (wrong === undefined) return error
  return new MnemeError('database_damaged', `The database is damaged: ${wrong.detail}`, {
    remedy: '`mneme doctor` says what is wrong, and `mneme repair` makes the file anew from what can be read.',
    cause: error,
  })
}

const LONG_MS = 2 ** 31 - 1

type Guard = <A extends unknown[], R>(work: (...values: A) => Promise<R>) => (...values: A) => Promise<R>

/** Guards that let everything in until they are closed; `explain` says what an error comes from. */
export function createGuards(
  rolling: readonly Pick<ReturnType<typeof summaryRolls>, 'pending'>[],
  explain: (error: unknown) => Promise<unknown> = async (error) => error,
) {
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
      if (isClosed) throw closedError()
      return held(async () => {
        try {
          return await work(...withQuietCallbacks(values))
        } catch (error) {
          throw await explain(error)
        }
      })
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
    /** Refuses work once the engine was closed, before anything else is looked at. */
    open,
    /** Keeps the process alive while this is awaited. */
    held,
    /** As `open`, without waiting; for callers that store. */
    openAtOnce,
    get isClosed() {
      return isClosed
    },
    close: (): void => {
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

/** Writes rolling summaries, one conversation of a user after the other: nobody waits for those of another user. */
function summaryRolls(log: ConversationLog, logger: Logger) {
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
    /** Writes those of a conversation soon; `now` in milliseconds since the epoch. */
    soon: (userId: string, conversationId: string, now: number): void => {
      const known = users.get(userId)
      if (known !== undefined) known.due.set(conversationId, now)
      else {
        const due = new Map([[conversationId, now]])
        users.set(userId, { due, done: rollAll(userId, due) })
      }
    },
    /** Resolves when none of the user (default: of anybody) are left, and never rejects; null: none are due. */
    pending: (userId?: string): Promise<unknown> | null => {
      if (userId !== undefined) return users.get(userId)?.done ?? null
      return users.size === 0 ? null : Promise.all([...users.values()].map(({ done }) => done))
    },
  }
}
