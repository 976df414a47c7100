/** Writes single memories, record, entries in both indexes and history together, and tells their history. */
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../../domain/clock.ts'
import { isoTime } from '../../../domain/clock.ts'
import type { MemoryChange, MemoryEdit, MemoryPatch } from '../../../domain/contracts/memory-store.ts'
import type { NewProfileLine } from '../../../domain/contracts/small-stores.ts'
import { holdsAt, type Memory, type MemoryEvent } from '../../../domain/memory.ts'
import { breathe, fewAtATime } from '../../../domain/scheduling.ts'
import { cutLongMemories, memoryTerms } from '../../segments/memory-documents.ts'
import { eraseDocuments } from '../../segments/merge-segments.ts'
import type { SegmentMemoryIndex } from '../../segments/segment-index.ts'
import { type Connection, raw, sql } from '../file/connection.ts'
import { noteErasure, noteWipeDue, reclaim, wipeDue } from '../file/reclaim.ts'
import { number, text, textOrNull, time } from '../file/rows.ts'
import { patiently } from '../file/wait-for-lock.ts'
import { removeJobsOfMemory } from '../small-stores/job-queue.ts'
import { eraseVectors } from '../vector-index/write-vectors.ts'
import { changeEntry, wordsOf, writeIndexed } from './memory-fts.ts'
import {
  INSERT_MEMORY,
  MEMORY_COLUMNS,
  memoryOf,
  memoryValues,
  newestPlace,
  rowRange,
  UPDATE_MEMORY,
} from './memory-rows.ts'
import { addLinesTo, dropLinesOf } from './profile-store.ts'

const SEARCHED_FIELDS: readonly (keyof MemoryPatch)[] = ['text', 'key', 'value', 'tags', 'metadata', 'who']
const UNTOLD_FIELDS = SEARCHED_FIELDS.filter((field) => field !== 'text')

/** The places of writing: the file, the index over it, and the clock. */
export interface MemoryPlaces {
  readonly connection: Connection
  readonly index: SegmentMemoryIndex
  readonly clock: Clock
}

/** Inserts a memory with its entries and edits, unless its id or externalId exists. Call it inside `writeIndexed`. */
export function insertOne(
  to: MemoryPlaces,
  userNo: number,
  memory: Memory,
  edits: readonly MemoryEdit[] = [],
): { memory: Memory; existed: boolean } {
  const { connection } = to
  const known =
    connection.get(sql`SELECT ${raw(MEMORY_COLUMNS)} FROM memories m WHERE user_no = ${userNo} AND id = ${memory.id}
     UNION ALL SELECT ${raw(MEMORY_COLUMNS)} FROM memories m WHERE user_no = ${userNo}
     AND external_id = ${memory.externalId}
       AND coalesce(conversation_id, '') = coalesce(${memory.conversationId}, '') LIMIT 1`)
  if (known !== undefined) return { memory: memoryOf(known), existed: true }
  const row = rowRange(userNo)[0] + BigInt(newestPlace(connection, userNo)) + 1n
  connection.run(INSERT_MEMORY, ...memoryValues(memory), row, userNo, nextDocument(connection, userNo))
  changeEntry(connection, row, null, wordsOf(memory))
  for (const edit of edits) noteEdit(connection, row, edit)
  return { memory, existed: false }
}

export function readMemory(connection: Connection, userNo: number, id: string): { memory: Memory; row: bigint } | null {
  const found = connection.get(
    sql`SELECT CAST(row AS TEXT) AS row, ${raw(MEMORY_COLUMNS)} FROM memories m
      WHERE user_no = ${userNo} AND id = ${id}`,
  )
  return found === undefined ? null : { memory: memoryOf(found), row: BigInt(text(found, 'row')) }
}

/** Those of the memories that there are. */
export function memoriesOf(connection: Connection, userNo: number, ids: readonly string[]): readonly Memory[] {
  return ids.flatMap((id) => readMemory(connection, userNo, id)?.memory ?? [])
}

