/**
 * The working engine: every use case bound to one store, one clock and one set of options. It knows no backend and
 * no door; `open.ts` gives it the first, `interfaces` are the second. Times are milliseconds since the epoch.
 */

import { checkId, checkText } from '../domain/checks.ts'
import type { ApiKey } from '../domain/contracts/key-store.ts'
import type { Profile } from '../domain/contracts/profile-store.ts'
import type { Store } from '../domain/contracts/store.ts'
import { memoryId } from '../domain/ids.ts'
import { late } from '../domain/late.ts'
import type { WorkingMemory } from '../domain/memory.ts'
import type { BuiltContext } from '../search/context/built-context.ts'
import type { Briefing, BriefingInput } from '../usecases/briefing.ts'
import type { ContextInput } from '../usecases/build-context.ts'
import { type CreatedKey, type CreateKeyInput, createKey, findKey, revokeKey } from '../usecases/keys.ts'
import { meanings } from '../usecases/meanings.ts'
import { queryEmbedder } from '../usecases/query-vector.ts'
import type { RecallEvidenceInput, RecalledEvidence } from '../usecases/recall.ts'
import { answerOnce, type KeptReply, type RepeatableRequest } from '../usecases/replies.ts'
import { type RestoredProfile, restoreProfile } from '../usecases/restore-documents.ts'
import { type RestoredWorkingMemories, restoreWorkingMemory } from '../usecases/restore-working-memory.ts'
import { changeSettings, type SettingStates, settingStates } from '../usecases/settings.ts'
import { getWorkingMemory, listWorkingMemory, removeWorkingMemory } from '../usecases/working-memory.ts'
import { activityNotes } from './activity.ts'
import { type ChatUseCases, chatUseCases } from './chat.ts'
import { consolidation } from './consolidation.ts'
import { type ConversationUseCases, conversationUseCases } from './conversations.ts'
import { sweeping } from './expiry.ts'
import { guards } from './guards.ts'
import { type JobUseCases, jobUseCases } from './jobs.ts'
import { type MaintenanceUseCases, maintenance } from './maintenance.ts'
import { type MemoryUseCases, memoryUseCases } from './memories.ts'
import { type MemoryFileUseCases, memoryFileUseCases } from './memory-file.ts'
import type { ResolvedOptions } from './options.ts'
import { rolling } from './rolling.ts'
import { type SessionSummaryUseCases, sessionSummaryUseCases } from './session-summaries.ts'
import { createThinking, type Models } from './thinking.ts'

export type { Page, Work } from '../domain/contracts/conversation-log.ts'
export type { Job } from '../domain/contracts/job-queue.ts'
export type { ApiKey, KeyScope } from '../domain/contracts/key-store.ts'
export type { Profile, ProfileLine } from '../domain/contracts/profile-store.ts'
export type { SessionSummary } from '../domain/contracts/session-summary-store.ts'
export type { CheckFinding, RebuildCounts, StoreInspection, StoreStatistics } from '../domain/contracts/store.ts'
export type { PageInput } from '../domain/page.ts'
export type { BuiltContext, ContextMessage } from '../search/context/built-context.ts'
export type { Briefing, BriefingInput } from '../usecases/briefing.ts'
export type { ContextInput } from '../usecases/build-context.ts'
export type { CollectInput } from '../usecases/collected-turns.ts'
export type { CleanupInput, CreateConversationInput, ListTurnsInput } from '../usecases/conversations.ts'
export { type CreatedKey, type CreateKeyInput, KEY_SCOPES } from '../usecases/keys.ts'
export type { RecallEvidenceInput, RecalledEvidence } from '../usecases/recall.ts'
export type { RecallInput } from '../usecases/recall-turns.ts'
export type { KeptReply, RepeatableRequest } from '../usecases/replies.ts'
export type { RestoreCounts, RestoreInput } from '../usecases/restore-conversation.ts'
export type { SettingStates } from '../usecases/settings.ts'
export type { StoredTurn, StoreInput, TurnInput } from '../usecases/store-turns.ts'
export type { CleanupCounts } from '../usecases/upkeep/cleanup.ts'
export type { SpanSummary } from '../usecases/upkeep/rolling-summary-span.ts'
export type { ConversationUseCases } from './conversations.ts'
export type { ListJobsInput } from './jobs.ts'
export type { SessionSummaryPatch } from './session-summaries.ts'

