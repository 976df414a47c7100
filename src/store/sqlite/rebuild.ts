/** Builds a user's indexes anew from the turns: symbols, full text, and counts of turns. */
import type { Work } from '../../domain/contracts/conversation-log.ts'
import type { RebuildCounts } from '../../domain/contracts/store.ts'
import { breathe } from '../../domain/pieces.ts'
import { extractSymbols } from '../../language/symbols.ts'
import type { SegmentMemoryIndex, SegmentTurnIndex } from '../segments/indexes.ts'
import type { Connection } from './file/connection.ts'
import { patiently, writePatiently } from './file/patient.ts'
import { number, text } from './file/rows.ts'
import { sql } from './file/sql.ts'
import { raiseChangeNo, type Users } from './file/users.ts'
import { noteSummarized } from './log/summaries.ts'
import { dropEntries, rebuildEntries } from './memories/memory-fts.ts'
import { rebuildChunks } from './vector-index/write.ts'

const TURNS_A_PIECE = 200
const SYMBOLS_A_PIECE = 1000

/** The indexes of a store, by what they are over. */
export interface Indexes {
  readonly turns: SegmentTurnIndex
  readonly memories: SegmentMemoryIndex
}

/** See Store.rebuild. The turns are never changed, so it can be stopped and run again. */
export async function rebuildIndexes(
  connection: Connection,
  users: Users,
  { turns: turnIndex, memories: memoryIndex }: Indexes,
  userId: string,
  { signal, onProgress }: Work = {},
): Promise<RebuildCounts> {
  const userNo = users.find(userId)
  if (userNo === undefined) return { conversations: 0, turns: 0, symbols: 0, memories: 0 }
  await patiently(connection, () => turnIndex.drop(userNo))
  await dropSymbols(connection, userNo, signal)
  const total = connection.count('SELECT count(*) AS n FROM turns WHERE user_no = ?', userNo)
  let turns = 0
  let symbols = 0
  let after = 0
  for (;;) {
    const piece = await writePatiently(connection, () => rebuildSymbols(connection, userNo, after))
    if (piece === null) break
    after = piece.last
    turns += piece.turns
    symbols += piece.symbols
    onProgress?.(turns, total)
    await breathe(signal)
  }
  const conversations = await writePatiently(connection, () => {
    const rows = connection.all('SELECT id FROM conversations WHERE user_no = ?', userNo)
    connection.run(sql`UPDATE conversations SET turn_count = (SELECT count(*) FROM turns t
      WHERE t.conversation_id = conversations.id)
       WHERE user_no = ${userNo}`)
    for (const row of rows) noteSummarized(connection, userNo, text(row, 'id'))
    raiseChangeNo(connection, userNo)
    return rows.length
  })
  await flushAll(connection, turnIndex, userId, signal)
  await rebuildChunks(connection, userNo, signal)
  const memories = await rebuildEntries(connection, userNo, signal === undefined ? {} : { signal })
  await patiently(connection, () => memoryIndex.drop(userNo))
  await flushAll(connection, memoryIndex, userId, signal)
  return { conversations, turns, symbols, memories }
}

/** Reads everything in, piece by piece, and makes a segment of it. */
async function flushAll(
  connection: Connection,
  index: Indexes[keyof Indexes],
  userId: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  while (!index.takeIn(userId)) await breathe(signal)
  await patiently(connection, () => index.flush(userId, true))
}

/** Entries of symbols that this program would no longer find go too; in pieces, since the table has no user. */
async function dropSymbols(connection: Connection, userNo: number, signal: AbortSignal | undefined): Promise<void> {
  const bounds = connection.get('SELECT min(rowid) AS first, max(rowid) AS last FROM symbol_index')
  const first = bounds?.first
  const last = bounds?.last
  if (typeof first !== 'number' || typeof last !== 'number') return
  for (let from = first; from <= last; from += SYMBOLS_A_PIECE) {
    await writePatiently(connection, () =>
      connection.run(sql`DELETE FROM symbol_index WHERE rowid BETWEEN ${BigInt(from)}
        AND ${BigInt(from + SYMBOLS_A_PIECE - 1)} AND conversation_id IN
           (SELECT id FROM conversations WHERE user_no = ${userNo})`),
    )
    await breathe(signal)
  }
}

function rebuildSymbols(
  connection: Connection,
  userNo: number,
  after: number,
): { last: number; turns: number; symbols: number } | null {
  const rows =
    connection.all(sql`SELECT id, conversation_id, turn_number, content, symbols FROM turns INDEXED BY turns_user
     WHERE user_no = ${userNo} AND id > ${after} ORDER BY id LIMIT ${TURNS_A_PIECE}`)
  if (rows.length === 0) return null
  let symbols = 0
  for (const row of rows) {
    const key = text(row, 'conversation_id')
    const turn = number(row, 'turn_number')
    const found = extractSymbols(text(row, 'content'))
    symbols += found.length
    for (const { symbol, relevance, context } of found)
      connection.run(sql`INSERT OR REPLACE INTO symbol_index (symbol, conversation_id, turn_id, relevance, context)
         VALUES (${symbol}, ${key}, ${turn}, ${relevance}, ${context})`)
    const names = found.length === 0 ? null : JSON.stringify(found.map(({ symbol }) => symbol))
    if (names !== row.symbols) connection.run('UPDATE turns SET symbols = ? WHERE id = ?', names, number(row, 'id'))
  }
  return { last: number(rows.at(-1)!, 'id'), turns: rows.length, symbols }
}

/** Raised whenever the terms of a text change; an index of another version is built anew from turns and memories. */
export const TERMS_VERSION = 4

/** Without segments everything is read as part of the tail until the next upkeep writes new ones. */
export async function ensureTermsVersion(
  connection: Connection,
  turns: SegmentTurnIndex,
  memories: SegmentMemoryIndex,
): Promise<void> {
  const row = connection.get(`SELECT value FROM counters WHERE name = 'terms_version'`)
  if (row !== undefined && number(row, 'value') === TERMS_VERSION) return
  const users = connection.all('SELECT user_no FROM users').map((user) => number(user, 'user_no'))
  if (users.length > 0) dropEntries(connection)
  for (const userNo of users) {
    turns.drop(userNo)
    memories.drop(userNo)
    await rebuildEntries(connection, userNo)
  }
  // The version is written last, so that after a stopped process the next one does it again.
  connection.write(() =>
    connection.run(sql`INSERT INTO counters (name, value) VALUES ('terms_version', ${TERMS_VERSION})
       ON CONFLICT (name) DO UPDATE SET value = ${TERMS_VERSION}`),
  )
}
