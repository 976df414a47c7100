/** Temporary folders of a test, and what lies in the files of a database as bytes. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A fresh folder that goes away with the test. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A path for a database in a fresh folder. */
export function freshDatabase(name = 'memory.db'): string {
  return join(freshFolder(), name)
}

/** The files of a database: itself, its log, its shared memory, its backups. */
export function databaseFiles(path: string): readonly string[] {
  const folder = dirname(path)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.startsWith(basename(path)))
    .map((name) => join(folder, name))
}

/**
 * Which of the words stand in one of the database's files, in any letter case, as UTF-8 or UTF-16; as `file: word`.
 * Empty when no byte of them is left.
 */
export function wordsInFiles(path: string, words: readonly string[]): readonly string[] {
  const found: string[] = []
  for (const file of databaseFiles(path)) {
    const bytes = readFileSync(file)
    const folded = bytes.toString('latin1').toLowerCase()
    for (const word of words) {
      const forms = [word, word.toUpperCase(), word.toLowerCase()]
      const inBytes = forms.some(
        (form) =>
          bytes.includes(form, 0, 'utf8') ||
          bytes.includes(form, 0, 'utf16le') ||
          bytes.includes(Buffer.from(form, 'utf16le').swap16()),
      )
      const ascii = /^[\x20-\x7e]+$/.test(word) && folded.includes(word.toLowerCase())
      if (inBytes || ascii) found.push(`${basename(file)}: ${word}`)
    }
  }
  return found
}
