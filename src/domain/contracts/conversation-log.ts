/**
 * What a store of conversations must be able to do. Every call is bound to one user; nothing crosses users.
 * A write is one transaction: all of it is there after the promise resolves, or none of it.
 */
import type { Conversation, NewTurn, Summary, Turn, TurnReference } from '../turn.ts'

/** Turns for one conversation, in order. A conversation that does not exist is created. */
export interface ConversationBatch {
  readonly conversationId: string
  /** Set on creation; a later, non-empty value moves the conversation to that project. '' for none. */
  readonly projectRoot: string
  readonly turns: readonly BatchTurn[]
  /** When it began, for a conversation that is created; default: its oldest turn. */
  readonly createdAt?: number
  /** For a conversation that is created: summaries of these turns, written with them; else they are left out. */
  readonly summaries?: FirstSummaries
  /**
   * true: a job `think` for the conversation is enqueued in the same transaction when turns were added. Default false:
   * where nothing waited to be thought about, these turns need not be either (`thoughtTo` goes along), until
   * `thinkAboutUnthought` is called.
   */
  readonly think?: boolean
}

/** What was handed to thinking. */
export interface UnthoughtCounts {
  readonly conversations: number
  readonly turns: number
}

/** Summaries that were made before their turns were stored. */
export interface FirstSummaries {
  readonly summaries: readonly NewSummary[]
  /** The whole conversation in one short text. */
  readonly whole: string
  /** Every turn up to this number is in one of them. */
  readonly reach: number
  /** Turns of the batch that are in one of them. */
  readonly covered: number
}

/**
 * A turn to append. With a `turnId` (import) it gets exactly that number; a number that is taken by a turn with the
 * same role and content, masked or not, counts as there already, by another turn as a conflict that rejects the whole call.
 */
export interface BatchTurn extends NewTurn {
  readonly turnId?: number
}

/** What became of one turn of a batch. */
export interface AppendedTurn extends TurnReference {
  readonly symbols: readonly string[]
  readonly createdAt: number
  readonly externalId: string | null
  /** true when a turn with this externalId was already there; nothing was written for it. */
  readonly existed: boolean
  /** Turns of the conversation that no summary covers yet, after the whole append. */
  readonly unsummarized: number
}

/** Where a turn is, as a view of the turn index says it. */
export interface TurnPlace {
  readonly row: number
  readonly conversationId: string
}

/** A page of a longer list. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
}

/** What a removal removed. */
export interface RemovalCounts {
  readonly conversations: number
  readonly turns: number
  readonly summaries: number
  /** Summaries that also cover turns that remain; their texts must be written anew from those. */
  readonly stale: readonly Summary[]
  /** Conversations that lost turns and live on; their whole text (`Conversation.summary`) was cleared. */
  readonly shortened: readonly string[]
  /** By how much the database file shrank, in bytes. */
  readonly bytesFreed: number
}

/** Which turns to remove: one conversation, one turn of it, everything of the user, or everything older than a moment. */
export type RemovalScope =
  | { readonly kind: 'conversation'; readonly conversationId: string }
  | { readonly kind: 'turn'; readonly conversationId: string; readonly turnId: number }
  | { readonly kind: 'all' }
  /** Collected turns are left, whatever their age. */
  | { readonly kind: 'older'; readonly before: number }

