/** The contract of the titles and snippets of conversations (001). */
import type { Conversation } from '../turn.ts'
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

/** A session summary beside its conversation. */
export type ActiveSession = SessionSummary & Pick<Conversation, 'projectRoot' | 'lastActive'>

export interface SessionSummaryStore {
  /** Stores the machine's summary; false for a conversation that is gone or a summary that the user changed. */
  put(
    userId: string,
    summary: { readonly conversationId: string; readonly title: string; readonly snippet: string },
    at: number,
  ): Promise<boolean>
  /** null when there is none. */
  get(userId: string, conversationId: string): Promise<SessionSummary | null>
  /** Newest createdAt first. */
  list(userId: string, page: { readonly limit: number; readonly offset: number }): Promise<Page<SessionSummary>>
  /** Those of the `most` conversations (of a project) that were active last, muted ones aside; last active first. */
  latest(
    userId: string,
    of: { readonly most: number; readonly projectRoot?: string },
  ): Promise<readonly ActiveSession[]>
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
