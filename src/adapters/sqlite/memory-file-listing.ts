/**
 * What does the ledger of a memory file say, with the memories of its entries? All of it, or what has changed since it was
 * read: the connection notes which memories and rows its own statements change. When another one has written, that is not
 * known, and all is read.
 */
import {
  ENTRY_STATES,
  type EntryMemory,
  type EntryState,
  type LedgerEntry,
  type LedgerListing,
  type ListedEntry,
} from '../../contracts/memory-file-ledger.ts'
import type { Connection } from './connection.ts'
import { jsonStrings, listText, listTextOrNull, listTime } from './rows.ts'

/** Mostly an entry stands in the file, says what its memory says, and ever did: then there is nothing in the third column. */
const ROW = `e.memory_id, e.entry_id, CASE WHEN e.state = 'listed' AND e.by_person = 0 AND e.next_state IS NULL
    AND e.next_hash IS NULL AND e.hashes = '["' || e.memory_hash || '"]' THEN NULL
  ELSE json_array(e.by_person, e.state, e.next_state, e.next_hash, e.hashes) END, e.memory_hash, e.changed_at`
/** A memory that holds undoubted has nothing in the last column; a deleted one no text. A buried one is over. */
const MEMORY = `m.text, CASE WHEN coalesce(m.valid_to, m.superseded_by, m.suspect_reason, m.buried_at) IS NULL THEN NULL
  ELSE json_array(coalesce(m.buried_at, m.valid_to), m.superseded_by, m.suspect_reason, m.suspect_since) END`
const WEIGHT = 'm.importance, m.created_at, m.valid_from'
const FROM = `FROM memory_file_entries e LEFT JOIN memories m ON m.user_no = e.user_no AND m.id = e.memory_id
  WHERE e.user_no = ?`
const ALL = `SELECT ${ROW}, ${MEMORY} ${FROM}`
const SOME = `SELECT ${ROW}, ${MEMORY}, ${WEIGHT} ${FROM} AND e.memory_id IN (SELECT value FROM json_each(?))`
/** Asked for only when entries must make room or end. */
const WEIGHTS = `SELECT e.memory_id, ${WEIGHT} ${FROM} AND m.row IS NOT NULL`

const CHANGED = 'mneme_file_entry_changed'
/** Triggers of this connection alone: whatever statement changes what a listing says, the memory is noted. */
const FOLLOW = `
  CREATE TEMP TRIGGER file_entry_put AFTER INSERT ON main.memory_file_entries
    BEGIN SELECT ${CHANGED}(new.user_no, new.memory_id); END;
  CREATE TEMP TRIGGER file_entry_changed AFTER UPDATE ON main.memory_file_entries
    BEGIN SELECT ${CHANGED}(old.user_no, old.memory_id), ${CHANGED}(new.user_no, new.memory_id); END;
  CREATE TEMP TRIGGER file_entry_dropped AFTER DELETE ON main.memory_file_entries
    BEGIN SELECT ${CHANGED}(old.user_no, old.memory_id); END;
  CREATE TEMP TRIGGER listed_memory_added AFTER INSERT ON main.memories
    BEGIN SELECT ${CHANGED}(new.user_no, new.id); END;
  CREATE TEMP TRIGGER listed_memory_changed AFTER UPDATE OF user_no, id, text, importance, created_at, valid_from, valid_to,
    superseded_by, suspect_reason, suspect_since, buried_at ON main.memories
    BEGIN SELECT ${CHANGED}(old.user_no, old.id), ${CHANGED}(new.user_no, new.id); END;
  CREATE TEMP TRIGGER listed_memory_removed AFTER DELETE ON main.memories
    BEGIN SELECT ${CHANGED}(old.user_no, old.id); END;`

/** Changes that are noted of one user, and users whose changes are. */
const NOTED_CHANGES = 5000
const NOTED_USERS = 500

/** Ids of memories that have changed, they or their rows, and the number that this list of them has. */
interface Noted {
  readonly number: number
  readonly ids: string[]
}

