/** The use cases of conversations, bound to a store, a clock and what thinks. */
import type { Page, Work } from '../domain/contracts/conversation-log.ts'
import type { Store } from '../domain/contracts/store.ts'
import type { PageInput } from '../domain/page.ts'
import type { RecallAnswer } from '../domain/recall.ts'
import type { Conversation, Summary, Turn } from '../domain/turn.ts'
import { type CollectInput, collectTurn, listCollectedTurns } from '../usecases/collected-turns.ts'
import {
  type CleanupInput,
  type CreateConversationInput,
  createConversation,
  getConversation,
  type ListTurnsInput,
  listConversations,
  listSummaries,
  listTurns,
  muteConversation,
  removeConversations,
  summarizeTurns,
} from '../usecases/conversations.ts'
import type { Meanings } from '../usecases/meanings.ts'
import type { EmbedQuery } from '../usecases/query-vector.ts'
import { type RecallInput, recall } from '../usecases/recall-turns.ts'
import type { RestoreCounts, RestoreInput } from '../usecases/restore-conversation.ts'
import { type StoredTurn, type StoreInput, storeTurns } from '../usecases/store-turns.ts'
import type { UndoDependencies } from '../usecases/undo.ts'
import type { CleanupCounts } from '../usecases/upkeep/cleanup.ts'
import type { SpanSummary } from '../usecases/upkeep/rolling-summary-span.ts'
import type { Guard } from './guards.ts'
import type { ResolvedOptions } from './options.ts'
import type { Rolling } from './rolling.ts'
import type { Thinking } from './thinking.ts'

/** Late: it brings what thinking needs. */
const restoring = () => import('../usecases/restore-conversation.ts')

/** What can be done with conversations. */
export interface ConversationUseCases {
  /** Begins one without turns; one that is there stays. */
  create(input: CreateConversationInput): Promise<Conversation>
  store(input: StoreInput): Promise<readonly StoredTurn[]>
  recall(query: string, input: RecallInput): Promise<RecallAnswer>
  list(userId: string, page: PageInput & { readonly projectRoot?: string | undefined }): Promise<Page<Conversation>>
  get(userId: string, conversationId: string): Promise<Conversation>
  turns(userId: string, conversationId: string, page: ListTurnsInput): Promise<Page<Turn>>
  /** Sets the user's mark on a turn, or takes it off. */
  collect(input: CollectInput): Promise<Turn>
  /** true: no model is shown what comes from it. */
  mute(userId: string, conversationId: string, isMuted: boolean): Promise<Conversation>
  /** What was collected in all conversations, the last said first. */
  collected(userId: string, page: PageInput): Promise<Page<Turn>>
  summaries(userId: string, conversationId: string): Promise<readonly Summary[]>
  summarize(userId: string, conversationId: string, fromTurn: number, toTurn: number): Promise<SpanSummary>
  remove(input: CleanupInput, work?: Work): Promise<CleanupCounts>
  restore(input: RestoreInput): Promise<RestoreCounts>
  /** Several in one transaction: all of them, or on a conflict none. */
  restoreAll(userId: string, inputs: readonly RestoreInput[]): Promise<RestoreCounts>
}

/** What conversations need besides the store. */
export interface ConversationDependencies {
  readonly store: Store
  readonly options: ResolvedOptions
  readonly thinking: Thinking
  readonly embedQuery: EmbedQuery | undefined
  /** How what came from a conversation is taken back when it is deleted. */
  readonly undoing: UndoDependencies & { readonly store: Store }
  /** Called when turns were stored. */
  readonly sweepSoon: () => void
  /** What turns mean by the table of word vectors. */
  readonly meanings: Meanings
  /** Called when rolling summaries became due. */
  readonly rollSoon: Rolling['soon']
  /** Refuses after the end as `open` does, but waits for no rolling summaries. */
  readonly openAtOnce: Guard
}

/** Binds the use cases. */
export function conversationUseCases(
  {
    store,
    options,
    thinking,
    embedQuery,
    meanings,
    undoing,
    sweepSoon,
    rollSoon,
    openAtOnce,
  }: ConversationDependencies,
  open: Guard,
): ConversationUseCases {
  const { log } = store
  const { clock, maxContentBytes } = options
  const storeAndThink = async (input: StoreInput): Promise<readonly StoredTurn[]> => {
    const stored = await storeTurns({ log, clock, maxContentBytes, rollSoon, think: options.thinking }, input)
    // What is thought about is embedded after that.
    if (options.thinking) thinking.worker.wake()
    else await thinking.embedSoon(input.userId)
    meanings.soon(input.userId)
    sweepSoon()
    return stored
  }
  return {
    store: openAtOnce(storeAndThink),
    create: open((input) => createConversation(log, clock, input)),
    recall: open((query, input) => recall({ store, clock, embedQuery, meanings }, query, input)),
    list: open((userId, page) => listConversations(log, userId, page)),
    get: open((userId, conversationId) => getConversation(log, userId, conversationId)),
    mute: open((userId, conversationId, isMuted) => muteConversation(log, userId, conversationId, isMuted)),
    turns: open((userId, conversationId, page) => listTurns(log, userId, conversationId, page)),
    collect: open((input) => collectTurn(log, input)),
    collected: open((userId, page) => listCollectedTurns(log, userId, page)),
    summaries: open((userId, conversationId) => listSummaries(log, userId, conversationId)),
    summarize: open((userId, conversationId, fromTurn, toTurn) =>
      summarizeTurns(store, clock, userId, conversationId, fromTurn, toTurn),
    ),
    remove: open((input, work) => removeConversations(undoing, input, work)),
    restore: open(async (input) => {
      const { restoreConversation } = await restoring()
      const counts = await restoreConversation({ log, clock, maxContentBytes }, input)
      if (input.think === true) thinking.worker.wake()
      await thinking.embedSoon(input.userId)
      meanings.soon(input.userId)
      return counts
    }),
    restoreAll: open(async (userId, inputs) => {
      const { restoreConversations } = await restoring()
      const counts = await restoreConversations({ log, clock, maxContentBytes }, userId, inputs)
      await thinking.embedSoon(userId)
      meanings.soon(userId)
      if (inputs.some(({ think }) => think === true)) thinking.worker.wake()
      return counts
    }),
  }
}
