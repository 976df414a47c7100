/**
 * What do the records of these memories say? The last ones read are kept decoded, up to a bound, and hold while
 * document and access count stay, or no document of the user was replaced or memory used.
 */
import type { Memory } from '../../../domain/memory.ts'
import type { Connection } from '../file/connection.ts'
import { number } from '../file/rows.ts'
import { MEMORY_COLUMNS, memoryOf, rowRange } from './memory-rows.ts'

const REPLACED = 'SELECT memory_holes AS n FROM users WHERE user_no = ?'
const STATES = `SELECT e.value, m.document, m.access_count, m.last_accessed
  FROM json_each(?) e CROSS JOIN memories m ON m.row = ? + e.value`
const RECORDS = `SELECT e.value AS place, m.document, ${MEMORY_COLUMNS}
  FROM json_each(?) e CROSS JOIN memories m ON m.row = ? + e.value`

/** Bytes of records that are kept, about. */
const KEPT_BYTES = 16_000_000
/** Bytes of a record besides its texts, with what its readers keep of it (its look, whom it tells about). */
const RECORD_BYTES = 1400

interface KeptRecord {
  readonly memory: Memory
  /** The document and access count at the time of reading. */
  readonly state: string
  readonly bytes: number
  /** The stamp of the user's memories when it was last seen to be good. */
  seen: string
}

export class MemoryRecords {
  readonly #connection: Connection
  /** Records by user and place, the first read at the head. */
  readonly #kept = new Map<string, KeptRecord>()
  #bytes = 0
  /** How often this process has noted that memories were used. */
  touches = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The memories at these places, in order, null where there is none. They are shared: change none of them. */
  at(userNo: number, places: readonly number[]): readonly (Memory | null)[] {
    return this.#connection.read(() => {
      const replaced = this.#connection.get(REPLACED, userNo)?.n
      const seen = `${this.#connection.dataVersion()}:${replaced}:${this.touches}`
      this.#check(userNo, places, seen)
      this.#read(
        userNo,
        places.filter((place) => !this.#kept.has(`${userNo}:${place}`)),
        seen,
      )
      const found = places.map((place) => this.#kept.get(`${userNo}:${place}`)?.memory ?? null)
      this.#bound()
      return found
    })
  }

  /** Drops those that are others now. */
  #check(userNo: number, places: readonly number[], seen: string): void {
    const doubted = places.filter((place) => (this.#kept.get(`${userNo}:${place}`)?.seen ?? seen) !== seen)
    if (doubted.length === 0) return
    const states = new Map<number, string>()
    for (const [place, ...state] of this.#connection.lists(STATES, JSON.stringify(doubted), rowRange(userNo)[0]))
      states.set(Number(place), stateOf(state))
    for (const place of doubted) {
      const key = `${userNo}:${place}`
      const record = this.#kept.get(key)!
      if (states.get(place) === record.state) record.seen = seen
      else this.#drop(key)
    }
  }

  #read(userNo: number, places: readonly number[], seen: string): void {
    if (places.length === 0) return
    for (const row of this.#connection.all(RECORDS, JSON.stringify(places), rowRange(userNo)[0])) {
      const memory = memoryOf(row)
      const record = { memory, state: stateOf([row.document, row.access_count, row.last_accessed]), seen }
      const bytes = bytesOf(memory)
      this.#kept.set(`${userNo}:${number(row, 'place')}`, { ...record, bytes })
      this.#bytes += bytes
    }
  }

  #bound(): void {
    for (const key of this.#kept.keys()) {
      if (this.#bytes <= KEPT_BYTES) return
      this.#drop(key)
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0
    this.#kept.delete(key)
  }
}

function stateOf(state: readonly unknown[]): string {
  return state.join(' ')
}

function bytesOf({ text, value, tags, metadata, sourceTurnIds }: Memory): number {
  const json = (part: unknown): number => (part === null ? 0 : 4 * (JSON.stringify(part) ?? '').length)
  return RECORD_BYTES + text.length + json(value) + json(metadata) + 40 * tags.length + 8 * sourceTurnIds.length
}
