/** Long-term memories in SQLite: the contract MemoryStore. Every statement names the user's number or its rows. */
import type { MemoryFilter, MemoryPatch, MemoryStore, MemoryTerm } from '../../contracts/memory-store.ts'
import { type Clock, systemClock } from '../../domain/clock.ts'
import type { Memory } from '../../domain/memory.ts'
import type { Connection } from './connection.ts'
import { isIndexFailure, writeEntry, writeIndexed } from './memory-fts.ts'
import { matchByLike } from './memory-fts-like.ts'
import { matchEntries } from './memory-fts-match.ts'
import { memoryTerms } from './memory-fts-terms.ts'
import { INSERT_MEMORY, MEMORY_COLUMNS, memoryOf, memoryValues, UPDATE_MEMORY } from './memory-rows.ts'
import { noteEdit, readHistory } from './memory-store-history.ts'
import { listMemories } from './memory-store-list.ts'
import { rowRange } from './memory-store-range.ts'
import { removeAllMemories, removeMemories } from './memory-store-remove.ts'
import { isoTime, number, text } from './rows.ts'
import type { Users } from './users.ts'

const SEARCHED_FIELDS: readonly (keyof MemoryPatch)[] = ['text', 'key', 'value', 'tags', 'who']

/** The store over an open, migrated database. `clock` tells which memories have ended. */
export function sqliteMemoryStore(connection: Connection, users: Users, clock: Clock = systemClock): MemoryStore {
  return {
    insert: async (userId, memories) =>
      writeIndexed(connection, () => {
        const userNo = users.ensure(userId)
        return memories.map((memory) => insertOne(connection, userNo, memory))
      }),

    get: async (userId, id) => {
      const userNo = users.find(userId)
      return userNo === undefined ? null : (readMemory(connection, userNo, id)?.memory ?? null)
    },

    list: async (userId, { limit, offset, filter }) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return { items: [], total: 0 }
      return connection.read(() => listMemories(connection, userNo, filter ?? {}, clock().getTime(), limit, offset))
    },

    update: async (userId, id, patch, at) => {
      const userNo = users.find(userId)
      return userNo === undefined ? null : writeIndexed(connection, () => updateOne(connection, userNo, id, patch, at))
    },

    remove: async (userId, ids) => {
      const userNo = users.find(userId)
      return userNo === undefined ? 0 : removeMemories(connection, userNo, ids)
    },

    removeAll: async (userId) => {
      const userNo = users.find(userId)
      return userNo === undefined ? 0 : removeAllMemories(connection, userNo)
    },

    match: async (userId, terms, filter, limit) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return { matches: [], method: 'fts' }
      return connection.read(() => matchMemories(connection, userNo, terms, filter, clock().getTime(), limit))
    },

    touch: async (userId, ids, at) => {
      const userNo = users.find(userId)
      if (userNo === undefined || ids.length === 0) return
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

    evict: async (userId, keep) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return []
      const ids = connection.read(() => leastWorthKeeping(connection, userNo, keep))
      await removeMemories(connection, userNo, ids)
      return ids
    },
  }
}

function insertOne(connection: Connection, userNo: number, memory: Memory): { memory: Memory; existed: boolean } {
  const known = connection.get(
    `SELECT ${MEMORY_COLUMNS} FROM memories m WHERE user_no = ?1 AND id = ?2
     UNION ALL SELECT ${MEMORY_COLUMNS} FROM memories m WHERE user_no = ?1 AND external_id = ?3 LIMIT 1`,
    userNo,
    memory.id,
    memory.externalId,
  )
  if (known !== undefined) return { memory: memoryOf(known), existed: true }
  const [first, last] = rowRange(userNo)
  const newest = connection.get('SELECT max(row) - ?1 AS place FROM memories WHERE row BETWEEN ?1 AND ?2', first, last)
  const row = first + BigInt(Number(newest?.place ?? 0)) + 1n
  const entry = memoryTerms(memory)
  connection.run(INSERT_MEMORY, ...memoryValues(memory), row, userNo, entry.count)
  writeEntry(connection, row, entry)
  return { memory, existed: false }
}

function readMemory(connection: Connection, userNo: number, id: string): { memory: Memory; row: bigint } | null {
  const found = connection.get(
    `SELECT CAST(row AS TEXT) AS row, ${MEMORY_COLUMNS} FROM memories m WHERE user_no = ? AND id = ?`,
    userNo,
    id,
  )
  return found === undefined ? null : { memory: memoryOf(found), row: BigInt(text(found, 'row')) }
}

function updateOne(connection: Connection, userNo: number, id: string, patch: MemoryPatch, at: number): Memory | null {
  const found = readMemory(connection, userNo, id)
  if (found === null) return null
  const { memory: before, row } = found
  const after: Memory = { ...before, ...patch, updatedAt: at }
  const entry = memoryTerms(after)
  connection.run(UPDATE_MEMORY, ...memoryValues(after), entry.count, row)
  if (SEARCHED_FIELDS.some((field) => field in patch)) writeEntry(connection, row, entry)
  const superseded = after.supersededBy !== null && after.supersededBy !== before.supersededBy
  noteEdit(connection, row, superseded ? 'SUPERSEDE' : 'UPDATE', after.text === before.text ? null : before.text, at)
  return after
}

function matchMemories(
  connection: Connection,
  userNo: number,
  terms: readonly MemoryTerm[],
  filter: MemoryFilter,
  now: number,
  limit: number,
): Awaited<ReturnType<MemoryStore['match']>> {
  try {
    const matches = matchEntries(connection, userNo, terms, filter, now, limit)
    if (matches.length > 0 || isIndexWhole(connection, userNo)) return { matches, method: 'fts' }
    return { matches: matchByLike(connection, userNo, terms, filter, now, limit), method: 'like' }
  } catch (error) {
    if (!isIndexFailure(error)) throw error
    return { matches: matchByLike(connection, userNo, terms, filter, now, limit), method: 'like' }
  }
}

/** Has every memory of the user an entry? Asked before "nothing" is answered, because lost entries look the same. */
function isIndexWhole(connection: Connection, userNo: number): boolean {
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