/** See `MemoryStore.update`; inside `writeIndexed`. A replaced memory without an `event` is noted as SUPERSEDE. */
export function updateOne(
  to: MemoryPlaces,
  userNo: number,
  { id, patch, event, unsaid }: Omit<MemoryChange, 'event'> & Partial<Pick<MemoryChange, 'event'>>,
  at: number,
  says?: readonly NewProfileLine[],
): Memory | null {
  const { connection } = to
  const found = readMemory(connection, userNo, id)
  if (found === null) return null
  const { memory: before, row } = found
  const after: Memory = { ...before, ...patch, updatedAt: at }
  const document = nextDocument(connection, userNo)
  connection.run(UPDATE_MEMORY, ...memoryValues(after), document, row)
  if (SEARCHED_FIELDS.some((field) => field in patch)) {
    const [old, now] = [memoryTerms(before), memoryTerms(after)]
    const [said, says] = [wordsOf(before, old), wordsOf(after, now)]
    if (said !== says) changeEntry(connection, row, said, says)
    // In the lists of words that it keeps the earlier version is passed over, as after any other change.
    const gone = [...old.keys()].filter((term) => !now.has(term))
    if (gone.length > 0) eraseTerms(to, userNo, gone)
  }
  // A plan has an event; this is a caller's own edit, and the history keeps nothing but the text.
  if (event === undefined && UNTOLD_FIELDS.some((field) => !isDeepStrictEqual(before[field], after[field])))
    noteErasure(connection)
  const moment = Math.max(at, after.validFrom)
  if (holdsAt(before, moment) && !holdsAt(after, moment)) dropLinesOf(connection, userNo, id, at)
  else if (says !== undefined && dropLinesOf(connection, userNo, id, at)) addLinesTo(connection, userNo, says, at)
  if (unsaid !== undefined) {
    forgetEdits(connection, row, unsaid.since)
    if (after.text !== unsaid.text)
      noteEdit(connection, row, { event: 'UPDATE', previousText: unsaid.text, createdAt: at })
    return after
  }
  const superseded = after.supersededBy !== null && after.supersededBy !== before.supersededBy
  const previousText = after.text === before.text ? null : before.text
  noteEdit(connection, row, { event: event ?? (superseded ? 'SUPERSEDE' : 'UPDATE'), previousText, createdAt: at })
  return after
}

/** Removes ended documents, earlier versions included, from the lists of these terms. Call it inside a write. */
function eraseTerms({ index }: MemoryPlaces, userNo: number, terms: Iterable<string>): void {
  eraseDocuments(index.table, index.kind, userNo, { documents: [], terms })
}

function nextDocument(connection: Connection, userNo: number): number {
  const row = connection.get('SELECT documents FROM memory_totals WHERE user_no = ?', userNo)
  return row === undefined ? 1 : number(row, 'documents') + 1
}

/** Notes an edit, with `previousText` null when the text stayed. Call it inside a write. */
function noteEdit(connection: Connection, row: bigint, { event, previousText, createdAt }: MemoryEdit): void {
  connection.run(sql`INSERT INTO memory_history (memory_row, event, previous_text, created_at)
    VALUES (${row}, ${event}, ${previousText}, ${isoTime(createdAt)})`)
}

