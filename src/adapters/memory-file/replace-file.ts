/**
 * How does a new file take the place of an old one so that a crash leaves one of them, whole? It is written beside it,
 * brought to the disk, and renamed; nothing is ever written into a file that others may be reading.
 */
import { constants, renameSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Puts a file with these bytes at `path`; `unfinished` is where it is made, on the same disk. `mayReplace` is asked at the
 * very last, when the new file is ready: false, and the old one stays and the answer is false.
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array,
  unfinished: string,
  mode: number,
  mayReplace: () => boolean = () => true,
): Promise<boolean> {
  // Left by a process that was killed, or put there by somebody: it is not written through.
  await rm(unfinished, { force: true })
  try {
    const file = await open(unfinished, 'wx', mode)
    try {
      await file.writeFile(bytes)
      // What the umask took away is given back: the file had these rights before.
      await file.chmod(mode)
      await file.sync()
    } finally {
      await file.close()
    }
    // Nothing of this process comes between the look and the rename, and of others next to nothing.
    if (!mayReplace()) {
      await rm(unfinished, { force: true })
      return false
    }
    renameSync(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    throw error
  }
  await syncFolder(dirname(path))
  return true
}

/** Brings the new name to the disk; where folders cannot be synced, the system sees to it. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(folder, constants.O_RDONLY)
    await handle.sync()
  } catch {
    // Windows and some network disks know no such thing.
  } finally {
    await handle?.close()
  }
}