/** Reads listings over one connection; the states that it names are good for this one only. */
export function listingReader(connection: Connection): (userNo: number, since: string | null) => LedgerListing {
  const notedOf = new Map<number, Noted>()
  let lists = 0
  const begin = (userNo: number): Noted => {
    if (lists === 0) {
      connection.define(CHANGED, (user, id) => note(Number(user), String(id)))
      connection.exec(FOLLOW)
    }
    if (notedOf.size >= NOTED_USERS) notedOf.clear()
    lists += 1
    const noted = { number: lists, ids: [] }
    notedOf.set(userNo, noted)
    return noted
  }
  const note = (userNo: number, id: string): void => {
    const noted = notedOf.get(userNo)
    if (noted === undefined) return
    if (noted.ids.length < NOTED_CHANGES) noted.ids.push(id)
    else notedOf.delete(userNo)
  }
  return (userNo, since) => {
    const noted = notedOf.get(userNo) ?? begin(userNo)
    return connection.read(() => {
      const state = (changes: number): string => `${noted.number} ${connection.dataVersion()} ${changes}`
      const now = state(noted.ids.length)
      const known = Number(since?.split(' ')[2] ?? Number.NaN)
      if (since === null || since !== state(known)) return { ...readAll(connection, userNo), state: now }
      const changed = [...new Set(noted.ids.slice(known))]
      return { entries: readSome(connection, userNo, changed), changed, state: now }
    })
  }
}

function readAll(connection: Connection, userNo: number): Pick<LedgerListing, 'entries' | 'changed'> {
  let weights: ReadonlyMap<string, readonly unknown[]> | undefined
  const weightOf = (id: string): readonly unknown[] => {
    weights ??= new Map(connection.lists(WEIGHTS, userNo).map((list) => [listText(list, 0), list.slice(1)]))
    return weights.get(id) ?? GONE
  }
  const rowOf = rowReader()
  const entries = connection.lists(ALL, userNo).map((list) => {
    const row = rowOf(list)
    return { row, memory: list[5] === null ? null : new ListedMemory(row.memoryId, list, weightOf) }
  })
  return { entries, changed: null }
}

function readSome(connection: Connection, userNo: number, ids: readonly string[]): readonly ListedEntry[] {
  if (ids.length === 0) return []
  const rowOf = rowReader()
  return connection.lists(SOME, userNo, JSON.stringify(ids)).map((list) => {
    const row = rowOf(list)
    const weight = list.slice(7)
    return { row, memory: list[5] === null ? null : new ListedMemory(row.memoryId, list, () => weight) }
  })
}

/** What a memory weighs that was deleted since it was listed: the least, and the oldest. */
const GONE: readonly unknown[] = [0, new Date(0).toISOString(), new Date(0).toISOString()]

/** A memory of the columns of ALL. Of ten thousand the times of a few are looked at. */
class ListedMemory implements EntryMemory {
  readonly id: string
  readonly text: string
  readonly validTo: number | null
  readonly supersededBy: string | null
  readonly suspect: EntryMemory['suspect']
  readonly #weightOf: (id: string) => readonly unknown[]

  constructor(id: string, list: readonly unknown[], weightOf: (id: string) => readonly unknown[]) {
    this.id = id
    this.text = listText(list, 5)
    this.#weightOf = weightOf
    const state = listTextOrNull(list, 6)
    const columns: readonly unknown[] = state === null ? NO_STATE : JSON.parse(state)
    this.validTo = columns[0] === null ? null : listTime(columns, 0)
    this.supersededBy = listTextOrNull(columns, 1)
    const reason = listTextOrNull(columns, 2)
    this.suspect = reason === null ? null : { reason, since: listTime(columns, 3) }
  }

  get importance(): number {
    return Number(this.#weightOf(this.id)[0])
  }

  get createdAt(): number {
    return listTime(this.#weightOf(this.id), 1)
  }

  get validFrom(): number {
    return listTime(this.#weightOf(this.id), 2)
  }
}

const NO_STATE: readonly unknown[] = [null, null, null, null]

/** Reads rows of the columns of ROW. Many have changed at one time, which is read once. */
function rowReader(): (list: readonly unknown[]) => LedgerEntry {
  let last: unknown = null
  let changedAt = 0
  return (list) => {
    if (list[4] !== last) {
      last = list[4]
      changedAt = listTime(list, 4)
    }
    const memoryHash = listText(list, 3)
    const memoryId = listText(list, 0)
    const entryId = listText(list, 1)
    if (list[2] === null)
      return {
        memoryId,
        entryId,
        byPerson: false,
        state: 'listed',
        nextState: null,
        nextHash: null,
        hashes: [memoryHash],
        memoryHash,
        changedAt,
      }
    const columns: readonly unknown[] = JSON.parse(listText(list, 2))
    return {
      memoryId,
      entryId,
      byPerson: columns[0] === 1,
      state: stateOf(columns[1]),
      nextState: stateOf(columns[2]),
      nextHash: listTextOrNull(columns, 3),
      hashes: jsonStrings({ json: columns[4] }, 'json'),
      memoryHash,
      changedAt,
    }
  }
}

function stateOf(value: unknown): EntryState | null {
  return value === null ? null : (ENTRY_STATES.find((state) => state === value) ?? null)
}
