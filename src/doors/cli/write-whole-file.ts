/** A file that is either complete or not there: written beside its place and renamed at the end. */
import { createWriteStream, realpathSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { invalid } from '../../domain/errors.ts'

/**
 * Writes the pieces; a file of this name is replaced only when all of them were written, the file itself where the name is
 * a link. What is no file (a pipe, a device) is written into. `mode`: who may read a new file.
 */
export async function writeWholeFile(path: string, pieces: AsyncIterable<string>, mode = 0o666): Promise<void> {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there?.isDirectory()) throw invalid('--output', `${path} is a folder`, 'Name a file.')
  const isFile = there === undefined || there.isFile()
  const place = there === undefined ? path : realpathSync(path)
  const written = isFile ? `${place}.unfinished-${process.pid}` : place
  try {
    await pipeline(Readable.from(pieces), createWriteStream(written, { flags: isFile ? 'wx' : 'w', mode }))
    if (isFile) await rename(written, place)
  } catch (error) {
    // Where the file could not be made, there is nothing to remove.
    if (isFile) await rm(written, { force: true }).catch(() => {})
    if (error instanceof Error && 'syscall' in error)
      throw invalid(
        '--output',
        `${path} cannot be written (${error.message})`,
        'Name a file in a folder that exists and can be written.',
      )
    throw error
  }
}
