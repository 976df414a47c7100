/** Long-term memories in SQLite: the contract MemoryStore. Every statement names the user's number or its rows. */
import { type Clock, isoTime, systemClock } from '../../../domain/clock.ts'
import type { MemoryChange, MemoryChanges, MemoryOwner, MemoryStore } from '../../../domain/contracts/memory-store.ts'
import { notFound } from '../../../domain/errors.ts'
import type { Memory } from '../../../domain/memory.ts'
import { fewAtATime } from '../../../domain/scheduling.ts'
import { cutLongMemories } from '../../segments/memory-documents.ts'
import { SegmentMemoryIndex } from '../../segments/segment-index.ts'
import { type Connection, sql } from '../file/connection.ts'
import { noteWipeDue, reclaim } from '../file/reclaim.ts'
import { number, recordOf, text, time } from '../file/rows.ts'
import { isIndexFailure } from '../file/storage-errors.ts'
import { completeJob, holdsLease } from '../small-stores/job-queue.ts'
import { entryRange, matchByLike, matchWords, wordsBeginning, writeIndexed } from './memory-fts.ts'
import { MEMORY_COLUMNS, memoryOf, memoryRecords, rowRange, SEQUENCE_BITS, sqliteMemoryTable } from './memory-rows.ts'
import { listMemories, passes, readMemories } from './memory-store-filter.ts'
import {
  insertOne,
  type MemoryPlaces,
  memoriesOf,
  readHistory,
  readMemory,
  removeAllMemories,
  removeMemories,
  removePiece,
  updateOne,
} from './memory-store-write.ts'
import { addLinesTo, passLinesOn } from './profile-store.ts'

/** Memories that are read at once. */
const MEMORIES_AT_ONCE = 256
const TEXTS = `SELECT e.value, m.id, m.text FROM json_each(?) e CROSS JOIN memories m ON m.row = ? + e.value
  WHERE m.buried_at IS NULL`
const CHANGED = `SELECT m.document, ${MEMORY_COLUMNS} FROM memories m INDEXED BY memories_document
  WHERE m.user_no = ? AND m.document > ? AND m.buried_at IS NULL ORDER BY m.document LIMIT ?`
const READ_MARK = `SELECT mark FROM memory_feed_marks WHERE user_no = ? AND reader = 'consolidate'`
const SET_MARK = `INSERT INTO memory_feed_marks (user_no, reader, mark) VALUES (?, 'consolidate', ?)
  ON CONFLICT (user_no, reader) DO UPDATE SET mark = max(mark, excluded.mark)`
const CHANGED_USERS = `SELECT u.user_id FROM users u
  LEFT JOIN memory_feed_marks k ON k.user_no = u.user_no AND k.reader = 'consolidate'
  WHERE u.user_id > ?1
    AND EXISTS (SELECT 1 FROM memories m INDEXED BY memories_document
      WHERE m.user_no = u.user_no AND m.document > coalesce(k.mark, 0) AND m.buried_at IS NULL)
  ORDER BY u.user_id LIMIT ?2`
/** A look into the index of ids for every user. */
const OWNERS_OF = `SELECT u.user_id FROM users u CROSS JOIN memories m ON m.user_no = u.user_no AND m.id = ?
  ORDER BY u.user_id`
const OWNER = recordOf<MemoryOwner>({ userId: text, memories: number, createdAt: time, updatedAt: time })
const OWNER_COLUMNS = `u.user_id, t.memories,
    (SELECT created_at FROM memories m WHERE m.row >= t.user_no << ${SEQUENCE_BITS} ORDER BY m.row LIMIT 1) AS created_at,
    (SELECT updated_at FROM memories m WHERE m.user_no = t.user_no ORDER BY m.updated_at DESC LIMIT 1) AS updated_at`
const OF_TURNS = `SELECT item, turn FROM sources WHERE user_no = ? AND origin = 'turn' AND source = ? AND kind IN ('memory', 'update')`
const BURIED = `SELECT ${MEMORY_COLUMNS} FROM memories m INDEXED BY memories_buried
  WHERE m.user_no = ? AND m.buried_at IS NOT NULL`
const POINTING = `SELECT id AS item FROM memories INDEXED BY memories_superseded
    WHERE user_no = ?1 AND superseded_by = ?2
  UNION SELECT item FROM other_sources
    WHERE user_no = ?1 AND origin = 'memory' AND source = ?2 AND kind = 'doubt'`
const INHERIT = 'UPDATE memories SET superseded_by = ? WHERE user_no = ? AND superseded_by = ?'

