/**
 * Removes turns and conversations for good: records, symbols, index entries, summaries, a few turns a transaction.
 * Freed pages and the write-ahead log are then emptied, so that no byte of the text stays.
 */
import { rmSync } from 'node:fs'
import type { NewWords, RemovalCounts, RemovalScope, Work } from '../../../domain/contracts/conversation-log.ts'
import { breathe } from '../../../domain/pieces.ts'
import type { Summary, TurnReference } from '../../../domain/turn.ts'
import { extractSymbols } from '../../../language/symbols.ts'
import { eraseDocuments } from '../../segments/erase.ts'
import { analyzeTurn } from '../../segments/turn-documents.ts'
import type { SegmentTurnIndex } from '../../segments/turn-index.ts'
import { enqueueJob, removeJobsOfConversation, removeJobsOfTurns } from '../documents/job-queue.ts'
import { forgetUsage } from '../documents/usage-ledger.ts'
import type { Connection } from '../file/connection.ts'
import { existingBackups } from '../file/migrate.ts'
import { patiently, writePatiently } from '../file/patient.ts'
import { noteWipeDue, reclaim } from '../file/reclaim.ts'
import type { Row } from '../file/rows.ts'
import { isoTime, jsonStrings, number, text } from '../file/rows.ts'
import { sql } from '../file/sql.ts'
import { raiseChangeNo } from '../file/users.ts'
import { eraseTurnVectors } from '../vector-index/erase.ts'
import { insertTurn } from './append.ts'
import { conversationKey, readTurns } from './read.ts'
import { noteSummarized, readSummaries } from './summaries.ts'

const TURNS_A_PIECE = 100

/** A conversation of which turns are to go; `part`: those that this condition names, null: all of it. */
interface Target {
  readonly key: string
  readonly conversationId: string
  readonly part: { readonly sql: string; readonly value: string | number } | null
}

const oneTurn = (turnId: number): Target['part'] => ({ sql: 'AND turn_number = ?', value: turnId })

/** See ConversationLog.remove. */
export async function removeTurns(
  connection: Connection,
  index: SegmentTurnIndex,
  userNo: number,
  scope: RemovalScope,
  work: Work = {},
): Promise<RemovalCounts> {
  const targets = findTargets(connection, userNo, scope)
  if (targets.length > 0 || scope.kind === 'all') await patiently(connection, () => noteWipeDue(connection))
  // Running work loses its lease first, so that it writes nothing more about removed records.
  const documents =
    scope.kind === 'all' ? await writePatiently(connection, () => removeDocuments(connection, userNo)) : 0
  const counts = { conversations: 0, turns: 0, summaries: 0 }
  const stale: Summary[] = []
  const shortened: string[] = []
  let done = 0
  for (const target of targets) {
    const removed = await removeTarget(connection, index, userNo, target, work)
    counts.conversations += removed.conversations
    counts.turns += removed.turns
    counts.summaries += removed.summaries
    stale.push(...removed.stale)
    shortened.push(...removed.shortened)
    done += 1
    work.onProgress?.(done, targets.length)
  }
  if (counts.turns + counts.conversations + documents === 0) return { ...counts, stale, shortened, bytesFreed: 0 }
  const bytesFreed = await wipeRemoved(connection, userNo, work)
  return { ...counts, stale, shortened, bytesFreed }
}

/**
 * Wipes the removed text from the file and from copies before an upgrade; returns the bytes by which the file shrank.
 */
async function wipeRemoved(connection: Connection, userNo: number, { signal }: Work = {}): Promise<number> {
  await writePatiently(connection, () =>
    connection.run(sql`DELETE FROM speakers WHERE user_no = ${userNo} AND name NOT IN
         (SELECT speaker FROM turns WHERE user_no = ${userNo} AND speaker IS NOT NULL)`),
  )
  for (const backup of existingBackups(connection.path)) rmSync(backup, { force: true })
  return reclaim(connection, { signal })
}

/** See ConversationLog.rewrite: the turn goes as any other, and another of its number comes in the same transaction. */
export async function rewriteTurn(
  connection: Connection,
  index: SegmentTurnIndex,
  userNo: number,
  { conversationId, turnId }: TurnReference,
  { job, ...words }: NewWords,
  at: number,
): Promise<RemovalCounts | null> {
  await patiently(connection, () => noteWipeDue(connection))
  const removed = await writePatiently(connection, () => {
    const [turn] = readTurns(connection, userNo, conversationId, { from: turnId, to: turnId })
    const key = conversationKey(connection, userNo, conversationId)
    if (turn === undefined || key === undefined) return null
    const target = { key, conversationId, part: oneTurn(turnId) }
    removePiece(connection, index, userNo, target)
    insertTurn(connection, userNo, key, turnId, { ...turn, ...words })
    connection.run('UPDATE conversations SET turn_count = turn_count + 1 WHERE id = ?', key)
    enqueueJob(connection, userNo, job, at)
    return finishTarget(connection, index, userNo, target, 1)
  })
  return removed === null ? null : { ...removed, bytesFreed: await wipeRemoved(connection, userNo) }
}

