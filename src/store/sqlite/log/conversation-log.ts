/** The conversation log in the SQLite file: the contract. Reading, storing, removing and summaries have files of their own. */
import type { ConversationLog } from '../../../domain/contracts/conversation-log.ts'
import { SegmentTurnIndex } from '../../segments/turn-index.ts'
import { enqueueJob } from '../documents/job-queue.ts'
import type { Connection } from '../file/connection.ts'
import { number, text } from '../file/rows.ts'
import { sql } from '../file/sql.ts'
import { raiseChangeNo, type Users } from '../file/users.ts'
import { appendBatches } from './append.ts'
import { conversationKey, conversationReads, readTurns } from './read.ts'
import { conversationRemoval } from './remove.ts'
import { conversationSummaries } from './summaries.ts'
import { sqliteTurnTable } from './turn-table.ts'

const UNTHOUGHT = `SELECT id, public_id, unthought_from,
    (SELECT count(*) FROM turns t WHERE t.conversation_id = c.id AND t.turn_number >= c.unthought_from) AS turns
  FROM conversations c
  WHERE user_no = ?1 AND unthought_from IS NOT NULL AND (?2 IS NULL OR public_id = ?2)
  LIMIT ?3`
const HAND_OVER = `UPDATE conversations SET thought_to = min(thought_to, unthought_from - 1), unthought_from = NULL
  WHERE id = ?`

/** Opens the log over a connection with the current schema; removals reach the index, too. */
export function sqliteConversationLog(
  connection: Connection,
  users: Users,
  index = new SegmentTurnIndex(sqliteTurnTable(connection, users)),
): ConversationLog {
  const reads = conversationReads(connection, users)
  return {
    ...reads,
    ...conversationSummaries(connection, users),
    ...conversationRemoval(connection, users, index),
    append: async (userId, batches, at) => appendBatches(connection, users, userId, batches, at),
    thinkAboutUnthought: async (userId, { conversationId, limit }, at) =>
      users.of(userId, { conversations: 0, turns: 0 }, (userNo) =>
        connection.write(() => {
          const found = connection.all(UNTHOUGHT, userNo, conversationId, limit)
          let turns = 0
          for (const row of found) {
            connection.run(HAND_OVER, text(row, 'id'))
            // Where all such turns were deleted meanwhile, there is nothing to do.
            if (number(row, 'turns') > 0)
              enqueueJob(connection, userNo, { kind: 'think', subject: text(row, 'public_id') }, at)
            turns += number(row, 'turns')
          }
          return { conversations: found.length, turns }
        }),
      ),
    collect: async (userId, { conversationId, turnId }, isCollected) =>
      users.of(userId, null, (userNo) =>
        connection.write(() => {
          const key = conversationKey(connection, userNo, conversationId)
          if (key === undefined) return null
          const mark = isCollected ? 1 : 0
          // A turn that has the mark already is not written again.
          connection.run(sql`UPDATE turns SET is_collected = ${mark}
            WHERE conversation_id = ${key} AND turn_number = ${BigInt(turnId)} AND is_collected <> ${mark}`)
          return readTurns(connection, userNo, conversationId, { from: turnId, to: turnId })[0] ?? null
        }),
      ),
    mute: async (userId, conversationId, isMuted) =>
      users.of(userId, null, (userNo) => {
        connection.write(() =>
          connection.run(sql`UPDATE conversations
            SET is_muted = ${isMuted ? 1 : 0}, change_no = ${raiseChangeNo(connection, userNo)}
            WHERE user_no = ${userNo} AND public_id = ${conversationId}`),
        )
        return reads.conversation(userId, conversationId)
      }),
  }
}
