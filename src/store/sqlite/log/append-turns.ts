/** Stores turns with their symbols in one transaction, and reads them as documents of the index. */
import { checkOf } from '../../../domain/checksum.ts'
import { isoTime } from '../../../domain/clock.ts'
import type { AppendedTurn, BatchTurn, ConversationBatch } from '../../../domain/contracts/conversation-log.ts'
import type { TurnMeanings } from '../../../domain/contracts/store.ts'
import { otherTurn } from '../../../domain/errors.ts'
import { WORKING_MEMORY_IDLE_MS } from '../../../domain/limits.ts'
import { type NewTurn, ROLES } from '../../../domain/turn.ts'
import { isSameOrMasked } from '../../../language/secrets/mask-secrets.ts'
import type { SymbolRelevance } from '../../../language/terms.ts'
import type { TurnDocument, TurnTable } from '../../segments/turn-documents.ts'
import { type Connection, raiseChangeNo, sql } from '../file/connection.ts'
import { bytes, jsonStrings, number, type Row, recordOf, text, textOrNull, time } from '../file/rows.ts'
import { sqliteSegmentTable } from '../file/segment-table.ts'
import { enqueueJob } from '../small-stores/job-queue.ts'
import { touchWorkingMemory } from '../small-stores/small-stores.ts'

const FIND = `SELECT id, project_root, last_active, turn_count, last_turn, summarized_to FROM conversations
  WHERE user_no = ? AND public_id = ?`
const NEXT_NUMBER = `INSERT INTO counters (name, value) VALUES ('conversation_no', 1)
  ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value`
