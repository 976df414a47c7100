/** A memory with a memory file in a fresh folder, a clock that a test turns, and the lines of its log. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type OpenMemory, type OpenOptions, openMemory } from '../../src/doors/library/index.ts'
import { freshFolder } from './folder.ts'

/** A line of the log. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly details: Record<string, unknown>
}

/** The means of a test. */
export interface FileMemory {
  readonly memory: OpenMemory
  readonly folder: string
  readonly file: string
  readonly log: LogLine[]
  /** The present, changed at will. */
  now: Date
  /** The file's text. */
  read(): string
  write(text: string): void
  /** Paths of the backups, oldest first. */
  backups(): readonly string[]
  /** Stores what the user said, in one conversation. */
  say(...sentences: readonly string[]): Promise<void>
  /** Texts of the entries of the file. */
  entries(): Promise<readonly string[]>
}

/** Opens it; it is closed and removed with the test. */
export async function openFileMemory(
  memoryFile: OpenOptions['memoryFile'] = {},
  folder = freshFolder(),
): Promise<FileMemory> {
  const log: LogLine[] = []
  const line =
    (level: LogLine['level']) =>
    (message: string, details: Record<string, unknown> = {}): void => {
      log.push({ level, message, details })
    }
  const file = memoryFile.path ?? join(folder, 'MEMORY.md')
  const state = { now: new Date(2026, 4, 7, 12) }
  const memory = await openMemory({
    path: join(folder, 'memory.db'),
    userId: 'ana',
    clock: () => state.now,
    logger: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    memoryFile,
  })
  onTestFinished(() => memory.close())
  let turns = 0
  return {
    memory,
    folder,
    file,
    log,
    get now() {
      return state.now
    },
    set now(moment) {
      state.now = moment
    },
    read: () => readFileSync(file, 'utf8'),
    write: (text) => writeFileSync(file, text),
    backups: () => {
      const copies = `${file}.backups`
      if (!existsSync(copies)) return []
      return readdirSync(copies)
        .filter((name) => /^\d.*\.md$/.test(name))
        .sort()
        .map((name) => join(copies, name))
    },
    say: async (...sentences) => {
      for (const content of sentences) {
        turns += 1
        const createdAt = new Date(state.now.getTime() + turns)
        await memory.conversations.store({ conversationId: 'chat', turns: [{ role: 'user', content, createdAt }] })
      }
      await memory.idle()
    },
    entries: async () => (await memory.memoryFile.read({ revealSecrets: true })).entries.map(({ text }) => text),
  }
}
