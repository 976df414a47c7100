/** Memories as documents of the index: reading them, and making one of a record that is being written. */
import type { SegmentTable } from '../../../domain/contracts/segment-table.ts'
import type { Memory } from '../../../domain/memory.ts'
import { FLUSH_AT } from '../../segments/flush.ts'
import { analyzeMemory, type MemoryDocument } from '../../segments/memory-documents.ts'
import type { Connection } from '../file/connection.ts'
import { number, text } from '../file/rows.ts'
import { sqliteSegmentTable } from '../file/segment-table.ts'
import type { Users } from '../file/users.ts'
import { MEMORY_COLUMNS, memoryOf } from './memory-rows.ts'

const AFTER = `SELECT m.row & 0xffffffff AS place, m.document, ${MEMORY_COLUMNS},
    coalesce((SELECT conversation_no FROM conversations c
      WHERE c.user_no = m.user_no AND c.public_id = m.conversation_id), 0) AS conversation_no
  FROM memories m INDEXED BY memories_document WHERE m.user_no = ? AND m.document > ? ORDER BY m.document`
const LONG_TAILS = `SELECT u.user_id FROM memory_totals t JOIN users u USING (user_no)
  WHERE t.documents >= ?1 AND (SELECT count(*) FROM (SELECT 1 FROM memories m INDEXED BY memories_document
    WHERE m.user_no = t.user_no AND m.document > coalesce((SELECT max(last_row) FROM memory_segments s
      WHERE s.user_no = t.user_no AND s.building = 0), 0) LIMIT ?1)) >= ?1`
const CONVERSATION = 'SELECT conversation_no FROM conversations WHERE user_no = ? AND public_id = ?'

/** The segments of memories in an open, migrated database. */
export function sqliteMemoryTable(connection: Connection, users: Users): SegmentTable<MemoryDocument> {
  return {
    ...sqliteSegmentTable(connection, users, {
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
        const place = { document: number(row, 'document'), row: number(row, 'place') }
        yield documentOf(memory, place, number(row, 'conversation_no'), analyzeMemory(memory))
      }
    },
  }
}

/** The number of the conversation that a memory refers to; 0 for none. */
export function conversationNoOf(connection: Connection, userNo: number, { conversationId }: Memory): number {
  const row = conversationId === null ? undefined : connection.get(CONVERSATION, userNo, conversationId)
  return row === undefined ? 0 : number(row, 'conversation_no')
}

export function documentOf(
  memory: Memory,
  { document, row }: Pick<MemoryDocument, 'document' | 'row'>,
  conversationNo: number,
  { terms, length }: Pick<MemoryDocument, 'terms' | 'length'>,
): MemoryDocument {
  const { createdAt, occurredAt, validFrom, validTo, memoryType, category, sourceTurnIds, projectRoot } = memory
  return {
    ...{ document, row, conversationNo, terms, length },
    ...{ createdAt, occurredAt, validFrom, validTo, memoryType, category, sourceTurnIds, projectRoot },
    // A buried memory is looked for as rarely as a replaced one; the record decides.
    superseded: memory.supersededBy !== null || (memory.buriedAt ?? null) !== null,
    inDoubt: memory.suspect !== null,
  }
}

/** Users with a long tail of documents outside segments, after an import or from before segments existed. */
export function usersWithLongTail(connection: Connection): readonly string[] {
  return connection.all(LONG_TAILS, FLUSH_AT).map((row) => text(row, 'user_id'))
}
