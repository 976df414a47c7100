/** Is the file whole, and do its parts agree? Reads only. */
import type { CheckFinding } from '../../domain/contracts/store.ts'
import type { Connection } from './connection.ts'
import { number } from './rows.ts'

/** Counts that are zero in a sound database. */
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
    check: 'summary spans',
    sql: `SELECT count(*) AS wrong FROM summaries a JOIN summaries b ON a.conversation_id = b.conversation_id
      AND a.id < b.id AND a.start_turn <= b.end_turn AND b.start_turn <= a.end_turn`,
    meaning: 'pairs of summaries that cover the same turn',
  },
  {
    check: 'symbols',
    sql: `SELECT count(*) AS wrong FROM symbol_index s WHERE NOT EXISTS (SELECT 1 FROM turns t
      WHERE t.conversation_id = s.conversation_id AND t.turn_number = s.turn_id)`,
    meaning: 'symbol entries of turns that do not exist',
  },
  {
    check: 'index segments',
    sql: `SELECT count(*) AS wrong FROM index_segments s WHERE building = 0 AND length(turn_columns) <> documents * 32`,
    meaning: 'index segments of a wrong size',
  },
  {
    check: 'memory index',
    table: 'memory_segments',
    sql: 'SELECT count(*) AS wrong FROM memory_segments WHERE building = 0 AND length(memory_columns) <> documents * 44',
    meaning: 'segments of the memory index of a wrong size',
  },
  {
    check: 'memory words',
    table: 'memory_segments',
    sql: `SELECT abs((SELECT count(*) FROM memories) - (SELECT count(*) FROM memories_fts_docsize WHERE id > 0)) AS wrong`,
    meaning: 'memories more or less than the full-text table has entries',
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

/** Checks the database and returns each check with its finding. */
export function checkDatabase(connection: Connection): readonly CheckFinding[] {
  const integrity = connection.all('PRAGMA quick_check').map((row) => String(row.quick_check))
  const whole = integrity.length === 1 && integrity[0] === 'ok'
  const findings: CheckFinding[] = [
    { check: 'file', ok: whole, detail: whole ? 'every page can be read' : integrity.slice(0, 5).join('; ') },
  ]
  for (const { check, sql, meaning, table } of COUNTS) {
    if (table !== undefined && !hasTable(connection, table)) continue
    const row = connection.get(sql)
    const wrong = row === undefined ? 0 : number(row, 'wrong')
    findings.push({ check, ok: wrong === 0, detail: wrong === 0 ? 'agree' : `${wrong} ${meaning}` })
  }
  return findings
}

function hasTable(connection: Connection, name: string): boolean {
  return connection.get(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, name) !== undefined
}
