/** Turns as documents of the index: how they are read, and the names of their speakers. */
import { ROLES } from '../../../domain/turn.ts'
import type { SymbolRelevance } from '../../../language/tokens.ts'
import type { TurnDocument, TurnTable } from '../../segments/turn-documents.ts'
import type { Connection } from '../file/connection.ts'
import { number, text, textOrNull, time } from '../file/rows.ts'
import { sqliteSegmentTable } from '../file/segment-table.ts'
import type { Users } from '../file/users.ts'

const AFTER = `SELECT t.id, t.turn_number, t.role, t.content, t.created_at, t.speaker, c.conversation_no,
    (SELECT json_group_array(json_object('symbol', s.symbol, 'relevance', s.relevance)) FROM json_each(t.symbols) e
      JOIN symbol_index s ON s.symbol = e.value AND s.conversation_id = t.conversation_id AND s.turn_id = t.turn_number) AS symbols
  FROM turns t INDEXED BY turns_user JOIN conversations c ON c.id = t.conversation_id
  WHERE t.user_no = ? AND t.id > ? ORDER BY t.id`

/** The segments of turns in an open, migrated database. */
export function sqliteTurnTable(connection: Connection, users: Users): TurnTable {
  return {
    ...sqliteSegmentTable(connection, users, {
      segments: 'index_segments',
      chunks: 'index_chunks',
      kind: 'turn',
      holes: 'turn_holes',
      columns: 'turn_columns',
      version: 'index_version',
      countAfter: 'SELECT 1 FROM turns INDEXED BY turns_user WHERE user_no = ?1 AND id > ?2',
      notesHoles: false,
    }),
    *documentsAfter(owner, after): Generator<TurnDocument> {
      for (const row of connection.statement(AFTER).iterate(owner, after)) {
        const spoken = text(row, 'role')
        yield {
          row: number(row, 'id'),
          content: text(row, 'content'),
          symbols: JSON.parse(text(row, 'symbols')) as SymbolRelevance[],
          createdAt: time(row, 'created_at'),
          conversationNo: number(row, 'conversation_no'),
          number: number(row, 'turn_number'),
          speaker: textOrNull(row, 'speaker') ?? '',
          role: ROLES.find((role) => role === spoken) ?? 'user',
        }
      }
    },
    speakers: (owner) =>
      new Map(
        connection
          .all('SELECT speaker_no, name FROM speakers WHERE user_no = ?', owner)
          .map((row) => [number(row, 'speaker_no'), text(row, 'name')]),
      ),
    speakerNo: (owner, name) => {
      const row = connection.get('SELECT speaker_no FROM speakers WHERE user_no = ? AND name = ?', owner, name)
      if (row !== undefined) return number(row, 'speaker_no')
      return connection.run('INSERT INTO speakers (user_no, name) VALUES (?, ?)', owner, name).lastInsertRowid
    },
  }
}
