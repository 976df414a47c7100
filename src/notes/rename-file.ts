/** A file is replaced whole or not at all, and its time tells who wrote it last. */
import { constants, renameSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Two writes within this time may leave one time. */
export const LONGEST_TICK_MS = 50

/** Writes a file aside, syncs and renames it; its time, or null when `mayReplace`, asked at the very last, says no. */
export async function renamedTo(
  path: string,
  bytes: Uint8Array,
  unfinished: string,
  mode: number,
  mayReplace: () => boolean = () => true,
): Promise<bigint | null> {
  // A file left by a killed process, or put there by somebody, is not written through.
  await rm(unfinished, { force: true })
  let time: bigint
  try {
    const file = await open(unfinished, 'wx', mode)
    try {
      await file.writeFile(bytes)
      // Rights that the umask took away are given back: the file had them before.
      await file.chmod(mode)
      // A writer from now on leaves a later time, even within the same tick of the system's clock. Half a
      // millisecond tells it from a time that a file system has cut to seconds.
      await file.utimes(new Date(), (Date.now() - LONGEST_TICK_MS + 0.5) / 1000)
      await file.sync()
      time = (await file.stat({ bigint: true })).mtimeNs
    } finally {
      await file.close()
    }
    // No work of this process comes between the look and the rename, and next to none of others.
    if (!mayReplace()) {
      await rm(unfinished, { force: true })
      return null
    }
    renameSync(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    throw error
  }
  await syncFolder(dirname(path))
  return time
}

/** Brings the new name to the disk; where folders cannot be synced, the system sees to it. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(folder, constants.O_RDONLY)
    await handle.sync()
  } catch {
    // Windows and some network disks cannot sync a folder.
  } finally {
    await handle?.close()
  }
}
