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
const KEPT_BYTES = 9_000_000
/** What a record takes besides its texts. */
const RECORD_BYTES = 600
/** Rows of one user (`rowRange`); a row is a safe integer for the first two million users. */
const ROWS_A_USER = 2 ** 32

interface KeptRecord {
  readonly stamp: number
  readonly memory: Memory
  readonly bytes: number
}

interface Kept {
  /** By row, the one that was read first at the head. */
  readonly records: Map<number, KeptRecord>
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
  const kept = keptOf.get(connection) ?? { records: new Map<number, KeptRecord>(), bytes: 0 }
  keptOf.set(connection, kept)
  const base = userNo * ROWS_A_USER
  const found = places.map((place) => {
    const record = kept.records.get(base + place)
    return record?.stamp === stamp ? record.memory : undefined
  })
  const missing = places.filter((_, index) => found[index] === undefined)
  if (missing.length === 0) return found
  const read = new Map<number, Memory>()
  for (const row of connection.all(RECORDS, JSON.stringify(missing), rowRange(userNo)[0])) {
    const place = number(row, 'place')
    const memory = memoryOf(row)
    read.set(place, memory)
    keep(kept, base + place, { stamp, memory, bytes: bytesOf(memory) })
  }
  return places.map((place, index) => found[index] ?? read.get(place))
}

function keep(kept: Kept, row: number, record: KeptRecord): void {
  forget(kept, row)
  if (record.bytes > KEPT_BYTES / 8) return
  kept.records.set(row, record)
  kept.bytes += record.bytes
  for (const oldest of kept.records.keys()) {
    if (kept.bytes <= KEPT_BYTES) break
    forget(kept, oldest)
  }
}

function forget(kept: Kept, row: number): void {
  kept.bytes -= kept.records.get(row)?.bytes ?? 0
  kept.records.delete(row)
}

function bytesOf({ text, value, tags, metadata, sourceTurnIds }: Memory): number {
  const json = (part: unknown): number => (part === null ? 0 : 4 * (JSON.stringify(part) ?? '').length)
  return RECORD_BYTES + text.length + json(value) + json(metadata) + 40 * tags.length + 8 * sourceTurnIds.length
}
