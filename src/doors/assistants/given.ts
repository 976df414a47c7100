/** What was a session of an assistant given, and what of it does its model hold? Kept beside the database, texts as hashes. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { hashOf } from '../../domain/ids.ts'
import { makeFolder } from '../../domain/make-folder.ts'

export interface Session {
  readonly id: string
  /** The first turn that the model holds: those before were compacted. */
  readonly from: number
  /** Keys of the texts that it was given since. */
  readonly given: readonly string[]
}

/** Sessions and texts of one that are kept, the newest; what is older may be given again. */
const [SESSIONS, TEXTS] = [50, 2000]
const KEY_LENGTH = 16

/** The key of a text with its marks: with other marks it is something new. */
export function keyOf(text: string, marks: readonly string[] = []): string {
  return hashOf([text, ...marks]).slice(0, KEY_LENGTH)
}

/** A session as it was noted; of an unknown one, or where the file is absent or damaged, nothing was given. */
export function sessionGiven(database: string, id: string): Session {
  return read(database).find((one) => one.id === id) ?? { id, from: 1, given: [] }
}

/** Notes a session in the place of what was known of it. A file that cannot be written loses the note alone. */
export function noteGiven(database: string, session: Session): void {
  const others = read(database).filter(({ id }) => id !== session.id)
  const sessions = [...others, { ...session, given: session.given.slice(-TEXTS) }].slice(-SESSIONS)
  const file = fileOf(database)
  try {
    makeFolder(dirname(file))
    writeFileSync(`${file}.new`, `${JSON.stringify({ sessions })}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  } catch {
    // The evidence matters more.
  }
}

function read(database: string): readonly Session[] {
  try {
    return JSON.parse(readFileSync(fileOf(database), 'utf8')).sessions.filter(isSession)
  } catch {
    return []
  }
}

function isSession(value: unknown): value is Session {
  const { id, from, given } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof id === 'string' && typeof from === 'number' && Array.isArray(given)
}

function fileOf(database: string): string {
  return `${database}.given`
}
