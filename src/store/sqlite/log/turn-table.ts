/** Turns as documents of the index: how they are read, and the names of their speakers. */

import type { TurnMeanings } from '../../../domain/contracts/store.ts'
import { ROLES } from '../../../domain/turn.ts'
import type { SymbolRelevance } from '../../../language/tokens.ts'
import type { TurnDocument, TurnTable } from '../../segments/turn-documents.ts'
import { type Connection, sql, type Users } from '../file/connection.ts'
import { bytes, number, text, textOrNull, time } from '../file/rows.ts'
import { sqliteSegmentTable } from '../file/segment-table.ts'

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

/** The store over an open, migrated database. */
export function sqliteTurnMeanings(connection: Connection, users: Users): TurnMeanings {
  return {
    chunks: async (userId, most) =>
      users.of(userId, [], (userNo) =>
        connection
          .all(
            'SELECT turn_rows, codes FROM turn_meanings WHERE user_no = ? ORDER BY first_row DESC LIMIT ?',
            userNo,
            most,
          )
          .reverse()
          .map((row) => {
            const rows = bytes(row, 'turn_rows').slice()
            const codes = bytes(row, 'codes')
            return {
              rows: new Float64Array(rows.buffer),
              codes: new Int8Array(codes.buffer, codes.byteOffset, codes.byteLength),
            }
          }),
      ),

    keep: async (userId, { rows, codes }) => {
      connection.write(() => {
        const userNo = users.find(userId)
        if (userNo === undefined || rows.length === 0) return
        const [first, last] = [rows[0]!, rows.at(-1)!]
        // A chunk with a turn that was deleted meanwhile is not kept.
        const living = connection.get(
          sql`SELECT count(*) AS n FROM turns WHERE user_no = ${userNo} AND id BETWEEN ${first} AND ${last}`,
        )
        if (living === undefined || Number(living.n) < rows.length) return
        connection.run(
          sql`INSERT OR IGNORE INTO turn_meanings (user_no, first_row, last_row, turn_rows, codes)
            VALUES (${userNo}, ${first}, ${last}, ${new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength)},
            ${new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength)})`,
        )
      })
    },
  }
}
