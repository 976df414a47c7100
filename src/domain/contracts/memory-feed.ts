/**
 * Which memories are new or changed since the last look? Background work reads each once, at its latest change, and
 * keeps a mark, so that a run costs what is new.
 */
import type { Memory } from '../memory.ts'

/** The readers of the feed that keep a mark in it. */
const FEED_READERS = ['consolidate'] as const
/** A reader of the feed. */
type FeedReader = (typeof FEED_READERS)[number]

/** Memories in the order of their latest change. */
interface ChangedMemories {
  readonly memories: readonly Memory[]
  /** The mark to continue from; the given one when nothing has changed. */
  readonly mark: number
}

/** The feed. */
export interface MemoryFeed {
  /**
   * At most `limit` memories inserted or changed since `mark` by any process; 0 is the beginning. An access count
   * matters only once it rises above 10 (002 R6.4); past memories come too, removed ones not.
   */
  changedSince(userId: string, mark: number, limit: number): Promise<ChangedMemories>
  /** The mark of this reader; 0 before its first. */
  readMark(userId: string, reader: FeedReader): Promise<number>
  /** Never moves backwards. */
  setMark(userId: string, reader: FeedReader, mark: number): Promise<void>
  /** Users with changes that this reader has not seen, at most `limit`, after `after` in the order of their ids. */
  changedUsers(reader: FeedReader, limit: number, after?: string): Promise<readonly string[]>
}
