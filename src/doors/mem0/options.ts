/** Options of mem0's callers, in both spellings. Types only: values are checked where they are read. */
import type { SnakeNames } from '../operations/names.ts'

/** A message of a chat. */
export interface Message {
  readonly role?: string
  readonly content?: string | null | Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[]
  readonly [other: string]: unknown
}

/** Every name as it is, and in snake_case. */
type BothSpellings<T> = T & SnakeNames<T>

type Filters = Readonly<Record<string, unknown>>
type Moment = Date | string | number
/** Options of mem0 that change nothing here, and those that are refused by name. */
type Others = Readonly<Record<string, unknown>>

/** Ids; a user owns what is remembered, agent and app mark it, a run is a conversation. */
export type EntityOptions = BothSpellings<{
  readonly userId?: string | undefined
  readonly agentId?: string | undefined
  readonly appId?: string | undefined
  readonly runId?: string | undefined
}>

/** Whose memory it is: only where an import brought one id to several users. */
export type UserOptions = BothSpellings<{ readonly userId?: string | undefined }>

/** Options of `add`. */
export type AddOptions = EntityOptions &
  BothSpellings<{
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
    /** Only ids. */
    readonly filters?: Filters | undefined
    /** false: what is passed is kept as it is. Default true. */
    readonly infer?: boolean | undefined
    /** When it was said: a Date, ISO 8601, or seconds since the epoch. */
    readonly timestamp?: Moment | null | undefined
    /** The last day (YYYY-MM-DD, UTC) on which it holds. */
    readonly expirationDate?: string | null | undefined
    /** true: a model is not waited for. */
    readonly asyncMode?: boolean | undefined
  }> &
  Others

/** Which memories; of `search` and `getAll`. */
type WhichOptions = EntityOptions &
  BothSpellings<{
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
    /** true: passwords and keys as they are. */
    readonly revealSecrets?: boolean | undefined
  }> &
  Others

/** Options of `search`. */
export type SearchOptions = WhichOptions &
  BothSpellings<{
    /** Least score, 0 to 1. Default: none. */
    readonly threshold?: number | undefined
    readonly explain?: boolean | undefined
    readonly referenceDate?: Moment | null | undefined
  }>

/** Options of `getAll`. */
export type GetAllOptions = WhichOptions &
  BothSpellings<{
    /** From 1. */
    readonly page?: number | undefined
    readonly pageSize?: number | undefined
    readonly startDate?: Moment | undefined
    readonly endDate?: Moment | undefined
  }>

/** Options of `update`. */
export type UpdateOptions = UserOptions &
  BothSpellings<{
    readonly text?: string | undefined
    /** The older name of `text`. */
    readonly data?: string | undefined
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
    readonly timestamp?: Moment | undefined
    /** null: it does not expire. */
    readonly expirationDate?: string | null | undefined
  }>

/** Options of `delete`. */
export type DeleteOptions = UserOptions &
  BothSpellings<{
    /** true: those whose place it took are deleted, too. */
    readonly deleteLinked?: boolean | undefined
  }>

/** Options of `deleteAll`. */
export type DeleteAllOptions = EntityOptions

/** Options of `users`. */
export type UsersOptions = BothSpellings<{ readonly page?: number | undefined; readonly pageSize?: number | undefined }>

/** Names one memory of a batch. */
export type BatchPart = { readonly memoryId: string } | { readonly memory_id: string }

/** Names somebody who has a profile. */
export type ProfileOptions = { readonly entityId: string } | { readonly entity_id: string }
