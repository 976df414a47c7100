/** Reads conversations, turns and rolling summaries of one user; a turn is in at most one summary. */
import type { ConversationLog, NewSummary, SummaryPart, TurnRange } from '../../../domain/contracts/conversation-log.ts'
import { hashOf } from '../../../domain/ids.ts'
import { SUMMARIZE_AT_TURNS } from '../../../domain/limits.ts'
import { type Conversation, type Role, SAID_BEFORE, type Summary, type Turn } from '../../../domain/turn.ts'
import { askedSecret, LONGEST_ANSWER } from '../../../language/secrets/told-after.ts'
import { type Connection, raiseChangeNo, raw, sql } from '../file/connection.ts'
import {
  flag,
  jsonObject,
  jsonStrings,
  number,
  type Reader,
  type Row,
  recordOf,
  text,
  textOrNull,
  time,
} from '../file/rows.ts'

const FIRST_PROJECT = `SELECT r.value FROM json_each(?2) r
  WHERE EXISTS (SELECT 1 FROM conversations c WHERE c.user_no = ?1 AND c.project_root = r.value)
    OR EXISTS (SELECT 1 FROM memories m WHERE m.user_no = ?1 AND m.project_root = r.value AND m.project_root > '')
  ORDER BY r.key LIMIT 1`
const CONVERSATION = recordOf<Omit<Conversation, 'isMuted'> & { readonly isMuted: boolean }>({
  ...{ conversationId: ['public_id', text], projectRoot: text, createdAt: time, lastActive: time },
  ...{ summary: textOrNull, turnCount: number, lastTurnId: ['last_turn', number], isMuted: flag },
})
const TURN = recordOf<Omit<Turn, 'conversationId' | typeof SAID_BEFORE>>({
  ...{ turnId: ['turn_number', number], role: text as Reader<Role>, content: text, speaker: textOrNull },
  ...{ createdAt: time, externalId: textOrNull, metadata: jsonObject, isCollected: flag, symbols: jsonStrings },
})
/** The end of the turn before, for one that may answer it with a secret. */
const BEFORE = `CASE WHEN length(t.content) < 40 OR (length(t.content) <= ${LONGEST_ANSWER} AND t.content GLOB '*[0-9]*') THEN
  (SELECT substr(p.content, -400) FROM turns p WHERE p.conversation_id = t.conversation_id
    AND p.turn_number < t.turn_number ORDER BY p.turn_number DESC LIMIT 1) END AS said_before`
/** The columns of the table `turns t` that `toTurn` needs. */
const TURN_COLUMNS = raw(`t.id, ${TURN.named('t')}, ${BEFORE}`)
const SUMMARY = recordOf<Omit<Summary, 'summaryId' | 'conversationId'>>({
  ...{ startTurn: number, endTurn: number, summary: text, keySymbols: jsonStrings, keyDecisions: jsonStrings },
  createdAt: time,
})

function toSummary(row: Row, conversationId: string): Summary {
  return { summaryId: number(row, 'id'), conversationId, ...SUMMARY.of(row) }
}

const AFTER = `SELECT ${TURN_COLUMNS.text} FROM turns t WHERE conversation_id = ? AND turn_number > ? ORDER BY turn_number`

function toConversation(row: Row): Conversation {
  const { isMuted, ...conversation } = CONVERSATION.of(row)
  return isMuted ? { ...conversation, isMuted } : conversation
}

function toTurn(row: Row, conversationId: string): Turn {
  const turn = { conversationId, ...TURN.of(row) }
  const before = textOrNull(row, 'said_before')
  const asked = before === null ? '' : askedSecret(before, turn.content)
  return asked === '' ? turn : { ...turn, [SAID_BEFORE]: asked }
}

/** conversations.id of the user's conversation, undefined when there is none. */
export function conversationKey(connection: Connection, userNo: number, conversationId: string): string | undefined {
  const row = connection.get('SELECT id FROM conversations WHERE user_no = ? AND public_id = ?', userNo, conversationId)
  return row === undefined ? undefined : text(row, 'id')
}

export function readTurns(
  connection: Connection,
  userNo: number,
  conversationId: string,
  { from = 1, to = Number.MAX_SAFE_INTEGER, limit = -1 }: TurnRange,
): readonly Turn[] {
  const key = conversationKey(connection, userNo, conversationId)
  if (key === undefined) return []
  const range = sql`WHERE conversation_id = ${key} AND turn_number BETWEEN ${BigInt(from)} AND ${BigInt(to)}`
  return connection
    .all(sql`SELECT ${TURN_COLUMNS} FROM turns t ${range} ORDER BY turn_number LIMIT ${BigInt(limit)}`)
    .map((row) => toTurn(row, conversationId))
}

/** Names the counter of a conversation's removed turns. It outlives the conversation, and tells neither its id nor a word of it. */
export function removalMark(userNo: number, conversationId: string): string {
  return `removed ${hashOf([userNo, conversationId])}`
}

