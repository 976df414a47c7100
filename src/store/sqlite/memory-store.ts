/** Long-term memories in SQLite: the contract MemoryStore. Every statement names the user's number or its rows. */

import { type Clock, systemClock } from '../../domain/clock.ts'
import type { MemoryStore } from '../../domain/contracts/memory-store.ts'
import { SegmentMemoryIndex } from '../segments/memory-index.ts'
import type { Connection } from './connection.ts'
import { isIndexFailure, writeIndexed } from './memory-fts.ts'
import { matchByLike } from './memory-fts-like.ts'
import { type MatchQuestion, matchWords } from './memory-fts-match.ts'
import { MemoryRecords } from './memory-records.ts'
import { MEMORY_COLUMNS, memoryOf } from './memory-rows.ts'
import { applyChanges, readRevision } from './memory-store-apply.ts'
import { sqliteMemoryFeed } from './memory-store-feed.ts'
import { passes } from './memory-store-filter.ts'
import { noteEdits, readHistory } from './memory-store-history.ts'
import { listMemories, readMemories } from './memory-store-list.ts'
import { sqliteMemoryOwners } from './memory-store-owners.ts'
import { rowRange } from './memory-store-range.ts'
import { erase, removeAllMemories, removeMemories } from './memory-store-remove.ts'
import { sqliteMemorySources } from './memory-store-sources.ts'
import { insertOne, type MemoryPlaces, readMemory, updateOne } from './memory-store-write.ts'
import { sqliteMemoryTable } from './memory-table.ts'
import { passLinesOn } from './profile-table.ts'
import { isoTime, number, text } from './rows.ts'
import type { Users } from './users.ts'

const UNDECIDED = `SELECT ${MEMORY_COLUMNS} FROM memories m WHERE m.user_no = ? AND m.project_root = '' LIMIT ?`
const DECIDE = `UPDATE memories SET project_root = ? WHERE user_no = ? AND id = ? AND project_root = ''`

/** The store over an open, migrated database. `clock` tells which memories have ended. */
export function sqliteMemoryStore(
  connection: Connection,
  users: Users,
  clock: Clock = systemClock,
  index = new SegmentMemoryIndex(sqliteMemoryTable(connection, users)),
): MemoryStore {
  const places: MemoryPlaces = { connection, index, clock }
  const records = new MemoryRecords(connection)
  const whole = new WholeUsers(connection)
  return {
    index,
    ...sqliteMemoryFeed(connection, users),
    ...sqliteMemoryOwners(connection),
    ...sqliteMemorySources(connection, users),

    insert: async (userId, memories) =>
      writeIndexed(connection, () => {
        const userNo = users.ensure(userId)
        return memories.map((memory) => insertOne(places, userNo, memory))
      }),

    get: async (userId, id) => {
      const userNo = users.find(userId)
      return userNo === undefined ? null : (readMemory(connection, userNo, id)?.memory ?? null)
    },

    getMany: async (userId, ids, filter) => {
      const userNo = users.find(userId)
      return userNo === undefined ? [] : readMemories(connection, userNo, ids, filter, clock().getTime())
    },

    getRows: async (userId, rows, filter) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return rows.map(() => null)
      const now = clock().getTime()
      return records.at(userNo, rows).map((memory) => (memory !== null && passes(memory, filter, now) ? memory : null))
    },

    revision: async (userId) => {
      const userNo = users.find(userId)
      return userNo === undefined ? 0 : readRevision(connection, userNo)
    },

    apply: async (userId, expectedRevision, changes) => {
      const isWritten = writeIndexed(connection, () =>
        applyChanges(places, users.ensure(userId), expectedRevision, changes),
      )
      if (isWritten && changes.wipes === true && changes.remove.length > 0) await erase(connection)
      return isWritten
    },

    undecided: async (userId, limit) => {
      const userNo = users.find(userId)
      return userNo === undefined ? [] : connection.all(UNDECIDED, userNo, limit).map(memoryOf)
    },

    decide: async (userId, scopes) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return
      connection.write(() => {
        for (const { id, projectRoot } of scopes) connection.run(DECIDE, projectRoot, userNo, id)
      })
    },

    list: async (userId, { limit, offset, filter }) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return { items: [], total: 0 }
      return connection.read(() => listMemories(connection, userNo, filter ?? {}, clock().getTime(), limit, offset))
    },

    update: async (userId, id, patch, at, says) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return null
      return writeIndexed(connection, () => updateOne(places, userNo, id, patch, at, undefined, { says }))
    },

    remove: async (userId, ids) => {
      const userNo = users.find(userId)
      return userNo === undefined ? 0 : removeMemories(places, userNo, ids)
    },

    removeAll: async (userId) => {
      const userNo = users.find(userId)
      return userNo === undefined ? 0 : removeAllMemories(places, userNo)
    },

    match: async (userId, terms, filter, limit) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return { matches: [], method: 'fts' }
      const question = { userNo, terms, filter, now: clock().getTime(), limit }
      return connection.read(() => matchMemories(connection, records, whole, question))
    },

    touch: async (userId, ids, at) => {
      const userNo = users.find(userId)
      if (userNo === undefined || ids.length === 0) return
      records.touches += 1
      writeIndexed(connection, () => {
        for (const id of ids)
          connection.run(
            `UPDATE memories SET access_count = access_count + 1, last_accessed = max(coalesce(last_accessed, ''), ?)
             WHERE user_no = ? AND id = ?`,
            isoTime(at),
            userNo,
            id,
          )
      })
    },

    history: async (userId, id) => {
      const userNo = users.find(userId)
      return userNo === undefined ? [] : connection.read(() => readHistory(connection, userNo, id))
    },

    evict: async (userId, keep, dryRun = false) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return []
      const ids = connection.read(() => leastWorthKeeping(connection, userNo, keep))
      if (dryRun || ids.length === 0) return ids
      connection.write(() => passLinesOn(connection, userNo, ids, null))
      await removeMemories(places, userNo, ids)
      return ids
    },

    restore: async (userId, restored) =>
      writeIndexed(connection, () => {
        const userNo = users.ensure(userId)
        return restored.map(({ memory, edits }) => {
          const stored = insertOne(places, userNo, memory)
          if (!stored.existed) noteEdits(connection, userNo, memory.id, edits)
          return stored
        })
      }),
  }
}

