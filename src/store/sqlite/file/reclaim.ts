/** How does a removal end? Freed pages go back, the write-ahead log is emptied, and remains are wiped. */
import { fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { MnemeError } from '../../../domain/errors.ts'
import { fileBytes } from '../../../domain/plain-file.ts'
import { breathe } from '../../../domain/scheduling.ts'
import { Connection, sql } from './connection.ts'
import { isRemoving } from './disk-reserve.ts'
import { dropCopies } from './open-database.ts'
import { bytes, number, text } from './rows.ts'
import { isIndexFailure, storageError } from './storage-errors.ts'
import { patiently, writePatiently } from './wait-for-lock.ts'

const PAGES_A_PIECE = 500
/** Takes the note back, unless another removal began since. */
const WIPED = `UPDATE counters SET value = 0 WHERE name = 'wipe_due' AND value = ?`
const COPIES_DUE = `SELECT value FROM counters WHERE name = 'copies_due'`
const COPIES_DROPPED = `UPDATE counters SET value = 0 WHERE name = 'copies_due' AND value = ?`
const RAISE = 'INSERT INTO counters (name, value) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1'

/** Finishes a removal that was killed, stopped, left for later, or hindered by another process's reader. */
export async function reclaimWhatIsDue(connection: Connection): Promise<void> {
  if (wipeDue(connection) > 0) await share(connection, true)
}

/** Time from an overwriting to its wipe, in milliseconds; a wipe reads the whole file, and rests so many times as long. */
const SOON_MS = 2000
const REST_TIMES = 20

/** Wipes soon what a person takes out or overwrites from now on, and what an earlier process left; the answer ends that. */
export function wipeSoon(connection: Connection): () => void {
  let timer: NodeJS.Timeout | undefined
  let pause = SOON_MS
  let isOver = false
  const wipeNow = async (): Promise<void> => {
    const begun = performance.now()
    // What fails here is done at the next erasure, or when the store is closed.
    const wiped = isRemoving(connection) ? Promise.resolve() : reclaimWhatIsDue(connection)
    const isDone = await wiped.then(
      () => isOver || wipeDue(connection) === 0,
      () => true,
    )
    pause = Math.max(SOON_MS, REST_TIMES * (performance.now() - begun))
    timer = undefined
    if (!isDone) soon()
  }
  const soon = (): void => {
    if (isOver || timer !== undefined) return
    timer = setTimeout(() => void wipeNow(), pause)
    timer.unref()
  }
  connection.onErasure = soon
  if (wipeDue(connection) > 0) soon()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** Shrinks the file; the bytes saved. `ofMemories`: words of removed memories may still stand in the index. */
export async function reclaim(
  connection: Connection,
  { signal, ofMemories = false }: { readonly signal?: AbortSignal | undefined; readonly ofMemories?: boolean } = {},
): Promise<number> {
  // A plan may have removed memories and left their last traces to whoever wipes next.
  const erasesWords = ofMemories || wipeDue(connection) > 0
  await patiently(connection, () => noteWipeDue(connection))
  return share(connection, erasesWords, signal)
}

/** Joins the next wipe: a new one, or the one after a running one. */
function share(connection: Connection, erasesWords: boolean, signal?: AbortSignal): Promise<number> {
  const running = wipes.get(connection)
  if (running === undefined) return begin(connection, erasesWords, signal)
  const follow = (): Promise<number> => begin(connection, true)
  running.next ??= running.wipe.then(follow, follow)
  return running.next
}

/** A wipe that runs, and the one that follows it. */
interface RunningWipe {
  readonly wipe: Promise<number>
  next: Promise<number> | null
}

const wipes = new WeakMap<Connection, RunningWipe>()

function begin(connection: Connection, erasesWords: boolean, signal?: AbortSignal): Promise<number> {
  const started = (async () => {
    try {
      connection.refuseLost()
      await dropDueCopies(connection)
      if (erasesWords) await patiently(connection, () => eraseGoneWords(connection, signal))
      return await wipe(connection, signal)
    } catch (error) {
      throw storageError(error, connection.path)
    }
  })()
  const running: RunningWipe = { wipe: started, next: null }
  wipes.set(connection, running)
  return started.finally(() => {
    if (running.next === null) wipes.delete(connection)
  })
}

async function wipe(connection: Connection, signal?: AbortSignal): Promise<number> {
  const due = wipeDue(connection)
  const before = pragma(connection, 'page_count')
  await shrink(connection, Number.POSITIVE_INFINITY, signal)
  const after = pragma(connection, 'page_count')
  if (await scrub(connection.path, signal))
    await patiently(connection, () => connection.write(() => connection.run(WIPED, due)))
  connection.checkpoint('truncate')
  return Math.max(0, before - after) * pragma(connection, 'page_size')
}

/** Gives free pages back to the file system, in at most so many pieces of two megabytes. */
export async function shrink(connection: Connection, pieces: number, signal?: AbortSignal): Promise<void> {
  for (let piece = 0; piece < pieces; piece += 1) {
    const free = pragma(connection, 'freelist_count')
    if (free === 0) return
    await writePatiently(connection, () => connection.all(`PRAGMA incremental_vacuum(${PAGES_A_PIECE})`))
    if (pragma(connection, 'freelist_count') === free) return
    await breathe(signal)
  }
}

function pragma(connection: Connection, name: string): number {
  const row = connection.get(`PRAGMA ${name}`)
  return row === undefined ? 0 : number(row, name)
}

export function noteWipeDue(connection: Connection): void {
  connection.write(() => connection.run(RAISE, 'wipe_due'))
}

/** Notes in the writing transaction of what a person takes out or overwrites that it goes from copies of the file, too. */
export function noteErasure(connection: Connection): void {
  noteWipeDue(connection)
  connection.run(RAISE, 'copies_due')
  connection.onErasure()
}

/** Does so when the transaction has been committed; a process that was killed in between leaves the note. */
async function dropDueCopies(connection: Connection): Promise<void> {
  const due = connection.count(COPIES_DUE)
  if (due === 0) return
  dropCopies(connection.path)
  await writePatiently(connection, () => connection.run(COPIES_DROPPED, due))
}

/** A number that grows with every removal; 0 when nothing is left to be wiped. */
export function wipeDue(connection: Connection): number {
  return connection.count(`SELECT value FROM counters WHERE name = 'wipe_due'`)
}

const STARTS_A_PIECE = 200
const LIST_PAGES_A_PIECE = 16
/** A row of no user; an entry there makes a second segment, which FTS5 needs for a merge. */
const NOBODYS_ROW = 0n
const NOBODYS_WORD = '-'
const HAS_NOBODY = 'SELECT 1 FROM memory_words_docsize WHERE id = ?'
/** FTS5 puts one byte before every term of an index. */
const MARK_BYTES = 1

/** The words of the index in order: https://www.sqlite.org/fts5.html#the_fts5vocab_virtual_table_module */
const WORDS = `CREATE VIRTUAL TABLE IF NOT EXISTS temp.memories_words USING fts5vocab(main, memory_words, instance)`

/** FTS5's secure-delete leaves page-start words in `memory_words_idx`; the lists are written anew where one stands. */
async function eraseGoneWords(connection: Connection, signal?: AbortSignal): Promise<void> {
  try {
    if (await namesGoneWord(connection, signal)) await writeAnew(connection, signal)
  } catch (error) {
    // A damaged index is built anew, without what was removed, at the next write.
    if (!isIndexFailure(error)) throw error
  }
}

async function namesGoneWord(connection: Connection, signal: AbortSignal | undefined): Promise<boolean> {
  connection.exec(WORDS)
  const starts = new Set<string>()
  for (const row of connection.all(`SELECT term FROM memory_words_idx WHERE length(term) > ${MARK_BYTES}`)) {
    // The start of a page is cut to the fewest bytes that tell two pages apart. An incomplete last character is
    // dropped.
    const start = Buffer.from(bytes(row, 'term'))
      .subarray(MARK_BYTES)
      .toString('utf8')
      .replace(/\ufffd+$/u, '')
    if (start !== '') starts.add(start)
  }
  let looked = 0
  for (const start of starts) {
    if (!isLive(connection, start)) return true
    looked += 1
    if (looked % STARTS_A_PIECE === 0) await breathe(signal)
  }
  return false
}

/** true when the first word of the index from here on has this beginning. */
function isLive(connection: Connection, beginning: string): boolean {
  const row = connection.get('SELECT term FROM temp.memories_words WHERE term >= ? LIMIT 1', beginning)
  return row !== undefined && text(row, 'term').startsWith(beginning)
}

/** true when the parts of the index beside its largest are half as large as that. */
const IS_SCATTERED = `SELECT sum(pages) * 2 > max(pages) * 3 FROM
  (SELECT count(*) AS pages FROM memory_words_idx GROUP BY segid)`

/** Makes one part of those in which the full-text table was written, when they have grown enough to be worth it. */
export async function gatherWords(connection: Connection): Promise<void> {
  try {
    if (connection.count(IS_SCATTERED) === 1) await patiently(connection, () => writeAnew(connection))
  } catch (error) {
    if (!isIndexFailure(error)) throw error
  }
}

/** https://www.sqlite.org/fts5.html#the_merge_command: a negative number of pages starts, positive ones go on. */
async function writeAnew(connection: Connection, signal?: AbortSignal): Promise<void> {
  connection.write(() => {
    // A process that was killed in here has left it.
    if (connection.get(HAS_NOBODY, NOBODYS_ROW) === undefined)
      connection.run('INSERT INTO memory_words (rowid, terms) VALUES (?, ?)', NOBODYS_ROW, NOBODYS_WORD)
  })
  let pages = -LIST_PAGES_A_PIECE
  while (connection.write(() => merge(connection, pages))) {
    pages = LIST_PAGES_A_PIECE
    await breathe(signal)
  }
  connection.write(() => {
    if (connection.get(HAS_NOBODY, NOBODYS_ROW) !== undefined)
      connection.run(
        sql`INSERT INTO memory_words (memory_words, rowid, terms) VALUES ('delete', ${NOBODYS_ROW}, ${NOBODYS_WORD})`,
      )
  })
}

/** false when there was nothing left to merge. */
function merge(connection: Connection, pages: number): boolean {
  const changes = (): number => connection.count('SELECT total_changes() AS n')
  const before = changes()
  connection.run(`INSERT INTO memory_words (memory_words, rank) VALUES ('merge', ?)`, BigInt(pages))
  return changes() - before >= 2
}

/** Eight megabytes: a few milliseconds. Every piece empties the write-ahead log, which waits for the disk. */
const READ_PAGES_A_PIECE = 2048
/** Number of retries of a piece after another process wrote in between. */
const TRIES = 20
const PAUSE_MS = 25
/** Longest wait for a reader in milliseconds, as waiting holds the event loop. */
const LOCK_WAIT_MS = 10

const ROOT_PAGE = 1
const BTREE_PAGE = 5
const LEAF_HEADER = 8
const INTERIOR_HEADER = 12
const FILE_HEADER = 100

/**
 * Zeroes the gaps of B-tree pages (found by the pointer map), where secure_delete leaves old copies. False: other
 * processes left no quiet moment; SQLite gives those bytes no meaning (sqlite.org/fileformat2.html#b_tree_pages).
 */
async function scrub(path: string, signal?: AbortSignal): Promise<boolean> {
  if (path === ':memory:') return true
  // A connection of its own: the caller's then sees a foreign commit and drops its cache like everybody else.
  const connection = new Connection(path)
  connection.exec(`PRAGMA busy_timeout=${LOCK_WAIT_MS}`)
  const file = descriptor(path)
  try {
    const pageSize = number(connection.get('PRAGMA page_size') ?? {}, 'page_size')
    for (let first = 1; ; first += READ_PAGES_A_PIECE) {
      const pages = await scrubPiece(connection, file, pageSize, first, signal)
      if (pages === null) return false
      if (pages < READ_PAGES_A_PIECE) return true
    }
  } finally {
    connection.close()
  }
}

/** They stay open: closing one drops every lock of the process on the file (sqlite.org/howtocorrupt.html, 2.2). */
const descriptors = new Map<string, number>()

function descriptor(path: string): number {
  const { dev, ino } = statSync(path)
  const key = `${dev}:${ino}`
  const known = descriptors.get(key)
  if (known !== undefined) return known
  const opened = openSync(path, 'r+')
  descriptors.set(key, opened)
  return opened
}

/** Runs `work` in a write transaction with an empty log; null while others read or write. */
function whenQuiet<T>(connection: Connection, work: () => T): T | null {
  try {
    if (!connection.checkpoint('truncate')) return null
    return connection.write(() => (fileBytes(`${connection.path}-wal`) > 0 ? null : work()))
  } catch (error) {
    if (error instanceof MnemeError && error.code === 'database_locked') return null
    throw error
  }
}

/** Pages looked at; null when there was no quiet moment. */
async function scrubPiece(
  connection: Connection,
  file: number,
  pageSize: number,
  first: number,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    await (attempt === 0 ? breathe(signal) : sleep(PAUSE_MS))
    const pages = whenQuiet(connection, () => {
      const looked = zeroGaps(file, pageSize, first)
      connection.run(
        `INSERT INTO counters (name, value) VALUES ('scrubs', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1`,
      )
      return looked
    })
    if (pages !== null) return pages
  }
  return null
}

function zeroGaps(file: number, pageSize: number, first: number): number {
  const buffer = Buffer.alloc(READ_PAGES_A_PIECE * pageSize)
  const length = readSync(file, buffer, 0, buffer.length, (first - 1) * pageSize)
  const pages = Math.floor(length / pageSize)
  const isBtree = pageTypes(file, pageSize)
  let written = false
  for (let index = 0; index < pages; index += 1) {
    const page = first + index
    if (!isBtree(page)) continue
    const start = index * pageSize
    const gap = gapOf(buffer, start, page === 1 ? FILE_HEADER : 0, pageSize)
    if (gap === null || buffer.compare(ZEROS, 0, gap.to - gap.from, gap.from, gap.to) === 0) continue
    writeSync(file, Buffer.alloc(gap.to - gap.from), 0, gap.to - gap.from, (first - 1) * pageSize + gap.from)
    written = true
  }
  if (written) fsyncSync(file)
  return pages
}

/** The unallocated stretch of a page, null when this is no B-tree page. */
function gapOf(buffer: Buffer, start: number, header: number, pageSize: number): { from: number; to: number } | null {
  const kind = buffer[start + header]
  const headerSize = kind === 13 || kind === 10 ? LEAF_HEADER : kind === 5 || kind === 2 ? INTERIOR_HEADER : 0
  if (headerSize === 0) return null
  const cells = buffer.readUInt16BE(start + header + 3)
  const content = buffer.readUInt16BE(start + header + 5) || 65_536
  const from = header + headerSize + cells * 2
  return content > pageSize || from >= content ? null : { from: start + from, to: start + content }
}

const ZEROS = Buffer.alloc(65_536)

/** Tells from the pointer map whether a page belongs to a B-tree. */
function pageTypes(file: number, pageSize: number): (page: number) => boolean {
  // One map page describes each of the pages behind it in five bytes.
  const perMap = Math.floor(pageSize / 5)
  const maps = new Map<number, Buffer>()
  return (page) => {
    if (page === 1) return true
    const mapPage = Math.floor((page - 2) / (perMap + 1)) * (perMap + 1) + 2
    if (page === mapPage) return false
    let map = maps.get(mapPage)
    if (map === undefined) {
      map = Buffer.alloc(pageSize)
      readSync(file, map, 0, pageSize, (mapPage - 1) * pageSize)
      maps.set(mapPage, map)
    }
    const type = map[(page - mapPage - 1) * 5]
    return type === ROOT_PAGE || type === BTREE_PAGE
  }
}
