/** The contract of a store of conversations, each call bound to one user; a write is one transaction. */
import type { Conversation, NewTurn, Summary, Turn, TurnReference } from '../turn.ts'

/** Turns for one conversation, in order. A conversation that does not exist is created. */
export interface ConversationBatch {
  readonly conversationId: string
  /** Set on creation; a later, non-empty value moves the conversation to that project. '' for none. */
  readonly projectRoot: string
  readonly turns: readonly BatchTurn[]
  /** The beginning of a new conversation; default: its oldest turn. */
  readonly createdAt?: number
  /** true: its turns arrive now, whatever times they bear; others are as old as they say. */
  readonly isLive?: boolean
  /** true: a job `think` is enqueued in the same transaction. Default: passed over until `thinkAboutUnthought`. */
  readonly think?: boolean
}

/** Counts of the conversations and turns that were handed to thinking. */
export interface UnthoughtCounts {
  readonly conversations: number
  readonly turns: number
}

/** A turn to append. A taken `turnId` (import) counts as there already for equal role and content, else all fails. */
export interface BatchTurn extends NewTurn {
  readonly turnId?: number
}

/** The result for one turn of a batch. */
export interface AppendedTurn extends TurnReference {
  readonly symbols: readonly string[]
  readonly createdAt: number
  readonly externalId: string | null
  /** true when a turn with this externalId was already there; nothing was written for it. */
  readonly existed: boolean
  /** Turns of the conversation without a summary, after the whole append. */
  readonly unsummarized: number
}

/** Which page of a list: at most `limit` items, behind the first `offset`. */
export interface PageRange {
  readonly limit: number
  readonly offset: number
}

/** A page of a longer list. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
}

/** Counts of the records that a removal removed. */
export interface RemovalCounts {
  readonly conversations: number
  readonly turns: number
  readonly summaries: number
  /** Summaries that also cover remaining turns; their texts must be rewritten from those. */
  readonly stale: readonly Summary[]
  /** Conversations that lost some turns; their whole text (`Conversation.summary`) was cleared. */
  readonly shortened: readonly string[]
  /** Bytes by which the database file shrank. */
  readonly bytesFreed: number
}

/** The turns to remove: one conversation, one turn of it, everything of the user, or everything older than a moment. */
export type RemovalScope =
  | { readonly kind: 'conversation'; readonly conversationId: string }
  | { readonly kind: 'turn'; readonly conversationId: string; readonly turnId: number }
  | { readonly kind: 'all' }
  /** Collected turns stay, whatever their age. */
  | { readonly kind: 'older'; readonly before: number }

export interface ConversationLog {
  /** Appends in one transaction. Turns older at `at`, the present, than working memory lives do not revive it. */
  append(userId: string, batches: readonly ConversationBatch[], at: number): Promise<readonly AppendedTurn[]>
  /** The first of these roots that a conversation or a memory of the user has; null where none has. */
  firstProject(userId: string, roots: readonly string[]): Promise<string | null>
  /** null when the user has no such conversation. */
  conversation(userId: string, conversationId: string): Promise<Conversation | null>
  /** When the newest removed turn of a conversation was said, milliseconds since the epoch; null where none was removed. */
  removedTo(userId: string, conversationId: string): Promise<number | null>
  /** The last turn that needs no more thinking, which `MemoryStore.apply` raises; null for an unknown conversation. */
  thoughtTo(userId: string, conversationId: string): Promise<number | null>
  /** Enqueues `think` jobs for at most `limit` conversations, of all or the named one, with turns stored without. */
  thinkAboutUnthought(
    userId: string,
    part: { readonly conversationId: string | null; readonly limit: number },
    at: number,
  ): Promise<UnthoughtCounts>
  /** Newest activity first. */
  conversations(userId: string, page: PageRange & { readonly projectRoot?: string }): Promise<Page<Conversation>>
  /** Turns numbered from … to (both included) in order, at most `limit`. */
  turns(userId: string, conversationId: string, range: TurnRange): Promise<readonly Turn[]>
  /** As `turns`, by page, with the number of all in the range. */
  turnPage(
    userId: string,
    conversationId: string,
    page: Required<TurnRange> & { readonly offset: number },
  ): Promise<Page<Turn>>
  /** Sets the user's mark on a turn, or takes it off; the turn as it is now, null when there is none. */
  collect(userId: string, turn: TurnReference, isCollected: boolean): Promise<Turn | null>
  /** Hides the content of a conversation from all models, or shows it again; null for an unknown conversation. */
  mute(userId: string, conversationId: string, isMuted: boolean): Promise<Conversation | null>
  /** Turns by TurnColumns.row, in the order asked; missing rows are left out. */
  turnsByRow(
    userId: string,
    places: readonly { readonly row: number; readonly conversationId: string }[],
  ): Promise<readonly (Turn & { readonly row: number })[]>

  /** Adds summaries in order, up to the first that overlaps or whose turns changed; if all, `whole` is set, too. */
  addSummaries(userId: string, summaries: readonly NewSummary[], whole?: string): Promise<readonly Summary[]>
  /** As `addSummaries`, in place of the stored ones of these spans: all or, resolving null, nothing. */
  replaceSummaries(userId: string, summaries: readonly NewSummary[]): Promise<readonly Summary[] | null>
  /** Writes conversations.summary, the whole conversation in one short text; null clears it. */
  setConversationSummary(userId: string, conversationId: string, summary: string | null): Promise<void>
  /** Summaries of one conversation, oldest span first; `part` limits them to the oldest or newest few. */
  summaries(userId: string, conversationId: string, part?: SummaryPart): Promise<readonly Summary[]>
  /** The oldest turns that no summary covers, in order, at most `limit`. */
  unsummarized(userId: string, conversationId: string, limit: number): Promise<readonly Turn[]>
  /** Those of the conversations with SUMMARIZE_AT_TURNS turns or more, at most `most`, behind their summaries. */
  overdue(userId: string, conversationIds: readonly string[], most: number): Promise<readonly string[]>
  /** The summaries that cover these turns, each once. */
  summariesCovering(userId: string, turns: readonly TurnReference[]): Promise<readonly Summary[]>

  /** Removes for good, in pieces of one transaction each; it can be run again after an abort or a crash. */
  remove(userId: string, scope: RemovalScope, work?: Work): Promise<RemovalCounts>
  /** Replaces the words of a turn; the old ones are erased as by `remove`. null when there is no such turn. */
  rewrite(userId: string, turn: TurnReference, words: NewWords, at: number): Promise<RemovalCounts | null>
}

/** The new words of a turn, and the job of what follows from them, enqueued in the same transaction. */
interface NewWords extends Pick<NewTurn, 'content' | 'symbols'> {
  readonly job: { readonly kind: 'add'; readonly subject: string; readonly payload: object; readonly dueAt: number }
}

/** Progress and cancellation of long work. */
export interface Work {
  readonly signal?: AbortSignal | undefined
  /** Callback after each piece, with the amount done and, once known, the total. */
  readonly onProgress?: ((done: number, total: number | null) => void) | undefined
}

export interface TurnRange {
  readonly from?: number
  readonly to?: number
  readonly limit?: number
}

/** One end of a conversation's summaries; the answer is oldest span first either way. */
export type SummaryPart = { readonly oldest: number } | { readonly newest: number }

export interface NewSummary extends Omit<Summary, 'summaryId'> {
  /** The number of its source turns; it is refused when its span now holds another number. */
  readonly turns?: number
}
