/** Connects an assistant and disconnects it again; a file that nobody changed since is restored to the byte. */
import { existsSync, lstatSync, readlinkSync, realpathSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { invalid, messageOf } from '../../domain/errors.ts'
import { makeFolder } from '../../domain/make-folder.ts'
import { dropAside, readPlain, replaceFile, writeAside } from '../../domain/plain-file.ts'
import { decodeUtf8 } from '../import-export/read-stream.ts'
import { type ConnectInput, connectionOf, TARGETS, type Target } from './connections.ts'
import { type Content, isNothing, withOurs, withoutOurs } from './our-content.ts'

export interface FileChange {
  /** The file itself, behind any link to it. */
  readonly path: string
  readonly before: string | null
  readonly after: string | null
  /** The file without Mneme. */
  readonly base: string | null
}

export function installed(input: ConnectInput): readonly Target[] {
  return TARGETS.filter((target) => existsSync(connectionOf(target, input).folder))
}

export function connecting(target: Target, input: ConnectInput): readonly FileChange[] {
  return changes(target, input, (base, content) => withOurs(base ?? '', content))
}

export function disconnecting(target: Target, input: ConnectInput): readonly FileChange[] {
  return changes(target, input, (base) => base)
}

/** Changes all files or, where one cannot be written, none. */
export function apply(
  target: Target,
  home: string,
  all: readonly FileChange[],
  isConnecting: boolean,
): readonly FileChange[] {
  const kept = readKept(home, target)
  const begun: string[] = []
  try {
    for (const { path, after } of all) {
      begun.push(path)
      writeNew(path, after ?? '')
    }
    begun.push(keptFile(home, target))
    for (const { path, base, after } of all) kept.set(path, { before: base, after })
    if (isConnecting) writeKept(home, target, kept)
  } catch (error) {
    for (const path of begun) dropAside(newOf(path))
    const remedy = 'Give yourself the right to write there, or add what docs/assistants.md shows by hand.'
    throw invalid(`${begun.at(-1)}`, `cannot be written, so nothing was changed: ${inOneLine(error)}`, remedy)
  }
  for (const { path, after } of all) {
    renameSync(newOf(path), path)
    if (after === null) rmSync(path)
  }
  if (isConnecting) return all
  rmSync(keptFile(home, target), { force: true })
  try {
    for (const inner of ['connected', '.']) rmdirSync(join(home, '.mneme', inner))
  } catch {
    // Other assistants are connected, none ever was, or a database lies there.
  }
  return all
}

export function shown({ path, before, after }: FileChange): string {
  const [from, to] = [before, after].map((text) => (text === null ? '/dev/null' : path)) as [string, string]
  return createTwoFilesPatch(from, to, before ?? '', after ?? '', '', '', { context: 2 })
}

function changes(
  target: Target,
  input: ConnectInput,
  next: (base: string | null, content: Content) => string | null,
): readonly FileChange[] {
  const kept = readKept(input.home, target)
  return connectionOf(target, input).files.flatMap(({ path: named, content }) => {
    const path = behindLinks(named)
    try {
      const before = existsSync(path) ? decodeUtf8(readPlain(path)) : null
      if (before === null && existsSync(path)) throw new Error('it is not UTF-8')
      const base = withoutMneme(before, content, kept.get(path))
      const after = next(base, content)
      return after === before ? [] : [{ path, before, after, base }]
    } catch (error) {
      const reason = `is left alone: ${inOneLine(error)}`
      throw invalid(path, reason, 'Put it right, or add what docs/assistants.md shows by hand.')
    }
  })
}

function inOneLine(error: unknown): string {
  return `${messageOf(error)}`.split('\n', 1)[0] ?? ''
}

function withoutMneme(before: string | null, content: Content, was: Kept | undefined): string | null {
  if (before === null) return null
  if (before === was?.after) return was.before
  const rest = withoutOurs(before, content, was?.after ?? '')
  // A file written only by us is deleted with our content.
  return was?.before === null && isNothing(rest, content) ? null : rest
}

/** A file before our content came, and with it. */
interface Kept {
  readonly before: string | null
  readonly after: string | null
}

function keptFile(home: string, target: Target): string {
  return join(home, '.mneme', 'connected', `${target}.json`)
}

function readKept(home: string, target: Target): Map<string, Kept> {
  try {
    return new Map(Object.entries(JSON.parse(String(readPlain(keptFile(home, target))))))
  } catch {
    return new Map()
  }
}

/** Writes the kept copies, readable by the owner only, because the copied files may hold keys. */
function writeKept(home: string, target: Target, kept: ReadonlyMap<string, Kept>): void {
  const path = keptFile(home, target)
  // The database of all that was said will lie there.
  makeFolder(join(home, '.mneme'), 0o700)
  makeFolder(dirname(path))
  replaceFile(path, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`, 0o600)
}

/** The file that a path leads to, which may not be there yet. */
function behindLinks(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink ? resolve(dirname(path), readlinkSync(path)) : path
}

/** Writes a file's new text beside it, with the file's permissions. */
function writeNew(path: string, text: string): void {
  makeFolder(dirname(path))
  writeAside(newOf(path), text, existsSync(path) ? statSync(path).mode & 0o777 : undefined)
}

function newOf(path: string): string {
  return `${path}.mneme-new`
}
