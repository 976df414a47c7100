/** What mem0's callers pass, in both of its spellings. Types only: options are checked where they are read. */

/** A message of a chat. */
export interface Message {
  readonly role?: string
  readonly content?: string | null | Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[]
  readonly [other: string]: unknown
}

/** Ids; a user owns what is remembered, agent and app mark it, a run is a conversation. */
export interface EntityOptions {
  readonly userId?: string | undefined
  readonly agentId?: string | undefined
  readonly appId?: string | undefined
  readonly runId?: string | undefined
  readonly user_id?: string | undefined
  readonly agent_id?: string | undefined
  readonly app_id?: string | undefined
  readonly run_id?: string | undefined
}

type Filters = Readonly<Record<string, unknown>>

export interface AddOptions extends EntityOptions {
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Only ids. */
  readonly filters?: Filters | undefined
  /** false: what is passed is kept as it is. Default true. */
  readonly infer?: boolean | undefined
  /** When it was said: a Date, ISO 8601, or seconds since the epoch. */
  readonly timestamp?: Date | string | number | null | undefined
  /** The last day (YYYY-MM-DD, UTC) on which it holds. */
  readonly expirationDate?: string | null | undefined
  readonly [other: string]: unknown
}

interface WhichOptions extends EntityOptions {
  readonly filters?: Filters | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly categories?: readonly string[] | undefined
  readonly topK?: number | undefined
  readonly limit?: number | undefined
  /** true: memories that have expired, too. */
  readonly showExpired?: boolean | undefined
  /** false: memories that others took the place of, too. */
  readonly latestOnly?: boolean | undefined
  readonly fields?: readonly string[] | undefined
  readonly [other: string]: unknown
}

export interface SearchOptions extends WhichOptions {
  /** Least score, 0 to 1. Default: none. */
  readonly threshold?: number | undefined
  readonly explain?: boolean | undefined
  readonly referenceDate?: Date | string | number | null | undefined
}

export interface GetAllOptions extends WhichOptions {
  /** From 1. */
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
  readonly startDate?: string | undefined
  readonly endDate?: string | undefined
}

export interface UpdateOptions {
  readonly text?: string | undefined
  /** The older name of `text`. */
  readonly data?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly timestamp?: Date | string | number | undefined
  /** null: it does not expire. */
  readonly expirationDate?: string | null | undefined
  readonly userId?: string | undefined
}

export interface DeleteOptions {
  /** true: those whose place it took are deleted, too. */
  readonly deleteLinked?: boolean | undefined
  readonly userId?: string | undefined
}

export type DeleteAllOptions = EntityOptions
