/** Makes a folder and those above it, one by one: Node's recursive mkdir never returns below /proc. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { MnemeError } from './errors.ts'

/** `mode`: the folder's own permissions. Throws `storage_failed` naming the folder that cannot be made. */
export function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, mode)
  } catch (cause) {
    // Another process may have made it meanwhile.
    if (existsSync(folder)) return
    const { code = 'unknown' } = cause as NodeJS.ErrnoException
    const remedy = 'Name a place in a folder that exists and can be written.'
    throw new MnemeError('storage_failed', `The folder ${folder} cannot be made (${code}).`, { remedy, cause })
  }
}
