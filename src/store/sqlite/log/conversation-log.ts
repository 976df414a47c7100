/** The conversation log in the SQLite file: the contract, each call handed to the file that knows how. */
import type { ConversationLog, Page, UnthoughtCounts } from '../../../domain/contracts/conversation-log.ts'
import type { Conversation, Turn, TurnReference } from '../../../domain/turn.ts'
import { SegmentTurnIndex } from '../../segments/turn-index.ts'
import type { Connection } from '../connection.ts'
import { enqueueJob } from '../job-queue.ts'
import { number, text } from '../rows.ts'
import { sqliteTurnTable } from '../turn-table.ts'
import { raiseChangeNo, type Users } from '../users.ts'
import { appendBatches } from './append.ts'
import {
  conversationKey,
  firstProject,
  readConversation,
  readConversations,
  readThoughtTo,
  readTurnPage,
  readTurns,
  readTurnsByRow,
  readUnsummarized,
  TURN_COLUMNS,
  toTurn,
} from './read.ts'
import { removeTurns, rewriteTurn } from './remove.ts'
import {
  addSummaries,
  readSummaries,
  readSummariesCovering,
  replaceSummaries,
  writeConversationSummary,
} from './summaries.ts'

/** Opens the log over a connection with the current schema; removals reach the index, too. */
export function sqliteConversationLog(
  connection: Connection,
  users: Users,
  index = new SegmentTurnIndex(sqliteTurnTable(connection, users)),
): ConversationLog {
  /** The answer for a user who has stored something, `none` for one who has not. */
  const ofUser = <T>(userId: string, none: T, read: (userNo: number) => T): T => {
    const userNo = users.find(userId)
    return userNo === undefined ? none : read(userNo)
  }
  return {
    append: async (userId, batches, at) => appendBatches(connection, users, userId, batches, at),
    firstProject: async (userId, roots) => ofUser(userId, null, (userNo) => firstProject(connection, userNo, roots)),
    conversation: async (userId, id) => ofUser(userId, null, (userNo) => readConversation(connection, userNo, id)),
    thoughtTo: async (userId, id) => ofUser(userId, null, (userNo) => readThoughtTo(connection, userNo, id)),
    thinkAboutUnthought: async (userId, part, at) =>
      ofUser(userId, { conversations: 0, turns: 0 }, (userNo) => thinkAboutUnthought(connection, userNo, part, at)),
    conversations: async (userId, page) =>
      ofUser(userId, { items: [], total: 0 }, (userNo) => readConversations(connection, userNo, page)),
    turns: async (userId, id, range) => ofUser(userId, [], (userNo) => readTurns(connection, userNo, id, range)),
    turnPage: async (userId, id, page) =>
      ofUser(userId, { items: [], total: 0 }, (userNo) => readTurnPage(connection, userNo, id, page)),
    collectedTurns: async (userId, page) =>
      ofUser(userId, { items: [], total: 0 }, (userNo) => readCollectedTurns(connection, userNo, page)),
    collect: async (userId, turn, isCollected) =>
      ofUser(userId, null, (userNo) => collectTurn(connection, userNo, turn, isCollected)),
    mute: async (userId, conversationId, isMuted) =>
      ofUser(userId, null, (userNo) => muteConversation(connection, userNo, conversationId, isMuted)),
    turnsByRow: async (userId, places) => ofUser(userId, [], (userNo) => readTurnsByRow(connection, userNo, places)),
    addSummaries: async (userId, summaries, whole) =>
      ofUser(userId, [], (userNo) => addSummaries(connection, userNo, summaries, whole)),
    replaceSummaries: async (userId, summaries) =>
      ofUser(userId, null, (userNo) => replaceSummaries(connection, userNo, summaries)),
    setConversationSummary: async (userId, id, summary) =>
      ofUser(userId, undefined, (userNo) => writeConversationSummary(connection, userNo, id, summary)),
    summaries: async (userId, id, part) => ofUser(userId, [], (userNo) => readSummaries(connection, userNo, id, part)),
    unsummarized: async (userId, id, limit) =>
      ofUser(userId, [], (userNo) => readUnsummarized(connection, userNo, id, limit)),
    summariesCovering: async (userId, turns) =>
      ofUser(userId, [], (userNo) => readSummariesCovering(connection, userNo, turns)),
    remove: async (userId, scope, work) =>
      ofUser(
        userId,
        Promise.resolve({ conversations: 0, turns: 0, summaries: 0, stale: [], shortened: [], bytesFreed: 0 }),
        (userNo) => removeTurns(connection, index, userNo, scope, work),
      ),
    rewrite: async (userId, turn, words, at) =>
      ofUser(userId, Promise.resolve(null), (userNo) => rewriteTurn(connection, index, userNo, turn, words, at)),
  }
}

/** See ConversationLog.mute. */
function muteConversation(
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

/** See ConversationLog.collect. A turn that has the mark already is not written again. */
function collectTurn(
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
function readCollectedTurns(
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

const FIND = `SELECT id, public_id, unthought_from,
    (SELECT count(*) FROM turns t WHERE t.conversation_id = c.id AND t.turn_number >= c.unthought_from) AS turns
  FROM conversations c
  WHERE user_no = ?1 AND unthought_from IS NOT NULL AND (?2 IS NULL OR public_id = ?2)
  LIMIT ?3`
const HAND_OVER = `UPDATE conversations SET thought_to = min(thought_to, unthought_from - 1), unthought_from = NULL
  WHERE id = ?`

/** See ConversationLog.thinkAboutUnthought. */
function thinkAboutUnthought(
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
