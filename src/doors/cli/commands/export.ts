/** `memory_export`: everything of the user, or one conversation, as JSON or JSON lines, streamed. */
import { createWriteStream, realpathSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { invalid } from '../../../domain/errors.ts'
import type { ExportCounts } from '../../library/index.ts'
import type { CommandDefinition } from '../context.ts'
import { oneWord, textFlag } from '../flag-values.ts'
import { keepHeapSmall } from '../small-heap.ts'
import { writeOut } from '../standard-streams.ts'
import { watchedWork } from '../watched-work.ts'

/**
 * Writes the pieces; an existing file (or a link's target) is replaced only at the end, and a pipe or device is written
 * directly. `mode` sets the permissions of a new file.
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

const FORMATS = ['json', 'jsonl'] as const
/** Permissions of a file with secrets in it. */
const ONLY_OWNER = 0o600

export const exportCommand: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command
      .option('--format <name>', `${FORMATS.join(' or ')} (default: json)`)
      .option('--conversation <id>', 'only this conversation')
      .option('--with-settings', 'the settings of the database, too')
      .option('--with-secrets', 'passwords and keys as they are, for a backup (default: masked)')
      .option('--output <file>', 'write to a file, whole or not at all (default: standard output)'),
  run: async (context, flags) => {
    keepHeapSmall()
    const format = oneWord('--format', textFlag(flags, 'format') ?? 'json', FORMATS)
    const conversationId = textFlag(flags, 'conversation')
    const output = textFlag(flags, 'output')
    const memory = await context.memory({ create: false })
    const result = await watchedWork({ doing: 'exporting', unit: 'bytes' }, async ({ signal, onProgress }) => {
      let bytes = 0
      let masked = 0
      let counts: ExportCounts | undefined
      async function* pieces(): AsyncGenerator<string> {
        const source = memory.conversations.export({
          format,
          withSettings: flags.withSettings === true,
          withSecrets: flags.withSecrets === true,
          onMasked: (count) => {
            masked = count
          },
          onCounted: (counted) => {
            counts = counted
          },
          ...(conversationId === undefined ? {} : { conversationId }),
        })
        for await (const piece of source) {
          signal.throwIfAborted()
          bytes += Buffer.byteLength(piece)
          onProgress?.(bytes, null)
          yield piece
        }
      }
      if (output !== undefined)
        await writeWholeFile(output, pieces(), flags.withSecrets === true ? ONLY_OWNER : undefined)
      else for await (const piece of pieces()) await writeOut(piece)
      return { bytes, ...counts, secrets_masked: masked }
    })
    if (!(result.conversations || result.memories || result.others))
      process.stderr.write(
        `warn: there is nothing of user ${JSON.stringify(context.userId)} to export; --user names another one\n`,
      )
    if (result.secrets_masked > 0)
      process.stderr.write(
        `warn: ${result.secrets_masked} secrets were masked, and importing this file brings back the masks; --with-secrets writes them out\n`,
      )
    if (output !== undefined) await context.print({ output, format, ...result })
  },
}
