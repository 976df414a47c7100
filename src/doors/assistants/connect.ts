/**
 * Connects an assistant and disconnects it again. Unchanged files are restored to the byte from a kept copy; in files
 * that somebody changed since, only our part is removed.
 */
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { invalid } from '../../domain/errors.ts'
import { withOurs, withoutOurs } from './config-file.ts'
import { makeFolder } from './make-folder.ts'
import { connectionOf, type Start, TARGETS, type Target, type TargetFile } from './targets.ts'

/** The home folder of the assistants, and the command that they start. */
export interface ConnectInput {
  readonly home: string
  readonly start: Start
}

/** The content of one file before and after; null: no such file. */
export interface FileChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** The assistants that are installed below a home folder. */
export function installed({ home, start }: ConnectInput): readonly Target[] {
  return TARGETS.filter((target) => existsSync(connectionOf(target, home, start).folder))
}

/** The changes that connecting would make; writes nothing. Throws `invalid` with the file that cannot be parsed. */
export function connecting(target: Target, { home, start }: ConnectInput): readonly FileChange[] {
  return changes(connectionOf(target, home, start).files, ({ content }, before) => withOurs(before ?? '', content))
}

/** The changes that disconnecting would make. Throws as `connecting`. */
export function disconnecting(target: Target, { home, start }: ConnectInput): readonly FileChange[] {
  const kept = readKept(home, target)
  return changes(connectionOf(target, home, start).files, ({ path, content }, before) => {
    if (before === null) return null
    const was = kept.get(path)
    if (was !== undefined && before === was.after) return was.before
    const rest = withoutOurs(before, content)
    // A file written only by us is deleted with our content.
    return was?.before === null && ['', '{}'].includes(rest.trim()) ? null : rest
  })
}

/** Writes the changes, and keeps the former content for disconnecting. */
export function apply(target: Target, home: string, all: readonly FileChange[], isConnecting: boolean): void {
  const kept = readKept(home, target)
  if (isConnecting) {
    for (const { path, before, after } of all)
      kept.set(path, { before: kept.get(path)?.after === before ? (kept.get(path)?.before ?? null) : before, after })
    writeKept(home, target, kept)
  }
  for (const { path, after } of all)
    if (after === null) rmSync(path, { force: true })
    else write(path, after)
  if (!isConnecting) rmSync(keptFile(home, target), { force: true })
}

/** The change in readable form. */
export function shown({ path, before, after }: FileChange): string {
  return createTwoFilesPatch(
    before === null ? '/dev/null' : path,
    after === null ? '/dev/null' : path,
    before ?? '',
    after ?? '',
    '',
    '',
    { context: 2 },
  )
}

function changes(
  files: readonly TargetFile[],
  next: (file: TargetFile, before: string | null) => string | null,
): readonly FileChange[] {
  return files.flatMap((file) => {
    const before = existsSync(file.path) ? readFileSync(file.path, 'utf8') : null
    try {
      const after = next(file, before)
      return after === before ? [] : [{ path: file.path, before, after }]
    } catch (error) {
      throw invalid(
        file.path,
        `is left alone: ${error instanceof Error ? error.message : error}`,
        'Put it right, or add what docs/assistants.md shows by hand.',
      )
    }
  })
}

interface Kept {
  readonly before: string | null
  readonly after: string | null
}

function keptFile(home: string, target: Target): string {
  return join(home, '.mneme', 'connected', `${target}.json`)
}

function readKept(home: string, target: Target): Map<string, Kept> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(keptFile(home, target), 'utf8'))))
  } catch {
    return new Map()
  }
}

/** Writes the kept copies, readable by the owner only, because the copied files may hold keys. */
function writeKept(home: string, target: Target, kept: ReadonlyMap<string, Kept>): void {
  write(keptFile(home, target), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`, 0o600)
}

/** Writes atomically, through links, and keeps the file's permissions. */
function write(path: string, text: string, mode?: number): void {
  const real = existsSync(path) ? realpathSync(path) : path
  makeFolder(dirname(real))
  const rights = mode ?? (existsSync(real) ? statSync(real).mode & 0o777 : undefined)
  writeFileSync(`${real}.mneme-new`, text, rights === undefined ? {} : { mode: rights })
  renameSync(`${real}.mneme-new`, real)
}
