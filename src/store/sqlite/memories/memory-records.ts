/**
 * What do the records of these memories say? The last ones read are kept decoded, up to a bound, and hold while
 * document and access count stay, or no document of the user was replaced or memory used.
 */
import type { Memory } from '../../../domain/memory.ts'
import type { Connection } from '../file/connection.ts'
import { number } from '../file/rows.ts'
import { MEMORY_COLUMNS, memoryOf, rowRange } from './memory-rows.ts'

const REPLACED = 'SELECT memory_holes FROM users WHERE user_no = ?'
const STATES = `SELECT e.value, m.document, m.access_count, m.last_accessed
  FROM json_each(?) e CROSS JOIN memories m ON m.row = ? + e.value`
const RECORDS = `SELECT e.value AS place, m.document, ${MEMORY_COLUMNS}
  FROM json_each(?) e CROSS JOIN memories m ON m.row = ? + e.value`

/** Bytes of records that are kept, about. */
const KEPT_BYTES = 16_000_000
/** Bytes of a record besides its texts, with what its readers keep of it (its look, whom it tells about). */
const RECORD_BYTES = 1400

/** The records of a database, with those read last kept. */
export interface MemoryRecords {
  /** The memories at these places, in order, null where there is none. They are shared: change none of them. */
  at(userNo: number, places: readonly number[]): readonly (Memory | null)[]
  /** This process has noted that memories were used. */
  touched(): void
}

interface KeptRecord {
  readonly memory: Memory
  /** The document and access count at the time of reading. */
  readonly state: string
  readonly bytes: number
  /** The stamp of the user's memories when it was last seen to be good. */
  seen: string
}

/** Opens them. */
export function memoryRecords(connection: Connection): MemoryRecords {
  /** Records by user and place, the first read at the head. */
  const kept = new Map<string, KeptRecord>()
  let bytes = 0
  let touches = 0

  function drop(key: string): void {
    bytes -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  /** Drops those that are others now. */
  function check(userNo: number, places: readonly number[], seen: string): void {
    const doubted = places.filter((place) => (kept.get(`${userNo}:${place}`)?.seen ?? seen) !== seen)
    if (doubted.length === 0) return
    const states = new Map<number, string>()
    for (const [place, ...state] of connection.lists(STATES, JSON.stringify(doubted), rowRange(userNo)[0]))
      states.set(Number(place), stateOf(state))
    for (const place of doubted) {
      const record = kept.get(`${userNo}:${place}`)!
      if (states.get(place) === record.state) record.seen = seen
      else drop(`${userNo}:${place}`)
    }
  }

  const at: MemoryRecords['at'] = (userNo, places) =>
    connection.read(() => {
      const seen = `${connection.dataVersion()}:${connection.count(REPLACED, userNo)}:${touches}`
      check(userNo, places, seen)
      const missing = places.filter((place) => !kept.has(`${userNo}:${place}`))
      if (missing.length > 0)
        for (const row of connection.all(RECORDS, JSON.stringify(missing), rowRange(userNo)[0])) {
          const memory = memoryOf(row)
          const record = { memory, state: stateOf([row.document, row.access_count, row.last_accessed]), seen }
          kept.set(`${userNo}:${number(row, 'place')}`, { ...record, bytes: bytesOf(memory) })
          bytes += bytesOf(memory)
        }
      const found = places.map((place) => kept.get(`${userNo}:${place}`)?.memory ?? null)
      for (const key of kept.keys())
        if (bytes > KEPT_BYTES) drop(key)
        else break
      return found
    })
  return {
    at,
    touched: () => {
      touches += 1
    },
  }
}

function stateOf(state: readonly unknown[]): string {
  return state.join(' ')
}

function bytesOf({ text, value, tags, metadata, sourceTurnIds }: Memory): number {
  const json = (part: unknown): number => (part === null ? 0 : 4 * (JSON.stringify(part) ?? '').length)
  return RECORD_BYTES + text.length + json(value) + json(metadata) + 40 * tags.length + 8 * sourceTurnIds.length
}