export function conversationReads(connection: Connection) {
  const { ask, read } = connection.users
  const ofConversation = <T>(as: (row: Row) => T, columns: string) =>
    ask(null, (userNo, id: string) =>
      connection.one(as, `SELECT ${columns} FROM conversations WHERE user_no = ? AND public_id = ?`, userNo, id),
    )
  return {
    firstProject: ask(null, (userNo, roots) =>
      connection.one((row) => text(row, 'value'), FIRST_PROJECT, userNo, JSON.stringify(roots)),
    ),
    conversation: ofConversation(toConversation, CONVERSATION.named()),
    removedTo: ask(null, (userNo, id) => {
      const mark = removalMark(userNo, id)
      return connection.one((row) => number(row, 'value'), 'SELECT value FROM counters WHERE name = ?', mark)
    }),
    thoughtTo: ofConversation((row) => number(row, 'thought_to'), 'thought_to'),
    conversations: ask({ items: [], total: 0 }, (userNo, { projectRoot, ...page }) => {
      const inProject = projectRoot === undefined ? raw('') : sql`AND project_root = ${projectRoot}`
      const source = sql`FROM conversations WHERE user_no = ${userNo} ${inProject}`
      return connection.page(
        toConversation,
        CONVERSATION.named(),
        source,
        'last_active DESC, conversation_no DESC',
        page,
      )
    }),
    turns: ask([], (userNo, id, range) => readTurns(connection, userNo, id, range)),
    turnPage: ask({ items: [], total: 0 }, (userNo, conversationId, { from, to, ...page }) => {
      const key = conversationKey(connection, userNo, conversationId)
      if (key === undefined) return { items: [], total: 0 }
      const source = sql`FROM turns t
        WHERE conversation_id = ${key} AND turn_number BETWEEN ${BigInt(from)} AND ${BigInt(to)}`
      return connection.page((row) => toTurn(row, conversationId), TURN_COLUMNS.text, source, 'turn_number', page)
    }),
    turnsByRow: ask([], (userNo, places) => {
      const ids = JSON.stringify(places.map(({ row }) => row))
      const rows = connection.all(sql`SELECT e.key AS place, ${TURN_COLUMNS}
        FROM json_each(${ids}) e CROSS JOIN turns t ON t.id = e.value WHERE t.user_no = ${userNo} ORDER BY e.key`)
      return rows.map((found) => {
        const { row, conversationId } = places[number(found, 'place')]!
        return { ...toTurn(found, conversationId), row }
      })
    }),
    overdue: ask([], (userNo, conversationIds, most) =>
      connection
        .all(sql`SELECT public_id FROM conversations WHERE user_no = ${userNo}
          AND public_id IN (SELECT value FROM json_each(${JSON.stringify(conversationIds)}))
          AND last_turn - summarized_to BETWEEN ${SUMMARIZE_AT_TURNS} AND ${BigInt(most)}`)
        .map((row) => text(row, 'public_id')),
    ),
    unsummarized: read([], (userNo, id, limit) => {
      const conversation = connection.get(
        sql`SELECT id, summarized_to FROM conversations WHERE user_no = ${userNo} AND public_id = ${id}`,
      )
      if (conversation === undefined) return []
      const key = text(conversation, 'id')
      const reach = BigInt(number(conversation, 'summarized_to'))
      // Summaries behind the gapless reach were asked for by a person; there are few or none.
      const later = connection
        .all(sql`SELECT * FROM summaries WHERE conversation_id = ${key} AND start_turn > ${reach}`)
        .map(SUMMARY.of)
      const found: Turn[] = []
      for (const row of connection.statement(AFTER).iterate(key, reach)) {
        const turn = number(row, 'turn_number')
        if (later.some(({ startTurn, endTurn }) => turn >= startTurn && turn <= endTurn)) continue
        found.push(toTurn(row, id))
        if (found.length >= limit) break
      }
      return found
    }),
  } satisfies Partial<ConversationLog>
}

export function conversationSummaries(connection: Connection) {
  const { ask, read, write } = connection.users
  return {
    addSummaries: write([], (userNo, summaries, whole) => {
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
    replaceSummaries: write(null, (userNo, summaries) => {
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
    summaries: ask([], (userNo, id, part) => readSummaries(connection, userNo, id, part)),
    summariesCovering: read([], (userNo, turns) => {
      const found = new Map<number, Summary>()
      for (const { conversationId, turnId } of turns) {
        const key = conversationKey(connection, userNo, conversationId)
        const [cover] = key === undefined ? [] : meeting(connection, key, turnId, turnId)
        if (cover !== undefined) found.set(number(cover, 'id'), toSummary(cover, conversationId))
      }
      return [...found.values()]
    }),
    setConversationSummary: write(undefined, (userNo, id, summary) => {
      connection.run(sql`UPDATE conversations SET summary = ${summary} WHERE user_no = ${userNo} AND public_id = ${id}`)
    }),
  } satisfies Partial<ConversationLog>
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

/** Writes a row; the caller has made sure that the span is free. */
function insertSummary(connection: Connection, key: string, { turns: _, ...summary }: NewSummary): Summary {
  const { columns, values } = SUMMARY
  const add = `INSERT INTO summaries (conversation_id, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`
  const { lastInsertRowid } = connection.run(add, key, ...values(summary))
  return { ...summary, summaryId: lastInsertRowid }
}