function matchMemories(
  connection: Connection,
  records: MemoryRecords,
  whole: WholeUsers,
  question: MatchQuestion,
): Awaited<ReturnType<MemoryStore['match']>> {
  try {
    if (whole.has(question.userNo)) return { matches: matchWords(connection, records, question), method: 'fts' }
  } catch (error) {
    if (!isIndexFailure(error)) throw error
  }
  return { matches: matchByLike(connection, question), method: 'like' }
}

/**
 * Has every memory of a user an entry in the full-text table? Counting takes time, so the answer is kept until somebody
 * writes; a lost entry would look like no match.
 */
class WholeUsers {
  readonly #connection: Connection
  #stamp = ''
  readonly #users = new Set<number>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  has(userNo: number): boolean {
    const stamp = `${this.#connection.dataVersion()}:${this.#connection.commits}`
    if (stamp !== this.#stamp) this.#users.clear()
    this.#stamp = stamp
    if (!this.#users.has(userNo) && hasEveryEntry(this.#connection, userNo)) this.#users.add(userNo)
    return this.#users.has(userNo)
  }
}

function hasEveryEntry(connection: Connection, userNo: number): boolean {
  const [first, last] = rowRange(userNo)
  const entries = connection.get('SELECT count(*) AS n FROM memories_fts_docsize WHERE id BETWEEN ? AND ?', first, last)
  const total = connection.get('SELECT memories AS n FROM memory_totals WHERE user_no = ?', userNo)
  return total === undefined || (entries !== undefined && number(entries, 'n') >= number(total, 'n'))
}

/** Lowest confidence first, then oldest access; a memory that was never used counts from its creation (000). */
function leastWorthKeeping(connection: Connection, userNo: number, keep: number): readonly string[] {
  const [first, last] = rowRange(userNo)
  const total = connection.get('SELECT memories AS n FROM memory_totals WHERE user_no = ?', userNo)
  const surplus = (total === undefined ? 0 : number(total, 'n')) - keep
  if (surplus <= 0) return []
  return connection
    .all(
      `SELECT id FROM memories WHERE row BETWEEN ? AND ?
       ORDER BY confidence, coalesce(last_accessed, created_at), row LIMIT ?`,
      first,
      last,
      surplus,
    )
    .map((row) => text(row, 'id'))
}
