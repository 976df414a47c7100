/**
 * Which memories are new or have changed since somebody last looked? Background work reads a user's changes in order,
 * each memory once, at its latest change, and keeps a mark of how far it came, so that a run costs what is new.
 */
import type { Memory } from '../memory.ts'

/** Who reads the feed and keeps a mark in it. */
const FEED_READERS = ['consolidate'] as const
/** One of FEED_READERS. */
type FeedReader = (typeof FEED_READERS)[number]

/** Memories in the order of their latest change. */
interface ChangedMemories {
  readonly memories: readonly Memory[]
  /** Go on from here; the mark that was asked with when nothing has changed. */
  readonly mark: number
}

/** The feed. */
export interface MemoryFeed {
  /**
   * Memories inserted since `mark`, or of which anything but the count of accesses has changed since, or whose access count
   * has risen above 10 (002 R6.4), by any process; at most `limit`. Past ones too; removed ones not. 0 is the beginning.
   */
  changedSince(userId: string, mark: number, limit: number): Promise<ChangedMemories>
  /** How far this reader has come; 0 before its first mark. */
  readMark(userId: string, reader: FeedReader): Promise<number>
  /** Never moves backwards. */
  setMark(userId: string, reader: FeedReader, mark: number): Promise<void>
  /** Users with changes that this reader has not seen, at most `limit`, after `after` in the order of their ids. */
  changedUsers(reader: FeedReader, limit: number, after?: string): Promise<readonly string[]>
}
