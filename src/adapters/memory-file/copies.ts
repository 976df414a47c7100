/**
 * Where are the copies of a memory file? In a folder beside it that git ignores, readable by their owner only: backups,
 * of which the newest are kept, and what was set aside because it could not be read whole.
 */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { replaceFile } from './replace-file.ts'

const OWNER_ONLY = 0o600
const BACKUP = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z(?:-\d+)?\.md$/
const DAMAGED = 'damaged-'
/** Files that were set aside are kept as long as backups, but at least so many. */
const KEPT_DAMAGED = 5

/** The folder of the copies of this file. */
export function copiesFolder(path: string): string {
  return join(dirname(path), `${basename(path)}.backups`)
}

/** Makes the folder. */
export async function makeCopiesFolder(path: string): Promise<string> {
  const folder = copiesFolder(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  })
  return folder
}

/** Keeps the bytes as a backup of this moment; its path. */
export async function keepBackup(path: string, bytes: Uint8Array, at: number): Promise<string> {
  return keep(path, bytes, stamp(at))
}

/** Keeps the bytes of a file that is damaged; the path. */
export async function keepDamaged(path: string, bytes: Uint8Array, at: number): Promise<string> {
  const kept = await keep(path, bytes, `${DAMAGED}${stamp(at)}`)
  await dropOldest(path, (name) => name.startsWith(DAMAGED), KEPT_DAMAGED)
  return kept
}

/** Removes all backups but the newest. */
export async function dropOldBackups(path: string, keep: number): Promise<void> {
  await dropOldest(path, (name) => BACKUP.test(name), keep)
}

/** Whether a file of this name is a backup: it leads out of no folder. */
export function isBackup(name: string): boolean {
  return BACKUP.test(name)
}

/** The backups of the file, newest first. */
export async function listBackups(
  path: string,
): Promise<readonly { readonly name: string; readonly keptAt: number; readonly bytes: number }[]> {
  const names = (await namesIn(copiesFolder(path))).filter(isBackup).sort(byAge).reverse()
  return Promise.all(
    names.map(async (name) => {
      const [date, time = ''] = ageOf(name).time.split('T')
      const [hours, minutes, seconds, milliseconds] = time.slice(0, -1).split('-')
      const keptAt = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${milliseconds}Z`)
      return { name, keptAt, bytes: (await stat(join(copiesFolder(path), name))).size }
    }),
  )
}

/** Changes every copy for which `change` gives other bytes. */
export async function rewriteCopies(path: string, change: (bytes: Uint8Array) => Uint8Array): Promise<void> {
  const folder = copiesFolder(path)
  for (const name of await namesIn(folder)) {
    if (!BACKUP.test(name) && !name.startsWith(DAMAGED)) continue
    const copy = join(folder, name)
    const bytes = await readFile(copy)
    const changed = change(bytes)
    if (!bytes.equals(changed)) await replaceFile(copy, changed, join(folder, 'unfinished'), OWNER_ONLY)
  }
}

async function keep(path: string, bytes: Uint8Array, name: string): Promise<string> {
  const folder = copiesFolder(path)
  for (let number = 0; ; number += 1) {
    const copy = join(folder, `${name}${number === 0 ? '' : `-${number}`}.md`)
    if ((await stat(copy).catch(() => null)) !== null) continue
    await replaceFile(copy, bytes, join(folder, 'unfinished'), OWNER_ONLY)
    return copy
  }
}

async function dropOldest(path: string, isMeant: (name: string) => boolean, keep: number): Promise<void> {
  const folder = copiesFolder(path)
  const meant = (await namesIn(folder)).filter(isMeant)
  meant.sort(byAge)
  for (const name of meant.slice(0, Math.max(0, meant.length - keep))) await rm(join(folder, name), { force: true })
}

/** By time, then by number: -2 is newer than none and older than -10. */
function byAge(a: string, b: string): number {
  const [one, other] = [ageOf(a), ageOf(b)]
  if (one.time !== other.time) return one.time < other.time ? -1 : 1
  return one.number - other.number
}

/** A name without a number is the first of its moment. */
function ageOf(name: string): { readonly time: string; readonly number: number } {
  const bare = name.replace(/\.md$/, '')
  const number = /Z-(\d+)$/.exec(bare)?.[1]
  return { time: bare.replace(/Z-\d+$/, 'Z'), number: Number(number ?? 0) }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => [])
}

function stamp(at: number): string {
  return new Date(at).toISOString().replace(/[:.]/g, '-')
}
