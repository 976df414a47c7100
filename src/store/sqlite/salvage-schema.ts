/** How does a damaged file get its header and the list of its tables back? Both are the same in every file of ours. */
import { readFileSync, writeFileSync } from 'node:fs'
import { editSimilarity } from '../../language/spelling.ts'
import { Connection } from './file/connection.ts'
import { migrate, schemaVersion } from './file/open-database.ts'
import { number } from './file/rows.ts'
import { attempt, fullError } from './file/storage-errors.ts'

export function tablesIn(path: string): number {
  const source = new Connection(path)
  try {
    return source.all('SELECT name FROM sqlite_master').length
  } finally {
    source.close()
  }
}

/** The beginning of every file of ours: https://www.sqlite.org/fileformat2.html#the_database_header */
const HEADER: readonly (readonly [at: number, bytes: readonly number[]])[] = [
  [0, [...Buffer.from('SQLite format 3\0')]],
  // The log, no bytes kept at the end of pages, and how full these are.
  [18, [2, 2, 0, 64, 32, 32]],
  // The format of tables, and UTF-8.
  [44, [0, 0, 0, 4]],
  [56, [0, 0, 0, 1]],
]
const PAGE_SIZES = [2048, 4096, 1024, 8192, 16_384, 32_768]

/** Writes a damaged header anew, with the size of pages that shows our tables; false: none does, and the file is as it was. */
export function mendHeader(path: string): boolean {
  const damaged = readFileSync(path)
  if (damaged.length < Math.min(...PAGE_SIZES)) return false
  for (const size of new Set([damaged.readUInt16BE(16), ...PAGE_SIZES])) {
    writeFileSync(path, withHeader(damaged, size))
    if (hasTables(path)) return true
  }
  writeFileSync(path, damaged)
  return false
}

/** Makes the beginning of a file, which SQLite asks for before it reads a log; the log has the pages that it was written. */
export function makeFileOf(log: string, path: string): void {
  const said = readFileSync(log).subarray(0, 32)
  const size = PAGE_SIZES.find((size) => said.length === 32 && said.readUInt32BE(8) === size) ?? PAGE_SIZES[0]!
  writeFileSync(path, withHeader(Buffer.alloc(size), size))
}

function withHeader(bytes: Buffer, pageSize: number): Buffer {
  const mended = Buffer.from(bytes)
  for (const [at, own] of HEADER) mended.set(own, at)
  mended.writeUInt16BE(pageSize, 16)
  mended.writeUInt32BE(Math.ceil(bytes.length / pageSize), 28)
  return mended
}

export function hasTables(path: string): boolean {
  try {
    return tablesIn(path) > 0
  } catch {
    return false
  }
}

/**
 * Gives a file the list of its tables again. The migrations alone tell where tables begin, so a new file of its schema
 * has them at the same pages.
 */
export function graft(path: string, fresh: string): void {
  const version = versionOf(path)
  const damaged = readFileSync(path)
  const size = damaged.readUInt16BE(16)
  const model = new Connection(fresh, { pageBytes: size })
  let pages: readonly number[]
  try {
    migrate(model, version)
    pages = model.all(`SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'`).map((row) => number(row, 'pageno'))
    if (!model.checkpoint('truncate')) throw fullError(path)
  } finally {
    model.close()
  }
  const whole = readFileSync(fresh)
  const length = Math.max(damaged.length - (damaged.length % size), Math.max(...pages) * size)
  const made = Buffer.concat([damaged, Buffer.alloc(length)]).subarray(0, length)
  for (const page of pages) whole.copy(made, (page - 1) * size, (page - 1) * size, page * size)
  // The number of pages is the file's own, and no page is free.
  made.writeUInt32BE(length / size, 28)
  made.fill(0, 32, 40)
  writeFileSync(path, made)
}

/** The schema of a file whose list of tables is damaged; undefined where nothing tells it. */
function versionOf(path: string): number | undefined {
  let source: Connection | undefined
  try {
    source = new Connection(path, { damaged: true })
    return schemaVersion(source) || undefined
  } catch {
    return undefined
  } finally {
    source?.close()
  }
}

/** Gives the tables of a damaged list the names and columns that the migrations made; true when one was given any. */
export function mendSchema(source: Connection, target: Connection): boolean {
  const tablesOf = (connection: Connection) =>
    connection.all(
      `SELECT rowid AS place, name, sql FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'`,
    )
  const wanted = new Map(tablesOf(target).map(({ name, sql }) => [String(name), String(sql)]))
  const there = attempt(() => tablesOf(source)) ?? []
  const names = new Set(there.map(({ name }) => String(name)))
  const free = [...wanted.keys()].filter((name) => !names.has(name))
  let isMended = false
  for (const { place, name, sql } of there) {
    const own = wanted.has(String(name)) ? String(name) : free.length === 0 ? null : closestWord(String(name), free)
    if (own === null || (own === name && hasColumns(source, target, own))) continue
    if (own !== name && editSimilarity(String(sql), wanted.get(own)!) < ALIKE) continue
    source.run(
      'UPDATE sqlite_master SET name = ?1, tbl_name = ?1, sql = ?2 WHERE rowid = ?3',
      own,
      wanted.get(own)!,
      Number(place),
    )
    isMended = true
  }
  return isMended
}

/** Two texts of a table's making are one, but for flipped bits, when they are at least this alike. */
const ALIKE = 0.9

function hasColumns(source: Connection, target: Connection, table: string): boolean {
  return attempt(() => columnsOf(source, table)) === columnsOf(target, table)
}

export function closestWord(value: string, words: readonly string[]): string {
  const alike = (word: string): number => editSimilarity(value, word)
  return words.reduce((best, word) => (alike(word) > alike(best) ? word : best))
}

export function columnsOf(target: Connection, table: string): string {
  return target
    .all('SELECT name FROM pragma_table_info(?)', table)
    .map(({ name }) => String(name))
    .join(', ')
}
