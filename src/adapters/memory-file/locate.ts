/**
 * Which file is really meant? A link to a file beside it is followed; one that leads out of the folder is not, since
 * whoever can write the folder could have any file of the user's overwritten.
 */
import { lstat, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileError, notAFile } from './file-error.ts'

/** The absolute path of the plain file, which need not exist. Rejects for folders, devices and links out of the folder. */
export async function locate(path: string): Promise<string> {
  const folder = await realpath(dirname(resolve(path))).catch((error: unknown) => {
    if (isAbsent(error)) return dirname(resolve(path))
    throw fileError(error, path)
  })
  const named = join(folder, basename(path))
  const target = await followed(named, folder, path)
  const stat = await lstat(target).catch((error: unknown) => {
    if (isAbsent(error)) return null
    throw fileError(error, path)
  })
  if (stat?.isDirectory()) throw notAFile(path, 'a folder, not a file')
  if (stat !== null && !stat.isFile()) throw notAFile(path, 'no plain file')
  return target
}

async function followed(named: string, folder: string, path: string): Promise<string> {
  const link = await readlink(named).catch(() => null)
  if (link === null) return named
  const target = resolve(folder, link)
  const real = await realpath(target).catch(() => target)
  if (dirname(real) === folder) return real
  throw notAFile(path, 'a link out of its folder')
}

/** Whether the system says that there is nothing of this name. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