/** What can be done with the live state of conversations. */
export interface WorkingMemoryUseCases {
  get(userId: string, conversationId: string): Promise<WorkingMemory>
  list(userId: string): Promise<readonly WorkingMemory[]>
  remove(userId: string, conversationId: string): Promise<void>
  /** Puts exported ones back, as far as they still live. */
  restore(userId: string, restored: readonly WorkingMemory[]): Promise<RestoredWorkingMemories>
}

/** What can be done with the document about a user. */
export interface ProfileUseCases {
  get(userId: string): Promise<Profile>
  /** The user's edit of the whole document; what the machine wrote and is not in it any more does not come back. */
  set(userId: string, text: string): Promise<Profile>
  /** Puts an exported one back; what the user wrote wins over the machine's. */
  restore(userId: string, profile: Profile): Promise<RestoredProfile>
}

/** What can be changed while the engine runs; it holds from the next request on. */
export interface SettingUseCases {
  get(): Promise<SettingStates>
  /** All or none; null takes a setting back to its default. */
  set(changes: unknown): Promise<SettingStates>
}

/** Who may come in at a door that listens. */
export interface KeyUseCases {
  create(input: CreateKeyInput): Promise<CreatedKey>
  exist(): Promise<boolean>
  list(): Promise<readonly ApiKey[]>
  revoke(id: string): Promise<void>
  find(key: string): Promise<ApiKey | null>
}

/** Everything that can be done with an open store. */
export interface Engine {
  readonly options: ResolvedOptions
  readonly conversations: ConversationUseCases
  readonly memories: MemoryUseCases
  readonly workingMemory: WorkingMemoryUseCases
  /** Turns and memories that answer a message, as a context would show them. */
  recall(message: string, input: RecallEvidenceInput): Promise<RecalledEvidence>
  /** What a model gets to see for a message; counts as accessed what is put in. */
  context(message: string, input: ContextInput): Promise<BuiltContext>
  /** What an assistant should know when a session begins. */
  briefing(input: BriefingInput): Promise<Briefing>
  readonly profile: ProfileUseCases
  readonly settings: SettingUseCases
  readonly sessionSummaries: SessionSummaryUseCases
  readonly jobs: JobUseCases
  readonly chat: ChatUseCases
  readonly keys: KeyUseCases
  /** Answers a request that may come again once; see usecases/replies.ts. */
  answerOnce(
    request: RepeatableRequest,
    answer: () => Promise<KeptReply>,
  ): Promise<KeptReply & { readonly repeated: boolean }>
  readonly maintenance: MaintenanceUseCases
  readonly memoryFile: MemoryFileUseCases
  /** Resolves when nothing is left to be done in the background. */
  idle(): Promise<void>
  close(): Promise<void>
}

const recalling = late(() => import('../usecases/recall.ts'))
const buildingContext = late(() => import('../usecases/build-context.ts'))

