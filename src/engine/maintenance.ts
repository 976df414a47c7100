/** Upkeep that a person or a timer asks for, bound to a store and the options. */

import { checkBoolean, checkId, checkInteger } from '../domain/checks.ts'
import type { UnthoughtCounts, Work } from '../domain/contracts/conversation-log.ts'
import type { CheckFinding, MemoryOverview, RebuildCounts, Store, StoreStatistics } from '../domain/contracts/store.ts'
import type { UsageFilter, UsageRow } from '../domain/contracts/usage-ledger.ts'
import type {
  MirrorCases,
  MirrorDifferences,
  MirrorRestoreCounts,
  MirrorStatus,
} from '../domain/contracts/vector-mirror.ts'
import { invalid } from '../domain/errors.ts'
import { type ThinkLaterInput, thinkAboutUnthought } from '../usecases/think-about-unthought.ts'
import type { UndoCounts, UndoDependencies, UndoInput, UndoPreview } from '../usecases/undo.ts'
import { evictMemories } from '../usecases/upkeep/evict.ts'
import type { ExpiryCounts } from '../usecases/upkeep/expire.ts'
import { checkMirror } from '../usecases/upkeep/mirror/check-mirror.ts'
import type { Activity, ActivityNotes } from './activity.ts'
import type { ConsolidateOptions, ConsolidationCounts } from './consolidation.ts'
import { expireNow } from './expiry.ts'
import type { Guard } from './guards.ts'
import type { ResolvedOptions } from './options.ts'
import type { Models } from './thinking.ts'

export type { UnthoughtCounts } from '../domain/contracts/conversation-log.ts'
export type { UsageRow } from '../domain/contracts/usage-ledger.ts'
export type { MirrorDifferences, MirrorRestoreCounts, MirrorStatus } from '../domain/contracts/vector-mirror.ts'
export type { UndoCounts } from '../usecases/undo.ts'
export type { ExpiryCounts } from '../usecases/upkeep/expire.ts'
export type { ConsolidateOptions, ConsolidationCounts } from './consolidation.ts'

/** What keeps a store in order. */
export interface MaintenanceUseCases {
  /** Merges, tells apart and promotes what is new or has changed since the last run; of every user unless one is named. */
  consolidate(options?: ConsolidateOptions): Promise<ConsolidationCounts>
  /**
   * Removes memories down to `threshold` (default: the option's); the ids removed, none without a threshold. `dryRun`
   * only names them.
   */
  evict(userId: string, threshold?: number, dryRun?: boolean): Promise<readonly string[]>
  /** Removes working memory that was idle for 30 minutes, of every user. */
  expire(): Promise<ExpiryCounts>
  /** Rebuilds every index of the user from turns and memories. */
  reindex(userId: string, work?: Work): Promise<RebuildCounts>
  /** Makes every vector that is missing, for instance after a change of the model; how many, 0 without a model. */
  embed(work?: Work): Promise<number>
  /**
   * Has turns thought about that were stored without it, as imports are: in the background, `idle` waits for it. How
   * many; a second call finds none.
   */
  think(input: ThinkLaterInput, work?: Work): Promise<UnthoughtCounts>
  /**
   * Looks for damage, and whether a vector store outside holds what the record holds. Changes nothing, but for what the
   * vector store lacks or has too much, which with `repair` is sent anew.
   */
  verify(repair?: boolean): Promise<readonly CheckFinding[]>
  /** How a vector store outside is doing; null: the vectors are searched in the file. */
  vectorStore(): Promise<MirrorStatus | null>
  /** Names of the models that failed lately and are left alone until they have answered again. */
  modelsLeftAlone(): Promise<readonly string[]>
  /** Sends everything that the vector store lacks; what differed before. */
  toVectorStore(work?: Work): Promise<MirrorDifferences>
  /** Takes memories back from the vector store. */
  fromVectorStore(work?: Work): Promise<MirrorRestoreCounts>
  /** Forgets the vector store that the file was sent to; its target, null when there was none. Rejects while it is in use. */
  detachVectorStore(): Promise<string | null>
  /** Takes back everything that came from a turn or a conversation; the turns stay. */
  undo(input: UndoInput): Promise<UndoCounts>
  /** What was asked of models: a row for each user, step and model. */
  usage(filter?: UsageFilter): Promise<readonly UsageRow[]>
  /** When timed work of this name was last begun and done, in milliseconds since the epoch; null: never. */
  lastRun(name: string): Promise<number | null>
  /** Notes that timed work of this name, begun at this moment, is done. */
  noteRun(name: string, begunAt: number): Promise<void>
  /** How the memories of a user stand, what was done for them since this process began, and the last consolidation. */
  overview(userId: string): Promise<Overview>
  /** What would go if `undo` were called. */
  undoPreview(input: UndoInput): Promise<UndoPreview>
  /** Sizes of the whole store, or of one user. */
  statistics(userId?: string): Promise<StoreStatistics>
}

