/** Reads conversations and turns of one user. */
import type { Page, TurnPageInput, TurnPlace, TurnRange } from '../../../domain/contracts/conversation-log.ts'
import type { Conversation, Role, Turn } from '../../../domain/turn.ts'
import type { Connection } from '../connection.ts'
import type { Row } from '../rows.ts'
import { jsonObject, jsonStrings, number, text, textOrNull, time } from '../rows.ts'

const FIRST_PROJECT = `SELECT r.value FROM json_each(?2) r
  WHERE EXISTS (SELECT 1 FROM conversations c WHERE c.user_no = ?1 AND c.project_root = r.value)
    OR EXISTS (SELECT 1 FROM memories m WHERE m.user_no = ?1 AND m.project_root = r.value AND m.project_root > '')
  ORDER BY r.key LIMIT 1`
const CONVERSATION_COLUMNS = `public_id, project_root, created_at, last_active, summary, turn_count, last_turn,
  is_muted`
/** The columns of the table `turns t` that `toTurn` needs. */
export const TURN_COLUMNS = `t.id, t.turn_number, t.role, t.content, t.symbols, t.created_at, t.speaker, t.external_id,
  t.metadata, t.is_collected`

function toConversation(row: Row): Conversation {
  return {
    conversationId: text(row, 'public_id'),
    projectRoot: text(row, 'project_root'),
    createdAt: time(row, 'created_at'),
    lastActive: time(row, 'last_active'),
    summary: textOrNull(row, 'summary'),
    turnCount: number(row, 'turn_count'),
    lastTurnId: number(row, 'last_turn'),
    ...(number(row, 'is_muted') === 1 ? { isMuted: true } : {}),
  }
}

/** The turn of a row. */
export function toTurn(row: Row, conversationId: string): Turn {
  return {
    conversationId,
    turnId: number(row, 'turn_number'),
    role: text(row, 'role') as Role,
    content: text(row, 'content'),
    speaker: textOrNull(row, 'speaker'),
    createdAt: time(row, 'created_at'),
    externalId: textOrNull(row, 'external_id'),
    metadata: jsonObject(row, 'metadata'),
    isCollected: number(row, 'is_collected') === 1,
    symbols: jsonStrings(row, 'symbols'),
  }
}

/** conversations.id of the user's conversation, undefined when there is none. */
export function conversationKey(connection: Connection, userNo: number, conversationId: string): string | undefined {
  const row = connection.get('SELECT id FROM conversations WHERE user_no = ? AND public_id = ?', userNo, conversationId)
  return row === undefined ? undefined : text(row, 'id')
}

/** One conversation; null when the user has none with this id. */
export function readConversation(connection: Connection, userNo: number, conversationId: string): Conversation | null {
  const row = connection.get(
    `SELECT ${CONVERSATION_COLUMNS} FROM conversations WHERE user_no = ? AND public_id = ?`,
    userNo,
    conversationId,
  )
  return row === undefined ? null : toConversation(row)
}

/** See ConversationLog.thoughtTo. */
export function readThoughtTo(connection: Connection, userNo: number, conversationId: string): number | null {
  const row = connection.get(
    'SELECT thought_to FROM conversations WHERE user_no = ? AND public_id = ?',
    userNo,
    conversationId,
  )
  return row === undefined ? null : number(row, 'thought_to')
}

/** See ConversationLog.firstProject. */
export function firstProject(connection: Connection, userNo: number, roots: readonly string[]): string | null {
  const row = connection.get(FIRST_PROJECT, userNo, JSON.stringify(roots))
  return row === undefined ? null : text(row, 'value')
}

/** A page of conversations, newest activity first. */
export function readConversations(
  connection: Connection,
  userNo: number,
  page: { readonly limit: number; readonly offset: number; readonly projectRoot?: string },
): Page<Conversation> {
  return connection.read(() => {
    const where = page.projectRoot === undefined ? 'user_no = ?' : 'user_no = ? AND project_root = ?'
    const values = page.projectRoot === undefined ? [userNo] : [userNo, page.projectRoot]
    const total = connection.get(`SELECT count(*) AS total FROM conversations WHERE ${where}`, ...values)
    const rows = connection.all(
      `SELECT ${CONVERSATION_COLUMNS} FROM conversations WHERE ${where}
       ORDER BY last_active DESC, conversation_no DESC LIMIT ? OFFSET ?`,
      ...values,
      page.limit,
      page.offset,
    )
    return { items: rows.map(toConversation), total: total === undefined ? 0 : number(total, 'total') }
  })
}

