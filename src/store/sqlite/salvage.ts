/** Copies what can be read of a damaged file into a new one; the damaged file is kept beside it. */
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { MnemeError } from '../../domain/errors.ts'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES } from '../../domain/memory.ts'
import { dropAside, isEmptied } from '../../domain/plain-file.ts'
import { ROLES } from '../../domain/turn.ts'
import { splitSentences } from '../../language/sentences.ts'
import { Connection } from './file/connection.ts'
import { migrate, migrations, schemaVersion } from './file/open-database.ts'
import { FILE_PARTS, nameAside } from './file/own-file.ts'
import { number, type Row, text, time } from './file/rows.ts'
import { attempt, fullError, storageError } from './file/storage-errors.ts'
import { hasWords, withWordsMended } from './file/word-checks.ts'
import { holdAlone } from './hold-alone.ts'
import {
  closestWord,
  columnsOf,
  graft,
  hasTables,
  makeFileOf,
  mendHeader,
  mendSchema,
  tablesIn,
} from './salvage-schema.ts'
import { enqueueJob } from './small-stores/job-queue.ts'

export interface Salvage {
  /** The damaged file, as it was. */
  readonly kept: string
  readonly rows: Readonly<Record<string, number>>
  /** Stretches of rows that could not be read, by table. */
  readonly unreadable: Readonly<Record<string, number>>
  /** Conversations and users whose own rows are lost, recreated from the records that refer to them. */
  readonly madeAnew: { readonly conversations: number; readonly users: number }
  /** Conversations that lost their memories and wait to be thought about again. */
  readonly thinkAgain: number
  readonly userIds: readonly string[]
}

/** Tables derived from turns and memories, rebuilt by triggers, the rebuild of the indexes or the next embedding. */
const DERIVED =
  /^(?:sqlite_|index_|memory_segments|memory_chunks|memory_totals|memory_feed|memories_fts|memory_words|turn_meanings|symbol_|schema_version|vector)/
const ROWS_A_READ = 100
const FARTHEST = 2 ** 40

/** Makes the new file and puts it in the place of the damaged one, at this time. Throws database_locked while another process has that open. */
export function salvage(path: string, at: number): Salvage {
  const work = `${path}.repairing`
  const found = `${path}.reading`
  const fresh = `${path}.fresh`
  const asides = [work, found, fresh].flatMap((file) => FILE_PARTS.map((part) => file + part))
  const alone = holdAlone(path)
  try {
    alone.check()
    for (const aside of asides) rmSync(aside, { force: true })
    // A copy is read, as reading may write the log into the file, and a shortened file is given its length again.
    for (const part of ['', '-wal']) if (existsSync(path + part)) copyFileSync(path + part, found + part)
    if (isEmptied(found)) makeFileOf(`${found}-wal`, found)
    const length = lengthOf(readFileSync(found))
    if (length !== null) truncateSync(found, length)
    // A file that is no database at all is refused.
    if (!hasTables(found) && !mendHeader(found) && attempt(() => tablesIn(found)) === null) graft(found, fresh)
    const result = copyAll(found, work, at)
    alone.check()
    const kept = nameAside(path)
    for (const part of FILE_PARTS) if (existsSync(path + part)) renameSync(path + part, kept + part)
    renameSync(work, path)
    return { kept, ...result }
  } catch (error) {
    throw storageError(error, path)
  } finally {
    for (const aside of asides) dropAside(aside)
    alone.release()
  }
}

/** The file's length from its header; null where that is useless or less than the actual length. */
function lengthOf(bytes: Buffer): number | null {
  const pageSize = bytes.length < 100 ? 0 : bytes.readUInt16BE(16)
  const length = pageSize * (bytes.length < 100 ? 0 : bytes.readUInt32BE(28))
  return length > bytes.length && length < bytes.length * 1000 ? length : null
}