/** Binds the use cases. */
export function createEngine(store: Store, options: ResolvedOptions, models: Models): Engine {
  const { clock, logger, maxContentBytes } = options
  const { log } = store
  const rolls = rolling(log, logger)
  const guard = guards(rolls)
  const { open, openAtOnce } = guard
  const activity = activityNotes(() => clock().getTime())
  const thinking = createThinking(store, options, models, activity)
  const { worker } = thinking
  const embedQuery =
    models.embedder === null || thinking.vectorsOf === null
      ? undefined
      : queryEmbedder(models.embedder, store.vectors, logger, thinking.embedSoon, thinking.vectorsOf)
  const meaning = meanings({ store, logger, background: options.background })
  const undoing = {
    store,
    clock,
    logger,
    think: thinking.byRules,
    newId: memoryId,
    maxCharacters: thinking.maxCharacters,
  }
  const keys = { keys: store.keys, clock }
  const settings = {
    settings: store.settings,
    overrides: options.settings,
    retrievalLimit: options.retrievalLimit,
    clock,
  }
  const memories = memoryUseCases(store, options, thinking, embedQuery, meaning, open)
  const memoryFile = memoryFileUseCases(store, options, thinking, models.llm, open)
  /** What deletes for good takes what it deleted out of the memory file, too. */
  const forgetting =
    <A extends unknown[], R>(work: (...values: A) => Promise<R>, userOf: (...values: A) => string) =>
    async (...values: A): Promise<R> => {
      const result = await work(...values)
      activity.forget(userOf(...values))
      await memoryFile.forget(userOf(...values))
      return result
    }
  const sweeps = sweeping(store, options)
  const conversations = conversationUseCases(
    {
      store,
      options,
      thinking,
      embedQuery,
      meanings: meaning,
      undoing,
      sweepSoon: sweeps.soon,
      rollSoon: rolls.soon,
      openAtOnce,
    },
    open,
  )
  /** For who stores and reads on in one go. */
  const storeAndRoll: typeof conversations.store = async (input) => {
    const stored = await conversations.store(input)
    await rolls.pending
    return stored
  }
  const context = async (message: string, input: ContextInput): Promise<BuiltContext> => {
    const { contextFor } = await buildingContext()
    const started = performance.now()
    const built = await contextFor(
      { ...settings, store, embedQuery, meanings: meaning, wake: worker.wake },
      message,
      input,
    )
    // A mere look is no question that somebody asked.
    if (input.count !== false)
      activity.recalled(input.userId, message, built.recalled.length, performance.now() - started)
    return built
  }
  const upkeep = maintenance(
    store,
    options,
    undoing,
    { consolidate: consolidation(store, options, models, thinking), embed: thinking.embedAll },
    models,
    worker.wake,
    activity,
    open,
  )
  // What an earlier process left undone, and what an embedding model that is new has to make anew.
  worker.wake()
  const beginning = options.background ? thinking.embedMissing() : Promise.resolve()
  return {
    options,
    conversations: { ...conversations, remove: forgetting(conversations.remove, ({ userId }) => userId) },
    memories: {
      ...memories,
      remove: forgetting(memories.remove, (userId) => userId),
      removeAll: forgetting(memories.removeAll, ({ userId }) => userId),
      write: forgetting(memories.write, ({ userId }) => userId),
    },
    memoryFile,
    recall: open(async (message, input) => {
      const { recallEvidence } = await recalling()
      const answer = await recallEvidence({ ...settings, store, embedQuery, meanings: meaning }, message, input)
      activity.recalled(input.userId, message, answer.results.length, answer.latencyMs)
      return answer
    }),
    context: open(context),
    briefing: open(async (input) => (await import('../usecases/briefing.ts')).briefingFor(store, input)),
    chat: chatUseCases({ log, llm: models.llm, clock, logger, maxContentBytes, store: storeAndRoll, context }, open),
    profile: {
      get: open((userId) => store.profiles.get(checkId('userId', userId))),
      set: open((userId, text) =>
        store.profiles.setText(
          checkId('userId', userId),
          checkText('text', text, { maxBytes: maxContentBytes }),
          clock().getTime(),
        ),
      ),
      restore: open((userId, profile) =>
        restoreProfile(store.profiles, userId, profile, { maxContentBytes, now: clock().getTime() }),
      ),
    },
    settings: {
      get: open(() => settingStates(settings)),
      set: open((changes) => changeSettings(settings, changes)),
    },
    sessionSummaries: sessionSummaryUseCases(store.sessionSummaries, clock, open),
    keys: {
      create: open((input) => createKey(keys, input)),
      exist: open(() => store.keys.exist()),
      list: open(() => store.keys.list()),
      revoke: open((id) => revokeKey(keys, id)),
      find: open((key) => findKey(keys, key)),
    },
    answerOnce: open((request, answer) => answerOnce({ replies: store.replies, clock }, request, answer)),
    jobs: jobUseCases(store.jobs, clock, worker, open),
    workingMemory: {
      get: open((userId, conversationId) => getWorkingMemory(store.workingMemory, clock, userId, conversationId)),
      list: open((userId) => listWorkingMemory(store.workingMemory, clock, userId)),
      remove: open((userId, conversationId) => removeWorkingMemory(store.workingMemory, userId, conversationId)),
      restore: open((userId, restored) => restoreWorkingMemory(store.workingMemory, clock, userId, restored)),
    },
    maintenance: {
      ...upkeep,
      evict: forgetting(upkeep.evict, (userId) => userId),
      undo: forgetting(upkeep.undo, ({ userId }) => userId),
    },
    idle: open(async () => {
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
        await rolls.pending
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