/** What a person sees first of all: times are milliseconds since the epoch. */
export interface Overview extends MemoryOverview, Activity {
  readonly consolidatedAt: number | null
  /** When this process began. */
  readonly since: number
}

/** Before the name of timed work, among the settings of the database, which doors show by their known names only. */
const LAST_RUN = 'last_run.'

/** Binds the use cases. */
export function maintenance(
  store: Store,
  options: ResolvedOptions,
  undoing: UndoDependencies,
  { consolidate, embed }: Pick<MaintenanceUseCases, 'consolidate' | 'embed'>,
  { llm, embedder }: Models,
  wake: () => void,
  activity: ActivityNotes,
  open: Guard,
): MaintenanceUseCases {
  const began = options.clock().getTime()
  const { clock, logger, evictionThreshold } = options
  /** 002 R10.4. */
  const done = (operation: string, user: string, count: number): void =>
    logger.info('a memory operation is done', { operation, user, count })
  return {
    consolidate: open(consolidate),
    evict: open(async (userId, threshold, dryRun) => {
      const keep =
        threshold === undefined ? evictionThreshold : checkInteger('threshold', threshold, 0, Number.MAX_SAFE_INTEGER)
      const isLook = dryRun === undefined ? false : checkBoolean('dryRun', dryRun)
      const evicted = await evictMemories(store.memories, checkId('userId', userId), keep, isLook)
      if (!isLook && keep !== null) done('evict', userId, evicted.length)
      return evicted
    }),
    expire: open(() => expireNow(store, options)),
    reindex: open((userId, work) => store.rebuild(checkId('userId', userId), work)),
    embed: open(embed),
    think: open(async (input, work) => {
      const counts = await thinkAboutUnthought(store.log, clock, input, work)
      if (counts.turns > 0) wake()
      return counts
    }),
    verify: open(async (repair) => [
      ...(await store.check()),
      ...(await checkMirror(store.mirror, repair === undefined ? false : checkBoolean('repair', repair))),
    ]),
    lastRun: open(async (name) => {
      const at = await store.settings.get(LAST_RUN + checkId('name', name))
      return typeof at === 'number' ? at : null
    }),
    noteRun: open((name, begunAt) =>
      store.settings.set({ [LAST_RUN + checkId('name', name)]: begunAt }, clock().getTime()),
    ),
    vectorStore: open(async () => (store.mirror === null ? null : store.mirror.status())),
    modelsLeftAlone: open(async () =>
      [llm, embedder].flatMap((model) => (model?.isLeftAlone?.() === true ? [model.model] : [])),
    ),
    toVectorStore: open((work) => mirrorOf(store).fill(work)),
    fromVectorStore: open((work) => mirrorOf(store).restore(work)),
    detachVectorStore: open(() => {
      if (store.mirror !== null)
        throw invalid(
          'vectorStore',
          'is still configured',
          'Open without it first: no option vectorStore, no MILVUS_URI, no vector_store in the config file.',
        )
      return store.outbox.detach()
    }),
    undo: open(async (input) => {
      const { undoSource } = await import('../usecases/undo.ts')
      return undoSource(undoing, input)
    }),
    undoPreview: open(async (input) => {
      const { previewUndo } = await import('../usecases/undo.ts')
      return previewUndo(undoing, input)
    }),
    overview: open(async (userId) => {
      const [counts, consolidatedAt] = await Promise.all([
        store.overview(checkId('userId', userId)),
        store.settings.get(`${LAST_RUN}consolidate`),
      ])
      return {
        ...counts,
        ...activity.of(userId),
        consolidatedAt: typeof consolidatedAt === 'number' ? consolidatedAt : null,
        since: began,
      }
    }),
    usage: open((filter) => store.usage.summary(filter)),
    statistics: open((userId) => store.statistics(userId === undefined ? undefined : checkId('userId', userId))),
  }
}

function mirrorOf({ mirror }: Store): MirrorCases {
  if (mirror === null)
    throw invalid(
      'vectorStore',
      'is not configured',
      'Name one: the option vectorStore, or MILVUS_URI at the command line.',
    )
  return mirror
}
