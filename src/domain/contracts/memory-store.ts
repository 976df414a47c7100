/** The contract of a store of long-term memories and of working memory. Every call is bound to one user. */
import type { Category, Memory, MemoryEvent, MemorySource, MemoryType, WorkingMemory } from '../memory.ts'
import type { Page, PageRange } from './conversation-log.ts'
import type { LeasedJob } from './job-queue.ts'
import type { NewProfileLine, TakenBackTurns } from './small-stores.ts'
import type { MemoryIndex } from './text-index.ts'

/** Equality conditions, all of which must hold; absent means any. */
export interface MemoryFilter {
  readonly memoryType?: MemoryType
  readonly category?: Category
  readonly source?: MemorySource
  readonly conversationId?: string
  readonly key?: string
  readonly who?: string
  readonly tag?: string
  readonly externalId?: string
  /** The project in which the memories hold: those about it, and those about the user. */
  readonly projectRoot?: string
  /** Memories that this one replaced; use it with `includePast`. */
  readonly supersededBy?: string
  /** Only memories that hold at this moment. Without it, superseded and ended ones are left out. */
  readonly asOf?: number
  /** true: superseded and ended memories too. */
  readonly includePast?: boolean
  /** true: buried memories too. */
  readonly includeBuried?: boolean
}

/** Fields of a memory that a store compares by itself. */
export type ComparedField =
  | 'memoryType'
  | 'category'
  | 'source'
  | 'conversationId'
  | 'key'
  | 'who'
  | 'externalId'
  | 'projectRoot'
  | 'supersededBy'
  | 'createdAt'
  | 'updatedAt'
  | 'occurredAt'
  | 'validTo'
  | 'buriedAt'
  | 'suspectSince'
  | 'confidence'
  | 'importance'
  | 'accessCount'

/** A condition that a store applies by itself: times are milliseconds, null is no value, and no value is in no order. */
export type StoredCondition =
  | { readonly all: readonly StoredCondition[] }
  | { readonly any: readonly StoredCondition[] }
  | { readonly not: StoredCondition }
  | {
      readonly field: ComparedField
      readonly is: '=' | '<' | '<=' | '>' | '>='
      readonly value: string | number | null
    }
  /** Metadata in which this text stands somewhere. */
  | { readonly metadata: string }

/** A matching memory, with the facts of the match from the index. */
export interface MemoryMatch {
  readonly memory: Memory
  /** BM25 of the match, 0 or more, larger is better; not scaled. */
  readonly bm25: number
  /** Indexes of the found terms. */
  readonly matchedTerms: readonly number[]
}

/** The memories found, and the method. */
export interface MemoryMatches {
  readonly matches: readonly MemoryMatch[]
  /** `like` when the full-text index could not answer; then bm25 is the number of terms found. */
  readonly method: 'fts' | 'like'
}

/** The fields of a memory that an edit may change. */
export type MemoryPatch = Partial<
  Omit<Memory, 'id' | 'conversationId' | 'createdAt' | 'updatedAt' | 'accessCount' | 'lastAccessed' | 'externalId'>
>

/** One edit of a memory in its history. */
export interface MemoryEdit {
  readonly event: 'UPDATE' | 'SUPERSEDE'
  /** The text before it; null when the text stayed as it was. */
  readonly previousText: string | null
  readonly createdAt: number
}

/** A memory as it was, with its edits, oldest first. */
export interface RestoredMemory {
  readonly memory: Memory
  readonly edits: readonly MemoryEdit[]
}

/** One change of a plan; `event` is its name in the history. */
export interface MemoryChange {
  readonly id: string
  readonly patch: MemoryPatch
  readonly event: 'UPDATE' | 'SUPERSEDE'
  /** Takes back history from `since` (milliseconds) on; the change is noted where the new text differs from `text`. */
  readonly unsaid?: { readonly since: number; readonly text: string }
}

/** A plan that was made from a user's memories, to be written as a whole or not at all. */
export interface MemoryChanges {
  /** Memories to insert, as in `MemoryStore.insert`; one with a known id or externalId is skipped. */
  readonly insert: readonly Memory[]
  readonly update: readonly MemoryChange[]
  /** Ids to remove for good; unknown ones are skipped. Their last traces are wiped at the next idle or close. */
  readonly remove: readonly string[]
  /** true: their last traces are wiped before it resolves, as by `MemoryStore.remove`. */
  readonly wipes?: boolean
  /** An inserted memory that takes over what the removed ones had superseded, and their profile lines. */
  readonly heir?: string
  /** Lines for the profile, as by `ProfileStore.addLines`. */
  readonly lines?: readonly NewProfileLine[]
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Marks this conversation as thought about up to a turn. */
  readonly completes?: { readonly conversationId: string; readonly thoughtTo: number }
  /** The lease of the job that writes the plan. */
  readonly lease?: LeasedJob
  /** true: the job of `lease` is completed with these changes, as by `JobQueue.complete`, so they must be its last. */
  readonly finishes?: boolean
}

