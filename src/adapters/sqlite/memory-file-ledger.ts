/** What stands in the memory files, in the SQLite file: the contract MemoryFileLedger. */
import type { GoneEntry, LedgerEntry, MemoryFileLedger } from '../../contracts/memory-file-ledger.ts'
import type { Connection, Row } from './connection.ts'
import { listingReader } from './memory-file-listing.ts'
import { MEMORY_COLUMNS, memoryOf } from './memory-rows.ts'
import { filterCondition } from './memory-store-filter.ts'
import { isoTime, jsonStrings, listText, text, timeOrNull } from './rows.ts'
import type { Users } from './users.ts'

const PUT = `INSERT OR REPLACE INTO memory_file_entries
  (user_no, memory_id, entry_id, by_person, state, next_state, next_hash, hashes, memory_hash, changed_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
/** The ledger is asked for each memory of the stretch, in the order of an index: few of them are read. */
const newcomersWhere = (condition: string): string => `SELECT ${MEMORY_COLUMNS} FROM memories m
  LEFT JOIN memory_file_entries e ON e.user_no = m.user_no AND e.memory_id = m.id
  WHERE m.user_no = ? AND m.updated_at >= ? ${condition}
    AND (e.state IS NULL OR e.state = 'struck' OR e.next_state IS NOT NULL
      OR json_array_length(m.source_turn_ids) > 1 OR json_type(m.metadata, '$.sources') = 'array')
  ORDER BY m.updated_at DESC, m.id`
/** Where several rows have had one id, the one that stands in the file comes last, behind those that changed before. */
const IDS = `SELECT entry_id, memory_id FROM memory_file_entries WHERE user_no = ? AND state IS NOT 'replaced'
  ORDER BY coalesce(next_state, state) IS 'listed', changed_at, memory_id`
const GONE = `SELECT memory_id, entry_id, hashes FROM memory_file_entries e WHERE user_no = ?
  AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.user_no = e.user_no AND m.id = e.memory_id)`
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
  const readListing = listingReader(connection)
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
    memoryIds: async (userId) => {
      const userNo = users.find(userId)
      const rows = userNo === undefined ? [] : connection.lists(IDS, userNo)
      return new Map(rows.map((row) => [listText(row, 0), listText(row, 1)]))
    },
    listing: async (userId, since) => {
      const userNo = users.find(userId)
      return userNo === undefined ? { entries: [], changed: null, state: '' } : readListing(userNo, since)
    },
    newcomers: async (userId, since, now) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return []
      const holds = filterCondition({}, now, userNo)
      return connection.all(newcomersWhere(holds.sql), userNo, isoTime(since), ...holds.values).map(memoryOf)
    },
    gone: async (userId) => {
      const userNo = users.find(userId)
      return userNo === undefined ? [] : connection.all(GONE, userNo).map(goneOf)
    },
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

function goneOf(row: Row): GoneEntry {
  return { memoryId: text(row, 'memory_id'), entryId: text(row, 'entry_id'), hashes: jsonStrings(row, 'hashes') }
}
