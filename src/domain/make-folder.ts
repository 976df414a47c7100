/** Makes a folder and those above it, one by one: Node's recursive mkdir never returns below /proc. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileError } from './plain-file.ts'

/** `mode`: the folder's own permissions. Throws MnemeError naming the folder that cannot be made. */
export function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, mode)
  } catch (cause) {
    // Another process may have made it meanwhile.
    if (existsSync(folder)) return
    throw fileError(cause, folder, { orElse: 'Or name a place in a folder that exists and can be written.' })
  }
}
