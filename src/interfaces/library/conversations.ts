/** `memory.conversations`: the log of everything that was said, and recall from it. */
import type {
  CleanupCounts,
  CleanupInput,
  Engine,
  PageInput,
  RecallInput,
  RestoreCounts,
  RestoreInput,
  StoredTurn,
  StoreInput,
  Work,
} from '../../engine/engine.ts'
import {
  type ConversationView,
  isoTime,
  type RecallView,
  renderConversation,
  renderRecall,
  renderSummary,
  renderTurn,
  type SummaryView,
  type TurnView,
} from './render.ts'
import type { ChooseUser, WithUser } from './users.ts'

/** A list by page. */
export interface ListView<T> {
  readonly items: readonly T[]
  /** Items on all pages. */
  readonly total: number
}

/** What became of one stored turn. */
export type StoredTurnView = Omit<StoredTurn, 'storedAt' | 'externalId'> & {
  readonly storedAt: string
  readonly externalId?: string
}

/** A summary that was asked for. */
export interface SummarizeView {
  readonly summaryId: number
  readonly conversationId: string
  readonly turnsSummarized: readonly number[]
  readonly summary: string
  readonly keySymbols: readonly string[]
  readonly keyDecisions: readonly string[]
}

/** The same input with the user left to the default. */
type UserOptional<T extends { readonly userId: string }> = Omit<T, 'userId'> & WithUser

export interface Conversations {
  /** Stores turns in one transaction; they can be recalled when the promise resolves. */
  store(input: UserOptional<StoreInput>): Promise<readonly StoredTurnView[]>
  /** The turns and summaries that answer the query, best first. */
  recall(query: string, input?: UserOptional<RecallInput>): Promise<RecallView>
  /** Newest activity first. */
  list(input?: WithUser & PageInput & { readonly projectRoot?: string }): Promise<ListView<ConversationView>>
  get(conversationId: string, input?: WithUser): Promise<ConversationView>
  /** In order; `fromTurn` and `toTurn` bound the numbers, both included. */
  turns(
    conversationId: string,
    input?: WithUser & PageInput & { readonly fromTurn?: number; readonly toTurn?: number },
  ): Promise<ListView<TurnView>>
  /** The rolling summaries, oldest span first. */
  summaries(conversationId: string, input?: WithUser): Promise<readonly SummaryView[]>
  /** Summarises the turns fromTurn … toTurn now. */
  summarize(
    conversationId: string,
    input: WithUser & { readonly fromTurn: number; readonly toTurn: number },
  ): Promise<SummarizeView>
  /** Removes for good: one conversation, what is older than a moment, or everything of the user. */
  delete(input: UserOptional<CleanupInput>, work?: Work): Promise<CleanupCounts>
  /** Puts an exported or foreign conversation back; what is there already is not stored twice. */
  restore(input: UserOptional<RestoreInput>): Promise<RestoreCounts>
}

/** The facade over an engine. */
export function conversations(engine: Engine, user: ChooseUser): Conversations {
  const { conversations: cases } = engine
  return {
    store: async (input) => {
      const stored = await cases.store({ ...input, userId: user(input) })
      return stored.map(({ externalId, storedAt, ...turn }) => ({
        ...turn,
        storedAt: isoTime(storedAt),
        ...(externalId === null ? {} : { externalId }),
      }))
    },
    recall: async (query, input) => renderRecall(await cases.recall(query, { ...input, userId: user(input) })),
    list: async (input = {}) => {
      const { items, total } = await cases.list(user(input), input)
      return { items: items.map(renderConversation), total }
    },
    get: async (conversationId, input) => renderConversation(await cases.get(user(input), conversationId)),
    turns: async (conversationId, input = {}) => {
      const { items, total } = await cases.turns(user(input), conversationId, input)
      return { items: items.map(renderTurn), total }
    },
    summaries: async (conversationId, input) =>
      (await cases.summaries(user(input), conversationId)).map(renderSummary),
    summarize: async (conversationId, input) =>
      cases.summarize(user(input), conversationId, input.fromTurn, input.toTurn),
    delete: async (input, work) => cases.remove({ ...input, userId: user(input) }, work),
    restore: async (input) => cases.restore({ ...input, userId: user(input) }),
  }
}
