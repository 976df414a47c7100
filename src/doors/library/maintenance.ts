/** `memory.maintenance`: upkeep for persons and timers, and the background jobs. */
import { check, type InputOf, orElse, PAGE_FIELDS } from '../../domain/checks.ts'
import { isoTime, isoTimeOrNull } from '../../domain/clock.ts'
import type { UnthoughtCounts, Work } from '../../domain/contracts/conversation-log.ts'
import { JOB_STATES, type Job, type JobState } from '../../domain/contracts/job-queue.ts'
import type { UsageRow } from '../../domain/contracts/small-stores.ts'
import type {
  CheckFinding,
  MemoryOverview,
  RebuildCounts,
  Store,
  StoreStatistics,
} from '../../domain/contracts/store.ts'
import type {
  MirrorCases,
  MirrorDifferences,
  MirrorRestoreCounts,
  MirrorStatus,
} from '../../domain/contracts/vector-index.ts'
import { invalid, notFound } from '../../domain/errors.ts'
import type { Memory } from '../../domain/memory.ts'
import { maskSecretsIn } from '../../language/secrets/mask-secrets.ts'
import type { Activity } from '../../usecases/activity.ts'
import { thinkAboutUnthought } from '../../usecases/thinking.ts'
import type { UndoCounts } from '../../usecases/undo.ts'
import type { ConsolidateOptions, ConsolidationCounts } from '../../usecases/upkeep/consolidate/find-similar.ts'
import { checkMirror } from '../../usecases/upkeep/mirror/mirror-worker.ts'
import { type ExpiryCounts, expireNow } from '../../usecases/working-memory.ts'
import {
  type Binding,
  chooseUsers,
  type MemoryView,
  masked,
  type Rendered,
  rendered,
  renderMemory,
  type WithUser,
  type WithUsers,
} from './binding.ts'
import type { ListView } from './conversations.ts'
import type { MemoryFiles } from './memory-file.ts'

const JOBS_FIELDS = { ...PAGE_FIELDS, state: orElse(null, check.oneOf<JobState>, JOB_STATES) }
/** Which jobs to list; everything has a default. */
type ListJobsInput = InputOf<typeof JOBS_FIELDS>

export type JobView = Omit<Rendered<Job, 'createdAt' | 'dueAt' | 'leasedUntil'>, 'payload'>

export type VectorStoreView = Rendered<MirrorStatus, 'oldestAt'>

/** The overview, which a person sees first. */
export interface OverviewView extends MemoryOverview, Omit<Activity, 'unanswered'> {
  readonly unanswered: readonly { readonly question: string; readonly askedAt: string }[]
  /** Time of the last consolidation in the whole database; null: never. */
  readonly consolidatedAt: string | null
  /** Counts of the last scheduled consolidation, over all users; null before the first. */
  readonly consolidated: ConsolidationCounts | null
  /** Start of this process, from which recalls, questions, and kept and refused texts are counted. */
  readonly since: string
}

