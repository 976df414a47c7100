/**
 * The working engine: every use case bound to one store, one clock and one set of options. It knows no backend and
 * no door; `open.ts` gives it the first, `interfaces` are the second. Times are milliseconds since the epoch.
 */
import type { Page, Work } from '../contracts/conversation-log.ts'
import type { Store } from '../contracts/store.ts'
import { MnemeError } from '../domain/errors.ts'
import type { WorkingMemory } from '../domain/memory.ts'
import type { RecallAnswer } from '../domain/recall.ts'
import type { Conversation, Summary, Turn } from '../domain/turn.ts'
import type { CleanupCounts } from '../lifecycle/cleanup.ts'
import type { SpanSummary } from '../lifecycle/rolling-summary-span.ts'
import {
  type CleanupInput,
  getConversation,
  listConversations,
  listSummaries,
  listTurns,
  type PageInput,
  removeConversations,
  summarizeTurns,
} from '../pipeline/conversations.ts'
import { type RecallInput, recall } from '../pipeline/recall-turns.ts'
import {
  type RestoreCounts,
  type RestoreInput,
  restoreConversation,
  restoreConversations,
} from '../pipeline/restore-conversation.ts'
import { type StoredTurn, type StoreInput, storeTurns } from '../pipeline/store-turns.ts'
import { getWorkingMemory, listWorkingMemory, removeWorkingMemory } from '../pipeline/working-memory.ts'
import { type MaintenanceUseCases, maintenance } from './maintenance.ts'
import { type MemoryUseCases, memoryUseCases } from './memories.ts'
import type { ResolvedOptions } from './options.ts'

export type { Page, Work } from '../contracts/conversation-log.ts'
export type { CheckFinding, RebuildCounts, StoreStatistics } from '../contracts/store.ts'
export type { CleanupCounts } from '../lifecycle/cleanup.ts'
export type { SpanSummary } from '../lifecycle/rolling-summary-span.ts'
export type { CleanupInput, PageInput } from '../pipeline/conversations.ts'
export type { RecallInput } from '../pipeline/recall-turns.ts'
export type { RestoreCounts, RestoreInput } from '../pipeline/restore-conversation.ts'
export type { StoredTurn, StoreInput, TurnInput } from '../pipeline/store-turns.ts'

/** What can be done with conversations. */
export interface ConversationUseCases {
  store(input: StoreInput): Promise<readonly StoredTurn[]>
  recall(query: string, input: RecallInput): Promise<RecallAnswer>
  list(userId: string, page: PageInput & { readonly projectRoot?: string | undefined }): Promise<Page<Conversation>>
  get(userId: string, conversationId: string): Promise<Conversation>
  turns(
    userId: string,
    conversationId: string,
    page: PageInput & { readonly fromTurn?: number | undefined; readonly toTurn?: number | undefined },
  ): Promise<Page<Turn>>
  summaries(userId: string, conversationId: string): Promise<readonly Summary[]>
  summarize(userId: string, conversationId: string, fromTurn: number, toTurn: number): Promise<SpanSummary>
  remove(input: CleanupInput, work?: Work): Promise<CleanupCounts>
  restore(input: RestoreInput): Promise<RestoreCounts>
  /** Several in one transaction: all of them, or on a conflict none. */
  restoreAll(userId: string, inputs: readonly RestoreInput[]): Promise<RestoreCounts>
}

/** What can be done with the live state of conversations. */
export interface WorkingMemoryUseCases {
  get(userId: string, conversationId: string): Promise<WorkingMemory>
  list(userId: string): Promise<readonly WorkingMemory[]>
  remove(userId: string, conversationId: string): Promise<void>
}

export interface Engine {
  readonly options: ResolvedOptions
  readonly conversations: ConversationUseCases
  readonly memories: MemoryUseCases
  readonly workingMemory: WorkingMemoryUseCases
  readonly maintenance: MaintenanceUseCases
  /** Resolves when nothing is left to be done in the background. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** Binds the use cases. */
export function createEngine(store: Store, options: ResolvedOptions): Engine {
  const { clock, maxContentBytes } = options
  let closed = false
  /** Refuses work after `close`, before anything else is looked at. */
  const open = <A extends unknown[], R>(work: (...values: A) => Promise<R>): ((...values: A) => Promise<R>) => {
    return async (...values) => {
      if (closed) throw new MnemeError('closed', 'This memory was closed.', { remedy: 'Open it again.' })
      return work(...values)
    }
  }
  const { log } = store
  return {
    options,
    conversations: {
      store: open((input) => storeTurns({ log, clock, maxContentBytes }, input)),
      recall: open((query, input) => recall({ store, clock }, query, input)),
      list: open((userId, page) => listConversations(log, userId, page)),
      get: open((userId, conversationId) => getConversation(log, userId, conversationId)),
      turns: open((userId, conversationId, page) => listTurns(log, userId, conversationId, page)),
      summaries: open((userId, conversationId) => listSummaries(log, userId, conversationId)),
      summarize: open((userId, conversationId, fromTurn, toTurn) =>
        summarizeTurns(store, clock, userId, conversationId, fromTurn, toTurn),
      ),
      remove: open((input, work) => removeConversations(store, clock, input, work)),
      restore: open((input) => restoreConversation({ log, clock, maxContentBytes }, input)),
      restoreAll: open((userId, inputs) => restoreConversations({ log, clock, maxContentBytes }, userId, inputs)),
    },
    memories: memoryUseCases(store, options, open),
    workingMemory: {
      get: open((userId, conversationId) => getWorkingMemory(store.workingMemory, clock, userId, conversationId)),
      list: open((userId) => listWorkingMemory(store.workingMemory, clock, userId)),
      remove: open((userId, conversationId) => removeWorkingMemory(store.workingMemory, userId, conversationId)),
    },
    maintenance: maintenance(store, options, open),
    idle: open(() => store.idle()),
    close: async () => {
      closed = true
      await store.close()
    },
  }
}
