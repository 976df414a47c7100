/** Which project is a folder part of, and is it remembered there? Looks at files alone and runs no git: hooks ask before they open anything. */
import { existsSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path'
import { makeFolder } from '../../domain/make-folder.ts'
import { readPlain, replaceFile } from '../../domain/plain-file.ts'

/** File in a project's root that lists folders or patterns to ignore, one a line; empty means the whole project. */
const IGNORE = '.mneme-ignore'

export interface Project {
  /** The root of the repository (of the main one for a worktree); outside of any, the folder itself. */
  readonly root: string
  /** Whether storing and recall are switched off for it. */
  readonly ignored: boolean
}

/** The project of a folder ('': the working one). Never throws: what is unreadable or deleted counts as absent. */
export function projectOfFolder(named: string): Project {
  if (!isAbsolute(named) && !existsSync(named === '' ? '.' : named)) return { root: named, ignored: false }
  const folder = resolve(named)
  const checkout = above(folder, '.git') ?? folder
  return { root: mainRoot(checkout), ignored: isIgnored(checkout, folder) }
}

function above(folder: string, name: string): string | undefined {
  if (existsSync(join(folder, name))) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : above(parent, name)
}

/** A worktree's `.git` is a file that leads to the main repository's own. */
function mainRoot(checkout: string): string {
  const own = join(checkout, '.git')
  try {
    if (!statSync(own).isFile()) return checkout
    const link = /^gitdir: (.+)$/m.exec(String(readPlain(own)))?.[1]?.trim()
    if (link === undefined) return checkout
    const gitFolder = isAbsolute(link) ? link : resolve(checkout, link)
    const common = join(gitFolder, 'commondir')
    // A submodule has no common folder: it is a project of its own.
    return existsSync(common) ? dirname(resolve(gitFolder, String(readPlain(common)).trim())) : checkout
  } catch {
    return checkout
  }
}

function isIgnored(checkout: string, folder: string): boolean {
  try {
    const lines = String(readPlain(join(checkout, IGNORE)))
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
    if (lines.length === 0) return true
    // The folder and those above it, as seen from the root.
    const names = relative(checkout, folder).split(sep)
    const paths = names.map((_, at) => names.slice(0, at + 1).join('/'))
    return (
      lines
        // `secret/**` means the folder itself, too.
        .flatMap((line) => [line, line.replace(/\/\*\*$/, '')])
        .map((line) => line.replace(/^(?:\.?\/)|\/$/g, ''))
        .some((line) => {
          const isPattern = /[*?[{]/.test(line)
          return line === '*' || paths.some((path) => path === line || (isPattern && posix.matchesGlob(path, line)))
        })
    )
  } catch {
    return false
  }
}

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
    const { pauses } = JSON.parse(String(readPlain(fileOf(database))))
    return pauses.filter(isPause)
  } catch {
    return []
  }
}

export function isPaused(pauses: readonly Pause[], root: string, at: number): boolean {
  return pauses.some((one) => (one.root === null || one.root === root) && holds(one, at))
}

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
  replaceFile(file, `${JSON.stringify({ pauses })}\n`)
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
