/** The outbox: vectors that a mirror must be told of, noted by triggers; notes taken but not finished are marked. */
import { randomInt } from 'node:crypto'
import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type {
  MirrorMatch,
  OutboxEntry,
  OutboxOutcome,
  OutboxState,
  UnsettledVectors,
  VectorOutbox,
  VectorRecord,
} from '../../../domain/contracts/vector-index.ts'
import { breathe } from '../../../domain/scheduling.ts'
import { type Connection, raw, sql } from '../file/connection.ts'
import { number, numberOrNull, recordOf, text, textOrNull } from '../file/rows.ts'
import { floatsOf, kindOf, readSpace } from '../vector-index/write-vectors.ts'
import {
  compareMirror,
  isFilling,
  isOwner,
  noteFilling,
  noteGone,
  noteRows,
  readMirrored,
  readStoreId,
} from './mirror-rows.ts'

const WAITING = `SELECT o.change_no, o.user_no, u.user_id, o.id, o.begun FROM vector_outbox o
  JOIN users u ON u.user_no = o.user_no WHERE o.applied_at IS NULL ORDER BY o.change_no LIMIT ?`
const BEGIN_ANEW = `UPDATE vector_outbox SET begun = 0 WHERE applied_at IS NULL AND id = ?2
  AND user_no = (SELECT user_no FROM users WHERE user_id = ?1)`
const SETTLED = 'FROM vector_outbox WHERE applied_at < ?1 OR applied_at > ?2'
const SETTLE = `DELETE FROM vector_outbox WHERE change_no IN (SELECT change_no ${SETTLED} LIMIT 2000)`
const GONE = `SELECT CAST(row_id AS TEXT) AS row_id, id FROM vector_gone g WHERE NOT EXISTS
  (SELECT 1 FROM vector_outbox o WHERE o.user_no = g.user_no AND o.id = g.id AND o.applied_at IS NULL) LIMIT ?`

export function sqliteVectorOutbox(connection: Connection): VectorOutbox {
  const { read } = connection.users
  return {
    attach: async (target, isEmpty) => connection.write(() => attach(connection, target, isEmpty)),
    detach: async () =>
      connection.write(() => {
        const mirror = connection.get('SELECT target FROM vector_mirror')
        clear(connection, 'vector_mirror')
        return mirror === undefined ? null : text(mirror, 'target')
      }),
    isUnknown: async () => connection.get('SELECT 1 FROM vector_mirror WHERE unknown = 1') !== undefined,
    isBehind: async () =>
      connection.get(`SELECT 1 WHERE EXISTS (SELECT 1 FROM vector_outbox WHERE applied_at IS NULL)
        OR EXISTS (SELECT 1 FROM vector_gone) OR EXISTS (SELECT 1 FROM vector_mirror WHERE fill_from < fill_to)`) !==
      undefined,
    state: async () => connection.read(() => readOutboxState(connection)),
    claim: async (owner, now, forMs) =>
      connection.write(
        () =>
          // A time further ahead than any claim reaches is from before a restart of the machine.
          connection.run(
            `UPDATE vector_mirror SET owner = ?1, owned_until = ?2 WHERE owner IS NULL OR owner = ?1
               OR owned_until < ?3 OR owned_until > ?2`,
            owner,
            now + forMs,
            now,
          ).changes > 0,
      ),
    release: async (owner) => {
      connection.run('UPDATE vector_mirror SET owner = NULL, owned_until = NULL WHERE owner = ?', owner)
    },
    take: async (limit) => connection.write(() => take(connection, limit)),
    done: async (outcomes, owner, now) => connection.write(() => strikeOut(connection, outcomes, owner, now)),
    gone: async (limit) =>
      connection.all(GONE, limit).map((row) => ({ rowId: text(row, 'row_id'), id: text(row, 'id') })),
    goneDone: async (rows) =>
      connection.write(() => {
        for (const { rowId, id } of rows)
          connection.run('DELETE FROM vector_gone WHERE id = ? AND row_id = ?', id, BigInt(rowId))
      }),
    settle: async (now, afterMs) => {
      while (connection.get(`SELECT 1 ${SETTLED} LIMIT 1`, now - afterMs, now) !== undefined) {
        connection.write(() => connection.run(SETTLE, now - afterMs, now))
        await breathe()
      }
    },
    unsettled: read({ vectors: new Map(), isWhole: true }, (userNo, limit) => readUnsettled(connection, userNo, limit)),
    present: read([], (userNo, matches) => readPresent(connection, userNo, matches)),
    compare: async (rows, repair, signal) => compareMirror(connection, rows, repair, signal),
    adopt: async (rows) =>
      connection.write(() => {
        for (const row of rows) noteGone(connection, row)
      }),
  }
}

