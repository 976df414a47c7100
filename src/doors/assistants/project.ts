/** Which project is a folder part of, and does its owner want it remembered? Looks at the file system, runs no git. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path'

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

/** The nearest folder at or above that holds the name. */
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
    const link = /^gitdir: (.+)$/m.exec(readFileSync(own, 'utf8'))?.[1]?.trim()
    if (link === undefined) return checkout
    const gitFolder = isAbsolute(link) ? link : resolve(checkout, link)
    const common = join(gitFolder, 'commondir')
    // A submodule has no common folder: it is a project of its own.
    return existsSync(common) ? dirname(resolve(gitFolder, readFileSync(common, 'utf8').trim())) : checkout
  } catch {
    return checkout
  }
}

function isIgnored(checkout: string, folder: string): boolean {
  try {
    const lines = readFileSync(join(checkout, IGNORE), 'utf8')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
    if (lines.length === 0) return true
    // The folder and those above it, as seen from the root.
    const names = relative(checkout, folder).split(sep)
    const paths = names.map((_, at) => names.slice(0, at + 1).join('/'))
    return lines
      .map((line) => line.replace(/^(?:\.?\/)|\/$/g, ''))
      .some(
        (line) =>
          line === '*' || paths.some((path) => path === line || (isPattern(line) && posix.matchesGlob(path, line))),
      )
  } catch {
    return false
  }
}

function isPattern(line: string): boolean {
  return /[*?[{]/.test(line)
}
