/** Is remembering paused? A small file beside the database tells hooks before they open anything. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../../domain/make-folder.ts'

/** A pause of a project, or of everything (`root` null). Times are milliseconds since the epoch. */
export interface Pause {
  readonly root: string | null
  readonly from: number
  /** null: until resumed. */
  readonly until: number | null
}

/** Pauses that are kept; what was said in an ended one is not stored later either. */
const KEPT = 1000

/** The pauses of a database, ended ones too; none where the file is absent or cannot be read. */
export function readPauses(database: string): readonly Pause[] {
  try {
    const { pauses } = JSON.parse(readFileSync(fileOf(database), 'utf8'))
    return pauses.filter(isPause)
  } catch {
    return []
  }
}

/** Whether a project is paused at a moment. */
export function isPaused(pauses: readonly Pause[], root: string, at: number): boolean {
  return pauses.some((one) => (one.root === null || one.root === root) && holds(one, at))
}

/** Whether a pause covers a moment. */
export function holds({ from, until }: Pause, at: number): boolean {
  return from <= at && (until === null || at < until)
}

/** Sets the pause of a project (null: of everything) from now on, and ends it with `undefined`. Returns all pauses. */
export function setPause(
  database: string,
  root: string | null,
  until: number | null | undefined,
  now: number,
): readonly Pause[] {
  const before = readPauses(database).map((one) =>
    one.root === root && holds(one, now) ? { ...one, until: now } : one,
  )
  const pauses = [...before, ...(until === undefined ? [] : [{ root, from: now, until }])].slice(-KEPT)
  const file = fileOf(database)
  makeFolder(dirname(file))
  writeFileSync(`${file}.new`, `${JSON.stringify({ pauses })}\n`)
  renameSync(`${file}.new`, file)
  return pauses
}

function fileOf(database: string): string {
  return `${database}.paused`
}

function isPause(value: unknown): value is Pause {
  const { root, from, until } = (value ?? {}) as Readonly<Record<string, unknown>>
  return (
    (root === null || typeof root === 'string') &&
    typeof from === 'number' &&
    (until === null || typeof until === 'number')
  )
}
