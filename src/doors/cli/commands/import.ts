/** `memory_import`: an export, or with --from-logs a folder of chat logs; says what was added and what was refused. */
import { closeSync, createReadStream, openSync, readSync, type Stats, statSync } from 'node:fs'
import { addAbortSignal } from 'node:stream'
import type { Work } from '../../../domain/contracts/conversation-log.ts'
import { invalid } from '../../../domain/errors.ts'
import { isExportStart } from '../../exchange/read-export.ts'
import { peekStream } from '../../exchange/read-lines.ts'
import type { LogImportReport, OpenMemory } from '../../library/index.ts'
import { logImportRecord } from '../../operations/exchange.ts'
import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition, Context } from '../context.ts'
import { type FlagValues, textFlag } from '../flag-values.ts'
import { chooseLlm } from '../models.ts'
import { EXIT_BAD_USAGE } from '../report-error.ts'
import { keepHeapSmall } from '../small-heap.ts'
import { watchedWork } from '../watched-work.ts'

const PROGRESS = { doing: 'importing', unit: 'turns' }
/** The prompt that asks another assistant for its memories, for `--paste`. */
const ASK =
  'List everything that you remember about me, word for word, one thing a line, each with the day that you learnt it in brackets ([2026-05-01]) where you know it. Nothing else.'
/** Bytes at the start of a file that identify its kind. */
const HEADER_BYTES = 256
/** Turns in one transaction, which may be large because this process does nothing else. */
const TURNS_TOGETHER = 2000

export const importCommand: CommandDefinition = {
  configure: (command) =>
    command
      .argument(
        '[file]',
        'an export of Mneme, or a chat log or archive of another program (default: an export from standard input)',
      )
      .option(
        '--from-logs <dir>',
        'a folder of chat logs instead: of Claude Code, Codex, ChatGPT, Claude.ai, Gemini, Cursor, text with roles, JSON lines',
      )
      .option('--paste', 'what another assistant says that it remembers of you, a line each, from standard input')
      .option('--dry-run', 'only read and count, by reason; nothing is stored')
      .option('--think', 'think about what is new; without it the turns are only stored')
      .option('--with-settings', 'take over the settings that nobody has set here')
      .option('--format <name>', 'auto: the format is recognised (the only choice)'),
  run: async (context, flags, [file]) => {
    keepHeapSmall()
    const folder = textFlag(flags, 'fromLogs')
    if (folder !== undefined && file !== undefined)
      throw invalid('--from-logs', 'is given together with a file', 'Name one of the two.')
    const format = textFlag(flags, 'format') ?? 'auto'
    if (format !== 'auto')
      throw invalid('--format', `${JSON.stringify(format)} is not known`, 'Use auto, or leave it out.')
    if (flags.paste === true) return importPasted(context, flags, file ?? folder)
    return folder === undefined ? importFile(context, flags, file) : importLogs(context, flags, folder)
  },
}

async function importFile(context: Context, flags: FlagValues, file: string | undefined): Promise<number> {
  if (file !== undefined && file !== '-' && !isExport(file)) return importLogs(context, flags, file)
  const isPiped = file === undefined || file === '-'
  const piped = isPiped ? await peekStream(process.stdin, HEADER_BYTES, () => true) : undefined
  if (piped !== undefined && piped.start.length > 0 && !isExportStart(piped.start))
    return importStream(context, flags, { name: 'stdin', source: piped.stream })
  if (flags.dryRun === true)
    throw invalid('--dry-run', 'goes with the logs of other programs only', 'Leave it out: nothing is taken in twice.')
  const memory = await context.memory()
  const report = await watchedWork(PROGRESS, (work) => {
    const stream = addAbortSignal(work.signal, piped === undefined ? createReadStream(file ?? '') : process.stdin)
    return memory.conversations.import(
      piped?.stream ?? stream,
      { think: flags.think === true, withSettings: flags.withSettings === true },
      { ...work, turnsTogether: TURNS_TOGETHER },
    )
  })
  return shown(context, flags, memory, snakeNames(report), report.refused.length > 0 || !report.complete)
}

async function importLogs(context: Context, flags: FlagValues, folder: string): Promise<number> {
  if (statOf('--from-logs', folder) === undefined)
    throw invalid('--from-logs', `there is no folder ${folder}`, 'Name a folder with chat logs.')
  return takeIn(context, flags, (memory, work) => memory.conversations.importLogs(folder, choicesOf(flags), work))
}

/** Imports another program's output from standard input. */
function importStream(
  context: Context,
  flags: FlagValues,
  log: { readonly name: string; readonly source: AsyncIterable<Uint8Array> },
): Promise<number> {
  return takeIn(context, flags, (memory, work) => {
    addAbortSignal(work.signal, process.stdin)
    return memory.conversations.importLogStream(log, choicesOf(flags), work)
  })
}

async function importPasted(context: Context, flags: FlagValues, file: string | undefined): Promise<number> {
  if (file !== undefined) throw invalid('--paste', 'takes no file', 'Paste the text, or pipe it in.')
  if (process.stdin.isTTY)
    process.stderr.write(`Ask the other assistant:\n\n  ${ASK}\n\nPaste its answer here, then press Ctrl-D.\n\n`)
  return importStream(context, flags, { name: 'paste', source: process.stdin })
}

function choicesOf({ think, dryRun, paste }: FlagValues) {
  return { think: think === true, dryRun: dryRun === true, ...(paste === true ? { format: 'notes' as const } : {}) }
}

async function takeIn(
  context: Context,
  flags: FlagValues,
  work: (memory: OpenMemory, work: Work & { readonly signal: AbortSignal }) => Promise<LogImportReport>,
): Promise<number> {
  const memory = await context.memory()
  const report = await watchedWork(PROGRESS, (watched) => work(memory, watched))
  const isRefused = report.files.some(({ reason, refused }) => reason !== null || refused > 0)
  return shown(context, flags, memory, logImportRecord(report), isRefused)
}

/** Prints a report, and gives the exit code: another one where something was refused. */
async function shown(
  context: Context,
  flags: FlagValues,
  memory: OpenMemory,
  report: object,
  isRefused: boolean,
): Promise<number> {
  await context.print(flags.think === true ? { ...report, thinking: await think(context, memory) } : report)
  return isRefused ? EXIT_BAD_USAGE : 0
}

/** Thinks about what was imported, where rules think; with a model the jobs are left for `mneme jobs run`. */
async function think(context: Context, memory: OpenMemory): Promise<'done' | 'queued'> {
  if (chooseLlm(context.settings).enabled.value) return 'queued'
  const { thinkAboutAll } = await import('../watched-work.ts')
  await thinkAboutAll(memory)
  return 'done'
}

/** The file status of a path; undefined when nothing is there. Throws `invalid` when it cannot be read. */
function statOf(flag: string, path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw invalid(flag, `cannot be looked at (${code})`, 'Name a file or folder that you may read.')
  }
}

/** Whether the file begins as an export does; a chat log does not. */
function isExport(path: string): boolean {
  const found = statOf('file', path)
  if (found === undefined)
    throw invalid('file', `there is no file ${path}`, 'Name an export, or pipe one to standard input.')
  if (found.isDirectory())
    throw invalid('file', `${path} is a folder`, 'Name a file, or pass --from-logs for chat logs.')
  const start = Buffer.alloc(HEADER_BYTES)
  const file = openSync(path, 'r')
  try {
    return isExportStart(start.subarray(0, readSync(file, start, 0, HEADER_BYTES, 0)))
  } finally {
    closeSync(file)
  }
}