function attach(connection: Connection, target: string, isEmpty: boolean): 'kept' | 'new' | 'copy' {
  const before = connection.get(
    'SELECT target, store_id, EXISTS (SELECT 1 FROM vector_rows) AS holds FROM vector_mirror',
  )
  const isCopied = settleDown(connection) && before !== undefined
  const isSame = before !== undefined && text(before, 'target') === target
  if (!isCopied && isSame && !(isEmpty && number(before, 'holds') === 1)) return 'kept'
  clear(connection)
  const newest = connection.count('SELECT coalesce(max(vector_no), 0) AS n FROM vectors')
  // A mirror holds nothing yet under an id that is new.
  const isKnown = isEmpty || isCopied
  connection.run(sql`INSERT OR REPLACE INTO vector_mirror (mirror_no, target, store_id, fill_from, fill_to, unknown)
     VALUES (1, ${target}, ${isCopied || before === undefined ? ensureStoreId(connection) : text(before, 'store_id')},
     ${isKnown ? 0 : newest}, ${newest}, ${isKnown ? 0 : 1})`)
  return isCopied ? 'copy' : 'new'
}

/** Bound of random store numbers, the largest of crypto.randomInt; two stores will hardly have the same. */
const MOST_STORES = 2 ** 48 - 1
const STORE = 'store_no'
const PLACE = 'store_at '

/**
 * Notes the machine and path of the file and its number in the file system; true when neither was noted before, as in a
 * copy of the file.
 */
function settleDown(connection: Connection): boolean {
  if (connection.path === ':memory:') return false
  const place = `${PLACE}${hostname()} ${resolve(connection.path)}`
  const file = statSync(connection.path).ino
  const noted = connection.all(sql`SELECT name, value FROM counters WHERE name GLOB ${`${PLACE}*`}`)
  const isKnown = noted.some((row) => text(row, 'name') === place || number(row, 'value') === file)
  const isCopy = noted.length > 0 && !isKnown
  connection.run(sql`DELETE FROM counters WHERE name GLOB ${`${PLACE}*`} ${isCopy ? sql`OR name = ${STORE}` : raw('')}`)
  connection.run('INSERT INTO counters (name, value) VALUES (?, ?)', place, file)
  return isCopy
}

/** The id of the store, kept when a mirror is left, so that its rows there are known again. Call it in a write. */
function ensureStoreId(connection: Connection): string {
  connection.run('INSERT OR IGNORE INTO counters (name, value) VALUES (?, ?)', STORE, randomInt(1, MOST_STORES))
  return String(connection.count('SELECT value FROM counters WHERE name = ?', STORE))
}

function clear(connection: Connection, ...besides: readonly string[]): void {
  for (const table of [...besides, 'vector_outbox', 'vector_rows', 'vector_gone'])
    connection.run(`DELETE FROM ${table}`)
}

function take(connection: Connection, limit: number): readonly OutboxEntry[] {
  const space = readSpace(connection)
  const storeId = readStoreId(connection)
  if (storeId === undefined || space === undefined) return []
  let rows = connection.all(WAITING, limit)
  if (rows.length < limit && noteFilling(connection, space, limit - rows.length)) rows = connection.all(WAITING, limit)
  return rows.map((row): OutboxEntry => {
    const changeNo = number(row, 'change_no')
    const tried = number(row, 'begun') === 1
    const [userNo, userId, id] = [number(row, 'user_no'), text(row, 'user_id'), text(row, 'id')]
    if (!tried) connection.run('UPDATE vector_outbox SET begun = 1 WHERE change_no = ?', changeNo)
    const record = readMirrored(connection, space, { userNo, userId, storeId }, id)
    const held =
      record === null
        ? undefined
        : connection.get('SELECT CAST(row_id AS TEXT) AS row_id FROM vector_rows WHERE vector_no = ?', record.version)
    return { changeNo, userId, id, storeId, record, rowId: held === undefined ? null : text(held, 'row_id'), tried }
  })
}