/** The store of memories. With one that ends or goes, the profile lines go that only it tells. */
export interface MemoryStore {
  /** The index over these memories. */
  readonly index: MemoryIndex
  /** Inserts in one transaction; a memory of a known id, or externalId in its conversation, is returned unwritten. */
  insert(userId: string, memories: readonly Memory[]): Promise<readonly { memory: Memory; existed: boolean }[]>
  get(userId: string, id: string): Promise<Memory | null>
  /** The memories of these ids that pass the filter, in the order asked; others are left out. */
  getMany(userId: string, ids: readonly string[], filter: MemoryFilter): Promise<readonly Memory[]>
  /** A number that grows with every change to the user's memories by any process, access counts aside. */
  revision(userId: string): Promise<number>
  /** Writes a plan at once; false, having written nothing, for an outdated revision or a lost lease. */
  apply(userId: string, expectedRevision: number, changes: MemoryChanges): Promise<boolean>
  /** The memories in these rows, in order; null where gone or filtered out. They are shared: change none of them. */
  getRows(userId: string, rows: readonly number[], filter: MemoryFilter): Promise<readonly (Memory | null)[]>
  /** The texts of the memories in these rows, in order; none of those that are gone or buried. Quicker where very many are read. */
  getTexts(userId: string, rows: readonly number[]): Promise<readonly { row: number; id: string; text: string }[]>
  /** The buried ones, which no other read brings unless it is asked to. */
  buried(userId: string): Promise<readonly Memory[]>
  /** Ids of memories, past ones too, that these turns made or extended; `whole` ones include those without a turn. */
  madeFrom(userId: string, taken: TakenBackTurns): Promise<readonly string[]>
  /** Ids of the memories that one of these replaced or made doubtful. */
  pointingTo(userId: string, ids: readonly string[]): Promise<readonly string[]>
  /** Those that pass the filter and the condition, newest updatedAt first, then id. */
  list(
    userId: string,
    page: PageRange & { readonly filter?: MemoryFilter; readonly where?: StoredCondition | null },
  ): Promise<Page<Memory>>
  /** Writes the changes and a line of history; null for none. `says` replaces the profile lines that point to it. */
  update(
    userId: string,
    id: string,
    patch: MemoryPatch,
    at: number,
    says?: readonly NewProfileLine[],
  ): Promise<Memory | null>
  /** Permanent, with history and index entries; the number removed. */
  remove(userId: string, ids: readonly string[]): Promise<number>
  removeAll(userId: string): Promise<number>
  /** At most `limit` best matches of the ORed terms by the full-text table of 000 and bm25, or else by LIKE. */
  match(userId: string, terms: readonly string[], filter: MemoryFilter, limit: number): Promise<MemoryMatches>
  /** The words that begin so (folded) in the newest memories with any, by the same table: a few, the most frequent first. */
  wordsBeginning(userId: string, beginning: string): Promise<readonly string[]>
  /** Counts one access of each: access_count + 1, last_accessed = at. */
  touch(userId: string, ids: readonly string[], at: number): Promise<void>
  /** Oldest first; empty when there is no such memory. */
  history(userId: string, id: string): Promise<readonly MemoryEvent[]>
  /** Removes memories down to `keep`, lowest confidence first, then oldest access; their ids. */
  evict(userId: string, keep: number, dryRun?: boolean): Promise<readonly string[]>
  /** As `insert`, with the edits of each; a memory already there stays as it is, edits included. */
  restore(userId: string, restored: readonly RestoredMemory[]): Promise<readonly { memory: Memory; existed: boolean }[]>
  /** At most `limit` memories changed since `mark`; an access count matters once it rises above 10 (002 R6.4). `mark`: where to continue. */
  changedSince(
    userId: string,
    mark: number,
    limit: number,
  ): Promise<{ readonly memories: readonly Memory[]; readonly mark: number }>
  /** The mark of consolidation; 0 before its first. */
  readMark(userId: string): Promise<number>
  /** Never moves backwards. */
  setMark(userId: string, mark: number): Promise<void>
  /** Users with changes that consolidation has not seen, at most `limit`, after `after` in the order of their ids. */
  changedUsers(limit: number, after?: string): Promise<readonly string[]>
  /** Users with a memory of this id, by name; ids are the store's own, but an import may repeat one. */
  ownersOf(id: string): Promise<readonly string[]>
  /** Users who have memories, by name. */
  owners(page: PageRange): Promise<Page<MemoryOwner>>
}

type IdleWorkingMemory = WorkingMemory & { readonly userId: string }

export interface WorkingMemoryStore {
  /** null when there is none, or it was idle since before `activeSince`. */
  get(userId: string, sessionId: string, activeSince: number): Promise<WorkingMemory | null>
  list(userId: string, activeSince: number): Promise<readonly WorkingMemory[]>
  /** Changes a live working memory; null when there is none. `isEdit`: what a person overwrites leaves the file, too. */
  update(
    userId: string,
    sessionId: string,
    patch: Partial<Pick<WorkingMemory, 'currentTopic' | 'contextVariables' | 'lastEmotion'>>,
    at: number,
    isEdit?: boolean,
  ): Promise<WorkingMemory | null>
  /** `wipes` false: whoever calls removes more, and that wipes the file. */
  remove(userId: string, sessionId: string, wipes?: boolean): Promise<boolean>
  /** At most `limit` working memories of all users that are idle since before `activeSince`, longest idle first. */
  listIdle(activeSince: number, limit: number): Promise<readonly IdleWorkingMemory[]>
  /** Removes those of these that are idle since before `activeSince`; how many. */
  removeIdle(idle: readonly IdleWorkingMemory[], activeSince: number): Promise<number>
}

/** A user who has memories. Times are milliseconds since the epoch. */
export interface MemoryOwner {
  readonly userId: string
  /** Superseded and ended ones too. */
  readonly memories: number
  /** The time of storing the oldest remaining memory, and of the last change of any. */
  readonly createdAt: number
  readonly updatedAt: number
}
