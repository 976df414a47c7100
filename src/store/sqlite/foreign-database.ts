/** A database of another program, read from a copy: not a byte of it is changed, and its owner may write meanwhile. */
import { constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Connection } from './file/connection.ts'

/** Programs whose databases can be read. */
export type ForeignProgram = 'cursor' | 'claude-mem' | 'mem0'

/** An open copy. */
export interface ForeignDatabase {
  /** The recognised program; null for none. */
  readonly program: ForeignProgram | null
  /**
   * The memories in it, row by row: conversations of Cursor, observations and summaries of claude-mem, the history of
   * mem0.
   */
  rows(): IterableIterator<Readonly<Record<string, unknown>>>
  /** A value of Cursor's by its key. */
  value(key: string): unknown
  close(): void
}

const ROWS: Readonly<Record<ForeignProgram, readonly [table: string, sql: string]>> = {
  cursor: ['cursorDiskKV', "SELECT key, value FROM cursorDiskKV WHERE key LIKE 'composerData:%'"],
  'claude-mem': ['observations', 'SELECT * FROM observations ORDER BY created_at_epoch'],
  mem0: ['history', 'SELECT * FROM history ORDER BY rowid'],
}

/** Copies and opens a database. Throws MnemeError where it is none, or damaged. */
export function openForeignDatabase(path: string): ForeignDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-copy-'))
  const copy = join(folder, basename(path))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    for (const end of ['', '-wal'])
      if (existsSync(path + end)) copyFileSync(path + end, copy + end, constants.COPYFILE_FICLONE)
    const connection = new Connection(copy, { readOnly: true })
    const tables = new Set(
      connection.all("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => name),
    )
    const program = (Object.keys(ROWS) as ForeignProgram[]).find((name) => tables.has(ROWS[name][0])) ?? null
    return {
      program,
      rows: () => connection.statement(program === null ? 'SELECT 1 WHERE 0' : ROWS[program][1]).iterate(),
      value: (key) => connection.get('SELECT value FROM cursorDiskKV WHERE key = ?', key)?.value,
      close: () => {
        connection.close()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}
