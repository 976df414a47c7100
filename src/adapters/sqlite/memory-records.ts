/**
 * What do the records of these memories say? The ones that were read last are kept decoded, up to a bound; what is kept
 * is good as long as no column of any memory of that user has changed (`Totals.stamp`), by whatever process.
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
interface KeptRecord {
  readonly stamp: number
  readonly memory: Memory
  readonly bytes: number
}

interface Kept {
  /** By user, the one who was read first at the head, and place. */
  readonly users: Map<number, Map<number, KeptRecord>>
  bytes: number
}

const keptOf = new WeakMap<Connection, Kept>()

/** Whose records, and as of which `Totals.stamp`. */
export interface RecordSource {
  readonly connection: Connection
  readonly userNo: number
  readonly stamp: number
}

/** The memories at these places, in order, undefined where there is none. They are shared: change none of them. */
export function memoriesAt(source: RecordSource, places: readonly number[]): readonly (Memory | undefined)[] {
  const { connection, userNo, stamp } = source
  const kept = keptOf.get(connection) ?? { users: new Map<number, Map<number, KeptRecord>>(), bytes: 0 }
  keptOf.set(connection, kept)
  const records = kept.users.get(userNo)
  const found = places.map((place) => {
    const record = records?.get(place)
    return record?.stamp === stamp ? record.memory : undefined
  })
  const missing = places.filter((_, index) => found[index] === undefined)
  if (missing.length === 0) return found
  const read = new Map<number, Memory>()
  for (const row of connection.all(RECORDS, JSON.stringify(missing), rowRange(userNo)[0])) {
    const place = number(row, 'place')
    const memory = memoryOf(row)
    read.set(place, memory)
    keep(kept, userNo, place, { stamp, memory, bytes: bytesOf(memory) })
  }
  return places.map((place, index) => found[index] ?? read.get(place))
}

function keep(kept: Kept, userNo: number, place: number, record: KeptRecord): void {
  forget(kept, userNo, place)
  if (record.bytes > KEPT_BYTES / 8) return
  const records = kept.users.get(userNo) ?? new Map<number, KeptRecord>()
  kept.users.set(userNo, records)
  records.set(place, record)
  kept.bytes += record.bytes
  for (const [oldest, theirs] of kept.users)
    for (const first of theirs.keys()) {
      if (kept.bytes <= KEPT_BYTES) return
      forget(kept, oldest, first)
    }
}

function forget(kept: Kept, userNo: number, place: number): void {
  const records = kept.users.get(userNo)
  const record = records?.get(place)
  if (records === undefined || record === undefined) return
  kept.bytes -= record.bytes
  records.delete(place)
  if (records.size === 0) kept.users.delete(userNo)
}

function bytesOf({ text, value, tags, metadata, sourceTurnIds }: Memory): number {
  const json = (part: unknown): number => (part === null ? 0 : 4 * (JSON.stringify(part) ?? '').length)
  return RECORD_BYTES + text.length + json(value) + json(metadata) + 40 * tags.length + 8 * sourceTurnIds.length
}
