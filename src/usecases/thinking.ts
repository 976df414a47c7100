/** Thinking, bound to a store and its models; its steps are loaded at first use. */
import { setTimeout } from 'node:timers/promises'
import { check, type InputOf } from '../domain/checks.ts'
import { MINUTE_MS, SECOND_MS } from '../domain/clock.ts'
import type { UnthoughtCounts, Work } from '../domain/contracts/conversation-log.ts'
import type { JobKind, LeasedJob } from '../domain/contracts/job-queue.ts'
import type { Embedder, LanguageModel } from '../domain/contracts/models.ts'
import type { Store } from '../domain/contracts/store.ts'
import { MnemeError, messageOf, notFound } from '../domain/errors.ts'
import { memoryId } from '../domain/ids.ts'
import { breathe } from '../domain/scheduling.ts'
import type { ActivityNotes } from './activity.ts'
import type { AddAnswer, Addition } from './memories-add-inferred.ts'
import { type Opened, settingValues } from './open-options.ts'
import { otherModelError, vectorModel } from './query-vector.ts'
import type { ThinkInput, Thoughts } from './think/draft.ts'
import { createJobWorker, type JobHandler } from './upkeep/jobs/job-worker.ts'

export interface Models {
  readonly llm: LanguageModel | null
  readonly embedder: Embedder | null
}

/** Model calls wait for the network, so several may be under way; the rules compute, so one is enough. */
const LANES_WITH_MODEL = 4
/** A job that embeds ends after this long and is taken up again: much to embed is not mistaken for a job that hangs. */
const LONGEST_EMBED_MS = 5 * MINUTE_MS

/** How long a job waits whose vectors another process makes with another model. */
const OTHER_MODEL_MS = 10 * SECOND_MS

/** Binds thinking; nothing runs before its worker is woken. */
export function createThinking(opened: Opened, { llm, embedder }: Models, activity: Pick<ActivityNotes, 'thought'>) {
  const { store, options } = opened
  const { clock, logger, background, elsewhere, timeZone } = options
  const now = (): number => clock().getTime()
  const waiting = new Map<string, PromiseWithResolvers<Omit<AddAnswer, 'jobId'>>>()

  const maxCharacters = async (): Promise<number> => (await settingValues(opened))['memory.atomic_content_max_length']
  /** A process that does nothing on its own account has nobody to give a turn to. */
  const ready = async (): Promise<void> => {
    if (background) await (await import('./think/warm-up.ts')).warmUp()
  }
  const think = async (asked: ThinkInput, signal?: AbortSignal): Promise<Thoughts> => {
    await ready()
    const input = { timeZone, ...asked }
    const { thinkByRules } = await import('./think/think-by-rules.ts')
    const byRules = await thinkByRules(input, input.conversationId !== null && input.analyse !== false)
    const thoughts = llm === null ? byRules : await byModel(llm, input, byRules, signal)
    activity.thought(
      input.userId,
      thoughts.drafts.length,
      thoughts.rejected.map(({ reason }) => reason),
    )
    return thoughts
  }
  const byModel = async (model: LanguageModel, ...rest: [ThinkInput, Thoughts, AbortSignal?]): Promise<Thoughts> => {
    const { thinkByModel } = await import('./think/think-by-model.ts')
    return thinkByModel({ llm: model, logger }, ...rest)
  }
  const byRules = async (input: ThinkInput): Promise<Thoughts> =>
    (await import('./think/think-by-rules.ts')).thinkByRules({ timeZone, ...input }, false)
  const embedSoon = async (userId: string): Promise<void> => {
    if (embedder === null) return
    try {
      await store.jobs.enqueue(userId, [{ kind: 'embed', subject: 'pending' }], now())
      wake()
    } catch (error) {
      // The texts are stored already, and those without a vector are found again when a memory is opened.
      logger.warn('Nothing is embedded for now.', { operation: 'embed', user: userId, reason: messageOf(error) })
    }
  }

  const vectorsOf = embedder === null ? null : vectorModel(embedder, store.vectors)
  const embedMissing = async (): Promise<void> => {
    if (embedder === null || vectorsOf === null) return
    const { vectors } = store
    try {
      // Where the vectors are this model's already, nothing has to be asked of it.
      if (!(await vectorsOf.isPresent()) && (await vectorsOf.settle()) === 'other')
        throw otherModelError(embedder, await vectors.identity())
      const [first] = await vectors.pendingEmbeddings(1)
      if (first !== undefined) await embedSoon(first.userId)
    } catch (error) {
      // Asked again with the first question.
      logger.warn('It is not known what has to be embedded.', { operation: 'embed', reason: messageOf(error) })
    }
  }

  const runThink: JobHandler = async (job, signal, pause) => {
    await ready()
    const { thinkConversation } = await import('./think/think-conversation.ts')
    const asked = { store, logger, newId: memoryId, now, think, maxCharacters, pause, waitsForReply: llm !== null }
    const result = await thinkConversation(asked, job, signal)
    if (result !== 'done') await store.jobs.release(job, result)
    await embedSoon(job.userId)
  }
  const runAdd = async (job: LeasedJob, signal: AbortSignal): Promise<void> => {
    const { rememberAddition } = await import('./memories-add-inferred.ts')
    const addition = job.payload as Addition
    const { edited: turnId, conversationId, messages } = addition
    if (turnId !== undefined && conversationId !== null) {
      const { settleEdit } = await import('./edit-turn.ts')
      const undoing = { ...opened, thinking: { byRules, maxCharacters } }
      // Due later than it was written: the edit itself did not come to its end.
      await settleEdit(undoing, job.userId, { conversationId, turnId }, job.dueAt > job.createdAt)
      // A turn that still waits for thinking will be read with its new words.
      if (messages.length === 0 || ((await store.log.thoughtTo(job.userId, conversationId)) ?? 0) < turnId) return
    }
    const answer = await rememberAddition(
      { ...opened, thinking: { think, maxCharacters } },
      job.userId,
      addition,
      job,
      signal,
    )
    const count = answer.outcomes.filter(({ event }) => event !== 'NONE').length
    logger.info('thought about an addition', {
      operation: 'add',
      user: job.userId,
      count,
      repeated: answer.outcomes.length - count,
      rejected: answer.rejected.length,
    })
    waiting.get(job.id)?.resolve(answer)
    await embedSoon(job.userId)
  }
  /** One run after the other: all runs share the texts without a vector, and two at a time would embed them twice. */
  let embedding: Promise<unknown> = Promise.resolve()
  const embedAll = async (work?: Work): Promise<number> => {
    if (embedder === null || vectorsOf === null) return 0
    const { embedPending } = await import('./query-vector.ts')
    const mine = embedding.then(() => embedPending(store.vectors, embedder, vectorsOf, work))
    embedding = mine.catch(() => undefined)
    return mine
  }
  const runEmbed: JobHandler = async (job, signal) => {
    // Left to the process whose model it is, and looked at again in case that one has gone back to ours.
    if ((await vectorsOf?.settle()) === 'other') {
      await store.jobs.release(job, now() + OTHER_MODEL_MS)
      return
    }
    const timeUp = AbortSignal.timeout(LONGEST_EMBED_MS)
    try {
      await embedAll({ signal: AbortSignal.any([signal, timeUp]) })
    } catch (error) {
      if (signal.aborted || !timeUp.aborted) throw error
      await store.jobs.release(job, now())
    }
  }
  const handlers: Readonly<Record<JobKind, JobHandler>> = {
    think: runThink,
    add: runAdd,
    embed: runEmbed,
    reconsolidate: async (job, signal) => {
      const { reconsolidateMemory } = await import('./think/reconsolidate-memory.ts')
      await reconsolidateMemory({ store, llm, logger, now }, job, signal)
      await embedSoon(job.userId)
    },
  }
  const worker = createJobWorker({
    queue: store.jobs,
    clock,
    logger,
    handlers,
    concurrency: llm === null ? 1 : LANES_WITH_MODEL,
  })
  const wake = elsewhere?.wake ?? (background ? worker.wake : () => {})
  return {
    worker: { ...worker, wake },
    asksModel: llm !== null,
    think,
    /** As `think`, without a model. */
    byRules,
    maxCharacters,
    /** New memories or turns: they are embedded in the background, where there is a model for it. Never rejects. */
    embedSoon,
    /** Looks, when a memory is opened, whether anything has no vector of this model, and has it made. Never rejects. */
    embedMissing,
    /** Makes every vector that is missing now; how many, 0 without a model. */
    embedAll,
    /** The model whose vectors the database holds; null without one. */
    vectorsOf,
    /** The outcome of a job `add`, once it is done here. */
    waitFor: async (jobId: string): Promise<Omit<AddAnswer, 'jobId'>> => {
      const waiter = Promise.withResolvers<Omit<AddAnswer, 'jobId'>>()
      const stop = new AbortController()
      waiting.set(jobId, waiter)
      worker.wake()
      try {
        return await Promise.race([waiter.promise, doneElsewhere(store, jobId, stop.signal)])
      } finally {
        waiting.delete(jobId)
        stop.abort()
      }
    },
  }
}

