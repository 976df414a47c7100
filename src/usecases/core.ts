/**
 * The common dependencies of all use cases: an open store, the options, the models, the background work. No door is
 * known here; times are milliseconds since the epoch.
 */
import type { Store } from '../domain/contracts/store.ts'
import { memoryId } from '../domain/ids.ts'
import { type ActivityNotes, activityNotes } from './activity.ts'
import { type Guard, guards, rolling } from './guards.ts'
import { type Meanings, meanings } from './meanings.ts'
import type { ResolvedOptions } from './options.ts'
import { type EmbedQuery, queryEmbedder } from './query-vector.ts'
import type { SettingsDependencies } from './settings.ts'
import type { StoredTurn, StoreInput } from './store-turns.ts'
import { storeTurns } from './store-turns.ts'
import { createThinking, type Models, type Thinking } from './thinking.ts'
import type { UndoDependencies } from './undo.ts'
import { sweeping } from './upkeep/expire.ts'

/** Everything that is open. */
export interface Core {
  readonly store: Store
  readonly options: ResolvedOptions
  readonly models: Models
  readonly thinking: Thinking
  /** Absent without a model of meaning. */
  readonly embedQuery: EmbedQuery | undefined
  /** The meanings of texts by the table of word vectors. */
  readonly meanings: Meanings
  readonly activity: ActivityNotes
  readonly settings: SettingsDependencies
  /** The dependencies of taking back the results of a turn. */
  readonly undoing: UndoDependencies
  /** Refuses work after the end, and waits for the rolling summaries of the user that is named, or of all. */
  readonly open: Guard
  /** As `open`, for what no summary has a part in. */
  readonly openAtOnce: Guard
  now(): number
  /** Stores turns and has them thought about; waits for no rolling summaries. */
  storeTurns(input: StoreInput): Promise<readonly StoredTurn[]>
  /** As `storeTurns`, with the due rolling summaries, for callers that read on in one go. */
  storeAndRoll(input: StoreInput): Promise<readonly StoredTurn[]>
  /** New turns of an import: they are embedded, and thought about where that is asked for. */
  restored(userId: string, isThoughtAbout: boolean): Promise<void>
  /** A record of the operation, the user and the number of memories (002 R10.4); a mere look is told more quietly. */
  done(operation: string, user: string, count: number, level?: 'debug' | 'info'): void
  idle(): Promise<void>
  close(): Promise<void>
}

/** Brings everything together, and takes up work that an earlier process left undone. */
export function createCore(store: Store, options: ResolvedOptions, models: Models): Core {
  const { clock, logger, maxContentBytes, background, elsewhere } = options
  const { log } = store
  const worksHere = background && elsewhere === null
  const now = (): number => clock().getTime()
  const rolls = rolling(log, logger)
  const guard = guards(rolls, ...(elsewhere === null ? [] : [elsewhere]))
  const activity = { ...activityNotes(now), ...(elsewhere === null ? {} : { recalled: elsewhere.recalled }) }
  const settings = {
    settings: store.settings,
    overrides: options.settings,
    retrievalLimit: options.retrievalLimit,
    clock,
  }
  const thinking = createThinking(store, options, models, settings, activity)
  const { worker, embedSoon } = thinking
  const meaning = meanings({ store, logger, background })
  const sweeps = sweeping(store, { ...options, background: worksHere })
  const openAndStore = guard.openAtOnce(async (input: StoreInput): Promise<readonly StoredTurn[]> => {
    const stored = await storeTurns(
      { log, clock, maxContentBytes, rollSoon: rolls.soon, think: options.thinking },
      input,
    )
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
    embedQuery:
      models.embedder === null || thinking.vectorsOf === null
        ? undefined
        : queryEmbedder(models.embedder, store.vectors, logger, embedSoon, thinking.vectorsOf),
    meanings: meaning,
    activity,
    settings,
    undoing: { store, clock, logger, think: thinking.byRules, newId: memoryId, maxCharacters: thinking.maxCharacters },
    open: guard.open,
    openAtOnce: guard.openAtOnce,
    now,
    storeTurns: openAndStore,
    storeAndRoll: async (input) => {
      const stored = await openAndStore(input)
      await rolls.pending(input.userId)
      return stored
    },
    restored: async (userId, isThoughtAbout) => {
      if (isThoughtAbout) worker.wake()
      await embedSoon(userId)
      meaning.soon(userId)
    },
    done: (operation, user, count, level = 'info') =>
      logger[level]('a memory operation is done', { operation, user, count }),
    idle: guard.open(async () => {
      await beginning
      await worker.idle()
      await meaning.idle()
      await sweeps.idle()
      await store.idle()
    }),
    close: async () => {
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
