/** Writes single memories, record, entries in both indexes and history together, and tells their history. */
import type { Clock } from '../../../domain/clock.ts'
import type { MemoryChange, MemoryEdit, MemoryPatch } from '../../../domain/contracts/memory-store.ts'
import type { NewProfileLine } from '../../../domain/contracts/profile-store.ts'
import { holdsAt, type Memory, type MemoryEvent } from '../../../domain/memory.ts'
import { eraseDocuments } from '../../segments/erase.ts'
import { analyzeMemory } from '../../segments/memory-documents.ts'
import type { SegmentMemoryIndex } from '../../segments/memory-index.ts'
import type { Connection } from '../file/connection.ts'
import { isoTime, number, text, textOrNull, time } from '../file/rows.ts'
import { raw, sql } from '../file/sql.ts'
import { changeEntry, wordsOf } from './memory-fts.ts'
import {
  INSERT_MEMORY,
  MEMORY_COLUMNS,
  memoryOf,
  memoryValues,
  newestPlace,
  placeOf,
  rowRange,
  UPDATE_MEMORY,
} from './memory-rows.ts'
import { conversationNoOf, documentOf } from './memory-table.ts'
import { addLinesTo, dropLinesOf } from './profile-store.ts'

const SEARCHED_FIELDS: readonly (keyof MemoryPatch)[] = ['text', 'key', 'value', 'tags', 'who']

/** The places of writing: the file, the index over it, and the clock. */
export interface MemoryPlaces {
  readonly connection: Connection
  readonly index: SegmentMemoryIndex
  readonly clock: Clock
}

/** Inserts a memory with its entries, unless its id or externalId exists. Call it inside `writeIndexed`. */
export function insertOne(to: MemoryPlaces, userNo: number, memory: Memory): { memory: Memory; existed: boolean } {
  const { connection } = to
  const known =
    connection.get(sql`SELECT ${raw(MEMORY_COLUMNS)} FROM memories m WHERE user_no = ${userNo} AND id = ${memory.id}
     UNION ALL SELECT ${raw(MEMORY_COLUMNS)} FROM memories m WHERE user_no = ${userNo}
     AND external_id = ${memory.externalId}
       AND coalesce(conversation_id, '') = coalesce(${memory.conversationId}, '') LIMIT 1`)
  if (known !== undefined) return { memory: memoryOf(known), existed: true }
  const row = rowRange(userNo)[0] + BigInt(newestPlace(connection, userNo)) + 1n
  const document = nextDocument(connection, userNo)
  const analyzed = analyzeMemory(memory)
  connection.run(INSERT_MEMORY, ...memoryValues(memory), row, userNo, document)
  changeEntry(connection, row, null, wordsOf(memory, analyzed))
  tell(to, userNo, memory, { document, row: placeOf(row).place, ...analyzed })
  return { memory, existed: false }
}

/** The memory and its row; null when there is none. */
export function readMemory(connection: Connection, userNo: number, id: string): { memory: Memory; row: bigint } | null {
  const found = connection.get(
    sql`SELECT CAST(row AS TEXT) AS row, ${raw(MEMORY_COLUMNS)} FROM memories m
      WHERE user_no = ${userNo} AND id = ${id}`,
  )
  return found === undefined ? null : { memory: memoryOf(found), row: BigInt(text(found, 'row')) }
}

/**
 * Changes a memory and notes it (see `MemoryStore.update`), inside `writeIndexed`; null when there is none. A replaced
 * memory without an `event` is noted as SUPERSEDE, and `unsaid` removes history lines instead.
 */
export function updateOne(
  to: MemoryPlaces,
  userNo: number,
  id: string,
  patch: MemoryPatch,
  at: number,
  event?: 'UPDATE' | 'SUPERSEDE',
  {
    unsaid,
    says,
  }: {
    readonly unsaid?: MemoryChange['unsaid'] | undefined
    readonly says?: readonly NewProfileLine[] | undefined
  } = {},
): Memory | null {
  const { connection } = to
  const found = readMemory(connection, userNo, id)
  if (found === null) return null
  const { memory: before, row } = found
  const after: Memory = { ...before, ...patch, updatedAt: at }
  const analyzed = analyzeMemory(after)
  const document = nextDocument(connection, userNo)
  connection.run(UPDATE_MEMORY, ...memoryValues(after), 'projectRoot' in patch ? 1 : 0, document, row)
  if (SEARCHED_FIELDS.some((field) => field in patch)) {
    const old = analyzeMemory(before)
    const [said, says] = [wordsOf(before, old), wordsOf(after, analyzed)]
    if (said !== says) changeEntry(connection, row, said, says)
    if (said !== says) eraseTerms(to, userNo, old.terms.keys())
  }
  tell(to, userNo, after, { document, row: placeOf(row).place, ...analyzed })
  const moment = Math.max(at, after.validFrom)
  if (holdsAt(before, moment) && !holdsAt(after, moment)) dropLinesOf(connection, userNo, id, at)
  else if (says !== undefined && dropLinesOf(connection, userNo, id, at)) addLinesTo(connection, userNo, says, at)
  if (unsaid !== undefined) {
    forgetEdits(connection, row, unsaid.since)
    if (after.text !== unsaid.text) noteEdit(connection, row, 'UPDATE', unsaid.text, at)
    return after
  }
  const superseded = after.supersededBy !== null && after.supersededBy !== before.supersededBy
  const previousText = after.text === before.text ? null : before.text
  noteEdit(connection, row, event ?? (superseded ? 'SUPERSEDE' : 'UPDATE'), previousText, at)
  return after
}

