/**
 * What do the records of these memories say? The ones that were read last are kept decoded, up to a bound. What this
 * connection changes goes at once; when another one has written, what is kept is good as long as no column of any memory
 * of that user has changed (`Totals.stamp`).
 */
import type { Memory } from '../../domain/memory.ts'
import type { Connection } from './connection.ts'
import { MEMORY_COLUMNS, memoryOf } from './memory-rows.ts'
import { rowRange } from './memory-store-range.ts'
import { number } from './rows.ts'

const RECORDS = `SELECT e.value AS place, ${MEMORY_COLUMNS} FROM json_each(?) e CROSS JOIN memories m ON m.row = ? + e.value`

/** Bytes of records that are kept of one connection, about. */
const KEPT_BYTES = 16_000_000
/** What a record takes besides its texts, and what its readers keep of it (its look, whom it tells about). */
const RECORD_BYTES = 1400

const CHANGED = 'mneme_record_changed'
/** Triggers of this connection alone: whatever statement changes a record, what is kept of it goes. */
const FOLLOW = `
  CREATE TEMP TRIGGER record_updated AFTER UPDATE ON main.memories
    BEGIN SELECT ${CHANGED}(old.user_no, old.row & 0xffffffff); END;
  CREATE TEMP TRIGGER record_removed AFTER DELETE ON main.memories
    BEGIN SELECT ${CHANGED}(old.user_no, old.row & 0xffffffff); END;`

interface KeptRecord {
  readonly memory: Memory
  readonly bytes: number
}

interface KeptUser {
  /** `Connection.dataVersion` when the records were begun: as long as it is the same, only this connection has written. */
  readonly dataVersion: number
  /** `Totals.stamp` when they were last known to be good. */
  stamp: number
  readonly records: Map<number, KeptRecord>
}

interface Kept {
  /** By user, the one who was read first at the head, and place. */
  readonly users: Map<number, KeptUser>
  bytes: number
}

const keptOf = new WeakMap<Connection, Kept>()

/** Whose records, and as of which `Totals.stamp`. */
export interface RecordSource {
  readonly connection: Connection
  readonly userNo: number
  readonly stamp: number
}

/**
 * The memories at these places, in order, undefined where there is none. They are shared: change none of them. Call it
 * inside the transaction that `stamp` was read in.
 */
export function memoriesAt(source: RecordSource, places: readonly number[]): readonly (Memory | undefined)[] {
  const { connection, userNo } = source
  const kept = keptFor(connection)
  const user = current(kept, source)
  const found: (Memory | undefined)[] = []
  const missing: number[] = []
  for (const place of places) {
    const memory = user.records.get(place)?.memory
    found.push(memory)
    if (memory === undefined) missing.push(place)
  }
  if (missing.length === 0) return found
  const read = new Map<number, Memory>()
  for (const row of connection.all(RECORDS, JSON.stringify(missing), rowRange(userNo)[0])) {
    const place = number(row, 'place')
    const memory = memoryOf(row)
    read.set(place, memory)
    keep(kept, user, place, { memory, bytes: bytesOf(memory) })
  }
  return places.map((place, index) => found[index] ?? read.get(place))
}

function keptFor(connection: Connection): Kept {
  const known = keptOf.get(connection)
  if (known !== undefined) return known
  const kept: Kept = { users: new Map(), bytes: 0 }
  keptOf.set(connection, kept)
  connection.define(CHANGED, (userNo, place) => forget(kept, Number(userNo), Number(place)))
  connection.exec(FOLLOW)
  return kept
}

/** What is kept of a user and still good. */
function current(kept: Kept, { connection, userNo, stamp }: RecordSource): KeptUser {
  const user = kept.users.get(userNo)
  // The usual case: nothing at all was written.
  if (user?.stamp === stamp) return user
  const dataVersion = connection.dataVersion()
  if (user?.dataVersion === dataVersion) {
    user.stamp = stamp
    return user
  }
  for (const { bytes } of user?.records.values() ?? []) kept.bytes -= bytes
  const fresh: KeptUser = { dataVersion, stamp, records: new Map<number, KeptRecord>() }
  kept.users.set(userNo, fresh)
  return fresh
}

function keep(kept: Kept, { records }: KeptUser, place: number, record: KeptRecord): void {
  if (record.bytes > KEPT_BYTES / 8) return
  records.set(place, record)
  kept.bytes += record.bytes
  for (const [oldest, theirs] of kept.users) {
    for (const first of theirs.records.keys()) {
      if (kept.bytes <= KEPT_BYTES) return
      forget(kept, oldest, first)
    }
    if (theirs.records !== records) kept.users.delete(oldest)
  }
}

function forget(kept: Kept, userNo: number, place: number): void {
  const records = kept.users.get(userNo)?.records
  const record = records?.get(place)
  if (records === undefined || record === undefined) return
  kept.bytes -= record.bytes
  records.delete(place)
}

function bytesOf({ text, value, tags, metadata, sourceTurnIds }: Memory): number {
  const json = (part: unknown): number => (part === null ? 0 : 4 * (JSON.stringify(part) ?? '').length)
  return RECORD_BYTES + text.length + json(value) + json(metadata) + 40 * tags.length + 8 * sourceTurnIds.length
}
