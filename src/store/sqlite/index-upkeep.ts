/** Index segments are written and merged between other work, and indexes built anew from turns and memories. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../domain/clock.ts'
import type { Work } from '../../domain/contracts/conversation-log.ts'
import type { RebuildCounts } from '../../domain/contracts/store.ts'
import type { Logger } from '../../domain/logger.ts'
import { breathe, inPieces } from '../../domain/scheduling.ts'
import { extractSymbols } from '../../language/symbols/symbols.ts'
import { FLUSH_AT } from '../segments/merge-segments.ts'
import type { SegmentMemoryIndex, SegmentTurnIndex } from '../segments/segment-index.ts'
import { type Connection, raiseChangeNo, sql } from './file/connection.ts'
import { keepReserve } from './file/disk-reserve.ts'
import { gatherWords } from './file/reclaim.ts'
import { number, text } from './file/rows.ts'
import { dropUnreadable } from './file/segment-table.ts'
import { isLocked } from './file/storage-errors.ts'
import { patiently, writePatiently } from './file/wait-for-lock.ts'
import { symbolColumns } from './log/append-turns.ts'
import { noteSummarized } from './log/read-turns.ts'
import { dropEntries, rebuildEntries } from './memories/memory-fts.ts'
import { rebuildCodes } from './vector-index/write-vectors.ts'

/** Number of stored documents after which the tail's length is checked. */
const LOOK_EVERY = 64
/** A caller that has stored this many without a pause pays for the flush itself. */
const FLUSH_AT_ONCE = 2 * FLUSH_AT
/** Characters that cost as much work as another document. */
const CHARACTERS_A_DOCUMENT = 1000
const PAUSE_MS = 20
/** Size of a tail that becomes a segment at rest, lest every process that opens the file cuts it anew. */
const FLUSH_AT_REST = 64
const MOST_USERS_AT_REST = 4

type Index = Indexes[keyof Indexes]

export class Upkeep {
  readonly #connection: Connection
  readonly #indexes: Indexes
  readonly #clock: Clock
  readonly #logger: Logger
  /** Weight of the documents stored by this process since the last flush, by index and user. */
  readonly #stored: ReadonlyMap<Index, Map<string, number>>
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #closed = false