/** Turns of one conversation by number, in order. */
export function readTurns(
  connection: Connection,
  userNo: number,
  conversationId: string,
  { from = 1, to = Number.MAX_SAFE_INTEGER, limit = -1 }: TurnRange,
): readonly Turn[] {
  const key = conversationKey(connection, userNo, conversationId)
  if (key === undefined) return []
  return connection
    .all(
      `SELECT ${TURN_COLUMNS} FROM turns t WHERE conversation_id = ? AND turn_number BETWEEN ? AND ?
       ORDER BY turn_number LIMIT ?`,
      key,
      BigInt(from),
      BigInt(to),
      BigInt(limit),
    )
    .map((row) => toTurn(row, conversationId))
}

/** A page of a conversation's turns by number, with the number of all in the range; only those with the mark if asked. */
export function readTurnPage(
  connection: Connection,
  userNo: number,
  conversationId: string,
  { from, to, limit, offset, isCollected }: TurnPageInput,
): Page<Turn> {
  return connection.read(() => {
    const key = conversationKey(connection, userNo, conversationId)
    if (key === undefined) return { items: [], total: 0 }
    const marked = isCollected === undefined ? '' : `AND is_collected = ${isCollected ? 1 : 0}`
    const range = `WHERE conversation_id = ? AND turn_number BETWEEN ? AND ? ${marked}`
    const total = connection.get(`SELECT count(*) AS total FROM turns t ${range}`, key, BigInt(from), BigInt(to))
    const rows = connection.all(
      `SELECT ${TURN_COLUMNS} FROM turns t ${range} ORDER BY turn_number LIMIT ? OFFSET ?`,
      key,
      BigInt(from),
      BigInt(to),
      BigInt(limit),
      BigInt(offset),
    )
    return {
      items: rows.map((row) => toTurn(row, conversationId)),
      total: total === undefined ? 0 : number(total, 'total'),
    }
  })
}

/** The oldest turns that no summary covers, in order. */
export function readUnsummarized(
  connection: Connection,
  userNo: number,
  conversationId: string,
  limit: number,
): readonly Turn[] {
  return connection.read(() => {
    const conversation = connection.get(
      'SELECT id, summarized_to FROM conversations WHERE user_no = ? AND public_id = ?',
      userNo,
      conversationId,
    )
    if (conversation === undefined) return []
    const key = text(conversation, 'id')
    const reach = BigInt(number(conversation, 'summarized_to'))
    // Summaries behind the gapless reach were asked for by a person; there are few or none.
    const later = connection
      .all('SELECT start_turn, end_turn FROM summaries WHERE conversation_id = ? AND start_turn > ?', key, reach)
      .map((row) => ({ from: number(row, 'start_turn'), to: number(row, 'end_turn') }))
    const found: Turn[] = []
    const rows = connection
      .statement(
        `SELECT ${TURN_COLUMNS} FROM turns t WHERE conversation_id = ? AND turn_number > ? ORDER BY turn_number`,
      )
      .iterate(key, reach)
    for (const row of rows) {
      const turn = number(row, 'turn_number')
      if (later.some(({ from, to }) => turn >= from && turn <= to)) continue
      found.push(toTurn(row, conversationId))
      if (found.length >= limit) break
    }
    return found
  })
}

/** Turns by turns.id, in the order asked; those that are gone or another user's are left out. */
export function readTurnsByRow(
  connection: Connection,
  userNo: number,
  places: readonly TurnPlace[],
): readonly (Turn & { readonly row: number })[] {
  const rows = connection.all(
    `SELECT e.key AS place, ${TURN_COLUMNS} FROM json_each(?) e CROSS JOIN turns t
     WHERE t.id = e.value AND t.user_no = ? ORDER BY e.key`,
    JSON.stringify(places.map(({ row }) => row)),
    userNo,
  )
  return rows.map((row) => {
    const { row: id, conversationId } = places[number(row, 'place')]!
    return { ...toTurn(row, conversationId), row: id }
  })
}
