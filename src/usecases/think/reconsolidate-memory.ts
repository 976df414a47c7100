/** What does a message add to a memory used in its conversation (job `reconsolidate`, 002 R4)? */
import type { LeasedJob } from '../../domain/contracts/job-queue.ts'
import type { LanguageModel } from '../../domain/contracts/models.ts'
import type { Store } from '../../domain/contracts/store.ts'
import { MnemeError } from '../../domain/errors.ts'
import type { Logger } from '../../domain/logger.ts'
import { areOfTwoProjects, type Memory } from '../../domain/memory.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import { reconsolidateByModel } from '../../thinking/reconsolidate/reconsolidate-by-model.ts'
import {
  type CurrentContext,
  type ReconsolidationPatch,
  reconsolidateByRules,
  reconsolidationPatch,
} from '../../thinking/reconsolidate/reconsolidate-by-rules.ts'
import { askedIn, type ReconsolidationPayload } from './reconsolidation-job.ts'

/** The dependencies of the job. */
export interface ReconsolidateDependencies {
  readonly store: Pick<Store, 'log' | 'memories'>
  readonly llm: LanguageModel | null
  readonly logger: Logger
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

const TURNS_BEFORE = 6
const MOST_ATTEMPTS = 20

/** Updates the memory if the message adds to it; a memory that is gone by now is left alone. */
export async function reconsolidateMemory(
  dependencies: ReconsolidateDependencies,
  job: LeasedJob,
  signal: AbortSignal,
): Promise<void> {
  const { store, logger, now } = dependencies
  const { userId } = job
  const { conversationId, message, memoryId } = job.payload as ReconsolidationPayload
  const { projectRoot, ...context } = await contextOf(store, userId, conversationId, message, now())
  let planned: { readonly from: Memory; readonly patch: ReconsolidationPatch | null } | null = null
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const revision = await store.memories.revision(userId)
    const memory = await store.memories.get(userId, memoryId)
    if (memory === null || areOfTwoProjects(memory.projectRoot, projectRoot)) return
    // A write in between mostly changes something else: then the model is not asked again.
    if (planned === null || !saysTheSame(memory, planned.from))
      planned = { from: memory, patch: await patchOf(dependencies, memory, context, userId, signal) }
    const { patch } = planned
    if (patch === null) return
    const update = [{ id: memory.id, patch, event: 'UPDATE' as const }]
    const changes = { insert: [], update, remove: [], at: now(), lease: job, finishes: true }
    if (await store.memories.apply(userId, revision, changes)) {
      logger.info('a memory was reconsolidated', { operation: 'reconsolidate', user: userId, count: 1 })
      return
    }
    if ((await store.memories.revision(userId)) === revision) break
  }
  throw new MnemeError('conflict', 'The memory was not reconsolidated: others wrote all the time.', {
    remedy: 'Nothing is lost; the job is tried again.',
  })
}

/** Alike in all that a plan is made from; being recalled once more changes nothing of it. */
function saysTheSame(one: Memory, other: Memory): boolean {
  return (
    one.text === other.text &&
    one.validTo === other.validTo &&
    JSON.stringify(one.metadata) === JSON.stringify(other.metadata)
  )
}

async function contextOf(
  { log }: Pick<Store, 'log'>,
  userId: string,
  conversationId: string,
  message: string,
  now: number,
): Promise<CurrentContext & { readonly projectRoot: string | null }> {
  const conversation = await log.conversation(userId, conversationId)
  const last = conversation?.lastTurnId ?? 0
  const range = { from: Math.max(1, last - TURNS_BEFORE), to: last }
  const turns: readonly ThinkMessage[] = await log.turns(userId, conversationId, range)
  // The turn may hold texts recalled into the prompt; the message in the job does not.
  const at = turns.findLastIndex(({ role, content }) => role === 'user' && askedIn(content) === message)
  // The turn in which it was used, or the message itself where it is not stored (yet).
  const until =
    at >= 0
      ? turns.slice(0, at + 1)
      : [...turns, { role: 'user' as const, content: message, speaker: null, turnId: null, createdAt: now }]
  return { conversationId, turns: until, now, projectRoot: conversation?.projectRoot || null }
}

async function patchOf(
  { llm, logger }: ReconsolidateDependencies,
  memory: Memory,
  context: CurrentContext,
  userId: string,
  signal: AbortSignal,
): Promise<ReconsolidationPatch | null> {
  const byRules = reconsolidateByRules(memory, context)
  if (byRules === null || llm === null) return byRules
  try {
    const answer = await reconsolidateByModel(memory, context, { model: llm, userId, logger, signal })
    if (answer === null) return byRules
    return answer.update === null ? null : reconsolidationPatch(memory, answer.update, context)
  } catch (error) {
    if (signal.aborted || !(error instanceof MnemeError)) throw error
    logger.warn('The model did not answer; the rules answer instead.', {
      operation: 'reconsolidate',
      user: userId,
      reason: error.message,
    })
    return byRules
  }
}
