/**
 * What happens in a memory file when memories are deleted for good? Their entries leave the file and the blocks at once,
 * and the backups too: nothing of them may stay anywhere. What the person wrote beside them stays.
 */

import { idIn, textHash, textIn } from '../../text/memory-file/entry-line.ts'
import { linesOf } from '../../text/memory-file/repair.ts'
import { stackOf } from './blocks.ts'
import type { MemoryFileDependencies } from './dependencies.ts'
import { takeKept } from './kept.ts'
import { updateFile } from './update-file.ts'

/** Strikes what was deleted. Never rejects: what could not be done is logged and done by the next look at the file. */
export async function forgetInFile(dependencies: MemoryFileDependencies, userId: string): Promise<void> {
  const { store, files, logger } = dependencies
  try {
    const gone = await store.memoryFile.gone(userId)
    const record = gone.length === 0 ? null : await store.memoryFile.file(userId)
    if (record === null) return
    const ids = new Set(gone.map(({ entryId }) => entryId))
    const hashes = new Set(gone.flatMap((row) => row.hashes))
    await updateFile(dependencies, userId, record.path, { stretch: null, dryRun: false, into: [] })
    // The struck file's last backup is among them.
    await files.locked(record.path, (file) => file.rewriteCopies((bytes) => withoutLines(bytes, ids, hashes)))
    await store.memoryFile.write(userId, { drop: gone.map(({ memoryId }) => memoryId) })
    // What is kept of the file is as it was read, with the lines that were struck.
    takeKept(store.memoryFile, userId)
  } catch (error) {
    logger.error('what was deleted could not be struck from the memory file yet', {
      operation: 'forget',
      reason: error instanceof Error ? error.message : String(error),
      stack: stackOf(error),
    })
  }
}

/** The bytes without the lines of these entries, by their ids or by what they said. */
export function withoutLines(bytes: Uint8Array, ids: ReadonlySet<string>, hashes: ReadonlySet<string>): Uint8Array {
  const kept: Uint8Array[] = []
  let isGone = false
  for (const line of linesOf(bytes)) {
    const text = new TextDecoder().decode(line)
    const continues: boolean = isGone && /^(?: {2,}|\t)\S/.test(text)
    const id = idIn(text)
    isGone = continues || (id !== null && ids.has(id)) || hashes.has(textHash(textIn(text)))
    if (!isGone) kept.push(line)
  }
  return Buffer.concat(kept)
}
