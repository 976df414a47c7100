/** A file that is either complete or not there: written beside its place and renamed at the end. */
import { createWriteStream, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { invalid } from '../../domain/errors.ts'

/** Writes the pieces; a file of this name is replaced only when all of them were written. `mode`: who may read it. */
export async function writeWholeFile(path: string, pieces: AsyncIterable<string>, mode = 0o666): Promise<void> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw invalid('--output', `${path} is a folder`, 'Name a file.')
  const unfinished = `${path}.unfinished-${process.pid}`
  try {
    await pipeline(Readable.from(pieces), createWriteStream(unfinished, { flags: 'wx', mode }))
    await rename(unfinished, path)
  } catch (error) {
    // Where the file could not be made, there is nothing to remove.
    await rm(unfinished, { force: true }).catch(() => {})
    if (error instanceof Error && 'syscall' in error)
      throw invalid(
        '--output',
        `${path} cannot be written (${error.message})`,
        'Name a file in a folder that exists and can be written.',
      )
    throw error
  }
}
