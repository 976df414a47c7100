/**
 * The full-text index over turns in the SQLite file. A store costs it nothing: new turns form a tail that is cut into
 * terms when it is next read; from 512 turns on the tail becomes an immutable segment, and segments are merged
 * four by four. Every process keeps columns and hot lists in memory and follows the others by version numbers.
 */
import { type TurnIndex, type TurnView, ViewExpired } from '../../../contracts/turn-index.ts'
import type { Connection } from '../connection.ts'
import { number } from '../rows.ts'
import type { Users } from '../users.ts'
import { FLUSH_AT_TURNS, flushTail } from './flush.ts'
import { ListCache } from './list-cache.ts'
import { postingList } from './lists.ts'
import { mergeSegments, mergeStart } from './merge.ts'
import { UserIndex } from './user-index.ts'

/** Bytes of decoded lists kept over all users, and more for each turn in memory: a hot word's list grows with them. */
const LIST_BUDGET = 16 * 1024 * 1024
const LIST_BUDGET_A_TURN = 64
/** Turns of other users' columns kept in memory (about 42 bytes each). */
const KEPT_TURNS = 1_000_000

const EMPTY_VIEW_USER = -1

export class SqliteTurnIndex implements TurnIndex {
  readonly #connection: Connection
  readonly #users: Users
  readonly #lists = new ListCache(() => LIST_BUDGET + this.#turns() * LIST_BUDGET_A_TURN)
  /** Least recently used first. */
  readonly #indexes = new Map<number, UserIndex>()

  constructor(connection: Connection, users: Users) {
    this.#connection = connection
    this.#users = users
  }

  async view(userId: string): Promise<TurnView> {
    const index = this.#index(this.#users.find(userId) ?? EMPTY_VIEW_USER)
    index.sync()
    const { columns, conversations, speakers, generation } = index
    const size = columns.size
    return {
      size,
      live: columns.live,
      averageLength: columns.live === 0 ? 0 : columns.totalLength / columns.live,
      columns,
      conversations,
      speakers,
      postings: async (terms) =>
        this.#connection.read(() => {
          index.sync()
          if (index.generation !== generation) throw new ViewExpired('the index was reorganised')
          return terms.map((term) => postingList(this.#connection, this.#lists, index, term, size))
        }),
    }
  }

  /** true when this user's tail is long enough to become a segment. */
  isFlushDue(userId: string): boolean {
    const userNo = this.#users.find(userId)
    if (userNo === undefined) return false
    const row = this.#connection.get(
      `SELECT count(*) AS turns FROM (SELECT 1 FROM turns INDEXED BY turns_user WHERE user_no = ? AND id >
         coalesce((SELECT max(last_row) FROM index_segments WHERE user_no = ? AND building = 0), 0) LIMIT ?)`,
      userNo,
      userNo,
      FLUSH_AT_TURNS,
    )
    return row !== undefined && number(row, 'turns') >= FLUSH_AT_TURNS
  }

  /** Reads at most so many of the turns that were stored since it was last looked; true when none are left. */
  takeIn(userId: string, most: number): boolean {
    const userNo = this.#users.find(userId)
    return userNo === undefined || this.#index(userNo).sync(most)
  }

  /** Flushes the tail when it is long enough, or in any case with `force`. */
  flush(userId: string, force = false): void {
    const userNo = this.#users.find(userId)
    if (userNo === undefined || !(force || this.isFlushDue(userId))) return
    flushTail(this.#connection, this.#index(userNo))
  }

  /** Merges a run of segments if one is due, in steps of a few milliseconds; `locked`: it waits for another process. */
  *merge(userId: string, now: number): Generator<'locked' | undefined, boolean> {
    const userNo = this.#users.find(userId)
    if (userNo === undefined) return false
    const index = this.#index(userNo)
    index.sync()
    if (mergeStart(index.segments) < 0) return false
    return yield* mergeSegments(this.#connection, index, now)
  }

  /** Forgets what this process holds in memory. */
  clear(): void {
    this.#indexes.clear()
  }

  #index(userNo: number): UserIndex {
    const known = this.#indexes.get(userNo)
    const index = known ?? new UserIndex(this.#connection, userNo)
    this.#indexes.delete(userNo)
    this.#indexes.set(userNo, index)
    if (known === undefined) this.#evict(userNo)
    return index
  }

  /** Turns whose columns are in memory. */
  #turns(): number {
    let turns = 0
    for (const index of this.#indexes.values()) turns += index.columns.size
    return turns
  }

  #evict(keep: number): void {
    let turns = this.#turns()
    for (const [userNo, index] of this.#indexes) {
      if (turns <= KEPT_TURNS || userNo === keep) break
      turns -= index.columns.size
      this.#indexes.delete(userNo)
    }
  }
}
