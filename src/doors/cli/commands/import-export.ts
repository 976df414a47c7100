/** `memory_export` and `memory_import`: everything of the user, streamed; exports, and chat logs of other programs. */
import * as fs from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { addAbortSignal, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { invalid } from '../../../domain/errors.ts'
import { behindLinks, fileError, isSystemError, notOurOwn } from '../../../domain/plain-file.ts'
import { isExportStart } from '../../import-export/export-codec.ts'
import { peekStream } from '../../import-export/read-stream.ts'
import type { ExportCounts, OpenMemory } from '../../library/index.ts'
import { snakeNames } from '../../operations/field-names.ts'
import { exportEverything, logImportRecord } from '../../operations/import-export.ts'
import type { InLibrary } from '../../operations/operation.ts'
import * as schema from '../../operations/schemas.ts'
import type { Context } from '../command-context.ts'
import { command } from '../fields.ts'
import { EXIT_BAD_USAGE } from '../report-error.ts'
import { modelSwitch } from '../resolve-options.ts'
import { keepHeapSmall } from '../small-heap.ts'
import { writeOut } from '../standard-streams.ts'
import { thinkAboutAll, watchedWork } from '../watched-work.ts'

/** Writes the pieces; an existing file (or a link's target) is replaced only at the end, a pipe is written directly. */
export async function writeWholeFile(path: string, pieces: AsyncIterable<string>, mode = 0o666): Promise<void> {
  const there = fs.statSync(path, { throwIfNoEntry: false })
  if (there?.isDirectory()) throw invalid('--output', `${path} is a folder`, 'Name a file.')
  const isFile = there === undefined || there.isFile()
  // A pipe that the shell made is a link to what has no name.
  const place = isFile ? behindLinks(path) : path
  const written = isFile ? `${place}.unfinished-${process.pid}` : place
  try {
    await pipeline(Readable.from(pieces), fs.createWriteStream(written, { flags: isFile ? 'wx' : 'w', mode }))
    if (isFile) await rename(written, place)
  } catch (error) {
    // Where the file could not be made, there is nothing to remove.
    if (isFile) await rm(written, { force: true }).catch(() => {})
    throw isSystemError(error) ? fileError(error, path, { field: '--output' }) : error
  }
}

const ONLY_OWNER = 0o600

const EXPORT = z.strictObject({
  format: z.enum(['json']).default('json').describe('json (the only choice).'),
  ...exportEverything.input.shape,
  output: schema.words('Write to a file, whole or not at all. Default: standard output.'),
})

export const exportCommand = command(EXPORT, { everyProject: true, files: ['output'] })(
  async (context, { format, output, ...which }) => {
    keepHeapSmall()
    const memory = await context.memory({ create: false })
    if (output !== undefined) {
      const notes = await memory.memoryFile.read().catch(() => null)
      const others = [context.settings.config.path, ...(notes === null ? [] : [notes.file])]
      notOurOwn('--output', output, context.settings.db.value, others)
    }
    const result = await watchedWork({ doing: 'exporting', unit: 'bytes' }, async ({ signal, onProgress }) => {
      let bytes = 0
      let masked = 0
      let counts: ExportCounts | undefined
      async function* pieces(): AsyncGenerator<string> {
        const source = memory.conversations.export({
          ...which,
          onMasked: (count) => {
            masked = count
          },
          onCounted: (counted) => {
            counts = counted
          },
        })
        for await (const piece of source) {
          signal.throwIfAborted()
          bytes += Buffer.byteLength(piece)
          onProgress?.(bytes, null)
          yield piece
        }
      }
      if (output !== undefined)
        await writeWholeFile(output, pieces(), which.withSecrets === true ? ONLY_OWNER : undefined)
      else for await (const piece of pieces()) await writeOut(piece)
      return { bytes, ...counts, secrets_masked: masked }
    })
    const warn = (text: string): boolean => process.stderr.write(`warn: ${text}\n`)
    if (!(result.conversations || result.memories || result.others))
      warn(`there is nothing of user ${JSON.stringify(context.userId)} to export; --user names another one`)
    if (result.secrets_masked > 0)
      warn(
        `${result.secrets_masked} secrets were masked, and importing this file brings back the masks; --with-secrets writes them out`,
      )
    if (output !== undefined) await context.print({ output, format, ...result })
  },
)

const PROGRESS = { doing: 'importing', unit: 'turns' }
/** The prompt that asks another assistant for its memories, for `--paste`. */
const ASK =
  'List everything that you remember about me, word for word, one thing a line, each with the day that you learnt it in brackets ([2026-05-01]) where you know it. Nothing else.'
const HEADER_BYTES = 256
/** Turns in one transaction, which may be large because this process does nothing else. */
const TURNS_TOGETHER = 2000

const IMPORT = z.strictObject({
  file: schema.words(
    'An export of Mneme, or a chat log or archive of another program. Default: an export from standard input.',
  ),
  from_logs: schema.words(
    'A folder of chat logs instead: of Claude Code, Codex, ChatGPT, Claude.ai, Gemini, Cursor, text with roles, JSON lines.',
  ),
  paste: schema.flag('What another assistant says that it remembers of you, a line each, from standard input.'),
  dry_run: schema.flag('Only read and count, by reason; nothing is stored.'),
  think: schema.flag('Think about what is new; without it the turns are only stored.'),
  format: z.enum(['auto']).optional().describe('auto: the format is recognised (the only choice).'),
})
type Asked = InLibrary<z.output<typeof IMPORT>>
type PipedLog = Parameters<OpenMemory['conversations']['importLogStream']>[0]

export const importCommand = command(IMPORT, { positional: ['file'], files: ['file', 'from_logs'] })(
  async (context, asked) => {
    keepHeapSmall()
    const { file, fromLogs } = asked
    if (fromLogs !== undefined && file !== undefined)
      throw invalid('--from-logs', 'is given together with a file', 'Name one of the two.')
    if (asked.paste === true) return importPasted(context, asked)
    return fromLogs === undefined ? importFile(context, asked) : importLogs(context, asked, fromLogs)
  },
)

async function importFile(context: Context, asked: Asked): Promise<number> {
  const { file, think, dryRun } = asked
  if (file !== undefined && file !== '-' && !isExport(file)) return importLogs(context, asked, file)
  const isPiped = file === undefined || file === '-'
  const piped = isPiped ? await peekStream(process.stdin, HEADER_BYTES, () => true) : undefined
  if (piped !== undefined && piped.start.length > 0 && !isExportStart(piped.start))
    return importLogs(context, asked, { name: 'stdin', source: piped.stream })
  if (dryRun === true)
    throw invalid('--dry-run', 'goes with the logs of other programs only', 'Leave it out: nothing is taken in twice.')
  const memory = await context.memory()
  const report = await watchedWork(PROGRESS, (work) => {
    const stream = addAbortSignal(work.signal, piped === undefined ? fs.createReadStream(file ?? '') : process.stdin)
    return memory.conversations.import(piped?.stream ?? stream, { think }, { ...work, turnsTogether: TURNS_TOGETHER })
  })
  return shown(context, asked, memory, snakeNames(report), report.refused.length > 0 || !report.complete)
}

async function importPasted(context: Context, asked: Asked): Promise<number> {
  if (asked.fromLogs !== undefined || (asked.file ?? '-') !== '-')
    throw invalid('--paste', 'takes no file', 'Paste the text, or pipe it in.')
  if (process.stdin.isTTY)
    process.stderr.write(`Ask the other assistant:\n\n  ${ASK}\n\nPaste its answer here, then press Ctrl-D.\n\n`)
  return importLogs(context, asked, { name: 'paste', source: process.stdin })
}

/** Takes in the logs of a folder or file, or one log from standard input. */
async function importLogs(context: Context, asked: Asked, from: string | PipedLog): Promise<number> {
  if (typeof from === 'string' && statOf('--from-logs', from) === undefined)
    throw invalid('--from-logs', `there is no folder ${from}`, 'Name a folder with chat logs.')
  const memory = await context.memory()
  const { conversations } = memory
  const { think: thinks, dryRun, paste } = asked
  const choices = { think: thinks, dryRun, ...(paste === true ? { format: 'notes' as const } : {}) }
  const report = await watchedWork(PROGRESS, (work) => {
    if (typeof from === 'string') return conversations.importLogs(from, choices, work)
    addAbortSignal(work.signal, process.stdin)
    return conversations.importLogStream(from, choices, work)
  })
  const isRefused = report.files.some(({ reason, refused }) => reason !== null || refused > 0)
  return shown(context, asked, memory, logImportRecord(report), isRefused)
}

async function shown(
  context: Context,
  asked: Asked,
  memory: OpenMemory,
  report: object,
  isRefused: boolean,
): Promise<number> {
  await context.print(asked.think === true ? { ...report, ...(await think(context, memory)) } : report)
  return isRefused ? EXIT_BAD_USAGE : 0
}

/** Thinks about what was imported, where rules think; with a model the jobs are left for `mneme jobs run`. */
async function think(context: Context, memory: OpenMemory): Promise<object> {
  if (modelSwitch(context.settings, 'llm').value) return { thinking: 'queued' }
  const count = async (): Promise<number> => (await memory.getAll({ includePast: true, limit: 1 })).total
  const before = await count()
  await thinkAboutAll(memory)
  return { thinking: 'done', memories_made: (await count()) - before }
}

/** The file status of a path; undefined when nothing is there. */
function statOf(flag: string, path: string): fs.Stats | undefined {
  try {
    return fs.statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw fileError(error, path, { field: flag })
  }
}

function isExport(path: string): boolean {
  const found = statOf('file', path)
  if (found === undefined)
    throw invalid('file', `there is no file ${path}`, 'Name an export, or pipe one to standard input.')
  if (!found.isFile()) {
    const remedy = 'Name a file, pipe one to standard input, or pass --from-logs for chat logs.'
    throw invalid('file', `${path} is ${found.isDirectory() ? 'a folder' : 'no plain file'}`, remedy)
  }
  const start = Buffer.alloc(HEADER_BYTES)
  const file = fs.openSync(path, 'r')
  try {
    return isExportStart(start.subarray(0, fs.readSync(file, start, 0, HEADER_BYTES, 0)))
  } finally {
    fs.closeSync(file)
  }
}
