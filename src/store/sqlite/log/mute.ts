/** Hides a conversation's content from all models, or shows it again; a change number tells the index. */
import type { Conversation } from '../../../domain/turn.ts'
import type { Connection } from '../connection.ts'
import { raiseChangeNo } from './change-number.ts'
import { readConversation } from './read.ts'

/** See ConversationLog.mute. */
export function muteConversation(
  connection: Connection,
  userNo: number,
  conversationId: string,
  isMuted: boolean,
): Conversation | null {
  return connection.write(() => {
    connection.run(
      'UPDATE conversations SET is_muted = ?, change_no = ? WHERE user_no = ? AND public_id = ?',
      isMuted ? 1 : 0,
      raiseChangeNo(connection, userNo),
      userNo,
      conversationId,
    )
    return readConversation(connection, userNo, conversationId)
  })
}