/** `clock` tells which memories have ended. */
export function sqliteMemoryStore(
  connection: Connection,
  clock: Clock = systemClock,
  index = new SegmentMemoryIndex(sqliteMemoryTable(connection)),
): MemoryStore {
  const places: MemoryPlaces = { connection, index, clock }
  const records = memoryRecords(connection)
  const isWhole = wholeUsers(connection)
  const { ask, read, write } = connection.users
  const cutChanged = async (
    userNo: number | undefined,
    changes: readonly Pick<MemoryChange, 'id' | 'patch'>[],
    removed: readonly string[] = [],
  ): Promise<void> => {
    if (userNo === undefined) return
    await cutLongMemories(memoriesOf(connection, userNo, removed))
    for (const { id, patch } of changes)
      await cutLongMemories(memoriesOf(connection, userNo, [id]).flatMap((before) => [before, { ...before, ...patch }]))
  }
  return {
    index,

    changedSince: async (userId, mark, limit) => {
      const rows = connection.all(CHANGED, connection.users.find(userId) ?? null, mark, limit)
      const last = rows.at(-1)
      return { memories: rows.map(memoryOf), mark: last === undefined ? mark : number(last, 'document') }
    },

    readMark: ask(0, (userNo) => connection.count(READ_MARK, userNo)),

    setMark: write(undefined, (userNo, mark) => void connection.run(SET_MARK, userNo, mark)),

    changedUsers: async (limit, after = '') =>
      connection.all(CHANGED_USERS, after, limit).map((row) => text(row, 'user_id')),

    ownersOf: async (id) => connection.all(OWNERS_OF, id).map((row) => text(row, 'user_id')),

    owners: async (page) =>
      connection.page(
        OWNER.of,
        OWNER_COLUMNS,
        sql`FROM memory_totals t JOIN users u USING (user_no) WHERE t.memories > 0`,
        'u.user_id',
        page,
      ),

    buried: ask([], (userNo) => connection.all(BURIED, userNo).map(memoryOf)),

    madeFrom: read([], (userNo, { turns, whole }) => {
      const rows = [
        ...[...whole].flatMap((conversationId) => connection.all(OF_TURNS, userNo, conversationId)),
        ...[...turns].flatMap(([conversationId, numbers]) => {
          const taken = new Set(numbers)
          return connection.all(OF_TURNS, userNo, conversationId).filter((row) => taken.has(number(row, 'turn')))
        }),
      ]
      return [...new Set(rows.map((row) => text(row, 'item')))]
    }),

    pointingTo: read([], (userNo, ids) => {
      const rows = ids.flatMap((id) => connection.all(POINTING, userNo, id))
      return [...new Set(rows.map((row) => text(row, 'item')))]
    }),

    insert: async (userId, memories) => {
      await cutLongMemories(memories)
      return writeIndexed(connection, () => {
        const userNo = connection.users.ensure(userId)
        return memories.map((memory) => insertOne(places, userNo, memory))
      })
    },

    get: ask(null, (userNo, id) => readMemory(connection, userNo, id)?.memory ?? null),

    getMany: ask([], async (userNo, ids, filter) => {
      const found: Memory[] = []
      const now = clock().getTime()
      for await (const some of fewAtATime(ids, MEMORIES_AT_ONCE))
        found.push(...readMemories(connection, userNo, some, filter, now))
      return found
    }),

    getRows: async (userId, rows, filter) => {
      const now = clock().getTime()
      const userNo = connection.users.find(userId)
      const found = userNo === undefined ? [] : records.at(userNo, rows)
      return rows.map((_, at) => (found[at] && passes(found[at], filter, now) ? found[at] : null))
    },

    getTexts: ask([], (userNo, rows) =>
      connection
        .lists(TEXTS, JSON.stringify(rows), rowRange(userNo)[0])
        .map(([row, id, text]) => ({ row: Number(row), id: String(id), text: String(text) })),
    ),

    revision: ask(0, (userNo) => readRevision(connection, userNo)),

    apply: async (userId, expectedRevision, changes) => {
      const { insert, update, remove } = changes
      await cutLongMemories(insert)
      await cutChanged(connection.users.find(userId), update, remove)
      const isWritten = writeIndexed(connection, () =>
        applyChanges(places, connection.users.ensure(userId), expectedRevision, changes),
      )
      if (isWritten && changes.wipes === true && changes.remove.length > 0)
        await reclaim(connection, { ofMemories: true })
      return isWritten
    },

    list: read({ items: [], total: 0 }, (userNo, page) => listMemories(connection, userNo, page, clock().getTime())),

    update: ask(null, async (userNo, id, patch, at, says) => {
      await cutChanged(userNo, [{ id, patch }])
      return writeIndexed(connection, () => updateOne(places, userNo, { id, patch }, at, says))
    }),

    remove: ask(0, (userNo, ids) => removeMemories(places, userNo, ids)),

    removeAll: ask(0, (userNo) => removeAllMemories(places, userNo)),

    match: read({ matches: [], method: 'fts' }, (userNo, terms, filter, limit) => {
      const question = { userNo, terms, filter, now: clock().getTime(), limit }
      try {
        if (isWhole(userNo)) return { matches: matchWords(connection, records, question), method: 'fts' }
      } catch (error) {
        if (!isIndexFailure(error)) throw error
      }
      return { matches: matchByLike(connection, question), method: 'like' }
    }),

    wordsBeginning: ask([], (userNo, beginning) => {
      try {
        return connection.read(() => wordsBeginning(connection, records, userNo, beginning))
      } catch (error) {
        if (!isIndexFailure(error)) throw error
        return []
      }
    }),

    touch: ask(undefined, (userNo, ids, at) => {
      if (ids.length === 0) return
      records.touched()
      const count = (): void => {
        for (const id of ids)
          connection.run(sql`UPDATE memories SET access_count = access_count + 1, last_accessed =
            max(coalesce(last_accessed, ''), ${isoTime(at)})
             WHERE user_no = ${userNo} AND id = ${id}`)
      }
      writeIndexed(connection, count, false)
    }),

    history: read([], (userNo, id) => readHistory(connection, userNo, id)),

    evict: ask([], async (userNo, keep, dryRun = false) => {
      const ids = connection.read(() => leastWorthKeeping(connection, userNo, keep))
      if (dryRun || ids.length === 0) return ids
      connection.write(() => passLinesOn(connection, userNo, ids, null))
      await removeMemories(places, userNo, ids)
      return ids
    }),

    restore: async (userId, restored) => {
      await cutLongMemories(restored.map(({ memory }) => memory))
      return writeIndexed(connection, () => {
        const userNo = connection.users.ensure(userId)
        return restored.map(({ memory, edits }) => insertOne(places, userNo, memory, edits))
      })
    },
  }
}