function copyAll(from: string, to: string, at: number): Omit<Salvage, 'kept'> {
  let source = new Connection(from, { damaged: true })
  const target = new Connection(to)
  try {
    const version = attempt(() => schemaVersion(source)) || migrations().at(-1)!.version
    migrate(target, version)
    if (mendSchema(source, target)) {
      source.close()
      source = new Connection(from, { damaged: true })
    }
    if (source.all(`SELECT 1 FROM sqlite_master WHERE name = 'turns'`).length === 0)
      throw new MnemeError('database_damaged', `${from}: not even the list of its tables can be read.`, {
        remedy: 'Move the file away together with its -wal and -shm, and copy a backup to its place.',
      })
    target.exec('PRAGMA foreign_keys=OFF')
    const rows: Record<string, number> = {}
    const unreadable: Record<string, number> = {}
    for (const { name, sql } of target.all(`SELECT name, sql FROM sqlite_master WHERE type = 'table'`)) {
      const table = String(name)
      if (DERIVED.test(table)) continue
      const read = /WITHOUT ROWID/.test(String(sql)) ? readByKey : readByNumber
      const all = read(source, target, table)
      const found = all.found
        .map((row) => withoutDamage(source, table, row))
        .filter((row) => !Object.values(row).some(isBlanked))
      const lost = all.gaps + all.found.length - found.length
      rows[table] = found.length
      if (lost > 0) unreadable[table] = lost
      target.write(() => {
        for (const row of mendedRows(target, table, found)) insert(target, table, row)
      })
    }
    migrate(target)
    const knowsDeletions = rows.memory_deletions !== undefined && unreadable.memory_deletions === undefined
    const thinkAgain = unreadable.memories !== undefined && knowsDeletions ? setToThink(target, at) : 0
    const madeAnew = target.write(() => ({ conversations: makeConversations(target), users: makeUsers(target) }))
    settle(target)
    // Rows that are only in the log of the new file are not in the file that takes the place.
    if (!target.checkpoint('truncate')) throw fullError(to)
    const userIds = target.all('SELECT user_id FROM users').map(({ user_id }) => String(user_id))
    return { rows, unreadable, madeAnew, thinkAgain, userIds }
  } finally {
    source.close()
    target.close()
  }
}

