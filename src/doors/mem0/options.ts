/** Options of mem0's callers, in both spellings. Types only: values are checked where they are read. */
import type { SnakeNames } from '../operations/names.ts'

/** A message of a chat. */
export interface Message {
  readonly role?: string
  readonly content?: string | null | Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[]
  readonly [other: string]: unknown
}

/** Every name both in camelCase and in snake_case. */
type BothSpellings<T> = T & SnakeNames<T>

type Filters = Readonly<Record<string, unknown>>
type Moment = Date | string | number
/** Options of mem0 that are ignored here, and those that are refused by name. */
type Others = Readonly<Record<string, unknown>>

/** Ids: a user owns memories, agent and app mark them, and a run is a conversation. */
export type EntityOptions = BothSpellings<{
  readonly userId?: string | undefined
  readonly agentId?: string | undefined
  readonly appId?: string | undefined
  readonly runId?: string | undefined
}>

/** The user; needed only when an import gave several users one id. */
export type UserOptions = BothSpellings<{ readonly userId?: string | undefined }>

/** Options of `add`. */
export type AddOptions = EntityOptions &
  BothSpellings<{
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
    /** Only ids. */
    readonly filters?: Filters | undefined
    /** false: texts are stored unchanged. Default true. */
    readonly infer?: boolean | undefined
    /** Time of the message: a Date, ISO 8601, or seconds since the epoch. */
    readonly timestamp?: Moment | null | undefined
    /** The last valid day (YYYY-MM-DD, UTC). */
    readonly expirationDate?: string | null | undefined
    /** true: returns without waiting for a model. */
    readonly asyncMode?: boolean | undefined
  }> &
  Others

/** Options that select memories, of `search` and `getAll`. */
type WhichOptions = EntityOptions &
  BothSpellings<{
    readonly filters?: Filters | undefined
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
    readonly categories?: readonly string[] | undefined
    readonly topK?: number | undefined
    readonly limit?: number | undefined
    /** true: includes expired memories. */
    readonly showExpired?: boolean | undefined
    /** false: includes replaced memories. */
    readonly latestOnly?: boolean | undefined
    readonly fields?: readonly string[] | undefined
    /** true: passwords and keys are unmasked. */
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
    /** true: also deletes the memories that it replaced. */
    readonly deleteLinked?: boolean | undefined
  }>

/** Options of `deleteAll`. */
export type DeleteAllOptions = EntityOptions

/** Options of `users`. */
export type UsersOptions = BothSpellings<{ readonly page?: number | undefined; readonly pageSize?: number | undefined }>

/** One memory of a batch. */
export type BatchPart = { readonly memoryId: string } | { readonly memory_id: string }

/** The user of a profile. */
export type ProfileOptions = { readonly entityId: string } | { readonly entity_id: string }