export interface Maintenance {
  /** Consolidates new and changed memories of one user or all; the next run resumes a stopped one. */
  consolidate(options?: ConsolidateOptions): Promise<ConsolidationCounts>
  /** Removes memories down to `threshold` (else the option evictionThreshold), lowest confidence first. With `dryRun` only names them. */
  evict(
    input?: WithUser & { readonly threshold?: number | undefined; readonly dryRun?: boolean | undefined },
  ): Promise<{ readonly evicted: readonly string[] }>
  /** Removes every user's working memory that was idle for 30 minutes. */
  expire(): Promise<ExpiryCounts>
  /** Rebuilds every index of the user from turns and memories. */
  reindex(input?: WithUser, work?: Work): Promise<RebuildCounts>
  /** As `memoryFile.digest`. */
  digest: MemoryFiles['digest']
  /** Creates all missing vectors now instead of in the background; gives their number, 0 without an embedding model. */
  embed(work?: Work): Promise<{ readonly embedded: number }>
  /** Queues thinking about turns stored without it, such as imports, of one conversation or of all; `idle()` waits for it. */
  think(input?: WithUser & { readonly conversationId?: string | undefined }, work?: Work): Promise<UnthoughtCounts>
  /** Checks the file, its parts and the vector store; with `repair` differences of the vector store are corrected in the background. */
  verify(input?: { readonly repair?: boolean | undefined }): Promise<readonly CheckFinding[]>
  /** State of the external vector store; null when vectors are searched in the file. */
  vectorStore(): Promise<VectorStoreView | null>
  /** Why the last background work could not be written; null from the next that could. */
  unwritten(): Promise<string | null>
  /** Names of models that failed recently and are skipped until they answer again. */
  modelsLeftAlone(): Promise<readonly string[]>
  /** Brings the vector store in line with the database; gives the earlier differences. */
  toVectorStore(work?: Work): Promise<MirrorDifferences>
  /** Restores memories from the vector store, for instance into a new file; existing ones stay unchanged. */
  fromVectorStore(work?: Work): Promise<MirrorRestoreCounts>
  /** Returns to searching vectors in the file for good; gives the store's address, and deletes nothing there. */
  detachVectorStore(): Promise<{ readonly detached: string | null }>
  /** Takes back every memory from a turn or conversation; memories that these had ended become valid again. */
  undo(input: WithUser & { readonly conversationId: string; readonly turnId?: number | undefined }): Promise<UndoCounts>
  /** The memories that `undo` would remove, leave and restore; changes nothing. */
  undoPreview(input: WithUser & { readonly conversationId: string; readonly turnId?: number | undefined }): Promise<{
    readonly gone: readonly MemoryView[]
    readonly kept: readonly MemoryView[]
    readonly restored: readonly MemoryView[]
  }>
  /** The state of a user's memories, and the work done for them since this process began. Questions are masked. */
  overview(input?: WithUser): Promise<OverviewView>
  /** Usage of models: calls, tokens and cost for each user, step and model. Covers all users with `allUsers`. */
  usage(input?: WithUsers): Promise<readonly UsageRow[]>
  /** Background jobs, newest first; those of all users with `allUsers`. */
  jobs(input?: ListJobsInput & WithUsers): Promise<ListView<JobView>>
  /** Tries jobs now: all that failed for good, of all users with `allUsers`, or one by its id, also one that waits. */
  retryJobs(input?: WithUsers & { readonly id?: string | undefined }): Promise<{ readonly retried: number }>
  /** When scheduled work of this name last began and finished; null: never. A server uses it to make up missed work. */
  lastRun(name: string): Promise<Date | null>
  /** Records that scheduled work of this name, begun at this time, is done, with its counts. */
  noteRun(name: string, begunAt: Date, counts?: object): Promise<void>
  /** Sizes of the user's data; of the whole database with `allUsers`. */
  stats(input?: WithUsers): Promise<StoreStatistics>
}

/** Prefix of scheduled work's names among the database's settings; doors show only known settings. */
const LAST_RUN = 'last_run.'
const LAST_COUNTS = 'last_counts.'