/** Removes the lines from this moment on, in milliseconds. Call it inside a write, and have the file wiped. */
function forgetEdits(connection: Connection, row: bigint, since: number): void {
  connection.run('DELETE FROM memory_history WHERE memory_row = ? AND created_at >= ?', row, isoTime(since))
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

/** Memories go a few a transaction; afterwards no byte of them is left in the file or its log. */
const MEMORIES_A_PIECE = 20

/** The index is named, as SQLite without statistics would read all of the user's memories. */
const UNSUPERSEDE = `UPDATE memories INDEXED BY memories_superseded SET superseded_by = NULL
  WHERE user_no = ? AND superseded_by = ?`

/** The suspicion's text once the memory it rested on is gone. */
const GONE = 'a memory that it rested on was deleted'

export async function removeMemories(from: MemoryPlaces, userNo: number, ids: readonly string[]): Promise<number> {
  const { connection } = from
  let removed = 0
  for await (const piece of fewAtATime(ids, MEMORIES_A_PIECE)) {
    await cutLongMemories(memoriesOf(connection, userNo, piece))
    removed += await patiently(connection, () => writeIndexed(connection, () => removePiece(from, userNo, piece)))
  }
  if (removed > 0) await reclaim(connection, { ofMemories: true })
  return removed
}

/** Removes everything that the user has when it begins; how many. */
export async function removeAllMemories(from: MemoryPlaces, userNo: number): Promise<number> {
  const { connection, index } = from
  let removed = 0
  for (;;) {
    const piece = firstIds(connection, userNo)
    if (piece.length === 0) break
    await cutLongMemories(memoriesOf(connection, userNo, piece))
    removed += await patiently(connection, () =>
      writeIndexed(connection, () => removePiece(from, userNo, piece, { fromLists: false })),
    )
    await breathe()
  }
  // The dropped index reads in what was written meanwhile from the records.
  if (removed > 0) await patiently(connection, () => index.drop(userNo))
  // A document of the user may have been emptied just before.
  if (removed > 0 || wipeDue(connection) > 0) await reclaim(connection, { ofMemories: true })
  return removed
}

function firstIds(connection: Connection, userNo: number): readonly string[] {
  const rows = connection.all(
    `SELECT id FROM memories WHERE row BETWEEN ? AND ? ORDER BY row LIMIT ${MEMORIES_A_PIECE}`,
    ...rowRange(userNo),
  )
  return rows.map((row) => text(row, 'id'))
}

/**
 * Removes a few inside `writeIndexed`; their number. `fromLists` false: the whole index goes later; `wipes` false: copies
 * of the file stay; lists of the words that `heirs` take over stay, too.
 */
export function removePiece(
  from: MemoryPlaces,
  userNo: number,
  ids: readonly string[],
  {
    fromLists = true,
    heirs = [],
    wipes = true,
  }: { readonly fromLists?: boolean; readonly heirs?: readonly Memory[]; readonly wipes?: boolean } = {},
): number {
  let removed = 0
  const terms = new Set<string>()
  for (const id of ids) if (removeOne(from, userNo, id, terms)) removed += 1
  if (removed > 0)
    from.connection.run(sql`INSERT INTO memory_deletions (user_no, deleted_at, memories)
      VALUES (${userNo}, ${isoTime(from.clock().getTime())}, ${removed})
      ON CONFLICT (user_no, deleted_at) DO UPDATE SET memories = memories + excluded.memories`)
  for (const heir of heirs) for (const term of memoryTerms(heir).keys()) terms.delete(term)
  if (fromLists && terms.size > 0) eraseTerms(from, userNo, terms)
  eraseVectors(from.connection, userNo, ids)
  if (removed > 0) (wipes ? noteErasure : noteWipeDue)(from.connection)
  return removed
}

function removeOne({ connection, clock }: MemoryPlaces, userNo: number, id: string, terms: Set<string>): boolean {
  const found = readMemory(connection, userNo, id)
  if (found === null) return false
  const { memory, row } = found
  const gone = memoryTerms(memory)
  connection.run('DELETE FROM memory_history WHERE memory_row = ?', row)
  connection.run('DELETE FROM memories WHERE row = ?', row)
  changeEntry(connection, row, wordsOf(memory, gone), null)
  for (const term of gone.keys()) terms.add(term)
  removeJobsOfMemory(connection, userNo, id)
  dropLinesOf(connection, userNo, id, clock().getTime())
  connection.run(UNSUPERSEDE, userNo, id)
  connection.run(sql`UPDATE memories SET suspect_reason = ${GONE}
     WHERE user_no = ${userNo} AND suspect_reason IS NOT NULL AND (instr(suspect_reason, ${id}) OR
     instr(suspect_reason, ${memory.text}))`)
  return true
}
