/** Hands turns that were stored without thinking to thinking after all: each once, with its job. */
import type { UnthoughtCounts } from '../../../domain/contracts/conversation-log.ts'
import type { Connection } from '../connection.ts'
import { enqueueJob } from '../job-enqueue.ts'
import { number, text } from '../rows.ts'

const FIND = `SELECT id, public_id, unthought_from,
    (SELECT count(*) FROM turns t WHERE t.conversation_id = c.id AND t.turn_number >= c.unthought_from) AS turns
  FROM conversations c
  WHERE user_no = ?1 AND unthought_from IS NOT NULL AND (?2 IS NULL OR public_id = ?2)
  LIMIT ?3`
const HAND_OVER = `UPDATE conversations SET thought_to = min(thought_to, unthought_from - 1), unthought_from = NULL
  WHERE id = ?`

/** See ConversationLog.thinkAboutUnthought. */
export function thinkAboutUnthought(
  connection: Connection,
  userNo: number,
  { conversationId, limit }: { readonly conversationId: string | null; readonly limit: number },
  at: number,
): UnthoughtCounts {
  return connection.write(() => {
    const found = connection.all(FIND, userNo, conversationId, limit)
    let turns = 0
    for (const row of found) {
      connection.run(HAND_OVER, text(row, 'id'))
      // Where all such turns were deleted meanwhile, there is nothing to do.
      if (number(row, 'turns') > 0)
        enqueueJob(connection, userNo, { kind: 'think', subject: text(row, 'public_id') }, at)
      turns += number(row, 'turns')
    }
    return { conversations: found.length, turns }
  })
}
