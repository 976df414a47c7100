/** The ledger of memory files in the SQLite file: the contract MemoryFileLedger. */
import { isoTime } from '../../../domain/clock.ts'
import {
  ENTRY_STATES,
  type FileRecord,
  type LedgerEntry,
  type MemoryFileLedger,
  type SeenFile,
} from '../../../domain/contracts/small-stores.ts'
import { fewAtATime } from '../../../domain/scheduling.ts'
import { type Connection, sql } from '../file/connection.ts'
import {
  flag,
  jsonObject,
  jsonStrings,
  number,
  type Row,
  recordOf,
  text,
  textOrNull,
  time,
  timeOrNull,
  wordOrNull,
} from '../file/rows.ts'
import { MEMORY_COLUMNS, memoryOf } from './memory-rows.ts'
import { filterCondition } from './memory-store-filter.ts'

const ENTRY = recordOf<LedgerEntry>({
  ...{ memoryId: text, entryId: text, byPerson: flag, hashes: jsonStrings, memoryHash: text, changedAt: time },
  ...{ state: wordOrNull(ENTRY_STATES), nextState: wordOrNull(ENTRY_STATES), nextHash: textOrNull },
})
const PUT = `INSERT OR REPLACE INTO memory_file_entries (user_no, ${ENTRY.named()}) VALUES (?${', ?'.repeat(ENTRY.columns.length)})`
/** A row without hashes was passed over, and never stood in the file. */
const PASSED_OVER = `(e.state IS 'left' AND e.hashes = '[]' AND e.next_state IS NULL)`
const IS_GONE = 'NOT EXISTS (SELECT 1 FROM memories m WHERE m.user_no = e.user_no AND m.id = e.memory_id)'
const ENTRIES = `SELECT ${ENTRY.named('e')}, ${MEMORY_COLUMNS}
  FROM memory_file_entries e LEFT JOIN memories m ON m.user_no = e.user_no AND m.id = e.memory_id
  WHERE e.user_no = ? AND NOT ${PASSED_OVER}`
const GONE_ENTRY = recordOf<Pick<LedgerEntry, 'memoryId' | 'entryId' | 'hashes'>>({
  memoryId: text,
  entryId: text,
  hashes: jsonStrings,
})
const GONE = `SELECT ${GONE_ENTRY.named()} FROM memory_file_entries e
  WHERE user_no = ? AND NOT ${PASSED_OVER} AND ${IS_GONE}`
const DROP_PASSED_OVER = `DELETE FROM memory_file_entries AS e WHERE user_no = ? AND ${PASSED_OVER} AND ${IS_GONE}`
const FILE = recordOf<FileRecord>({
  ...{ path: text, digestedAt: timeOrNull },
  seenAs: ['seen_as', seenFile, (seen) => (seen === null ? null : JSON.stringify(seen))],
})
const PUT_FILE = `INSERT INTO memory_files (user_no, ${FILE.named()}) VALUES (?, ?, ?, ?)
  ON CONFLICT (user_no) DO UPDATE SET path = excluded.path, digested_at = excluded.digested_at, seen_as = excluded.seen_as`
/** Rows that are written in one transaction. */
const ROWS_AT_ONCE = 256

export function sqliteMemoryFileLedger(connection: Connection): MemoryFileLedger {
  const { ask } = connection.users
  const putRows = (userId: string, rows: readonly LedgerEntry[]): void => {
    const userNo = connection.users.ensure(userId)
    for (const row of rows) connection.run(PUT, userNo, ...ENTRY.values(row))
  }
  const file: MemoryFileLedger['file'] = ask(null, (userNo) =>
    connection.one(FILE.of, 'SELECT * FROM memory_files WHERE user_no = ?', userNo),
  )
  return {
    file,
    ownerOf: async (path) =>
      connection.one(
        (row) => text(row, 'user_id'),
        'SELECT user_id FROM memory_files JOIN users USING (user_no) WHERE path = ?',
        path,
      ),
    users: async () =>
      connection
        .all('SELECT user_id FROM memory_files JOIN users USING (user_no) ORDER BY user_id')
        .map((row) => text(row, 'user_id')),
    entries: ask([], (userNo) =>
      connection
        .all(ENTRIES, userNo)
        .map((row) => ({ ...ENTRY.of(row), memory: textOrNull(row, 'id') === null ? null : memoryOf(row) })),
    ),
    newcomers: ask([], (userNo, since, now) => {
      const rows = connection.all(sql`SELECT m.id,
          CASE WHEN e.state = 'left' AND m.updated_at <= e.changed_at THEN e.memory_hash END AS passed_over
        FROM memories m LEFT JOIN memory_file_entries e ON e.user_no = m.user_no AND e.memory_id = m.id
        WHERE m.user_no = ${userNo} AND m.updated_at >= ${isoTime(since)} ${filterCondition({}, now, userNo)}
          AND (e.state IS NULL OR e.state IN ('struck', 'left'))
        ORDER BY m.created_at, m.id`)
      return rows.map((row) => ({ id: text(row, 'id'), passedOver: textOrNull(row, 'passed_over') }))
    }),
    gone: ask([], (userNo) => connection.all(GONE, userNo).map(GONE_ENTRY.of)),
    write: async (userId, { put = [], drop = [], file: changes }) => {
      const known = changes === undefined ? null : await file(userId)
      // A row says by itself how far its line has come; the file's record is the last to be written.
      for await (const some of fewAtATime(put.slice(0, -ROWS_AT_ONCE), ROWS_AT_ONCE))
        connection.write(() => putRows(userId, some))
      connection.write(() => {
        const userNo = connection.users.ensure(userId)
        if (changes !== undefined) {
          const { path = '', digestedAt = null, seenAs = null } = { ...known, ...changes }
          connection.run(DROP_PASSED_OVER, userNo)
          connection.run(PUT_FILE, userNo, ...FILE.values({ path, digestedAt, seenAs }))
        }
        for (const memoryId of drop)
          connection.run('DELETE FROM memory_file_entries WHERE user_no = ? AND memory_id = ?', userNo, memoryId)
        putRows(userId, put.slice(-ROWS_AT_ONCE))
      })
    },
  }
}

function seenFile(row: Row, column: string): SeenFile | null {
  const seen = jsonObject(row, column)
  return seen === null ? null : { time: text(seen, 'time'), check: number(seen, 'check') }
}
