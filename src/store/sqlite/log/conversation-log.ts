/** The conversation log in the SQLite file: the contract. Reading, storing, removing and summaries have files of their own. */
import { isoTime } from '../../../domain/clock.ts'
import type { ConversationLog, RemovalCounts, RemovalScope, Work } from '../../../domain/contracts/conversation-log.ts'
import { breathe } from '../../../domain/scheduling.ts'
import { extractSymbols } from '../../../language/symbols/symbols.ts'
import { LONG_TEXT, termsOfLong } from '../../../language/terms.ts'
import { eraseDocuments } from '../../segments/merge-segments.ts'
import { SegmentTurnIndex } from '../../segments/segment-index.ts'
import { analyzeTurn } from '../../segments/turn-documents.ts'
import { type Connection, raiseChangeNo, raw, type Sql, sql } from '../file/connection.ts'
import { noteErasure, noteWipeDue, reclaim } from '../file/reclaim.ts'
import { jsonStrings, number, type Row, text, time } from '../file/rows.ts'
import { patiently, writePatiently } from '../file/wait-for-lock.ts'
import { enqueueJob, removeJobsOfConversation, removeJobsOfTurns } from '../small-stores/job-queue.ts'
import { forgetUsage } from '../small-stores/small-stores.ts'
import { eraseTurnVectors } from '../vector-index/write-vectors.ts'
import { appendBatches, insertTurn, sqliteTurnTable } from './append-turns.ts'
import {
  conversationKey,
  conversationReads,
  conversationSummaries,
  noteSummarized,
  readSummaries,
  readTurns,
  removalMark,
} from './read-turns.ts'

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
  index = new SegmentTurnIndex(sqliteTurnTable(connection)),
): ConversationLog {
  const reads = conversationReads(connection)
  const { write } = connection.users
  return {
    ...reads,
    ...conversationSummaries(connection),
    ...conversationRemoval(connection, index),
    append: async (userId, batches, at) => appendBatches(connection, userId, batches, at),
    thinkAboutUnthought: write({ conversations: 0, turns: 0 }, (userNo, { conversationId, limit }, at) => {
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
    collect: write(null, (userNo, { conversationId, turnId }, isCollected) => {
      const key = conversationKey(connection, userNo, conversationId)
      if (key === undefined) return null
      const mark = isCollected ? 1 : 0
      // A turn that has the mark already is not written again.
      connection.run(sql`UPDATE turns SET is_collected = ${mark}
        WHERE conversation_id = ${key} AND turn_number = ${BigInt(turnId)} AND is_collected <> ${mark}`)
      return readTurns(connection, userNo, conversationId, { from: turnId, to: turnId })[0] ?? null
    }),
    mute: async (userId, conversationId, isMuted) => {
      await write(undefined, (userNo) => {
        connection.run(sql`UPDATE conversations
          SET is_muted = ${isMuted ? 1 : 0}, change_no = ${raiseChangeNo(connection, userNo)}
          WHERE user_no = ${userNo} AND public_id = ${conversationId}`)
      })(userId)
      return reads.conversation(userId, conversationId)
    },
  }
}

/** Removal for good, a few turns a transaction; then freed pages and the log are emptied. */
const TURNS_A_PIECE = 100

/** A conversation of which turns are to go; `part`: those that this condition names, null: all of it. */
interface Target {
  readonly key: string
  readonly conversationId: string
  readonly part: Sql | null
}

type Removed = Omit<RemovalCounts, 'bytesFreed'>

const NOTHING: Removed = { conversations: 0, turns: 0, summaries: 0, stale: [], shortened: [] }
const oneTurn = (turnId: number): Sql => sql`AND turn_number = ${turnId}`

function conversationRemoval(
  connection: Connection,
  index: SegmentTurnIndex,
): Pick<ConversationLog, 'remove' | 'rewrite'> {
  const { ask } = connection.users
  /** How many turns go next, and whether none is left: a long one by itself, cut into terms before, others run meanwhile. */
  async function nextPiece({ key, part }: Target): Promise<{ readonly most: number; readonly isLast: boolean }> {
    const rows = connection.all(sql`SELECT id, octet_length(content) > ${LONG_TEXT} AS is_long FROM turns
      WHERE conversation_id = ${key} ${part ?? raw('')} LIMIT ${TURNS_A_PIECE}`)
    const isAll = rows.length < TURNS_A_PIECE
    const long = rows.findIndex((row) => number(row, 'is_long') === 1)
    if (long !== 0) return long < 0 ? { most: rows.length, isLast: isAll } : { most: long, isLast: false }
    const [turn] = connection.all('SELECT content FROM turns WHERE id = ?', number(rows[0]!, 'id'))
    const content = turn === undefined ? '' : text(turn, 'content')
    await extractSymbols.patiently(content)
    await termsOfLong.patiently(content)
    return { most: 1, isLast: isAll && rows.length === 1 }
  }

  /** Removes a few turns of the conversation and returns their number. Call it inside a write. */
  function removePiece(userNo: number, { key, conversationId, part }: Target, most = TURNS_A_PIECE): number {
    noteErasure(connection)
    const rows = connection.all(sql`SELECT id, turn_number, content, symbols, created_at FROM turns
      WHERE conversation_id = ${key} ${part ?? raw('')} LIMIT ${most}`)
    if (rows.length === 0) return 0
    const turns = rows.map((row) => ({ row: number(row, 'id'), turnNumber: number(row, 'turn_number') }))
    eraseDocuments(index.table, index.kind, userNo, {
      documents: turns.map(({ row }) => row),
      terms: new Set(rows.flatMap((row) => [...termsOf(row)])),
    })
    for (const { row } of turns) connection.run('DELETE FROM turns WHERE id = ?', row)
    eraseTurnVectors(
      connection,
      userNo,
      turns.map((turn) => ({ ...turn, conversationKey: key })),
    )
    connection.run(sql`INSERT INTO counters (name, value)
      VALUES (${removalMark(userNo, conversationId)}, ${Math.max(...rows.map((row) => time(row, 'created_at')))})
      ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`)
    // Texts made from these turns go with them; blanked ones are written anew, now or by a later run.
    const numbers = JSON.stringify(turns.map(({ turnNumber }) => turnNumber))
    if (part !== null) removeJobsOfTurns(connection, userNo, conversationId, numbers)
    connection.run(sql`UPDATE summaries SET summary = '', key_symbols = '[]', key_decisions = '[]'
      WHERE conversation_id = ${key}
        AND EXISTS (SELECT 1 FROM json_each(${numbers}) WHERE value BETWEEN start_turn AND end_turn)`)
    connection.run(
      sql`UPDATE conversations SET turn_count = turn_count - ${rows.length}, summary = NULL WHERE id = ${key}`,
    )
    return rows.length
  }

  function finish(userNo: number, target: Target, turns: number): Removed {
    const { key, conversationId, part } = target
    if (part === null) {
      // Turns that were stored while the others went.
      let late = 0
      for (let piece = TURNS_A_PIECE; piece === TURNS_A_PIECE; late += piece) piece = removePiece(userNo, target)
      const summaries = connection.run('DELETE FROM summaries WHERE conversation_id = ?', key).changes
      connection.run('DELETE FROM working_memory WHERE user_no = ? AND session_id = ?', userNo, conversationId)
      connection.run('DELETE FROM session_summaries WHERE user_no = ? AND conversation_id = ?', userNo, conversationId)
      removeJobsOfConversation(connection, userNo, conversationId)
      const conversations = connection.run('DELETE FROM conversations WHERE id = ?', key).changes
      raiseChangeNo(connection, userNo)
      return { ...NOTHING, conversations, turns: turns + late, summaries }
    }
    const summaries =
      connection.run(sql`DELETE FROM summaries WHERE conversation_id = ${key} AND NOT EXISTS (SELECT 1 FROM turns t
        WHERE t.conversation_id = summaries.conversation_id AND t.turn_number BETWEEN start_turn AND end_turn)`).changes
    noteSummarized(connection, userNo, key)
    const stale = readSummaries(connection, userNo, conversationId).filter(({ summary }) => summary === '')
    return { ...NOTHING, turns, summaries, stale, shortened: turns > 0 || stale.length > 0 ? [conversationId] : [] }
  }

  async function removeTarget(userNo: number, target: Target, { signal }: Work): Promise<Removed> {
    let turns = 0
    if (target.part === null)
      await writePatiently(connection, () => removeJobsOfConversation(connection, userNo, target.conversationId))
    // Who goes on writing keeps no removal from its end.
    for (let isEnded = false; !isEnded; ) {
      const { most, isLast } = await nextPiece(target)
      turns += await writePatiently(connection, () => removePiece(userNo, target, most))
      isEnded = isLast
      await breathe(signal)
    }
    return writePatiently(connection, () => finish(userNo, target, turns))
  }

  /** Wipes the removed text from the file and its copies; returns the bytes by which it shrank. */
  async function wipeRemoved(userNo: number, { signal }: Work = {}): Promise<number> {
    await writePatiently(connection, () =>
      connection.run(sql`DELETE FROM speakers WHERE user_no = ${userNo} AND name NOT IN
        (SELECT speaker FROM turns WHERE user_no = ${userNo} AND speaker IS NOT NULL)`),
    )
    return reclaim(connection, { signal })
  }

  return {
    remove: ask({ ...NOTHING, bytesFreed: 0 }, async (userNo, scope: RemovalScope, work: Work = {}) => {
      const targets = findTargets(connection, userNo, scope)
      const isAll = scope.kind === 'all'
      if (targets.length > 0 || isAll) await patiently(connection, () => noteWipeDue(connection))
      // Running work loses its lease first, so that it writes nothing more about removed records.
      const documents = isAll ? await writePatiently(connection, () => removeDocuments(connection, userNo)) : 0
      let counts = NOTHING
      for (const [at, target] of targets.entries()) {
        const removed = await removeTarget(userNo, target, work)
        counts = {
          conversations: counts.conversations + removed.conversations,
          turns: counts.turns + removed.turns,
          summaries: counts.summaries + removed.summaries,
          stale: [...counts.stale, ...removed.stale],
          shortened: [...counts.shortened, ...removed.shortened],
        }
        work.onProgress?.(at + 1, targets.length)
      }
      if (counts.turns + counts.conversations + documents === 0) return { ...counts, bytesFreed: 0 }
      return { ...counts, bytesFreed: await wipeRemoved(userNo, work) }
    }),
    // The turn goes as any other, and another of its number comes in the same transaction.
    rewrite: ask(null, async (userNo, { conversationId, turnId }, { job, ...words }, at) => {
      await patiently(connection, () => noteWipeDue(connection))
      const key = conversationKey(connection, userNo, conversationId)
      if (key === undefined) return null
      const target = { key, conversationId, part: oneTurn(turnId) }
      await nextPiece(target)
      const removed = await writePatiently(connection, () => {
        const [turn] = readTurns(connection, userNo, conversationId, { from: turnId, to: turnId })
        if (turn === undefined) return null
        removePiece(userNo, target)
        insertTurn(connection, userNo, key, turnId, { ...turn, ...words })
        connection.run('UPDATE conversations SET turn_count = turn_count + 1 WHERE id = ?', key)
        enqueueJob(connection, userNo, job, at)
        return finish(userNo, target, 1)
      })
      return removed === null ? null : { ...removed, bytesFreed: await wipeRemoved(userNo) }
    }),
  }
}

/** Removes the user's other records (jobs, profile, session summaries, usage) and returns the number of rows. */
function removeDocuments(connection: Connection, userNo: number): number {
  noteErasure(connection)
  forgetUsage(connection, userNo)
  let removed = 0
  for (const table of ['jobs', 'profiles', 'session_summaries'])
    removed += connection.run(`DELETE FROM ${table} WHERE user_no = ?`, userNo).changes
  return removed
}

function findTargets(connection: Connection, userNo: number, scope: RemovalScope): readonly Target[] {
  const toTarget = (row: Row, part: Target['part']): Target => ({
    key: text(row, 'id'),
    conversationId: text(row, 'public_id'),
    part,
  })
  if (scope.kind === 'older') {
    const before = isoTime(scope.before)
    const part = sql`AND created_at < ${before} AND is_collected = 0`
    return connection
      .all(sql`SELECT id, public_id, whole FROM (
          SELECT id, public_id, last_active < ${before} AND NOT EXISTS (SELECT 1 FROM turns t
            WHERE t.user_no = ${userNo} AND t.conversation_id = conversations.id AND t.is_collected = 1) AS whole
          FROM conversations WHERE user_no = ${userNo}) c
        WHERE whole
          OR EXISTS (SELECT 1 FROM turns t WHERE t.conversation_id = c.id AND t.created_at < ${before} AND t.is_collected = 0)
          OR EXISTS (SELECT 1 FROM summaries s WHERE s.conversation_id = c.id AND s.summary = '')`)
      .map((row) => toTarget(row, number(row, 'whole') === 1 ? null : part))
  }
  const named = scope.kind === 'all' ? raw('') : sql`AND public_id = ${scope.conversationId}`
  return connection
    .all(sql`SELECT id, public_id FROM conversations WHERE user_no = ${userNo} ${named}`)
    .map((row) => toTarget(row, scope.kind === 'turn' ? oneTurn(scope.turnId) : null))
}

/** The index terms of a turn: those that this program finds, and those found when it was stored. */
function termsOf(row: Row): Iterable<string> {
  const content = text(row, 'content')
  const stored = jsonStrings(row, 'symbols').map((symbol) => ({ symbol, relevance: 1 }))
  return analyzeTurn(content, [...extractSymbols(content), ...stored]).terms.keys()
}
