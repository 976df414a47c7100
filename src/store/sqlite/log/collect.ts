/** The user's mark on turns: set or taken off one at a time, and read back over all conversations. */
import type { Page } from '../../../domain/contracts/conversation-log.ts'
import type { Turn, TurnReference } from '../../../domain/turn.ts'
import type { Connection } from '../connection.ts'
import { number, text } from '../rows.ts'
import { conversationKey, readTurns, TURN_COLUMNS, toTurn } from './read.ts'

/** See ConversationLog.collect. A turn that has the mark already is not written again. */
export function collectTurn(
  connection: Connection,
  userNo: number,
  { conversationId, turnId }: TurnReference,
  isCollected: boolean,
): Turn | null {
  return connection.write(() => {
    const key = conversationKey(connection, userNo, conversationId)
    if (key === undefined) return null
    const mark = isCollected ? 1 : 0
    connection.run(
      'UPDATE turns SET is_collected = ?1 WHERE conversation_id = ?2 AND turn_number = ?3 AND is_collected <> ?1',
      mark,
      key,
      BigInt(turnId),
    )
    return readTurns(connection, userNo, conversationId, { from: turnId, to: turnId })[0] ?? null
  })
}

/** See ConversationLog.collectedTurns. */
export function readCollectedTurns(
  connection: Connection,
  userNo: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Page<Turn> {
  return connection.read(() => {
    const collected = 'WHERE t.user_no = ? AND t.is_collected = 1'
    const total = connection.get(`SELECT count(*) AS total FROM turns t ${collected}`, userNo)
    const rows = connection.all(
      `SELECT ${TURN_COLUMNS}, c.public_id FROM turns t JOIN conversations c ON c.id = t.conversation_id ${collected}
       ORDER BY t.created_at DESC, t.id DESC LIMIT ? OFFSET ?`,
      userNo,
      BigInt(limit),
      BigInt(offset),
    )
    return {
      items: rows.map((row) => toTurn(row, text(row, 'public_id'))),
      total: total === undefined ? 0 : number(total, 'total'),
    }
  })
}
