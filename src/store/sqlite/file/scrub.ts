/**
 * Zeroes the gaps of all B-tree pages, where SQLite's secure_delete leaves old copies of cells that rebalancing moved.
 * The pointer map, which auto_vacuum keeps, tells which pages belong to B-trees.
 */

/**
 * This is safe, as SQLite gives the bytes of a gap no meaning (https://www.sqlite.org/fileformat2.html#b_tree_pages).
 * They are written in a write transaction with an empty write-ahead log, and its commit makes other connections drop
 * their cached pages.
 */
import { fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { MnemeError } from '../../../domain/errors.ts'
import { breathe } from '../../../domain/pieces.ts'
import { Connection } from './connection.ts'
import { number } from './rows.ts'

/** Eight megabytes: a few milliseconds. Every piece empties the write-ahead log, which waits for the disk. */
const PAGES_A_PIECE = 2048
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

/** Zeroes all gaps of the file at `path`; resolves false when other processes left no quiet moment to do it in. */
export async function scrub(path: string, signal?: AbortSignal): Promise<boolean> {
  if (path === ':memory:') return true
  // A connection of its own: the caller's then sees a foreign commit and drops its cache like everybody else.
  const connection = new Connection(path)
  connection.exec(`PRAGMA busy_timeout=${LOCK_WAIT_MS}`)
  const file = descriptor(path)
  try {
    const pageSize = number(connection.get('PRAGMA page_size') ?? {}, 'page_size')
    for (let first = 1; ; first += PAGES_A_PIECE) {
      const pages = await scrubPiece(connection, file, pageSize, first, signal)
      if (pages === null) return false
      if (pages < PAGES_A_PIECE) return true
    }
  } finally {
    connection.close()
  }
}

/**
 * Descriptors stay open for the life of the process. Closing one drops every lock that the process holds on the file,
 * SQLite's too (https://www.sqlite.org/howtocorrupt.html, 2.2).
 */
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
    return connection.write(() => (logBytes(connection.path) > 0 ? null : work()))
  } catch (error) {
    if (error instanceof MnemeError && error.code === 'database_locked') return null
    throw error
  }
}

function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
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
    await (attempt === 0 ? breathe(signal) : setTimeout(PAUSE_MS))
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
  const buffer = Buffer.alloc(PAGES_A_PIECE * pageSize)
  const length = readSync(file, buffer, 0, buffer.length, (first - 1) * pageSize)
  const pages = Math.floor(length / pageSize)
  const isBtree = pageTypes(file, pageSize)
  let written = false
  for (let index = 0; index < pages; index += 1) {
    const page = first + index
    if (!isBtree(page)) continue
    const start = index * pageSize
    const gap = gapOf(buffer, start, page === 1 ? FILE_HEADER : 0, pageSize)
    if (gap === null || isZero(buffer, gap.from, gap.to)) continue
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

/** Zeros for the longest gap. */
const ZEROS = Buffer.alloc(65_536)

function isZero(buffer: Buffer, from: number, to: number): boolean {
  return buffer.compare(ZEROS, 0, to - from, from, to) === 0
}

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
