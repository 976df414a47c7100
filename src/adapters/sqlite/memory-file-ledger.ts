/** What stands in the memory files, in the SQLite file: the contract MemoryFileLedger. */
import {
  ENTRY_STATES,
  type EntryMemory,
  type EntryState,
  type LedgerEntry,
  type MemoryFileLedger,
} from '../../contracts/memory-file-ledger.ts'
import type { Connection, Row } from './connection.ts'
import { isoTime, jsonStrings, number, text, textOrNull, time, timeOrNull } from './rows.ts'
import type { Users } from './users.ts'

const PUT = `INSERT OR REPLACE INTO memory_file_entries
  (user_no, memory_id, entry_id, by_person, state, next_state, next_hash, hashes, memory_hash, changed_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const MEMORIES = `SELECT m.id, m.text, m.importance, m.created_at, m.valid_from, m.valid_to, m.superseded_by
  FROM memory_file_entries e JOIN memories m ON m.user_no = e.user_no AND m.id = e.memory_id WHERE e.user_no = ?`
const FILE = `INSERT INTO memory_files (user_no, path, blocks, written_at, digested_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (user_no) DO UPDATE SET path = excluded.path, blocks = excluded.blocks,
    written_at = excluded.written_at, digested_at = excluded.digested_at`

/** The ledger over an open, migrated database. */
export function sqliteMemoryFileLedger(connection: Connection, users: Users): MemoryFileLedger {
  const file: MemoryFileLedger['file'] = async (userId) => {
    const userNo = users.find(userId)
    const row =
      userNo === undefined ? undefined : connection.get('SELECT * FROM memory_files WHERE user_no = ?', userNo)
    if (row === undefined) return null
    return {
      path: text(row, 'path'),
      blocks: jsonStrings(row, 'blocks'),
      writtenAt: timeOrNull(row, 'written_at'),
      digestedAt: timeOrNull(row, 'digested_at'),
    }
  }
  const entries = (userId: string, condition: string): readonly LedgerEntry[] => {
    const userNo = users.find(userId)
    if (userNo === undefined) return []
    return connection.all(`SELECT * FROM memory_file_entries e WHERE user_no = ? ${condition}`, userNo).map(entryOf)
  }
  return {
    file,
    ownerOf: async (path) => {
      const row = connection.get('SELECT user_id FROM memory_files JOIN users USING (user_no) WHERE path = ?', path)
      return row === undefined ? null : text(row, 'user_id')
    },
    users: async () =>
      connection
        .all('SELECT user_id FROM memory_files JOIN users USING (user_no) ORDER BY user_id')
        .map((row) => text(row, 'user_id')),
    entries: async (userId) => entries(userId, ''),
    memories: async (userId) => {
      const userNo = users.find(userId)
      return userNo === undefined ? [] : connection.all(MEMORIES, userNo).map(memoryOf)
    },
    gone: async (userId) =>
      entries(userId, 'AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.user_no = e.user_no AND m.id = e.memory_id)'),
    write: async (userId, { put = [], drop = [], file: changes }) => {
      const known = changes === undefined ? null : await file(userId)
      connection.write(() => {
        const userNo = users.ensure(userId)
        if (changes !== undefined) {
          const { path = '', blocks, writtenAt, digestedAt } = { ...known, ...changes }
          const at = (moment: number | null | undefined): string | null =>
            moment === null || moment === undefined ? null : isoTime(moment)
          connection.run(FILE, userNo, path, JSON.stringify(blocks ?? []), at(writtenAt), at(digestedAt))
        }
        for (const memoryId of drop)
          connection.run('DELETE FROM memory_file_entries WHERE user_no = ? AND memory_id = ?', userNo, memoryId)
        for (const entry of put) putEntry(connection, userNo, entry)
      })
    },
  }
}

function memoryOf(row: Row): EntryMemory {
  return {
    id: text(row, 'id'),
    text: text(row, 'text'),
    importance: number(row, 'importance'),
    // Of ten thousand memories the times of a few are looked at.
    get createdAt() {
      return time(row, 'created_at')
    },
    get validFrom() {
      return time(row, 'valid_from')
    },
    validTo: timeOrNull(row, 'valid_to'),
    supersededBy: textOrNull(row, 'superseded_by'),
  }
}

function putEntry(connection: Connection, userNo: number, entry: LedgerEntry): void {
  connection.run(
    PUT,
    userNo,
    entry.memoryId,
    entry.entryId,
    entry.byPerson ? 1 : 0,
    entry.state,
    entry.nextState,
    entry.nextHash,
    JSON.stringify(entry.hashes),
    entry.memoryHash,
    isoTime(entry.changedAt),
  )
}

function entryOf(row: Row): LedgerEntry {
  return {
    memoryId: text(row, 'memory_id'),
    entryId: text(row, 'entry_id'),
    byPerson: number(row, 'by_person') === 1,
    state: stateOf(row, 'state'),
    nextState: stateOf(row, 'next_state'),
    nextHash: textOrNull(row, 'next_hash'),
    hashes: jsonStrings(row, 'hashes'),
    memoryHash: text(row, 'memory_hash'),
    changedAt: time(row, 'changed_at'),
  }
}

function stateOf(row: Row, column: string): EntryState | null {
  const value = textOrNull(row, column)
  return value === null ? null : (ENTRY_STATES.find((state) => state === value) ?? null)
}
