/** What stands in the memory files, in the SQLite file: the contract MemoryFileLedger. */
import {
  ENTRY_STATES,
  type EntryMemory,
  type EntryState,
  type LedgerEntry,
  type MemoryFileLedger,
} from '../../contracts/memory-file-ledger.ts'
import type { Connection } from './connection.ts'
import { MEMORY_COLUMNS, memoryOf } from './memory-rows.ts'
import { filterCondition } from './memory-store-filter.ts'
import { isoTime, jsonStrings, listText, listTextOrNull, listTime, text, timeOrNull } from './rows.ts'
import type { Users } from './users.ts'

const PUT = `INSERT OR REPLACE INTO memory_file_entries
  (user_no, memory_id, entry_id, by_person, state, next_state, next_hash, hashes, memory_hash, changed_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
/** Mostly an entry says what its memory says, and ever did: then there is one hash, which is not read twice. */
const ENTRIES = `SELECT memory_id, entry_id, by_person, state, next_state, next_hash,
  CASE WHEN hashes = '["' || memory_hash || '"]' THEN NULL ELSE hashes END, memory_hash, changed_at
  FROM memory_file_entries e WHERE user_no = ?`
/** A memory that holds undoubted has nothing in the last column. */
const MEMORIES = `SELECT m.id, m.text, CASE WHEN coalesce(m.valid_to, m.superseded_by, m.suspect_reason) IS NULL THEN NULL
  ELSE json_array(m.valid_to, m.superseded_by, m.suspect_reason, m.suspect_since) END
  FROM memory_file_entries e JOIN memories m ON m.user_no = e.user_no AND m.id = e.memory_id WHERE e.user_no = ?`
/** Asked for only when entries must make room or end. */
const WEIGHTS = `SELECT m.id, m.importance, m.created_at, m.valid_from
  FROM memory_file_entries e JOIN memories m ON m.user_no = e.user_no AND m.id = e.memory_id WHERE e.user_no = ?`
/** The ledger is asked for each memory of the stretch, in the order of an index: few of them are read. */
const newcomersWhere = (condition: string): string => `SELECT ${MEMORY_COLUMNS} FROM memories m
  LEFT JOIN memory_file_entries e ON e.user_no = m.user_no AND e.memory_id = m.id
  WHERE m.user_no = ? AND m.updated_at >= ? ${condition}
    AND (e.state IS NULL OR e.state = 'struck' OR e.next_state IS NOT NULL
      OR json_array_length(m.source_turn_ids) > 1 OR json_type(m.metadata, '$.sources') = 'array')
  ORDER BY m.updated_at DESC, m.id`
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
    return connection.lists(`${ENTRIES} ${condition}`, userNo).map(entryReader())
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
      if (userNo === undefined) return []
      let weights: ReadonlyMap<string, readonly unknown[]> | undefined
      const weightOf = (id: string): readonly unknown[] => {
        weights ??= new Map(connection.lists(WEIGHTS, userNo).map((list) => [listText(list, 0), list]))
        return weights.get(id) ?? GONE
      }
      return connection.lists(MEMORIES, userNo).map((list) => new ListedMemory(list, weightOf))
    },
    newcomers: async (userId, since, now) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return []
      const holds = filterCondition({}, now)
      return connection.all(newcomersWhere(holds.sql), userNo, isoTime(since), ...holds.values).map(memoryOf)
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

/** What a memory weighs that was deleted since it was listed: the least, and the oldest. */
const GONE: readonly unknown[] = ['', 0, new Date(0).toISOString(), new Date(0).toISOString()]

/** A memory of the columns of MEMORIES. Of ten thousand the times of a few are looked at. */
class ListedMemory implements EntryMemory {
  readonly id: string
  readonly text: string
  readonly validTo: number | null = null
  readonly supersededBy: string | null = null
  readonly suspect: EntryMemory['suspect'] = null
  readonly #weightOf: (id: string) => readonly unknown[]

  constructor(list: readonly unknown[], weightOf: (id: string) => readonly unknown[]) {
    this.id = listText(list, 0)
    this.text = listText(list, 1)
    this.#weightOf = weightOf
    const state = listTextOrNull(list, 2)
    if (state === null) return
    const columns: readonly unknown[] = JSON.parse(state)
    this.validTo = columns[0] === null ? null : listTime(columns, 0)
    this.supersededBy = listTextOrNull(columns, 1)
    const reason = listTextOrNull(columns, 2)
    this.suspect = reason === null ? null : { reason, since: listTime(columns, 3) }
  }

  get importance(): number {
    return Number(this.#weightOf(this.id)[1])
  }

  get createdAt(): number {
    return listTime(this.#weightOf(this.id), 2)
  }

  get validFrom(): number {
    return listTime(this.#weightOf(this.id), 3)
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

/** Reads entries of the columns of ENTRIES. Many have changed at one time, which is read once. */
function entryReader(): (list: readonly unknown[]) => LedgerEntry {
  let last: unknown = null
  let changedAt = 0
  return (list) => {
    if (list[8] !== last) {
      last = list[8]
      changedAt = listTime(list, 8)
    }
    const memoryHash = listText(list, 7)
    return {
      memoryId: listText(list, 0),
      entryId: listText(list, 1),
      byPerson: list[2] === 1,
      state: stateOf(list[3]),
      nextState: stateOf(list[4]),
      nextHash: listTextOrNull(list, 5),
      hashes: list[6] === null ? [memoryHash] : jsonStrings({ json: list[6] }, 'json'),
      memoryHash,
      changedAt,
    }
  }
}

function stateOf(value: unknown): EntryState | null {
  return value === null ? null : (ENTRY_STATES.find((state) => state === value) ?? null)
}
