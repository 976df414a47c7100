/** `memory.maintenance`: upkeep that a person or a timer asks for. */

import type { Memory } from '../../domain/memory.ts'
import type {
  CheckFinding,
  Engine,
  Job,
  ListJobsInput,
  RebuildCounts,
  StoreStatistics,
  Work,
} from '../../engine/engine.ts'
import type {
  ConsolidateOptions,
  ConsolidationCounts,
  ExpiryCounts,
  MirrorDifferences,
  MirrorRestoreCounts,
  MirrorStatus,
  Overview,
  UndoCounts,
  UnthoughtCounts,
  UsageRow,
} from '../../engine/maintenance.ts'
import { maskSecretsIn } from '../../engine/secrets.ts'
import type { ListView } from './conversations.ts'
import { type MemoryFiles, memoryFiles } from './memory-file.ts'
import { isoTime, isoTimeOrNull, type MemoryView, renderMemory } from './render.ts'
import { masked } from './reveal.ts'
import { type ChooseUser, chooseUsers, type WithUser, type WithUsers } from './users.ts'

/** A background job. */
export type JobView = Omit<Job, 'createdAt' | 'dueAt' | 'leasedUntil' | 'payload'> & {
  readonly createdAt: string
  readonly dueAt: string
  readonly leasedUntil: string | null
}

function jobView({ payload: _, ...job }: Job): JobView {
  return {
    ...maskSecretsIn(job),
    createdAt: isoTime(job.createdAt),
    dueAt: isoTime(job.dueAt),
    leasedUntil: isoTimeOrNull(job.leasedUntil),
  }
}

/** How a vector store outside is doing. */
export type VectorStoreView = Omit<MirrorStatus, 'oldestAt'> & {
  /** Since when the oldest change waits. */
  readonly oldestAt: string | null
}

/** What a person sees first of all. */
export type OverviewView = Omit<Overview, 'unanswered' | 'consolidatedAt' | 'since'> & {
  readonly unanswered: readonly { readonly question: string; readonly askedAt: string }[]
  /** Of the whole database; null: never. */
  readonly consolidatedAt: string | null
  /** When this process began: recalls, questions, and what was kept and refused are of the time since. */
  readonly since: string
}

export interface Maintenance {
  /**
   * Merges, tells apart and turns into facts what is new or has changed since the last run: of the user named, else of
   * every user. A second run with nothing new does nothing; a stopped one is gone on with by the next.
   */
  consolidate(options?: ConsolidateOptions): Promise<ConsolidationCounts>
  /**
   * Removes memories down to `threshold` (default: the option evictionThreshold): lowest confidence first, then oldest
   * access. `dryRun`: only names them.
   */
  evict(
    input?: WithUser & { readonly threshold?: number | undefined; readonly dryRun?: boolean | undefined },
  ): Promise<{ readonly evicted: readonly string[] }>
  /** Removes working memory that was idle for 30 minutes, of every user. */
  expire(): Promise<ExpiryCounts>
  /** Rebuilds every index of the user from turns and memories. */
  reindex(input?: WithUser, work?: Work): Promise<RebuildCounts>
  /** The same as `memoryFile.digest`. */
  digest: MemoryFiles['digest']
  /** Makes every vector that is missing now instead of in the background; how many, 0 without an embedding model. */
  embed(work?: Work): Promise<{ readonly embedded: number }>
  /**
   * Has turns thought about that were stored without it, as imports are: those of one conversation or of all. It is done
   * in the background; `idle()` waits for it. A second call finds nothing more.
   */
  think(input?: WithUser & { readonly conversationId?: string | undefined }, work?: Work): Promise<UnthoughtCounts>
  /**
   * Looks for damage in the file and between its parts, and whether a vector store outside holds what the record holds.
   * Changes nothing; with `repair` what the vector store lacks or has too much is put right in the background.
   */
  verify(input?: { readonly repair?: boolean | undefined }): Promise<readonly CheckFinding[]>
  /**
   * How a vector store outside is doing: the changes that wait to be sent, since when, and what failed last; null when
   * the vectors are searched in the file.
   */
  vectorStore(): Promise<VectorStoreView | null>
  /** Names of the models that failed lately and are left alone until they have answered again. */
  modelsLeftAlone(): Promise<readonly string[]>
  /** Sends the vector store everything that it lacks, and removes what it has too much; what differed before. */
  toVectorStore(work?: Work): Promise<MirrorDifferences>
  /** Takes memories back from the vector store, for instance into a new file; what is there already stays as it is. */
  fromVectorStore(work?: Work): Promise<MirrorRestoreCounts>
  /**
   * Goes back to searching vectors in the file for good: what changes is noted for a vector store no longer. Its address,
   * null when there was none; what lies there stays there. Rejects `invalid_input` while one is configured.
   */
  detachVectorStore(): Promise<{ readonly detached: string | null }>
  /** Takes back every memory that came from a turn or a whole conversation; what they had ended holds again. */
  undo(input: WithUser & { readonly conversationId: string; readonly turnId?: number | undefined }): Promise<UndoCounts>
  /** The memories that `undo` would remove, leave, and bring back; changes nothing. */
  undoPreview(input: WithUser & { readonly conversationId: string; readonly turnId?: number | undefined }): Promise<{
    readonly gone: readonly MemoryView[]
    readonly kept: readonly MemoryView[]
    readonly restored: readonly MemoryView[]
  }>
  /** How the memories of a user stand, and what was done for them since this process began. Questions are masked. */
  overview(input?: WithUser): Promise<OverviewView>
  /** What was asked of models: calls, tokens and cost for each user, step and model; of all users with `allUsers`. */
  usage(input?: WithUsers): Promise<readonly UsageRow[]>
  /** Background jobs, newest first; of all users with `allUsers`. */
  jobs(input?: Omit<ListJobsInput, 'userId'> & WithUsers): Promise<ListView<JobView>>
  /** Jobs that failed for good are tried again: one by its id, or all; the number of them. With `allUsers` of all users. */
  retryJobs(input?: WithUsers & { readonly id?: string | undefined }): Promise<{ readonly retried: number }>
  /** When work by the clock of this name was last begun and done; null: never. A server makes up what it missed. */
  lastRun(name: string): Promise<Date | null>
  /** Notes that work by the clock of this name, begun at this moment, is done. */
  noteRun(name: string, begunAt: Date): Promise<void>
  /** Sizes of what is kept of the user; with `allUsers` of the whole database. */
  stats(input?: WithUsers): Promise<StoreStatistics>
}