function insert(target: Connection, table: string, row: Row): void {
  const names = Object.keys(row)
  const sql = `INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
  try {
    target.statement(sql).run(...(Object.values(row) as (string | number | null)[]))
  } catch (error) {
    // A row that a flipped bit made impossible is left out like one that cannot be read.
    if (!/constraint|cannot store|datatype/i.test(String(error))) throw error
  }
}

/** Why a memory is in doubt whose words could not be mended. */
const DAMAGED = 'its words were damaged in the file'

/**
 * The row with its words mended. Where they cannot be, words made of turns are emptied, a memory is in doubt, and others
 * stay with the check value that tells of it.
 */
function withoutDamage(source: Connection, table: string, damaged: Row): Row {
  const { row, isDamaged } = withWordsMended(source, table, damaged)
  if (!isDamaged) return row
  if (table === 'memories')
    return asTold(source, row) ?? { ...row, suspect_reason: DAMAGED, suspect_since: row.updated_at }
  const none = { words_check: null }
  if (table === 'conversations') return { ...row, ...none, summary: null }
  if (table === 'summaries') return { ...row, ...none, summary: '', key_symbols: '[]', key_decisions: '[]' }
  if (table === 'session_summaries' && row.edited === 0) return { ...row, ...none, title: '', snippet: '' }
  return row
}

/** The memory with that sentence of its turns which its check value is of; undefined: it has other words. */
function asTold(source: Connection, memory: Row): Row | undefined {
  const turns = `SELECT t.content FROM conversations c JOIN turns t ON t.conversation_id = c.id
    WHERE c.user_no = ? AND c.public_id = ? AND t.turn_number IN (SELECT value FROM json_each(?))`
  const { user_no, conversation_id, source_turn_ids } = memory
  if (typeof conversation_id !== 'string' || typeof source_turn_ids !== 'string' || !isJson(source_turn_ids)) return
  const told = attempt(() => source.all(turns, number({ user_no }, 'user_no'), conversation_id, source_turn_ids)) ?? []
  return told
    .flatMap((row) => splitSentences(text(row, 'content')))
    .map((sentence) => ({ ...memory, text: sentence }))
    .find((row) => hasWords('memories', row))
}

/** A text whose rest lay on a page that is gone, and reads as zeros. */
function isBlanked(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0'.repeat(16))
}

/** Columns of JSON. */
const JSON_COLUMNS =
  /^(?:symbols|key_symbols|key_decisions|metadata|tags|source_turn_ids|context_variables|machine_lines|unwanted|payload|blocks|hashes)$/
/** Columns of one of these words. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  role: ROLES,
  memory_type: MEMORY_TYPES,
  category: CATEGORIES,
  source: MEMORY_SOURCES,
}
/** Times of what may never happen. */
const MAY_BE_MISSING = /^(?:valid_to|last_accessed|buried_at|edited_at|leased_until)$/

/** The rows with what flipped bits made unreadable put right or left out; no row that lacks a number. */
function* mendedRows(target: Connection, table: string, rows: readonly Row[]): Generator<Row> {
  const types = new Map(
    target
      .all('SELECT name, type FROM pragma_table_info(?)', table)
      .map(({ name, type }) => [String(name), String(type)] as const),
  )
  let known = new Date(0).toISOString()
  for (const row of rows) {
    const isTime = (column: string): boolean => types.get(column) === 'DATETIME' && isTold(row[column])
    known = String(
      Object.keys(row)
        .filter(isTime)
        .map((column) => row[column])[0] ?? known,
    )
    const mended = Object.entries(row).map(([column, held]): [string, unknown] => {
      const value = held instanceof Uint8Array && types.get(column) !== 'BLOB' ? Buffer.from(held).toString() : held
      const words = table === 'memories' || table === 'turns' ? WORDS[column] : undefined
      if (types.get(column) === 'DATETIME' && value !== null && !isTold(value))
        return [column, MAY_BE_MISSING.test(column) ? null : known]
      if (typeof value !== 'string') return [column, value]
      if (words !== undefined) return [column, closestWord(value, words)]
      if ((JSON_COLUMNS.test(column) || (table === 'memories' && column === 'value')) && !isJson(value))
        return [column, value.startsWith('[') ? '[]' : '{}']
      return [column, value]
    })
    const isWhole = mended.every(
      ([column, value]) => !/^(?:INTEGER|REAL)$/.test(types.get(column) ?? '') || typeof value !== 'string',
    )
    if (isWhole) yield Object.fromEntries(mended)
  }
}

/** A time as it is stored; JavaScript reads others, too, which the store does not. */
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?Z?$/

function isTold(value: unknown): boolean {
  return typeof value === 'string' && TIME.test(value) && !Number.isNaN(time({ value }, 'value'))
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}

interface Reading {
  readonly found: readonly Row[]
  readonly gaps: number
}

/** Reads row by row; behind unreadable rows the next readable one is searched for. */
function readByNumber(source: Connection, target: Connection, table: string): Reading {
  const columns = columnsOf(target, table)
  const sql = `SELECT rowid AS salvaged_row, ${columns} FROM ${table} WHERE rowid >= ? ORDER BY rowid LIMIT ?`
  // Pages that lead to one another bring rows of lower numbers again, without an end: what brings nothing higher is unreadable.
  const read = (from: number, most: number): readonly Row[] | null => {
    const rows = attempt(() => source.all(sql, BigInt(from), most))
    const further = rows?.filter(({ salvaged_row }) => Number(salvaged_row) >= from) ?? null
    return rows !== null && rows.length > 0 && further!.length === 0 ? null : further
  }
  const found: Row[] = []
  let gaps = 0
  for (let from = 0, most = ROWS_A_READ; ; ) {
    const rows = read(from, most)
    if (rows !== null) {
      if (rows.length === 0) return { found, gaps }
      for (const { salvaged_row, ...row } of rows) {
        const at = Number(salvaged_row)
        // A row of a foreign page stands ahead of lower numbers, which are found where one asks for them.
        const next = firstNumber(from, at, (number) => {
          const there = read(number, 1)
          return there !== null && there[0]?.salvaged_row !== salvaged_row
        })
        if (next !== null) {
          gaps += 1
          from = next
          break
        }
        found.push(row)
        from = Math.max(from, at + 1)
      }
      most = most === 1 ? 1 : ROWS_A_READ
    } else if (most > 1) most = 1
    else {
      gaps += 1
      const next = firstNumber(from, from + FARTHEST, (number) => read(number, 1) !== null)
      if (next === null) return { found, gaps }
      from = next
    }
  }
}

/** The first number behind `from` and below `end` of which it holds; null where none was met in ever longer steps. */
function firstNumber(from: number, end: number, holds: (number: number) => boolean): number | null {
  let step = 1
  while (from + step < end && !holds(from + step)) step *= 2
  if (from + step >= end) return null
  // It lies behind half of the last step.
  let [low, high] = [from + Math.floor(step / 2), from + step]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}

/** Reads rows in key order from both ends, up to the damage. */
function readByKey(source: Connection, target: Connection, table: string): Reading {
  const columns = columnsOf(target, table)
  const key = target
    .all(`SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`, table)
    .map(({ name }) => String(name))
  const found = new Map<string, Row>()
  let gaps = 0
  for (const order of ['ASC', 'DESC']) {
    const sql = `SELECT ${columns} FROM ${table} ORDER BY ${key.map((name) => `${name} ${order}`).join(', ')}`
    const isWhole = attempt(() => {
      let read = 0
      for (const row of source.statement(sql).iterate()) {
        found.set(JSON.stringify(key.map((name) => row[name])), { ...row })
        read += 1
        // Pages that lead to one another bring the same rows without an end.
        if (read > 2 * found.size) return null
      }
      return true
    })
    if (isWhole !== null) break
    gaps = 1
  }
  return { found: [...found.values()], gaps }
}

/** Whoever took something out may have taken out what is missing now: no memory of theirs is made anew. */
const LOST_ALL = `UPDATE conversations SET thought_to = 0
  WHERE thought_to > 0 AND unthought_from IS NULL AND is_muted = 0
    AND EXISTS (SELECT 1 FROM turns t WHERE t.conversation_id = conversations.id)
    AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.user_no = conversations.user_no AND m.conversation_id = public_id)
    AND user_no NOT IN (SELECT user_no FROM memory_deletions
      UNION SELECT user_no FROM memories WHERE buried_at IS NOT NULL
      UNION SELECT user_no FROM profiles WHERE unwanted <> '[]'
      UNION SELECT user_no FROM session_summaries WHERE title IS NULL)
  RETURNING user_no, public_id`

/** Has conversations thought about again of which no memory is left; their number. */
function setToThink(target: Connection, at: number): number {
  return target.write(() => {
    const lost = target.all(LOST_ALL)
    for (const row of lost)
      enqueueJob(target, number(row, 'user_no'), { kind: 'think', subject: text(row, 'public_id') }, at)
    return lost.length
  })
}

/** Creates conversations of which only turns are left; one whose inner name is damaged gets its own back. */
function makeConversations(target: Connection): number {
  target.exec(`UPDATE OR IGNORE conversations SET id = public_id WHERE NOT EXISTS
    (SELECT 1 FROM turns t WHERE t.conversation_id = conversations.id) AND EXISTS
    (SELECT 1 FROM turns t WHERE t.conversation_id = public_id AND t.user_no = conversations.user_no)`)
  return target.run(`INSERT OR IGNORE INTO conversations (id, public_id, project_root, user_no, created_at, last_active, turn_count,
      last_turn, thought_to, conversation_no)
    SELECT t.conversation_id, t.conversation_id, '', min(t.user_no), min(t.created_at), max(t.created_at), count(*),
      max(t.turn_number), max(t.turn_number),
      (SELECT coalesce(max(conversation_no), 0) FROM conversations) + row_number() OVER (ORDER BY t.conversation_id)
    FROM turns t WHERE NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = t.conversation_id)
    GROUP BY t.conversation_id`).changes
}

/** Creates users of whom only conversations or memories are left, under new names. */
function makeUsers(target: Connection): number {
  return target.run(`INSERT INTO users (user_no, user_id)
    SELECT user_no, 'recovered-' || user_no FROM (SELECT user_no FROM conversations UNION SELECT user_no FROM memories)
    WHERE user_no NOT IN (SELECT user_no FROM users)`).changes
}

/** Adapts counts, and pointers to lost rows, to the rows that are there. */
function settle(target: Connection): void {
  target.write(() => {
    target.exec(`UPDATE conversations SET last_turn = max(last_turn,
        (SELECT coalesce(max(turn_number), 0) FROM turns t WHERE t.conversation_id = conversations.id)),
      turn_count = (SELECT count(*) FROM turns t WHERE t.conversation_id = conversations.id), summarized_to = 0;
      UPDATE memories SET vector_space = 0 WHERE vector_space <> 0;
      DELETE FROM counters WHERE name = 'terms_version';
      INSERT INTO counters SELECT 'conversation_no', coalesce(max(conversation_no), 0) FROM conversations WHERE true
        ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value);`)
    for (let round = 0, lost = 1; lost > 0 && round < 10; round += 1) {
      const orphans = target.all('PRAGMA foreign_key_check').filter(({ rowid }) => typeof rowid === 'number')
      lost = orphans.length
      for (const { table, rowid } of orphans)
        target.run(`DELETE FROM ${String(table)} WHERE rowid = ?`, number({ rowid }, 'rowid'))
    }
  })
}
