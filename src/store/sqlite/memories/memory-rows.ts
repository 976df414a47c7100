/** How does a memory lie in its table? One place for both directions: what is written is read back as it was. */
import type { SQLInputValue } from 'node:sqlite'
import { isoTime, isoTimeOrNull } from '../../../domain/clock.ts'
import type { SegmentTable } from '../../../domain/contracts/text-index.ts'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES, type Memory } from '../../../domain/memory.ts'
import type { Metadata } from '../../../domain/turn.ts'
import { type MemoryDocument, searchedText } from '../../segments/memory-documents.ts'
import { FLUSH_AT } from '../../segments/merge-segments.ts'
import type { Connection } from '../file/connection.ts'
import {
  json,
  jsonNumbers,
  jsonObject,
  jsonStrings,
  number,
  type Row,
  recordOf,
  text,
  textOrNull,
  time,
  timeOrNull,
  wordOf,
} from '../file/rows.ts'
import { READABLE, sqliteSegmentTable } from '../file/segment-table.ts'

/** Fields of an episode's metadata that repeat a column (002, R2.3); a mark is stored in place of what they repeat. */
const REPEATS: ReadonlyMap<string, (memory: Omit<Memory, 'metadata'>) => string | null> = new Map([
  ['thing', (memory) => memory.text],
  ['time', (memory) => isoTime(memory.occurredAt)],
  ['chatid', (memory) => memory.conversationId],
  ['who', (memory) => memory.who],
])
const MARK = '\ue000'
/** So many characters of the beginning of what is repeated, and a sign where it goes on. */
const BEGINNING = /^\ue000(\d{1,7})(…?)$/
/**
 * The fields of an episode without a context of its own, all of them marks. The mark as a name stands for all of them.
 */
const EPISODE = ['context', ...REPEATS.keys()]

function withMarks(memory: Memory): Metadata | null {
  if (memory.metadata === null) return null
  const entries = Object.entries(memory.metadata).map(([name, value]): [string, unknown] => [
    own(name),
    typeof value === 'string' && REPEATS.has(name) ? marked(value, REPEATS.get(name)!(memory)) : value,
  ])
  const [context, thing, ...others] = EPISODE.map((name, at) => (entries[at]?.[0] === name ? entries[at][1] : null))
  const isEpisode =
    context === '' &&
    typeof thing === 'string' &&
    /^\ue000(?!\ue000)/.test(thing) &&
    others.every((one) => one === MARK)
  return Object.fromEntries(isEpisode ? [[MARK, thing.slice(1)], ...entries.slice(EPISODE.length)] : entries)
}

function marked(value: string, repeated: string | null): string {
  if (value === repeated) return MARK
  const beginning = value.replace(/…$/, '')
  const isBeginning = beginning !== '' && repeated?.startsWith(beginning) === true
  return isBeginning ? `${MARK}${beginning.length}${value.slice(beginning.length)}` : own(value)
}

/** A caller's own mark is stored with one more. */
function own(text: string): string {
  return text.startsWith(MARK) ? MARK + text : text
}

function withoutMarks(memory: Memory): Memory {
  if (memory.metadata === null) return memory
  const entries = Object.entries(memory.metadata).flatMap(([name, value]): [string, unknown][] =>
    name === MARK ? EPISODE.map((field, at) => [field, ['', `${MARK}${value}`][at] ?? MARK]) : [[name, value]],
  )
  const metadata = entries.map(([name, value]) => [
    name.startsWith(MARK) ? name.slice(1) : name,
    typeof value === 'string' && REPEATS.has(name) ? unmarked(value, REPEATS.get(name)!(memory)) : value,
  ])
  return { ...memory, metadata: Object.fromEntries(metadata) }
}

function unmarked(value: string, repeated: string | null): string | null {
  if (value === MARK) return repeated
  const beginning = BEGINNING.exec(value)
  if (beginning !== null) return (repeated ?? '').slice(0, Number(beginning[1])) + beginning[2]
  return value.startsWith(MARK + MARK) ? value.slice(1) : value
}

