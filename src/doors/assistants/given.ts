/** What was a session of an assistant given, and what of it does its model hold? Kept beside the database, texts as hashes. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from '../../domain/ids.ts'
import { makeFolder } from '../../domain/make-folder.ts'
import { plainFile } from '../../domain/plain-file.ts'

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
  return hashOf([text, ...marks], KEY_LENGTH)
}

/** A session as it was noted; of an unknown one, or where its file is absent or damaged, nothing was given. */
export function sessionGiven(database: string, id: string): Session {
  try {
    const { from, given } = JSON.parse(readFileSync(plainFile(fileOf(database, id)), 'utf8'))
    if (typeof from === 'number' && Array.isArray(given)) return { id, from, given }
  } catch {
    // As unknown.
  }
  return { id, from: 1, given: [] }
}

/** Notes a session in the place of what was known of it. A file that cannot be written loses the note alone. */
export function noteGiven(database: string, { id, from, given }: Session): void {
  const file = fileOf(database, id)
  try {
    makeFolder(folderOf(database))
    writeFileSync(`${file}.${process.pid}`, JSON.stringify({ from, given: given.slice(-TEXTS) }), { mode: 0o600 })
    renameSync(`${file}.${process.pid}`, file)
    dropOldest(folderOf(database))
  } catch {
    // The evidence matters more.
  }
}

function dropOldest(folder: string): void {
  const files = readdirSync(folder).map((name) => join(folder, name))
  if (files.length <= SESSIONS) return
  const aged = files.map((file) => ({ file, at: statSync(file).mtimeMs })).sort((a, b) => b.at - a.at)
  for (const { file } of aged.slice(SESSIONS)) rmSync(file, { force: true })
}

/** With the first deletion it goes like copies of the database (`dropCopies`): a hash tells who guesses that he is right. */
function folderOf(database: string): string {
  return `${database}.given`
}

function fileOf(database: string, id: string): string {
  return join(folderOf(database), hashOf(id))
}