/** Removes the user's other records (jobs, profile, session summaries, usage) and returns the number of rows. */
function removeDocuments(connection: Connection, userNo: number): number {
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
    const part = { sql: 'AND created_at < ? AND is_collected = 0', value: before }
    return connection
      .all(
        `SELECT id, public_id, whole FROM (
           SELECT id, public_id, last_active < ?2 AND NOT EXISTS (SELECT 1 FROM turns t
             WHERE t.user_no = ?1 AND t.conversation_id = conversations.id AND t.is_collected = 1) AS whole
           FROM conversations WHERE user_no = ?1) c
         WHERE whole
           OR EXISTS (SELECT 1 FROM turns t WHERE t.conversation_id = c.id AND t.created_at < ?2 AND t.is_collected = 0)
           OR EXISTS (SELECT 1 FROM summaries s WHERE s.conversation_id = c.id AND s.summary = '')`,
        userNo,
        before,
      )
      .map((row) => toTarget(row, number(row, 'whole') === 1 ? null : part))
  }
  const rows =
    scope.kind === 'all'
      ? connection.all('SELECT id, public_id FROM conversations WHERE user_no = ?', userNo)
      : connection.all(
          sql`SELECT id, public_id FROM conversations WHERE user_no = ${userNo} AND public_id =
            ${scope.conversationId}`,
        )
  return rows.map((row) => toTarget(row, scope.kind === 'turn' ? oneTurn(scope.turnId) : null))
}

async function removeTarget(
  connection: Connection,
  index: SegmentTurnIndex,
  userNo: number,
  target: Target,
  work: Work,
): Promise<Omit<RemovalCounts, 'bytesFreed'>> {
  let turns = 0
  if (target.part === null)
    await writePatiently(connection, () => removeJobsOfConversation(connection, userNo, target.conversationId))
  for (;;) {
    const removed = await writePatiently(connection, () => removePiece(connection, index, userNo, target))
    turns += removed
    if (removed < TURNS_A_PIECE) break
    await breathe(work.signal)
  }
  await breathe(work.signal)
  return writePatiently(connection, () => finishTarget(connection, index, userNo, target, turns))
}

function removePiece(connection: Connection, index: SegmentTurnIndex, userNo: number, target: Target): number {
  const rows = connection.all(
    `SELECT id, turn_number, content, symbols FROM turns WHERE conversation_id = ? ${target.part?.sql ?? ''}
     LIMIT ${TURNS_A_PIECE}`,
    target.key,
    ...(target.part === null ? [] : [target.part.value]),
  )
  if (rows.length === 0) return 0
  eraseDocuments(index.table, index.kind, userNo, {
    documents: rows.map((row) => number(row, 'id')),
    terms: new Set(rows.flatMap((row) => [...termsOf(row)])),
  })
  for (const row of rows) {
    for (const symbol of jsonStrings(row, 'symbols'))
      connection.run(
        sql`DELETE FROM symbol_index WHERE symbol = ${symbol} AND conversation_id = ${target.key} AND turn_id =
          ${number(row, 'turn_number')}`,
      )
    connection.run('DELETE FROM turns WHERE id = ?', number(row, 'id'))
  }
  eraseTurnVectors(
    connection,
    userNo,
    rows.map((row) => ({
      row: number(row, 'id'),
      conversationKey: target.key,
      turnNumber: number(row, 'turn_number'),
    })),
  )
  // Texts made from these turns go with them; blanked ones are written anew, now or by a later run.
  const numbers = JSON.stringify(rows.map((row) => number(row, 'turn_number')))
  if (target.part !== null) removeJobsOfTurns(connection, userNo, target.conversationId, numbers)
  connection.run(sql`UPDATE summaries SET summary = '', key_symbols = '[]', key_decisions = '[]'
    WHERE conversation_id = ${target.key}
       AND EXISTS (SELECT 1 FROM json_each(${numbers}) WHERE value BETWEEN start_turn AND end_turn)`)
  connection.run(
    sql`UPDATE conversations SET turn_count = turn_count - ${rows.length}, summary = NULL WHERE id = ${target.key}`,
  )
  return rows.length
}

/** The index terms of a turn: those that this program finds, and those found when it was stored. */
function termsOf(row: Row): Iterable<string> {
  const content = text(row, 'content')
  const stored = jsonStrings(row, 'symbols').map((symbol) => ({ symbol, relevance: 1 }))
  return analyzeTurn(content, [...extractSymbols(content), ...stored]).terms.keys()
}

function removeAllTurns(connection: Connection, index: SegmentTurnIndex, userNo: number, target: Target): number {
  let turns = 0
  for (;;) {
    const removed = removePiece(connection, index, userNo, target)
    turns += removed
    if (removed < TURNS_A_PIECE) return turns
  }
}

function finishTarget(
  connection: Connection,
  index: SegmentTurnIndex,
  userNo: number,
  target: Target,
  turns: number,
): Omit<RemovalCounts, 'bytesFreed'> {
  const { key, conversationId, part } = target
  if (part === null) {
    // Turns that were stored while the others went.
    const late = removeAllTurns(connection, index, userNo, target)
    const summaries = connection.run('DELETE FROM summaries WHERE conversation_id = ?', key).changes
    connection.run('DELETE FROM working_memory WHERE user_no = ? AND session_id = ?', userNo, conversationId)
    connection.run('DELETE FROM session_summaries WHERE user_no = ? AND conversation_id = ?', userNo, conversationId)
    removeJobsOfConversation(connection, userNo, conversationId)
    const conversations = connection.run('DELETE FROM conversations WHERE id = ?', key).changes
    raiseChangeNo(connection, userNo)
    return { conversations, turns: turns + late, summaries, stale: [], shortened: [] }
  }
  const summaries =
    connection.run(sql`DELETE FROM summaries WHERE conversation_id = ${key} AND NOT EXISTS (SELECT 1 FROM turns t
       WHERE t.conversation_id = summaries.conversation_id AND t.turn_number BETWEEN start_turn AND end_turn)`).changes
  noteSummarized(connection, userNo, key)
  const stale = readSummaries(connection, userNo, conversationId).filter(({ summary }) => summary === '')
  const shortened = turns > 0 || stale.length > 0 ? [conversationId] : []
  return { conversations: 0, turns, summaries, stale, shortened }
}