const RECORD = recordOf<Omit<Memory, 'buriedAt'>>({
  ...{ id: text, memoryType: wordOf(MEMORY_TYPES), text, category: wordOf(CATEGORIES), key: textOrNull, value: json },
  ...{ tags: jsonStrings, conversationId: textOrNull, who: textOrNull },
  ...{ occurredAt: time, createdAt: time, updatedAt: time },
  ...{ confidence: number, source: wordOf(MEMORY_SOURCES), importance: number },
  ...{ accessCount: number, lastAccessed: timeOrNull },
  ...{ validFrom: time, validTo: timeOrNull, supersededBy: textOrNull },
  suspect: ['suspect_reason', suspectOf, (suspect) => suspect?.reason ?? null],
  ...{ sourceTurnIds: jsonNumbers, externalId: textOrNull, metadata: jsonObject },
  // '' is from before there were projects, and holds everywhere.
  projectRoot: (row, column) => textOrNull(row, column) || null,
})
const COLUMNS = [...RECORD.columns, 'suspect_since', 'buried_at']

function suspectOf(row: Row): Memory['suspect'] {
  const reason = textOrNull(row, 'suspect_reason')
  return reason === null ? null : { reason, since: time(row, 'suspect_since') }
}

/** The columns of the table `memories m` that `memoryOf` needs. */
export const MEMORY_COLUMNS = COLUMNS.map((column) => `m.${column}`).join(', ')

/** Takes the values of `memoryValues`, then row, user_no and document. */
export const INSERT_MEMORY = `INSERT INTO memories (${COLUMNS.join(', ')}, row, user_no, document)
  VALUES (${COLUMNS.map(() => '?').join(', ')}, ?, ?, ?)`

/** Takes the values of `memoryValues`, then document and row. */
export const UPDATE_MEMORY = `UPDATE memories SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')},
  document = ? WHERE row = ?`

export function memoryValues(memory: Memory): SQLInputValue[] {
  const moments = [memory.suspect?.since, memory.buriedAt].map((moment) => isoTimeOrNull(moment ?? null))
  return [...RECORD.values({ ...memory, metadata: withMarks(memory) }), ...moments]
}

export function memoryOf(row: Row): Memory {
  const memory = withoutMarks(RECORD.of(row))
  return row.buried_at === null ? memory : { ...memory, buriedAt: time(row, 'buried_at') }
}

/** A row is the user's number, shifted by these, and a place. */
export const SEQUENCE_BITS = 32n
const NEWEST = 'SELECT max(row) - ?1 AS place FROM memories WHERE row BETWEEN ?1 AND ?2'

/** The first and the last possible row of a user; BigInt, since SQLite compares rows with a bound number as REAL. */
export function rowRange(userNo: number): readonly [first: bigint, last: bigint] {
  const first = BigInt(userNo) << SEQUENCE_BITS
  return [first, first + (1n << SEQUENCE_BITS) - 1n]
}

export function newestPlace(connection: Connection, userNo: number): number {
  return Number(connection.get(NEWEST, ...rowRange(userNo))?.place ?? 0)
}

/** The last records read are kept decoded, while document and access count stay. */
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

