/**
 * What a store of long-term memories and of working memory must be able to do. Every call is bound to one user.
 */
import type { Category, Memory, MemoryEvent, MemorySource, MemoryType, WorkingMemory } from '../domain/memory.ts'
import type { Page } from './conversation-log.ts'

/** Equality conditions, all of which must hold; absent means any. */
export interface MemoryFilter {
  readonly memoryType?: MemoryType
  readonly category?: Category
  readonly source?: MemorySource
  readonly conversationId?: string
  readonly key?: string
  readonly who?: string
  readonly tag?: string
  /** Only what holds at this moment (validFrom ≤ t < validTo). Absent: superseded and ended memories are left out. */
  readonly asOf?: number
  /** true: superseded and ended memories too. */
  readonly includePast?: boolean
}

/** A memory that matched, with what the index says of the match. */
export interface MemoryMatch {
  readonly memory: Memory
  /** BM25 of the match, 0 or more, larger is better; not scaled. */
  readonly bm25: number
  /** Which of the asked terms were found, by index. */
  readonly matchedTerms: readonly number[]
}

/** How the matches were found. */
export interface MemoryMatches {
  readonly matches: readonly MemoryMatch[]
  /** `like` when the full-text index could not answer; then bm25 is the number of terms found. */
  readonly method: 'fts' | 'like'
}

/** One term of a memory search. `prefix` also finds longer words that begin with it. */
export interface MemoryTerm {
  readonly term: string
  readonly prefix: boolean
}

/** The fields of a memory that an edit may change. */
export type MemoryPatch = Partial<
  Pick<
    Memory,
    | 'text'
    | 'category'
    | 'key'
    | 'value'
    | 'tags'
    | 'who'
    | 'occurredAt'
    | 'confidence'
    | 'source'
    | 'importance'
    | 'validTo'
    | 'supersededBy'
    | 'suspect'
    | 'metadata'
    | 'memoryType'
  >
>

export interface MemoryStore {
  /** Inserts in one transaction; a memory whose id or externalId the user already has is returned as it is, not written. */
  insert(userId: string, memories: readonly Memory[]): Promise<readonly { memory: Memory; existed: boolean }[]>
  get(userId: string, id: string): Promise<Memory | null>
  /** Newest updatedAt first, then id. */
  list(
    userId: string,
    page: { readonly limit: number; readonly offset: number; readonly filter?: MemoryFilter },
  ): Promise<Page<Memory>>
  /** Writes the changes and a line of history; null when there is no such memory. */
  update(userId: string, id: string, patch: MemoryPatch, at: number): Promise<Memory | null>
  /** Permanent, with history and index entries; the number removed. */
  remove(userId: string, ids: readonly string[]): Promise<number>
  removeAll(userId: string): Promise<number>
  /** Best matches by BM25, at most `limit`. Terms are ORed. */
  match(userId: string, terms: readonly MemoryTerm[], filter: MemoryFilter, limit: number): Promise<MemoryMatches>
  /** Counts one access of each: access_count + 1, last_accessed = at. */
  touch(userId: string, ids: readonly string[], at: number): Promise<void>
  /** Oldest first; empty when there is no such memory. */
  history(userId: string, id: string): Promise<readonly MemoryEvent[]>
  /** Removes down to `keep` memories: lowest confidence first, then oldest access; the ids removed. */
  evict(userId: string, keep: number): Promise<readonly string[]>
}

export interface WorkingMemoryStore {
  /** null when there is none, or it was idle since before `activeSince`. */
  get(userId: string, sessionId: string, activeSince: number): Promise<WorkingMemory | null>
  list(userId: string, activeSince: number): Promise<readonly WorkingMemory[]>
  /** Changes topic, variables or emotion of a living one; null when there is none. */
  update(
    userId: string,
    sessionId: string,
    patch: Partial<Pick<WorkingMemory, 'currentTopic' | 'contextVariables' | 'lastEmotion'>>,
    at: number,
  ): Promise<WorkingMemory | null>
  remove(userId: string, sessionId: string): Promise<boolean>
  /** Those idle since before `activeSince`, of every user, longest idle first, at most `limit`; removes nothing. */
  listIdle(activeSince: number, limit: number): Promise<readonly (WorkingMemory & { readonly userId: string })[]>
  /** Removes and returns those idle since before `activeSince`, of every user, longest idle first, at most `limit`. */
  removeIdle(activeSince: number, limit: number): Promise<readonly (WorkingMemory & { readonly userId: string })[]>
}
