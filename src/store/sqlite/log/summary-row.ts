/** A rolling summary and its row. */
import type { NewSummary } from '../../../domain/contracts/conversation-log.ts'
import type { Summary } from '../../../domain/turn.ts'
import type { Connection } from '../connection.ts'
import type { Row } from '../rows.ts'
import { isoTime, jsonStrings, number, text, time } from '../rows.ts'

/** The summary in a row of the conversation with this public id. */
export function toSummary(row: Row, conversationId: string): Summary {
  return {
    summaryId: number(row, 'id'),
    conversationId,
    startTurn: number(row, 'start_turn'),
    endTurn: number(row, 'end_turn'),
    summary: text(row, 'summary'),
    keySymbols: jsonStrings(row, 'key_symbols'),
    keyDecisions: jsonStrings(row, 'key_decisions'),
    createdAt: time(row, 'created_at'),
  }
}

/** Writes a row; the caller has made sure that the span is free. */
export function insertSummary(connection: Connection, key: string, { turns: _, ...summary }: NewSummary): Summary {
  const { lastInsertRowid } = connection.run(
    `INSERT INTO summaries (conversation_id, start_turn, end_turn, summary, created_at, key_symbols, key_decisions)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    key,
    summary.startTurn,
    summary.endTurn,
    summary.summary,
    isoTime(summary.createdAt),
    JSON.stringify(summary.keySymbols),
    JSON.stringify(summary.keyDecisions),
  )
  return { ...summary, summaryId: lastInsertRowid }
}