function strikeOut(connection: Connection, outcomes: readonly OutboxOutcome[], owner: string, now: number): boolean {
  if (!isOwner(connection, owner)) return false
  for (const outcome of outcomes) {
    const { changeNo, userId, id } = outcome.entry
    noteRows(connection, outcome)
    connection.run('UPDATE vector_outbox SET applied_at = ?, begun = 0 WHERE change_no = ?', now, changeNo)
    // Changes noted meanwhile begin anew: nothing of them has arrived.
    connection.run(BEGIN_ANEW, userId, id)
  }
  return true
}

const UNSETTLED = `SELECT o.id, v.kind, v.conversation_id, v.who, v.time, v.floats FROM
    (SELECT id, change_no FROM vector_outbox WHERE user_no = ?1 ORDER BY change_no DESC LIMIT ?2) o
  LEFT JOIN vectors v ON v.user_no = ?1 AND v.id = o.id AND v.vector_no >= ?3`

function readUnsettled(connection: Connection, userNo: number, limit: number): UnsettledVectors {
  if (isFilling(connection)) return { vectors: new Map(), isWhole: false }
  const first = readSpace(connection)?.firstVector ?? Number.MAX_SAFE_INTEGER
  const rows = connection.all(UNSETTLED, userNo, limit + 1, BigInt(first))
  return {
    vectors: new Map(rows.slice(0, limit).map((row) => [text(row, 'id'), row.floats === null ? null : VECTOR.of(row)])),
    isWhole: rows.length <= limit,
  }
}

function readPresent(connection: Connection, userNo: number, matches: readonly MirrorMatch[]): readonly MirrorMatch[] {
  const storeId = readStoreId(connection)
  const first = readSpace(connection)?.firstVector ?? Number.MAX_SAFE_INTEGER
  const sql = 'SELECT vector_no FROM vectors WHERE user_no = ? AND id = ?'
  return matches.filter((match) => {
    if (match.storeId !== storeId || match.version < first) return false
    const row = connection.get(sql, userNo, match.id)
    return row !== undefined && number(row, 'vector_no') === match.version
  })
}

const VECTOR = recordOf<Omit<VectorRecord, 'text' | 'memory'>>({
  ...{ id: text, kind: kindOf, conversationId: textOrNull, who: textOrNull, time: number, vector: floatsOf },
})

export const NO_MIRROR: OutboxState = { target: null, waiting: 0, oldestAt: null, toFill: 0 }

/** See VectorOutbox.state; also for a file that is only looked at. */
export function readOutboxState(connection: Connection): OutboxState {
  const mirror = connection.get(
    // The index by user is a hundred times smaller than the vectors themselves.
    `SELECT target, CASE WHEN fill_from < fill_to THEN (SELECT count(*) FROM vectors INDEXED BY vectors_user
       WHERE vector_no > fill_from AND vector_no <= fill_to) ELSE 0 END AS to_fill
     FROM vector_mirror`,
  )
  if (mirror === undefined) {
    // A mirror that is configured and was never reached lacks all of them.
    const all = connection.get('SELECT count(*) AS n FROM vectors INDEXED BY vectors_user')!
    return { ...NO_MIRROR, toFill: number(all, 'n') }
  }
  const waiting = connection.get(
    'SELECT count(*) AS n, min(noted_at) AS oldest FROM vector_outbox WHERE applied_at IS NULL',
  )!
  return {
    target: text(mirror, 'target'),
    waiting: number(waiting, 'n'),
    oldestAt: numberOrNull(waiting, 'oldest'),
    toFill: number(mirror, 'to_fill'),
  }
}