/** The facade over an engine. */
export function maintenance(engine: Engine, user: ChooseUser): Maintenance {
  const { maintenance: cases, jobs } = engine
  return {
    digest: memoryFiles(engine, user).digest,
    consolidate: async (options) => cases.consolidate(options),
    evict: async (input) => ({ evicted: await cases.evict(user(input), input?.threshold, input?.dryRun) }),
    expire: async () => cases.expire(),
    reindex: async (input, work) => cases.reindex(user(input), work),
    embed: async (work) => ({ embedded: await cases.embed(work) }),
    think: async (input, work) => cases.think({ ...input, userId: user(input) }, work),
    verify: async (input) => cases.verify(input?.repair),
    vectorStore: async () => {
      const status = await cases.vectorStore()
      if (status === null) return null
      const { oldestAt, ...others } = status
      return { ...others, oldestAt: isoTimeOrNull(oldestAt) }
    },
    modelsLeftAlone: async () => cases.modelsLeftAlone(),
    toVectorStore: async (work) => cases.toVectorStore(work),
    fromVectorStore: async (work) => cases.fromVectorStore(work),
    detachVectorStore: async () => ({ detached: await cases.detachVectorStore() }),
    undo: async (input) => cases.undo({ ...input, userId: user(input) }),
    undoPreview: async (input) => {
      const { gone, kept, restored } = await cases.undoPreview({ ...input, userId: user(input) })
      const shown = (memory: Memory): MemoryView => masked(renderMemory(memory))
      return { gone: gone.map(shown), kept: kept.map(shown), restored: restored.map(shown) }
    },
    overview: async (input) => {
      const { unanswered, consolidatedAt, since, ...counts } = await cases.overview(user(input))
      return maskSecretsIn({
        ...counts,
        unanswered: unanswered.map(({ question, askedAt }) => ({ question, askedAt: isoTime(askedAt) })),
        consolidatedAt: isoTimeOrNull(consolidatedAt),
        since: isoTime(since),
      })
    },
    usage: async (input) => {
      const userId = chooseUsers(user, input)
      return cases.usage(userId === null ? {} : { userId })
    },
    jobs: async (input) => {
      const { allUsers: _, ...asked } = input ?? {}
      const { items, total } = await jobs.list({ ...asked, userId: chooseUsers(user, input) })
      return { items: items.map(jobView), total }
    },
    retryJobs: async (input) => ({ retried: await jobs.retry(chooseUsers(user, input), input?.id) }),
    lastRun: async (name) => {
      const at = await cases.lastRun(name)
      return at === null ? null : new Date(at)
    },
    noteRun: async (name, begunAt) => cases.noteRun(name, begunAt.getTime()),
    stats: async (input) => cases.statistics(chooseUsers(user, input) ?? undefined),
  }
}
