/** Rolling summaries. A turn is in at most one of them: a span that meets a stored one is not written. */
import { isoTime } from '../../../domain/clock.ts'
import type { ConversationLog, NewSummary, SummaryPart } from '../../../domain/contracts/conversation-log.ts'
import type { Summary } from '../../../domain/turn.ts'
import type { Connection } from '../file/connection.ts'
import { jsonStrings, number, type Row, text, time } from '../file/rows.ts'
import { raw, sql } from '../file/sql.ts'
import { raiseChangeNo, type Users } from '../file/users.ts'
import { conversationKey } from './read.ts'

/** The part of the contract ConversationLog that is about summaries. */
export function conversationSummaries(
  connection: Connection,
  users: Users,
): Pick<
  ConversationLog,
  'addSummaries' | 'replaceSummaries' | 'summaries' | 'summariesCovering' | 'setConversationSummary'
> {
  return {
    addSummaries: async (userId, summaries, whole) =>
      users.of(userId, [], (userNo) =>
        connection.write(() => {
          const key = keyOf(connection, userNo, summaries)
          if (key === undefined) return []
          const written: Summary[] = []
          for (const summary of summaries) {
            if (!canStand(connection, key, summary)) break
            written.push(insertSummary(connection, key, summary))
          }
          if (written.length > 0) noteSummarized(connection, userNo, key)
          if (whole !== undefined && written.length === summaries.length)
            connection.run('UPDATE conversations SET summary = ? WHERE id = ?', whole, key)
          return written
        }),
      ),
    replaceSummaries: async (userId, summaries) =>
      users.of(userId, null, (userNo) =>
        connection.write(() => {
          const key = keyOf(connection, userNo, summaries)
          const [first, last] = [summaries[0], summaries.at(-1)]
          if (key === undefined || first === undefined || last === undefined) return null
          const inside = connection.all(sql`SELECT id FROM summaries
            WHERE conversation_id = ${key} AND start_turn >= ${first.startTurn} AND end_turn <= ${last.endTurn}`)
          const ids = new Set(inside.map((row) => number(row, 'id')))
          if (!summaries.every((summary) => canStand(connection, key, summary, ids))) return null
          for (const id of ids) connection.run('DELETE FROM summaries WHERE id = ?', id)
          const written = summaries.map((summary) => insertSummary(connection, key, summary))
          noteSummarized(connection, userNo, key)
          return written
        }),
      ),
    summaries: async (userId, id, part) =>
      users.of(userId, [], (userNo) => readSummaries(connection, userNo, id, part)),
    summariesCovering: async (userId, turns) =>
      users.of(userId, [], (userNo) =>
        connection.read(() => {
          const found = new Map<number, Summary>()
          for (const { conversationId, turnId } of turns) {
            const key = conversationKey(connection, userNo, conversationId)
            const [cover] = key === undefined ? [] : meeting(connection, key, turnId, turnId)
            if (cover !== undefined) found.set(number(cover, 'id'), toSummary(cover, conversationId))
          }
          return [...found.values()]
        }),
      ),
    setConversationSummary: async (userId, id, summary) =>
      users.of(userId, undefined, (userNo) => {
        connection.write(() =>
          connection.run(
            sql`UPDATE conversations SET summary = ${summary} WHERE user_no = ${userNo} AND public_id = ${id}`,
          ),
        )
      }),
  }
}

function keyOf(connection: Connection, userNo: number, summaries: readonly NewSummary[]): string | undefined {
  const first = summaries[0]
  return first === undefined ? undefined : conversationKey(connection, userNo, first.conversationId)
}

/** true when only `leaving` summaries overlap the span, and it holds the source turns of the summary. */
function canStand(
  connection: Connection,
  key: string,
  { startTurn, endTurn, turns }: NewSummary,
  leaving: ReadonlySet<number> = new Set(),
): boolean {
  const meets = meeting(connection, key, startTurn, endTurn)
  if (meets.some((row) => !leaving.has(number(row, 'id')))) return false
  if (turns === undefined) return true
  const held = connection.count(sql`SELECT count(*) FROM turns
    WHERE conversation_id = ${key} AND turn_number BETWEEN ${BigInt(startTurn)} AND ${BigInt(endTurn)}`)
  return held === turns
}

/** Stored summaries that cover a turn of the span. Spans never overlap, so that few rows have to be looked at. */
function meeting(connection: Connection, key: string, startTurn: number, endTurn: number): readonly Row[] {
  return connection
    .all(
      `SELECT * FROM summaries WHERE conversation_id = ?1 AND start_turn <= ?3 AND start_turn >=
         coalesce((SELECT max(start_turn) FROM summaries WHERE conversation_id = ?1 AND start_turn <= ?2), 0)`,
      key,
      BigInt(startTurn),
      BigInt(endTurn),
    )
    .filter((row) => number(row, 'end_turn') >= startTurn)
}

/** Recomputes how far summaries reach without a gap over turns that exist, and tells the other processes. */
export function noteSummarized(connection: Connection, userNo: number, key: string): void {
  const stored = connection.get('SELECT summarized_to FROM conversations WHERE id = ?', key)
  if (stored === undefined) return
  let reach = number(stored, 'summarized_to')
  for (;;) {
    const turn = connection.get(
      sql`SELECT min(turn_number) AS next FROM turns WHERE conversation_id = ${key} AND turn_number > ${reach}`,
    )
    const next = turn?.next
    if (typeof next !== 'number') break
    const [cover] = meeting(connection, key, next, next)
    if (cover === undefined) break
    reach = number(cover, 'end_turn')
  }
  connection.run(
    sql`UPDATE conversations SET summarized_to = ${reach}, change_no = ${raiseChangeNo(connection, userNo)}
      WHERE id = ${key}`,
  )
}

/** The summaries of a conversation, or those at one end of it, oldest span first. */
export function readSummaries(
  connection: Connection,
  userNo: number,
  conversationId: string,
  part?: SummaryPart,
): readonly Summary[] {
  const key = conversationKey(connection, userNo, conversationId)
  if (key === undefined) return []
  const newest = part !== undefined && 'newest' in part
  const limit = part === undefined ? -1 : newest ? part.newest : part.oldest
  const rows = connection.all(
    sql`SELECT * FROM summaries WHERE conversation_id = ${key} ORDER BY start_turn ${raw(newest ? 'DESC' : 'ASC')}
      LIMIT ${BigInt(limit)}`,
  )
  return (newest ? rows.reverse() : rows).map((row) => toSummary(row, conversationId))
}

/** The summary in a row of the conversation with this public id. */
function toSummary(row: Row, conversationId: string): Summary {
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
  const { lastInsertRowid } =
    connection.run(sql`INSERT INTO summaries (conversation_id, start_turn, end_turn, summary, created_at, key_symbols,
      key_decisions)
     VALUES (${key}, ${summary.startTurn}, ${summary.endTurn}, ${summary.summary}, ${isoTime(summary.createdAt)},
     ${JSON.stringify(summary.keySymbols)}, ${JSON.stringify(summary.keyDecisions)})`)
  return { ...summary, summaryId: lastInsertRowid }
}