  constructor(connection: Connection, indexes: Indexes, clock: Clock, logger: Logger) {
    this.#connection = connection
    this.#indexes = indexes
    this.#stored = new Map<Index, Map<string, number>>([
      [indexes.turns, new Map()],
      [indexes.memories, new Map()],
    ])
    this.#clock = clock
    this.#logger = logger
  }

  /** Takes note of stored documents; resolves when the work due at once is done. */
  async stored(index: Index, userId: string, documents: number, characters: number): Promise<void> {
    const weights = this.#stored.get(index)!
    const total = (weights.get(userId) ?? 0) + documents + Math.floor(characters / CHARACTERS_A_DOCUMENT)
    weights.set(userId, total)
    if (total >= FLUSH_AT_ONCE) await this.#flushAtOnce(index, userId)
    if (total >= LOOK_EVERY) this.#soon()
  }

  /** Takes note of users with a long tail of documents that other processes stored. */
  due(index: Index, userIds: readonly string[]): void {
    for (const userId of userIds) this.#stored.get(index)!.set(userId, FLUSH_AT)
    if (userIds.length > 0) this.#soon()
  }

  async idle(): Promise<void> {
    await this.#running
    const hasWords = this.#stored.get(this.#indexes.memories)!.size > 0
    await this.#run(FLUSH_AT_REST)
    if (hasWords) await gatherWords(this.#connection)
  }

  /** Does the due work that is possible now, and starts nothing more. */
  async finish(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await patiently(this.#connection, () => this.idle()).catch((error: unknown) => this.#warn(error))
  }

  #soon(): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => this.#start(), PAUSE_MS)
    this.#timer.unref()
  }

  #start(): void {
    this.#timer = undefined
    if (this.#running !== undefined || this.#closed) return
    this.#running = patiently(this.#connection, () => this.#run())
      .catch((error: unknown) => this.#warn(error))
      .finally(() => {
        this.#running = undefined
      })
  }

  /** Flushes at once, with turns for others in between; while the file is locked, the timer does it. */
  async #flushAtOnce(index: Index, userId: string): Promise<void> {
    try {
      do await setImmediate()
      while (!index.takeIn(userId))
      await setImmediate()
      // Another caller may have paid for it meanwhile.
      if ((this.#stored.get(index)!.get(userId) ?? 0) >= FLUSH_AT_ONCE) await this.#flush(index, userId, true)
    } catch (error) {
      if (!isLocked(error)) this.#warn(error)
    }
  }

  /** Stored data is safe and must not fail for its index; the next upkeep, here or elsewhere, tries again. */
  #warn(error: unknown): void {
    this.#logger.warn('index upkeep failed', { reason: String(error) })
  }

  async #run(least = FLUSH_AT): Promise<void> {
    for (const [index, weights] of this.#stored)
      for (const [at, [userId, weight]] of [...weights].entries()) {
        if (weight < LOOK_EVERY && least === FLUSH_AT) continue
        const isDue = index.isFlushDue(userId, at < MOST_USERS_AT_REST ? least : FLUSH_AT)
        if (isDue) while (!index.takeIn(userId)) await setImmediate()
        await this.#flush(index, userId, isDue)
        // A weight too small now may be enough at rest.
        if (!isDue && least === FLUSH_AT) weights.set(userId, 0)
        for (;;) {
          const merge = index.merge(userId, this.#clock().getTime(), least < FLUSH_AT)
          let step = merge.next()
          while (!step.done) {
            await (step.value === 'locked' ? sleep(PAUSE_MS) : setImmediate())
            step = merge.next()
          }
          if (!step.value) break
        }
      }
  }

  async #flush(index: Index, userId: string, force = false): Promise<void> {
    const weights = this.#stored.get(index)!
    const weight = weights.get(userId) ?? 0
    weights.delete(userId)
    let isDone = false
    try {
      isDone = await inPieces(index.flush(userId, force))
    } finally {
      if (!isDone) weights.set(userId, weight + (weights.get(userId) ?? 0))
    }
    // The file has grown.
    if (!this.#connection.spentReserve) keepReserve(this.#connection.path)
  }
}

const TURNS_A_PIECE = 200

/** The indexes of a store, by what they are over. */
export interface Indexes {
  readonly turns: SegmentTurnIndex
  readonly memories: SegmentMemoryIndex
}

/** See Store.rebuild. The turns are never changed, so it can be stopped and run again. */
export async function rebuildIndexes(
  connection: Connection,
  { turns: turnIndex, memories: memoryIndex }: Indexes,
  userId: string,
  { signal, onProgress }: Work = {},
): Promise<RebuildCounts> {
  const userNo = connection.users.find(userId)
  if (userNo === undefined) return { conversations: 0, turns: 0, symbols: 0, memories: 0 }
  await patiently(connection, () => turnIndex.drop(userNo))
  const total = connection.count('SELECT count(*) AS n FROM turns WHERE user_no = ?', userNo)
  let turns = 0
  let symbols = 0
  let after = 0
  for (;;) {
    const piece = await writePatiently(connection, () => rebuildSymbols(connection, userNo, after))
    if (piece === null) break
    after = piece.last
    turns += piece.turns
    symbols += piece.symbols
    onProgress?.(turns, total)
    await breathe(signal)
  }
  const conversations = await writePatiently(connection, () => {
    const rows = connection.all('SELECT id FROM conversations WHERE user_no = ?', userNo)
    connection.run(sql`UPDATE conversations SET turn_count = (SELECT count(*) FROM turns t
      WHERE t.conversation_id = conversations.id)
       WHERE user_no = ${userNo}`)
    for (const row of rows) noteSummarized(connection, userNo, text(row, 'id'))
    raiseChangeNo(connection, userNo)
    return rows.length
  })
  await flushAll(connection, turnIndex, userId, signal)
  await rebuildCodes(connection, userNo, signal)
  const memories = await rebuildEntries(connection, userNo, signal === undefined ? {} : { signal })
  await patiently(connection, () => memoryIndex.drop(userNo))
  await flushAll(connection, memoryIndex, userId, signal)
  return { conversations, turns, symbols, memories }
}

/** Reads everything in, piece by piece, and makes a segment of it. */
async function flushAll(
  connection: Connection,
  index: Indexes[keyof Indexes],
  userId: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  while (!index.takeIn(userId)) await breathe(signal)
  await patiently(connection, () => inPieces(index.flush(userId, true)))
}

function rebuildSymbols(
  connection: Connection,
  userNo: number,
  after: number,
): { last: number; turns: number; symbols: number } | null {
  const rows = connection.all(sql`SELECT id, content, symbols, symbol_relevance FROM turns INDEXED BY turns_user
     WHERE user_no = ${userNo} AND id > ${after} ORDER BY id LIMIT ${TURNS_A_PIECE}`)
  if (rows.length === 0) return null
  let symbols = 0
  for (const row of rows) {
    const found = extractSymbols(text(row, 'content'))
    symbols += found.length
    const [names, relevance] = symbolColumns(found)
    if (names !== row.symbols || relevance !== row.symbol_relevance)
      connection.run(
        sql`UPDATE turns SET symbols = ${names}, symbol_relevance = ${relevance} WHERE id = ${number(row, 'id')}`,
      )
  }
  return { last: number(rows.at(-1)!, 'id'), turns: rows.length, symbols }
}

/** Raised whenever the terms of a text change; an index of another version is built anew from turns and memories. */
export const TERMS_VERSION = 6

/** Takes away what another version cut; the users for whom all is part of the tail now, until upkeep writes segments. */
export async function ensureTermsVersion(
  connection: Connection,
  { turns, memories }: Indexes,
): Promise<readonly string[]> {
  const row = connection.get(`SELECT value FROM counters WHERE name = 'terms_version'`)
  if (row !== undefined && number(row, 'value') === TERMS_VERSION) return []
  const users = connection.all('SELECT user_no, user_id FROM users')
  dropEntries(connection)
  dropUnreadable(connection)
  for (const user of users) {
    const userNo = number(user, 'user_no')
    turns.drop(userNo)
    memories.drop(userNo)
    await rebuildEntries(connection, userNo)
  }
  // The version is written last, so that after a stopped process the next one does it again.
  connection.write(() =>
    connection.run(sql`INSERT INTO counters (name, value) VALUES ('terms_version', ${TERMS_VERSION})
       ON CONFLICT (name) DO UPDATE SET value = ${TERMS_VERSION}`),
  )
  return users.map((user) => text(user, 'user_id'))
}
