/** Which other program does a database belong to, and what is in it? A copy is read, and removed at the end. */
import { constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Connection } from './file/connection.ts'

/** Programs whose databases can be read. */
export type ForeignProgram = 'cursor' | 'claude-mem' | 'mem0'

export interface ForeignDatabase {
  /** The recognised program; null for none. */
  readonly program: ForeignProgram | null
  /** Conversations of Cursor, observations, summaries and prompts of claude-mem, or the history of mem0, row by row. */
  rows(): IterableIterator<{ readonly table: string; readonly row: Readonly<Record<string, unknown>> }>
  value(key: string): unknown
  close(): void
}

/** The tables of each program, the first of which it is known by; mem0 has one or the other. */
const TABLES: Readonly<Record<string, readonly [program: ForeignProgram, which: string]>> = {
  cursorDiskKV: ['cursor', "WHERE key LIKE 'composerData:%'"],
  observations: ['claude-mem', 'ORDER BY created_at_epoch'],
  session_summaries: ['claude-mem', 'ORDER BY created_at_epoch'],
  user_prompts: ['claude-mem', 'ORDER BY created_at_epoch'],
  history: ['mem0', 'ORDER BY rowid'],
  memory_history: ['mem0', 'ORDER BY rowid'],
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
    const there = new Set(connection.all("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => name))
    const known = Object.entries(TABLES).filter(([table]) => there.has(table))
    const program = known[0]?.[1][0] ?? null
    return {
      program,
      rows: function* () {
        for (const [table, [owner, which]] of known)
          if (owner === program)
            for (const row of connection.statement(`SELECT * FROM ${table} ${which}`).iterate()) yield { table, row }
      },
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