export function maintenance({ core, user, forget }: Binding, digest: MemoryFiles['digest']): Maintenance {
  const { store, options, models, thinking, activity, open, openRemoval, done, now } = core
  const { evictionThreshold } = options
  const { worker } = thinking
  const began = now()
  const lastRun = async (name: string): Promise<number | null> => {
    const at = await store.settings.get(LAST_RUN + check.id('name', name))
    return typeof at === 'number' ? at : null
  }
  return {
    digest,
    consolidate: open(async (given) =>
      (await import('../../usecases/upkeep/consolidate/consolidate.ts')).consolidateStore(core, given),
    ),
    evict: openRemoval(async (input) => {
      const { threshold, dryRun } = input ?? {}
      const userId = user(input)
      const keep =
        threshold === undefined ? evictionThreshold : check.integer('threshold', threshold, 1, Number.MAX_SAFE_INTEGER)
      if (keep === null)
        throw invalid('threshold', 'is missing', 'Say how many memories stay, or set MEMORY_EVICTION_THRESHOLD.')
      const isLook = dryRun === undefined ? false : check.boolean('dryRun', dryRun)
      const evicted = await store.memories.evict(userId, keep, isLook)
      if (!isLook) done('evict', userId, evicted.length)
      await forget(userId)
      return { evicted }
    }),
    expire: open(() => expireNow(store, options)),
    reindex: open(async (input, work) => store.rebuild(user(input), work)),
    embed: open(async (work) => ({ embedded: await thinking.embedAll(work) })),
    think: open(async (input, work) => {
      const counts = await thinkAboutUnthought(core, { ...input, userId: user(input) }, work)
      if (counts.turns > 0) worker.wake()
      return counts
    }),
    verify: open(async (input) => {
      const repair = input?.repair === undefined ? false : check.boolean('repair', input.repair)
      return [...(await store.check()), ...(await checkMirror(store.mirror, repair))]
    }),
    vectorStore: open(async () => {
      const status = (await store.mirror?.status()) ?? null
      return status === null ? null : { ...status, oldestAt: isoTimeOrNull(status.oldestAt) }
    }),
    unwritten: open(async () => thinking.worker.unwritten()),
    modelsLeftAlone: open(async () =>
      [models.llm, models.embedder].flatMap((model) => (model?.isLeftAlone?.() === true ? [model.model] : [])),
    ),
    toVectorStore: open(async (work) => mirrorOf(store).fill(work)),
    fromVectorStore: open(async (work) => {
      const mirror = mirrorOf(store)
      // Vectors of this model are taken over once the file is known to hold this model's.
      await thinking.embedMissing()
      const counts = await mirror.restore(work)
      await thinking.embedMissing()
      return counts
    }),
    detachVectorStore: open(async () => {
      if (store.mirror !== null)
        throw invalid(
          'vectorStore',
          'is still configured',
          'Open without it first: no option vectorStore, no MILVUS_URI, no vector_store in the config file.',
        )
      return { detached: await store.outbox.detach() }
    }),
    undo: open(async (input) => {
      const userId = user(input)
      const { undoSource } = await import('../../usecases/undo.ts')
      const counts = await undoSource(core, { ...input, userId })
      await forget(userId)
      return counts
    }),
    undoPreview: open(async (input) => {
      const { previewUndo } = await import('../../usecases/undo.ts')
      const { gone, kept, restored } = await previewUndo(core, { ...input, userId: user(input) })
      const shown = (memory: Memory): MemoryView => masked(renderMemory(memory))
      return { gone: gone.map(shown), kept: kept.map(shown), restored: restored.map(shown) }
    }),
    overview: open(async (input) => {
      const userId = user(input)
      const [counts, consolidatedAt, consolidated] = await Promise.all([
        store.overview(userId),
        lastRun('consolidate'),
        store.settings.get(`${LAST_COUNTS}consolidate`),
      ])
      const { unanswered, ...done } = activity.of(userId)
      return maskSecretsIn({
        ...counts,
        ...done,
        unanswered: unanswered.map(({ question, askedAt }) => ({ question, askedAt: isoTime(askedAt) })),
        // Where nothing was counted, its schedule has only begun.
        consolidatedAt: (consolidated ?? null) === null ? null : isoTimeOrNull(consolidatedAt),
        consolidated: (consolidated ?? null) as OverviewView['consolidated'],
        since: isoTime(began),
      })
    }),
    usage: open(async (input) => store.usage.summary(chooseUsers(user, input))),
    jobs: open(async (input) => {
      const { allUsers: _, userId: __, ...asked } = { ...input }
      const { state, ...page } = check.fields('', asked, JOBS_FIELDS)
      const wanted = state === null ? page : { ...page, state }
      const { items, total } = await store.jobs.list(chooseUsers(user, input), wanted)
      const view = ({ payload: _, ...job }: Job) => rendered(maskSecretsIn(job), 'createdAt', 'dueAt', 'leasedUntil')
      return { items: items.map(view), total }
    }),
    retryJobs: open(async (input) => {
      const userId = chooseUsers(user, input)
      const id = input?.id === undefined ? undefined : check.id('id', input.id)
      const retried = await store.jobs.retry(userId, now(), id)
      if (retried > 0) worker.wake()
      else if (id !== undefined) {
        const job = await store.jobs.get(id)
        if (job === null || (userId !== null && job.userId !== userId))
          throw notFound('job', id, 'List the jobs to see their ids.')
      }
      return { retried }
    }),
    lastRun: open(async (name) => {
      const at = await lastRun(name)
      return at === null ? null : new Date(at)
    }),
    noteRun: open((name, begunAt, counts) =>
      store.settings.set(
        {
          [LAST_RUN + check.id('name', name)]: begunAt.getTime(),
          ...(counts === undefined ? {} : { [LAST_COUNTS + name]: counts }),
        },
        now(),
      ),
    ),
    stats: open(async (input) => {
      const userId = chooseUsers(user, input)
      return store.statistics(userId ?? undefined)
    }),
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
