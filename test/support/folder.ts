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
  return databaseFiles(path).flatMap((file) => {
    const bytes = readFileSync(file)
    const folded = bytes.toString('latin1').toLowerCase()
    return words
      .filter((word) => (ASCII.test(word) ? holdsAscii(folded, word.toLowerCase()) : holdsForm(bytes, word)))
      .map((word) => `${basename(file)}: ${word}`)
  })
}

const ASCII = /^[\x20-\x7e]+$/

/** Letters with a zero byte between them stand in UTF-16 of either byte order. */
function holdsAscii(folded: string, word: string): boolean {
  return folded.includes(word) || folded.includes([...word].join('\0'))
}

function holdsForm(bytes: Buffer, word: string): boolean {
  const wide = Buffer.from(word, 'utf16le')
  return bytes.includes(word, 0, 'utf8') || bytes.includes(wide) || bytes.includes(Buffer.from(wide).swap16())
}
