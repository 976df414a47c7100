/** What is in this file, is it whole, and do its parts agree? It is only read: nothing is created, migrated or rebuilt. */
import { existsSync } from 'node:fs'
import { isoTime } from '../../domain/clock.ts'
import type { CheckFinding, MemoryOverview, StoreInspection, StoreStatistics } from '../../domain/contracts/store.ts'
import { messageOf } from '../../domain/errors.ts'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES } from '../../domain/memory.ts'
import { fileBytes } from '../../domain/plain-file.ts'
import { atOnce } from '../../domain/scheduling.ts'
import { ROLES } from '../../domain/turn.ts'
import { Connection } from './file/connection.ts'
import { migrate, migrations, misses, refuseNewer, schemaVersion } from './file/open-database.ts'
import { number, text } from './file/rows.ts'
import { storageError } from './file/storage-errors.ts'
import { damagedRows } from './file/word-checks.ts'
import { TERMS_VERSION } from './index-upkeep.ts'
import { NO_MIRROR, readOutboxState } from './vector-outbox/vector-outbox.ts'

const TERMS = `SELECT value FROM counters WHERE name = 'terms_version'`
const TABLE = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`
const CHECKED_COLUMN = `SELECT 1 FROM pragma_table_info('turns') WHERE name = 'words_check'`
const OUTBOX_SCHEMA = 6
/** Damaged rows that a finding names. */
const MOST_NAMED = 5

/** Looks at an existing file. Throws MnemeError when it is foreign, newer or too damaged to be read. */
export function inspectDatabase(path: string): StoreInspection {
  const isShared = (): boolean => existsSync(`${path}-wal`)
  const still = !isShared()
  try {
    const seen = look(path, still)
    return still && isShared() ? look(path, false) : seen
  } catch (error) {
    // A process began to write while the file was taken to be still.
    if (still && isShared()) return look(path, false)
    throw error
  }
}

function look(path: string, still: boolean): StoreInspection {
  const newestSchema = migrations().at(-1)?.version ?? 0
  const connection = new Connection(path, { readOnly: true, still })
  try {
    const version = schemaVersion(connection)
    refuseNewer(connection, version)
    connection.lostLog = version > 0 && misses(connection, still)
    return {
      schemaVersion: version,
      newestSchema,
      termsCurrent: version === 0 || connection.count(TERMS) === TERMS_VERSION,
      findings: version === 0 ? [] : atOnce(checkDatabase(connection)),
      outbox: version < OUTBOX_SCHEMA ? NO_MIRROR : readOutboxState(connection),
    }
  } catch (error) {
    throw storageError(error, path)
  } finally {
    connection.close()
  }
}

function listOf(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ')
}

const COUNTS: readonly {
  readonly check: string
  readonly sql: string
  readonly meaning: string
  /** A table that an older file does not have yet. */
  readonly table?: string
}[] = [
  {
    check: 'turn counts',
    sql: `SELECT count(*) AS wrong FROM conversations c WHERE turn_count <>
      (SELECT count(*) FROM turns t WHERE t.conversation_id = c.id)`,
    meaning: 'conversations whose turn_count is not the number of their turns',
  },
  {
    check: 'turns',
    sql: `SELECT count(*) AS wrong FROM turns WHERE role NOT IN (${listOf(ROLES)}) OR julianday(created_at) IS NULL
      OR json_valid(coalesce(symbols, '[]')) = 0 OR json_valid(coalesce(metadata, '{}')) = 0`,
    meaning: 'turns with a role, a time or data that nobody can read',
  },
  {
    check: 'memories',
    table: 'memory_segments',
    sql: `SELECT count(*) AS wrong FROM memories WHERE memory_type NOT IN (${listOf(MEMORY_TYPES)})
      OR category NOT IN (${listOf(CATEGORIES)}) OR source NOT IN (${listOf(MEMORY_SOURCES)})
      OR julianday(occurred_at) IS NULL OR julianday(created_at) IS NULL OR julianday(updated_at) IS NULL
      OR julianday(valid_from) IS NULL OR (valid_to IS NOT NULL AND julianday(valid_to) IS NULL)
      OR (last_accessed IS NOT NULL AND julianday(last_accessed) IS NULL) OR json_valid(coalesce(value, '0')) = 0
      OR json_valid(tags) = 0 OR json_valid(source_turn_ids) = 0 OR json_valid(coalesce(metadata, '{}')) = 0`,
    meaning: 'memories with a word, a time or data that nobody can read',
  },
  {
    check: 'profiles',
    table: 'profiles',
    sql: 'SELECT count(*) AS wrong FROM profiles WHERE json_valid(machine_lines) = 0 OR json_valid(unwanted) = 0',
    meaning: 'profiles with data that nobody can read',
  },
  {
    check: 'summary spans',
    sql: `SELECT count(*) AS wrong FROM summaries a JOIN summaries b ON a.conversation_id = b.conversation_id
      AND a.id < b.id AND a.start_turn <= b.end_turn AND b.start_turn <= a.end_turn`,
    meaning: 'pairs of summaries that cover the same turn',
  },
  {
    check: 'index segments',
    sql: `SELECT count(*) AS wrong FROM index_segments WHERE building IN (0, 2, 4) AND length(turn_columns) <> documents * 32`,
    meaning: 'index segments of a wrong size',
  },
  {
    check: 'memory index',
    table: 'memory_segments',
    sql: 'SELECT count(*) AS wrong FROM memory_segments WHERE building IN (0, 2, 4) AND length(memory_columns) <> documents * 44',
    meaning: 'segments of the memory index of a wrong size',
  },
  {
    check: 'memory words',
    table: 'memory_words',
    // A program from before that is at work beside has a table of its own; the next start makes this one anew.
    sql: `SELECT abs((SELECT count(*) FROM memories) - (SELECT count(*) FROM memory_words_docsize WHERE id > 0))
      * NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'memories_fts') AS wrong`,
    meaning: 'memories more or less than the full-text table has entries',
  },
  {
    check: 'vectors',
    table: 'vector_codes',
    sql: `SELECT count(*) AS wrong FROM vectors v
      WHERE NOT EXISTS (SELECT 1 FROM vector_codes c WHERE c.vector_no = v.vector_no)`,
    meaning: 'vectors without the codes that a search reads',
  },
  {
    check: 'jobs',
    table: 'jobs',
    sql: `SELECT count(*) AS wrong FROM jobs WHERE (state = 'running') <> (lease IS NOT NULL)
      OR (state = 'running') <> (leased_until IS NOT NULL) OR (payload IS NOT NULL AND NOT json_valid(payload))`,
    meaning: 'jobs whose state and lease do not go together, or whose payload cannot be read',
  },
  {
    check: 'thinking',
    table: 'jobs',
    sql: 'SELECT count(*) AS wrong FROM conversations WHERE thought_to > last_turn',
    meaning: 'conversations that were thought about further than they go',
  },
]

const READ_INDEX = `SELECT 1 FROM memory_words WHERE memory_words MATCH '"-"' LIMIT 1`
const LOST_LOG = 'the file was in use and its -wal file is gone, with what was stored last'

/** The findings, with a pause after each look. */
export function* checkDatabase(connection: Connection): Generator<void, readonly CheckFinding[]> {
  const findings: CheckFinding[] = [
    looked('file', 'every page can be read, and indexes agree with their tables', () => {
      // FTS5 takes an index for damaged that another process wrote anew, unless this one has read it since.
      if (connection.get(TABLE, 'memory_words') !== undefined) connection.get(READ_INDEX)
      const integrity = connection.all('PRAGMA integrity_check').map((row) => String(row.integrity_check))
      return integrity.length === 1 && integrity[0] === 'ok' ? null : integrity.slice(0, 5).join('; ')
    }),
  ]
  yield
  findings.push(looked('tables', 'have their columns, and triggers that can be run', () => wrongTable(connection)))
  yield
  if (connection.lostLog) findings.push({ check: 'log', ok: false, detail: LOST_LOG })
  if (connection.get(CHECKED_COLUMN) !== undefined)
    findings.push(
      looked('words', 'are those that were written', () => {
        const rows = damagedRows(connection)
        const named = rows.slice(0, MOST_NAMED).join('; ')
        return rows.length === 0
          ? null
          : `damaged: ${named}${rows.length > MOST_NAMED ? '; …' : ''} (${rows.length} in all)`
      }),
    )
  for (const { check, sql, meaning, table } of COUNTS) {
    yield
    if (table !== undefined && connection.get(TABLE, table) === undefined) continue
    findings.push(
      looked(check, 'agree', () => {
        const wrong = connection.count(sql)
        return wrong === 0 ? null : `${wrong} ${meaning}`
      }),
    )
  }
  return findings
}

/** Each table but those of the full-text indexes with its columns, as statements name them. */
const COLUMNS = `SELECT m.name, group_concat(p.name) AS columns FROM sqlite_master m JOIN pragma_table_info(m.name) p
  WHERE m.type = 'table' AND m.name NOT LIKE 'memories_fts%' AND m.name NOT LIKE 'memory_words%' GROUP BY m.name`

/** A table that lacks what the migrations gave it; throws where one of its triggers or indexes names what is not there. */
function wrongTable(connection: Connection): string | null {
  const there = new Map(columnsOf(connection))
  for (const [name, columns] of columnsMade(schemaVersion(connection))) {
    const gone = columns.filter((column) => there.get(name)?.includes(column) !== true)
    if (gone.length > 0) return `${name} has no ${gone.join(', ')}`
    const asItIs = columns.map((column) => `${column} = ${column}`).join()
    for (const change of [`INSERT INTO ${name} DEFAULT VALUES`, `UPDATE ${name} SET ${asItIs}`, `DELETE FROM ${name}`])
      connection.exec(`EXPLAIN ${change}`)
  }
  return null
}

type Columns = readonly (readonly [table: string, columns: readonly string[]])[]

function columnsOf(connection: Connection): Columns {
  return connection.all(COLUMNS).map((row) => [text(row, 'name'), text(row, 'columns').split(',')])
}

/** The tables of each schema, made once: the migrations take fifty milliseconds. */
const made = new Map<number, Columns>()

function columnsMade(schema: number): Columns {
  const known = made.get(schema)
  if (known !== undefined) return known
  const model = new Connection(':memory:')
  try {
    migrate(model, schema)
    made.set(schema, columnsOf(model))
    return columnsOf(model)
  } finally {
    model.close()
  }
}

/** `look` says what is wrong, or null; a file too damaged to be looked at is a finding as well. */
function looked(check: string, good: string, look: () => string | null): CheckFinding {
  try {
    const wrong = look()
    return { check, ok: wrong === null, detail: wrong ?? good }
  } catch (error) {
    return { check, ok: false, detail: messageOf(error) }
  }
}

export function statistics(connection: Connection, userId?: string): StoreStatistics {
  connection.refuseLost()
  return connection.read(() => {
    const userNo = userId === undefined ? null : (connection.users.find(userId) ?? -1)
    const count = (from: string, where = ''): number => {
      const sql = `SELECT count(*) AS total FROM ${from} WHERE (?1 IS NULL OR user_no = ?1) ${where}`
      return connection.count(sql, userNo)
    }
    return {
      users: count('users'),
      conversations: count('conversations'),
      turns: count('turns'),
      summaries: count('summaries s JOIN conversations c ON c.id = s.conversation_id'),
      memories: count('memories'),
      jobs: count('jobs', `AND state <> 'dead'`),
      deadJobs: count('jobs', `AND state = 'dead'`),
      bytes: fileBytes(connection.path) + fileBytes(`${connection.path}-wal`),
      schemaVersion: schemaVersion(connection),
    }
  })
}

const BY_DAY = `SELECT substr(created_at, 1, 10) AS day, count(*) AS memories, sum(buried) AS buried, sum(ended) AS ended,
    sum(holds) AS holding, sum(holds AND suspect_reason IS NOT NULL) AS in_doubt, sum(holds AND access_count = 0) AS unused
  FROM (SELECT *, NOT (buried OR ended) AS holds FROM (SELECT created_at, suspect_reason, access_count,
    buried_at IS NOT NULL AS buried,
    buried_at IS NULL AND (superseded_by IS NOT NULL OR coalesce(valid_to <= ?2, 0)) AS ended
    FROM memories WHERE user_no = ?1)) GROUP BY day ORDER BY day`

const DELETED = `SELECT deleted_at, memories FROM memory_deletions WHERE user_no = ? ORDER BY deleted_at DESC LIMIT 1000`

/** See Store.overview; `userNo` undefined: a user without memories. */
export function memoryOverview(connection: Connection, userNo: number | undefined, now: number): MemoryOverview {
  const days = userNo === undefined ? [] : connection.all(BY_DAY, userNo, isoTime(now))
  const deleted = userNo === undefined ? [] : connection.all(DELETED, userNo)
  const sum = (column: string): number => days.reduce((total, day) => total + number(day, column), 0)
  return {
    holding: sum('holding'),
    inDoubt: sum('in_doubt'),
    ended: sum('ended'),
    buried: sum('buried'),
    unused: sum('unused'),
    growth: days.map((day) => ({ day: text(day, 'day'), memories: number(day, 'memories') })),
    deleted: deleted.map((row) => ({ at: text(row, 'deleted_at'), memories: number(row, 'memories') })),
  }
}
