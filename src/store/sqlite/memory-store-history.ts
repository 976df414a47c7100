/**
 * What became of a memory? Its history combines `memory_history` and the record, so that a text is kept once and goes
 * with its memory.
 */
import type { MemoryEdit } from '../../domain/contracts/memory-store.ts'
import type { MemoryEvent } from '../../domain/memory.ts'
import type { Connection } from './connection.ts'
import { MEMORY_COLUMNS, memoryOf } from './memory-rows.ts'
import { isoTime, text, textOrNull, time } from './rows.ts'

/** Notes an edit, with `previousText` null when the text stayed. Call it inside a write. */
export function noteEdit(
  connection: Connection,
  row: bigint,
  event: 'UPDATE' | 'SUPERSEDE',
  previousText: string | null,
  at: number,
): void {
  connection.run(
    'INSERT INTO memory_history (memory_row, event, previous_text, created_at) VALUES (?, ?, ?, ?)',
    row,
    event,
    previousText,
    isoTime(at),
  )
}

/** Removes the lines from this moment on, in milliseconds. Call it inside a write, and have the file wiped. */
export function forgetEdits(connection: Connection, row: bigint, since: number): void {
  connection.run('DELETE FROM memory_history WHERE memory_row = ? AND created_at >= ?', row, isoTime(since))
}

/** Notes the edits that a memory had elsewhere, oldest first. Call it inside a write. */
export function noteEdits(connection: Connection, userNo: number, id: string, edits: readonly MemoryEdit[]): void {
  for (const { event, previousText, createdAt } of edits)
    connection.run(
      `INSERT INTO memory_history (memory_row, event, previous_text, created_at)
       SELECT row, ?, ?, ? FROM memories WHERE user_no = ? AND id = ?`,
      event,
      previousText,
      isoTime(createdAt),
      userNo,
      id,
    )
}

/** Oldest first; empty when there is no such memory. A SUPERSEDE's new text is that of the memory that took over. */
export function readHistory(connection: Connection, userNo: number, id: string): readonly MemoryEvent[] {
  const record = connection.get(
    `SELECT ${MEMORY_COLUMNS}, (SELECT s.text FROM memories s WHERE s.user_no = m.user_no AND s.id = m.superseded_by)
       AS successor FROM memories m WHERE user_no = ? AND id = ?`,
    userNo,
    id,
  )
  if (record === undefined) return []
  const memory = memoryOf(record)
  const successor = textOrNull(record, 'successor')
  const lines = connection.all(
    `SELECT event, previous_text, h.created_at FROM memory_history h JOIN memories m ON m.row = h.memory_row
     WHERE m.user_no = ? AND m.id = ? ORDER BY line_no DESC`,
    userNo,
    id,
  )
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