/** Has every memory of a user an entry in the full-text table? The answer is kept until somebody writes. */
function wholeUsers(connection: Connection): (userNo: number) => boolean {
  const whole = new Set<number>()
  let stamp = ''
  return (userNo) => {
    const now = connection.stamp()
    if (stamp !== now) whole.clear()
    stamp = now
    if (!whole.has(userNo) && hasEveryEntry(connection, userNo)) whole.add(userNo)
    return whole.has(userNo)
  }
}

function hasEveryEntry(connection: Connection, userNo: number): boolean {
  const entries = connection.count(
    'SELECT count(*) FROM memory_words_docsize WHERE id BETWEEN ? AND ? AND id > 0',
    ...entryRange(userNo),
  )
  return entries >= connection.count('SELECT memories FROM memory_totals WHERE user_no = ?', userNo)
}

/** Lowest confidence first, then oldest access; a memory that was never used counts from its creation (000). */
function leastWorthKeeping(connection: Connection, userNo: number, keep: number): readonly string[] {
  const [first, last] = rowRange(userNo)
  const surplus = connection.count('SELECT memories FROM memory_totals WHERE user_no = ?', userNo) - keep
  if (surplus <= 0) return []
  return connection
    .all(sql`SELECT id FROM memories WHERE row BETWEEN ${first} AND ${last}
      ORDER BY confidence, coalesce(last_accessed, created_at), row LIMIT ${surplus}`)
    .map((row) => text(row, 'id'))
}

function readRevision(connection: Connection, userNo: number): number {
  return connection.count('SELECT revision FROM memory_totals WHERE user_no = ?', userNo)
}

/** See MemoryStore.apply. Call it inside `writeIndexed`. */
function applyChanges(
  to: MemoryPlaces,
  userNo: number,
  expectedRevision: number,
  { insert, update, remove, heir, lines = [], at, completes, lease, finishes, wipes = false }: MemoryChanges,
): boolean {
  const { connection } = to
  if (readRevision(connection, userNo) !== expectedRevision) return false
  if (lease !== undefined && !holdsLease(connection, lease)) return false
  if (completes !== undefined) {
    const { conversationId, thoughtTo } = completes
    const raised =
      connection.run(sql`UPDATE conversations SET thought_to = min(last_turn, max(thought_to, ${thoughtTo}))
      WHERE user_no = ${userNo} AND public_id = ${conversationId}`)
    // The user has no such conversation any more.
    if (raised.changes === 0) return false
  }
  if (heir !== undefined) for (const id of remove) connection.run(INHERIT, heir, userNo, id)
  if (heir !== undefined) passLinesOn(connection, userNo, remove, heir)
  const heirs = insert.filter(({ id }) => id === heir)
  if (remove.length > 0) removePiece(to, userNo, remove, { heirs, wipes })
  for (const memory of insert) insertOne(to, userNo, memory)
  for (const change of update)
    if (updateOne(to, userNo, change, at) === null)
      throw notFound('memory', change.id, 'Read the memories again and plan anew.')
  if (lines.length > 0) addLinesTo(connection, userNo, lines, at)
  if (update.some(({ unsaid }) => unsaid !== undefined)) noteWipeDue(connection)
  if (lease !== undefined && finishes === true) completeJob(connection, lease, at)
  return true
}