const LOOK_MS = 500

/** Resolves when the job is gone though it was not done here; rejects when it is dead. */
async function doneElsewhere(store: Store, jobId: string, signal: AbortSignal): Promise<Omit<AddAnswer, 'jobId'>> {
  for (let missing = 0; ; ) {
    // Not unref'ed: a process that waits for an answer lives until it is there.
    await setTimeout(LOOK_MS, undefined, { signal })
    const job = await store.jobs.get(jobId)
    if (job?.state === 'dead')
      throw new MnemeError('model_failed', `The addition failed for good: ${job.lastError ?? 'no reason is known'}`, {
        remedy: 'See `mneme jobs`; retry it there.',
      })
    // Looked at twice: done here it is gone a moment before its waiter hears of it.
    missing = job === null ? missing + 1 : 0
    if (missing > 1) return { outcomes: [], rejected: [] }
  }
}

const LATER_FIELDS = { userId: check.id, conversationId: check.optionalId }
/** The user, and the conversation; default: all. */
export type ThinkLaterInput = InputOf<typeof LATER_FIELDS, 'userId'>

const CONVERSATIONS_A_PIECE = 100

/** How many turns will be thought about now. Rejects with not_found for an unknown conversation. */
export async function thinkAboutUnthought(
  { store: { log }, options: { clock } }: Opened,
  input: ThinkLaterInput,
  { signal, onProgress }: Work = {},
): Promise<UnthoughtCounts> {
  const { userId, conversationId } = check.fields('', input, LATER_FIELDS)
  if (conversationId !== null && (await log.conversation(userId, conversationId)) === null)
    throw notFound('conversation', conversationId, 'Name a conversation that exists; list them to see their ids.')
  let conversations = 0
  let turns = 0
  for (;;) {
    const part = { conversationId, limit: CONVERSATIONS_A_PIECE }
    const more = await log.thinkAboutUnthought(userId, part, clock().getTime())
    conversations += more.conversations
    turns += more.turns
    onProgress?.(conversations, null)
    if (more.conversations < CONVERSATIONS_A_PIECE) return { conversations, turns }
    await breathe(signal)
  }
}