export function memoryRecords(connection: Connection): MemoryRecords {
  /** Records by user and place, the first read at the head. */
  const kept = new Map<number, KeptRecord>()
  let bytes = 0
  let touches = 0

  function drop(key: number): void {
    bytes -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  /** Drops those that are others now. */
  function check(userNo: number, places: readonly number[], seen: string): void {
    const doubted = [...new Set(places)].filter((place) => (kept.get(keyOf(userNo, place))?.seen ?? seen) !== seen)
    if (doubted.length === 0) return
    const states = new Map<number, string>()
    for (const [place, ...state] of connection.lists(STATES, JSON.stringify(doubted), rowRange(userNo)[0]))
      states.set(Number(place), stateOf(state))
    for (const place of doubted) {
      const record = kept.get(keyOf(userNo, place))!
      if (states.get(place) === record.state) record.seen = seen
      else drop(keyOf(userNo, place))
    }
  }

  const at: MemoryRecords['at'] = (userNo, places) =>
    connection.read(() => {
      const seen = `${connection.dataVersion()}:${connection.count(REPLACED, userNo)}:${touches}`
      check(userNo, places, seen)
      const missing = [...new Set(places)].filter((place) => !kept.has(keyOf(userNo, place)))
      if (missing.length > 0)
        for (const row of connection.all(RECORDS, JSON.stringify(missing), rowRange(userNo)[0])) {
          const memory = memoryOf(row)
          const record = { memory, state: stateOf([row.document, row.access_count, row.last_accessed]), seen }
          const size = bytesOf(memory)
          kept.set(keyOf(userNo, number(row, 'place')), { ...record, bytes: size })
          bytes += size
        }
      const found = places.map((place) => kept.get(keyOf(userNo, place))?.memory ?? null)
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

const PLACES = 2 ** Number(SEQUENCE_BITS)

/** The row as a number, exact for two million users. */
function keyOf(userNo: number, place: number): number {
  return userNo * PLACES + place
}

function stateOf(state: readonly unknown[]): string {
  return state.join(' ')
}

function bytesOf({ text, value, tags, metadata, sourceTurnIds }: Memory): number {
  const json = (part: unknown): number => (part === null ? 0 : 4 * (JSON.stringify(part) ?? '').length)
  return RECORD_BYTES + text.length + json(value) + json(metadata) + 40 * tags.length + 8 * sourceTurnIds.length
}

/** Memories as documents of the index: reading them, and making one of a record that is being written. */
const AFTER = `SELECT m.row & 0xffffffff AS place, m.document, ${MEMORY_COLUMNS},
    coalesce((SELECT conversation_no FROM conversations c
      WHERE c.user_no = m.user_no AND c.public_id = m.conversation_id), 0) AS conversation_no
  FROM memories m INDEXED BY memories_document WHERE m.user_no = ? AND m.document > ? ORDER BY m.document`
const LONG_TAILS = `SELECT u.user_id FROM memory_totals t JOIN users u USING (user_no)
  WHERE t.documents >= ?1 AND (SELECT count(*) FROM (SELECT 1 FROM memories m INDEXED BY memories_document
    WHERE m.user_no = t.user_no AND m.document > coalesce((SELECT max(last_row) FROM memory_segments s
      WHERE s.user_no = t.user_no AND s.building = ${READABLE}), 0) LIMIT ?1)) >= ?1`

export function sqliteMemoryTable(connection: Connection): SegmentTable<MemoryDocument> {
  return {
    ...sqliteSegmentTable(connection, {
      segments: 'memory_segments',
      chunks: 'memory_chunks',
      kind: 'memory',
      holes: 'memory_holes',
      columns: 'memory_columns',
      version: 'memory_index_version',
      countAfter: 'SELECT 1 FROM memories INDEXED BY memories_document WHERE user_no = ?1 AND document > ?2',
      notesHoles: true,
    }),
    *documentsAfter(owner, after): Generator<MemoryDocument> {
      for (const row of connection.statement(AFTER).iterate(owner, after)) {
        const memory = memoryOf(row)
        const { createdAt, occurredAt, validFrom, validTo, memoryType, category, sourceTurnIds, projectRoot } = memory
        yield {
          ...{ createdAt, occurredAt, validFrom, validTo, memoryType, category, sourceTurnIds, projectRoot },
          words: searchedText(memory),
          document: number(row, 'document'),
          row: number(row, 'place'),
          conversationNo: number(row, 'conversation_no'),
          // A buried memory is looked for as rarely as a replaced one; the record decides.
          superseded: memory.supersededBy !== null || (memory.buriedAt ?? null) !== null,
          inDoubt: memory.suspect !== null,
        }
      }
    },
  }
}

/** Users with a long tail of documents outside segments, after an import or from before segments existed. */
export function usersWithLongTail(connection: Connection): readonly string[] {
  return connection.all(LONG_TAILS, FLUSH_AT).map((row) => text(row, 'user_id'))
}