/** Removes ended documents, earlier versions included, from the lists of these terms. Call it inside a write. */
export function eraseTerms({ index }: MemoryPlaces, userNo: number, terms: Iterable<string>): void {
  eraseDocuments(index.table, index.kind, userNo, { documents: [], terms })
}

/** The number of the user's next document. */
function nextDocument(connection: Connection, userNo: number): number {
  const row = connection.get('SELECT documents FROM memory_totals WHERE user_no = ?', userNo)
  return row === undefined ? 1 : number(row, 'documents') + 1
}

/** Gives the index the committed documents, so that they need not be read back and cut into terms again. */
function tell(
  { connection, index }: MemoryPlaces,
  userNo: number,
  memory: Memory,
  place: Parameters<typeof documentOf>[1] & Parameters<typeof documentOf>[3],
): void {
  const document = documentOf(memory, place, conversationNoOf(connection, userNo, memory), place)
  connection.afterCommit(() => index.take({ owner: userNo, number: place.document, document }))
}

/** Notes an edit, with `previousText` null when the text stayed. Call it inside a write. */
function noteEdit(
  connection: Connection,
  row: bigint,
  event: 'UPDATE' | 'SUPERSEDE',
  previousText: string | null,
  at: number,
): void {
  connection.run(
    sql`INSERT INTO memory_history (memory_row, event, previous_text, created_at)
      VALUES (${row}, ${event}, ${previousText}, ${isoTime(at)})`,
  )
}

/** Removes the lines from this moment on, in milliseconds. Call it inside a write, and have the file wiped. */
function forgetEdits(connection: Connection, row: bigint, since: number): void {
  connection.run('DELETE FROM memory_history WHERE memory_row = ? AND created_at >= ?', row, isoTime(since))
}

/** Notes the edits that a memory had elsewhere, oldest first. Call it inside a write. */
export function noteEdits(connection: Connection, userNo: number, id: string, edits: readonly MemoryEdit[]): void {
  for (const { event, previousText, createdAt } of edits)
    connection.run(sql`INSERT INTO memory_history (memory_row, event, previous_text, created_at)
       SELECT row, ${event}, ${previousText}, ${isoTime(createdAt)} FROM memories
       WHERE user_no = ${userNo} AND id = ${id}`)
}

/** Oldest first; empty when there is no such memory. A SUPERSEDE's new text is that of the memory that took over. */
export function readHistory(connection: Connection, userNo: number, id: string): readonly MemoryEvent[] {
  const record = connection.get(sql`SELECT ${raw(MEMORY_COLUMNS)}, (SELECT s.text FROM memories s
      WHERE s.user_no = m.user_no AND s.id = m.superseded_by)
       AS successor FROM memories m WHERE user_no = ${userNo} AND id = ${id}`)
  if (record === undefined) return []
  const memory = memoryOf(record)
  const successor = textOrNull(record, 'successor')
  const lines = connection.all(sql`SELECT event, previous_text, h.created_at FROM memory_history h
      JOIN memories m ON m.row = h.memory_row
     WHERE m.user_no = ${userNo} AND m.id = ${id} ORDER BY line_no DESC`)
  const story: MemoryEvent[] = []
  let current = memory.text
  for (const line of lines) {
    const superseded = text(line, 'event') === 'SUPERSEDE'
    const previousText = textOrNull(line, 'previous_text') ?? current
    story.push({
      memoryId: id,
      event: superseded ? 'SUPERSEDE' : 'UPDATE',
      previousText,
      newText: superseded ? successor : current,
      createdAt: time(line, 'created_at'),
    })
    current = previousText
  }
  story.push({ memoryId: id, event: 'ADD', previousText: null, newText: current, createdAt: memory.createdAt })
  return story.reverse()
}
