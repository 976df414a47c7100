/** The contract of a store of session summaries: title and snippet of a conversation. The user's edits stay. */
import type { Page } from './conversation-log.ts'

/** Title and snippet of one conversation (001). Times are milliseconds since the epoch. */
export interface SessionSummary {
  readonly conversationId: string
  readonly title: string
  readonly snippet: string
  readonly createdAt: number
  readonly updatedAt: number
  /** true: the user changed it; the machine leaves it alone. */
  readonly edited: boolean
}

/** The store. */
export interface SessionSummaryStore {
  /**
   * Stores the machine's summary. Resolves false, having written nothing, when the conversation is gone or the user has
   * edited or removed its summary.
   */
  put(
    userId: string,
    summary: { readonly conversationId: string; readonly title: string; readonly snippet: string },
    at: number,
  ): Promise<boolean>
  /** null when there is none. */
  get(userId: string, conversationId: string): Promise<SessionSummary | null>
  /** Newest createdAt first. */
  list(userId: string, page: { readonly limit: number; readonly offset: number }): Promise<Page<SessionSummary>>
  /** The user's edit; it makes one where there is none. null when the user has no such conversation. */
  update(
    userId: string,
    conversationId: string,
    patch: { readonly title?: string; readonly snippet?: string },
    at: number,
  ): Promise<SessionSummary | null>
  /** Permanent, and the machine writes no other for this conversation; false when there was none. */
  remove(userId: string, conversationId: string): Promise<boolean>
}