const INSERT_TURN = `INSERT INTO turns (conversation_id, role, content, symbols, symbol_relevance, created_at, user_no,
  turn_number, speaker, external_id, metadata, is_collected, words_check) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const FIND_EXTERNAL = `SELECT turn_number, symbols, created_at FROM turns WHERE conversation_id = ? AND external_id = ?`
const FIND_NUMBER = `SELECT turn_number, role, content, symbols, created_at FROM turns
  WHERE conversation_id = ? AND turn_number = ?`
const STORED = recordOf<Pick<AppendedTurn, 'turnId' | 'symbols' | 'createdAt'>>({
  ...{ turnId: ['turn_number', number], symbols: jsonStrings, createdAt: time },
})
const UPDATE_CONVERSATION = `UPDATE conversations SET turn_count = turn_count + ?, last_turn = ?, last_active = ?
  WHERE id = ?`
/** Notes the first turn stored without thinking, where no turn before it waits for thinking. */
const UPDATE_UNTHOUGHT = `UPDATE conversations SET turn_count = turn_count + ?1,
  unthought_from = CASE WHEN thought_to >= last_turn THEN coalesce(min(unthought_from, ?5), ?5) ELSE unthought_from END,
  thought_to = CASE WHEN thought_to >= last_turn THEN ?2 ELSE thought_to END, last_turn = ?2, last_active = ?3
  WHERE id = ?4`

interface OpenConversation {
  /** conversations.id */
  readonly id: string
  readonly lastActive: number
  readonly lastTurn: number
  /** Turns that no summary covers. */
  readonly unsummarized: number
}

/** Appends all batches in one transaction; `at` is the present. */
export function appendBatches(
  connection: Connection,
  userId: string,
  batches: readonly ConversationBatch[],
  at: number,
): readonly AppendedTurn[] {
  return connection.write(() => {
    const userNo = connection.users.ensure(userId)
    return batches.flatMap((batch) => appendBatch(connection, userNo, batch, at))
  })
}

function appendBatch(connection: Connection, userNo: number, batch: ConversationBatch, at: number): AppendedTurn[] {
  const conversation = openConversation(connection, userNo, batch)
  const { conversationId } = batch
  const stored: Omit<AppendedTurn, 'unsummarized'>[] = []
  let lastTurn = conversation.lastTurn
  let lastActive = conversation.lastActive
  let added = 0
  let firstAdded = Number.POSITIVE_INFINITY
  let userTurns = 0
  for (const turn of batch.turns) {
    const { externalId, createdAt } = turn
    const known = findStored(connection, conversation.id, conversationId, turn)
    if (known !== undefined) {
      stored.push({ ...STORED.of(known), conversationId, externalId, existed: true })
      continue
    }
    const turnId = turn.turnId ?? lastTurn + 1
    lastTurn = Math.max(lastTurn, turnId)
    added += 1
    firstAdded = Math.min(firstAdded, turnId)
    lastActive = Math.max(lastActive, createdAt)
    if (turn.role === 'user') userTurns += 1
    const symbols = insertTurn(connection, userNo, conversation.id, turnId, turn)
    stored.push({ conversationId, turnId, symbols, createdAt, externalId, existed: false })
  }
  if (added > 0) {
    const changed = [added, lastTurn, isoTime(lastActive), conversation.id]
    if (batch.think === true) {
      connection.statement(UPDATE_CONVERSATION).run(...changed)
      enqueueJob(connection, userNo, { kind: 'think', subject: conversationId }, at)
    } else connection.statement(UPDATE_UNTHOUGHT).run(...changed, firstAdded)
    const activeSince = at - WORKING_MEMORY_IDLE_MS
    const active = batch.isLive === true ? at : Math.min(lastActive, at)
    if (active >= activeSince) touchWorkingMemory(connection, userNo, conversationId, userTurns, active, activeSince)
  }
  const unsummarized = conversation.unsummarized + added
  return stored.map((turn) => ({ ...turn, unsummarized }))
}

/** The row of a stored turn, by its external id or its number. */
function findStored(
  connection: Connection,
  key: string,
  conversationId: string,
  { externalId, turnId, role, content }: BatchTurn,
): Row | undefined {
  const known = externalId === null ? undefined : connection.get(FIND_EXTERNAL, key, externalId)
  if (known !== undefined || turnId === undefined) return known
  const taken = connection.get(FIND_NUMBER, key, turnId)
  if (taken === undefined || (text(taken, 'role') === role && isSameOrMasked(text(taken, 'content'), content)))
    return taken
  throw otherTurn(conversationId, turnId)
}

/** Writes a turn with its symbols; their names. Call it inside a write. */
export function insertTurn(
  connection: Connection,
  userNo: number,
  conversationId: string,
  turnNumber: number,
  turn: NewTurn,
): readonly string[] {
  const { role, content, speaker, externalId } = turn
  const createdAt = isoTime(turn.createdAt)
  const metadata = turn.metadata === null ? null : JSON.stringify(turn.metadata)
  connection
    .statement(INSERT_TURN)
    .run(
      conversationId,
      role,
      content,
      ...symbolColumns(turn.symbols),
      createdAt,
      userNo,
      turnNumber,
      speaker,
      externalId,
      metadata,
      turn.isCollected ? 1 : 0,
      checkOf(content, role, createdAt, speaker, externalId, metadata, conversationId),
    )
  return turn.symbols.map(({ symbol }) => symbol)
}

/** `turns.symbols`, and in the same order `turns.symbol_relevance`, thousandths as code points; null for none. */
export function symbolColumns(
  found: readonly SymbolRelevance[],
): readonly [symbols: string | null, relevance: string | null] {
  if (found.length === 0) return [null, null]
  const relevance = found.map((one) => Math.max(1, Math.round(one.relevance * 1000)))
  return [JSON.stringify(found.map(({ symbol }) => symbol)), String.fromCharCode(...relevance)]
}

function openConversation(connection: Connection, userNo: number, batch: ConversationBatch): OpenConversation {
  const { conversationId, projectRoot, turns } = batch
  const row = connection.get(FIND, userNo, conversationId)
  if (row === undefined) return createConversation(connection, userNo, batch)
  const id = text(row, 'id')
  if (projectRoot !== '' && projectRoot !== text(row, 'project_root') && turns.length > 0) {
    connection.run(
      sql`UPDATE conversations SET project_root = ${projectRoot}, change_no = ${raiseChangeNo(connection, userNo)}
        WHERE id = ${id}`,
    )
  }
  const lastTurn = number(row, 'last_turn')
  return { id, lastTurn, lastActive: time(row, 'last_active'), unsummarized: lastTurn - number(row, 'summarized_to') }
}

function createConversation(connection: Connection, userNo: number, batch: ConversationBatch): OpenConversation {
  const { conversationId, projectRoot, turns } = batch
  // Ids are unique per user, and the table wants them unique overall, whatever a caller's ids look like.
  let id = conversationId
  while (connection.get('SELECT 1 FROM conversations WHERE id = ?', id) !== undefined) id += `\u001f${userNo}`
  const times = turns.map(({ createdAt }) => createdAt)
  const oldest = times.reduce((a, b) => Math.min(a, b), times[0] ?? batch.createdAt ?? 0)
  const [createdAt, lastActive] = [batch.createdAt ?? oldest, oldest].map(isoTime)
  connection.run(sql`INSERT INTO conversations (id, project_root, created_at, last_active, conversation_no, user_no,
    public_id) VALUES (${id}, ${projectRoot}, ${createdAt!}, ${lastActive!}, ${connection.count(NEXT_NUMBER)}, ${userNo},
    ${conversationId})`)
  return { id, lastTurn: 0, lastActive: oldest, unsummarized: 0 }
}

const AFTER = `SELECT t.id, t.turn_number, t.role, t.content, t.created_at, t.speaker, c.conversation_no,
    t.symbols, t.symbol_relevance
  FROM turns t INDEXED BY turns_user JOIN conversations c ON c.id = t.conversation_id
  WHERE t.user_no = ? AND t.id > ? ORDER BY t.id`

function symbolsOf(row: Row): readonly SymbolRelevance[] {
  const relevance = textOrNull(row, 'symbol_relevance') ?? ''
  return jsonStrings(row, 'symbols').map((symbol, at) => {
    // NaN beyond the end.
    const thousandths = Math.min(1000, relevance.charCodeAt(at) || 1000)
    return { symbol, relevance: thousandths / 1000 }
  })
}

export function sqliteTurnTable(connection: Connection): TurnTable {
  return {
    ...sqliteSegmentTable(connection, {
      segments: 'index_segments',
      chunks: 'index_chunks',
      kind: 'turn',
      holes: 'turn_holes',
      columns: 'turn_columns',
      version: 'index_version',
      countAfter: 'SELECT 1 FROM turns INDEXED BY turns_user WHERE user_no = ?1 AND id > ?2',
      notesHoles: false,
    }),
    *documentsAfter(owner, after): Generator<TurnDocument> {
      for (const row of connection.statement(AFTER).iterate(owner, after)) {
        const spoken = text(row, 'role')
        yield {
          row: number(row, 'id'),
          content: text(row, 'content'),
          symbols: symbolsOf(row),
          createdAt: time(row, 'created_at'),
          conversationNo: number(row, 'conversation_no'),
          number: number(row, 'turn_number'),
          speaker: textOrNull(row, 'speaker') ?? '',
          role: ROLES.find((role) => role === spoken) ?? 'user',
        }
      }
    },
    speakers: (owner) =>
      new Map(
        connection
          .all('SELECT speaker_no, name FROM speakers WHERE user_no = ?', owner)
          .map((row) => [number(row, 'speaker_no'), text(row, 'name')]),
      ),
    speakerNo: (owner, name) => {
      const row = connection.get('SELECT speaker_no FROM speakers WHERE user_no = ? AND name = ?', owner, name)
      if (row !== undefined) return number(row, 'speaker_no')
      return connection.run('INSERT INTO speakers (user_no, name) VALUES (?, ?)', owner, name).lastInsertRowid
    },
  }
}

const NEWEST_MEANINGS = `SELECT turn_rows, codes FROM turn_meanings WHERE user_no = ?1 AND first_row >= coalesce((SELECT first_row FROM
    (SELECT first_row, sum(length(turn_rows) / 8) OVER (ORDER BY first_row DESC) AS turns FROM turn_meanings WHERE user_no = ?1)
    WHERE turns >= ?2 ORDER BY first_row DESC LIMIT 1), 0) ORDER BY first_row`

export function sqliteTurnMeanings(connection: Connection): TurnMeanings {
  const { ask, write } = connection.users
  return {
    chunks: ask([], (userNo, most) =>
      connection.all(NEWEST_MEANINGS, userNo, most).map((row) => {
        const codes = bytes(row, 'codes')
        return {
          rows: new Float64Array(bytes(row, 'turn_rows').slice().buffer),
          codes: new Int8Array(codes.buffer, codes.byteOffset, codes.byteLength),
        }
      }),
    ),
    keep: write(undefined, (userNo, chunks) => {
      for (const { rows, codes } of chunks) {
        const [first, last] = [rows[0]!, rows.at(-1)!]
        const living = sql`SELECT count(*) FROM turns WHERE user_no = ${userNo} AND id BETWEEN ${first} AND ${last}`
        // A chunk with a turn that was deleted meanwhile is not kept.
        if (connection.count(living) < rows.length) continue
        connection.run(sql`INSERT OR IGNORE INTO turn_meanings (user_no, first_row, last_row, turn_rows, codes)
          VALUES (${userNo}, ${first}, ${last}, ${new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength)},
          ${new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength)})`)
      }
    }),
  }
}
