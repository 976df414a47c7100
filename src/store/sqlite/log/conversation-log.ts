/** The conversation log in the SQLite file: the contract, each call handed to the file that knows how. */
import type { ConversationLog } from '../../../domain/contracts/conversation-log.ts'
import { SegmentTurnIndex } from '../../segments/turn-index.ts'
import type { Connection } from '../connection.ts'
import { sqliteTurnTable } from '../turn-table.ts'
import type { Users } from '../users.ts'
import { appendBatches } from './append.ts'
import { collectTurn, readCollectedTurns } from './collect.ts'
import { muteConversation } from './mute.ts'
import {
  firstProject,
  readConversation,
  readConversations,
  readThoughtTo,
  readTurnPage,
  readTurns,
  readTurnsByRow,
  readUnsummarized,
} from './read.ts'
import { removeTurns, rewriteTurn } from './remove.ts'
import {
  addSummaries,
  readSummaries,
  readSummariesCovering,
  replaceSummaries,
  writeConversationSummary,
} from './summaries.ts'
import { thinkAboutUnthought } from './unthought.ts'

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