export interface ConversationLog {
  /**
   * Appends in one transaction with symbols, index, turn_count, last_active and working memory. `at` is the present:
   * turns older than the life of working memory (replayed, imported) do not bring it to life.
   */
  append(userId: string, batches: readonly ConversationBatch[], at: number): Promise<readonly AppendedTurn[]>
  /** The first of these roots that a conversation or a memory of the user has; null where none has. */
  firstProject(userId: string, roots: readonly string[]): Promise<string | null>
  /** null when the user has no such conversation. */
  conversation(userId: string, conversationId: string): Promise<Conversation | null>
  /**
   * Every turn of it up to this number was thought about or need not be; 0 for none, null when the user has no such
   * conversation. `MemoryStore.apply` raises it together with what thinking came to.
   */
  thoughtTo(userId: string, conversationId: string): Promise<number | null>
  /**
   * Turns that were stored without `think` are to be thought about after all, and whatever followed them in their
   * conversation once more: `thoughtTo` goes back before them and a job `think` is enqueued, in one transaction. At most
   * `limit` conversations, of all or the one named; a conversation comes once.
   */
  thinkAboutUnthought(
    userId: string,
    part: { readonly conversationId: string | null; readonly limit: number },
    at: number,
  ): Promise<UnthoughtCounts>
  /** Newest activity first. */
  conversations(
    userId: string,
    page: { readonly limit: number; readonly offset: number; readonly projectRoot?: string },
  ): Promise<Page<Conversation>>
  /** Turns numbered from … to (both included) in order, at most `limit`. */
  turns(userId: string, conversationId: string, range: TurnRange): Promise<readonly Turn[]>
  /** The same by page, with the number of all turns in the range. */
  turnPage(userId: string, conversationId: string, page: TurnPageInput): Promise<Page<Turn>>
  /** Turns of all conversations that the user collected, the last said first. */
  collectedTurns(userId: string, page: { readonly limit: number; readonly offset: number }): Promise<Page<Turn>>
  /** Sets the user's mark on a turn, or takes it off; the turn as it is now, null when there is none. */
  collect(userId: string, turn: TurnReference, isCollected: boolean): Promise<Turn | null>
  /** Has no model shown what comes from a conversation, or has it shown again; null when there is no such conversation. */
  mute(userId: string, conversationId: string, isMuted: boolean): Promise<Conversation | null>
  /** Turns by TurnColumns.row, in the order asked; a row that is gone is left out. */
  turnsByRow(userId: string, places: readonly TurnPlace[]): Promise<readonly (Turn & { readonly row: number })[]>

  /**
   * Adds summaries of one conversation in one transaction, in order, up to the first that cannot stand: a stored one
   * covers one of its turns, or the span no longer holds the turns that it was made from. Resolves what was written.
   * When that is all of them, `whole` becomes the summary of the conversation.
   */
  addSummaries(userId: string, summaries: readonly NewSummary[], whole?: string): Promise<readonly Summary[]>
  /**
   * The same, taking the place of the stored summaries inside the stretch from the first to the last of them: all or,
   * resolving null, nothing.
   */
  replaceSummaries(userId: string, summaries: readonly NewSummary[]): Promise<readonly Summary[] | null>
  /** Writes conversations.summary, the whole conversation in one short text; null clears it. */
  setConversationSummary(userId: string, conversationId: string, summary: string | null): Promise<void>
  /** Of one conversation, oldest span first; `part` asks for the oldest or the newest so many only. */
  summaries(userId: string, conversationId: string, part?: SummaryPart): Promise<readonly Summary[]>
  /** The oldest turns that no summary covers, in order, at most `limit`. */
  unsummarized(userId: string, conversationId: string, limit: number): Promise<readonly Turn[]>
  /** The summaries that cover these turns, each once. */
  summariesCovering(userId: string, turns: readonly TurnReference[]): Promise<readonly Summary[]>

  /**
   * Removes for good, in pieces that each are one transaction: records, symbols, index entries, summaries of only
   * such turns. Stopped half-way (abort, crash) it can be run again. See `RemovalScope`.
   */
  remove(userId: string, scope: RemovalScope, work?: Work): Promise<RemovalCounts>
  /** Puts other words in the place of a turn's; the old ones go as by `remove`. null when there is no such turn. */
  rewrite(userId: string, turn: TurnReference, words: NewWords, at: number): Promise<RemovalCounts | null>
}

/** What a turn says from now on, and the work of thinking about it, enqueued when thinking has passed the turn. */
export interface NewWords extends Pick<NewTurn, 'content' | 'symbols'> {
  readonly think: { readonly kind: 'add'; readonly subject: string; readonly payload: object } | null
}

/** How long work is watched and stopped. */
export interface Work {
  readonly signal?: AbortSignal
  /** Called after each piece with what is done and, once known, the total. */
  readonly onProgress?: (done: number, total: number | null) => void
}

/** Bounds of a stretch of turns. */
export interface TurnRange {
  readonly from?: number
  readonly to?: number
  readonly limit?: number
}

/** A page of a conversation's turns: numbers from … to, both included. */
export interface TurnPageInput {
  readonly from: number
  readonly to: number
  readonly limit: number
  readonly offset: number
  /** Only turns with the user's mark, or only those without. Default: all. */
  readonly isCollected?: boolean
}

/** One end of a conversation's summaries; the answer is oldest span first either way. */
export type SummaryPart = { readonly oldest: number } | { readonly newest: number }

/** A summary to write. */
export interface NewSummary extends Omit<Summary, 'summaryId'> {
  /** How many turns it was made from; it is refused when its span holds another number by now. */
  readonly turns?: number
}
