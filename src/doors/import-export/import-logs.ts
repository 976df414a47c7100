/** Imports chat logs of other programs file by file, and reports what was read and refused in each. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type yauzl from 'yauzl'
import { MnemeError, reasonOf } from '../../domain/errors.ts'
import { fileError, saidOfFile } from '../../domain/plain-file.ts'
import { breathe } from '../../domain/scheduling.ts'
import type { Core } from '../../usecases/core.ts'
import { addMemories } from '../../usecases/memories.ts'
import type { RestoreInput } from '../../usecases/restore-conversation.ts'
import { type Project, projectOfFolder } from '../assistants/project.ts'
import { restoreAll, togetherOrEach } from './import-conversations.ts'
import type { ImportChoices, ImportWork } from './import-records.ts'
import { type LogFormat, type LogItem, type LogMemory, type LogSource, type LogTurn, storedTurn } from './log-item.ts'
import { counted, type OpenLog, readLog, readLogFile } from './read-log.ts'

const TURNS_A_CALL = 1000

const LONGEST_NAME = 80

type ImportedLog = Readonly<ReturnType<typeof emptyLogReport>>

export interface LogImportReport {
  readonly files: readonly ImportedLog[]
  readonly turnsAdded: number
  readonly turnsExisting: number
  readonly memoriesAdded: number
}

export interface LogChoices extends Pick<ImportChoices, 'think'> {
  readonly dryRun?: boolean | undefined
  /** `notes`: each line is a memory. Default: the format is detected. */
  readonly format?: LogSource['format']
}

/** Imports every log below `folder`, or that one file; a ZIP file holds several. Rejects with not_found when there is no such folder. */
export async function importLogs(
  core: Core,
  userId: string,
  folder: string,
  { signal, onProgress, think = false, dryRun = false, format }: ImportWork & LogChoices = {},
): Promise<LogImportReport> {
  const files: ImportedLog[] = []
  const found: LogFile[] = []
  for await (const file of findLogFiles(folder)) found.push(file)
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0)
  let [turns, read, before] = [0, 0, 0]
  const onBytes = (count: number): void => {
    read += count
  }
  const onTurns = async (count: number): Promise<void> => {
    turns += count
    // The number of turns in a file is unknown, so it is estimated from the part read so far.
    onProgress?.(turns, read === 0 ? null : Math.max(turns, Math.round((turns * total) / Math.min(read, total))))
    await breathe(signal)
  }
  const projects = new Map<string, Project>()
  const { maxContentBytes } = core.options
  for (const file of found) {
    await breathe(signal)
    for await (const log of logsOf(file, { maxContentBytes, format, onBytes }))
      files.push(await importLog(core, userId, log, { think, dryRun, onTurns, projects }))
    before += file.bytes
    read = before
  }
  const sum = (count: (file: ImportedLog) => number): number => files.reduce((total, file) => total + count(file), 0)
  return {
    files,
    turnsAdded: sum(({ turnsAdded }) => turnsAdded),
    turnsExisting: sum(({ turnsExisting }) => turnsExisting),
    memoriesAdded: sum(({ memoriesAdded }) => memoriesAdded),
  }
}

/** Imports one log or ZIP file from a stream. It is kept in a temporary folder while it is read. */
export async function importLogStream(
  core: Core,
  userId: string,
  { name, source }: { readonly name: string; readonly source: AsyncIterable<Uint8Array> },
  how: ImportWork & LogChoices = {},
): Promise<LogImportReport> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-import-'))
  try {
    const path = join(folder, `_${name.replace(/[^\p{L}\p{N}._-]/gu, '_').slice(-LONGEST_NAME)}`)
    await pipeline(source, createWriteStream(path, { mode: 0o600 }))
    const report = await importLogs(core, userId, path, how)
    const files = report.files.map((file) => ({ ...file, file: file.file.replace(/^[^/]{1,200}/, () => name) }))
    return { ...report, files }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface NamedLog {
  readonly name: string
  readonly log: OpenLog
}

async function* logsOf(
  { path, name, refused }: LogFile,
  how: Required<NonNullable<Parameters<typeof readLogFile>[2]>>,
): AsyncGenerator<NamedLog> {
  if (refused !== null || !name.toLowerCase().endsWith('.zip')) {
    yield { name, log: refused === null ? await opened(path, name, how) : { format: null, reason: refused } }
    return
  }
  const { maxContentBytes, onBytes } = how
  let found = 0
  try {
    for await (const entry of archiveEntries(path)) {
      const inside = `${name}/${entry.name}`
      const bytes = counted(await entry.open(), (count) => onBytes(count * entry.packed))
      const log = await readLog(bytes, { name: inside, fallbackTime: entry.modified, maxContentBytes })
      // Archives hold much besides, under names in the language of the account.
      if (log.format === null) continue
      found += 1
      yield { name: inside, log }
    }
  } catch (error) {
    const fault = error instanceof Error ? error.message.slice(0, 100) : error
    const reason = `the ZIP file is empty, cut off or damaged; download it again (${fault})`
    yield { name, log: { format: null, reason } }
    return
  }
  const reason = 'the ZIP file holds no conversations; unpack archives within it, and ask Takeout for JSON, not HTML'
  if (found === 0) yield { name, log: { format: null, reason } }
}

/** A file that cannot be opened is refused, and ends no import of others. */
async function opened(...file: Parameters<typeof readLogFile>): Promise<OpenLog> {
  try {
    return await readLogFile(...file)
  } catch (error) {
    const said = saidOfFile(error)
    if (!(said instanceof MnemeError)) throw error
    return { format: null, reason: reasonOf(said) }
  }
}

interface Importing {
  readonly think: boolean
  readonly dryRun: boolean
  readonly onTurns: (count: number) => Promise<void>
  readonly projects: Map<string, Project>
}

async function importLog(
  core: Core,
  userId: string,
  { name, log }: NamedLog,
  { think, dryRun, onTurns, projects }: Importing,
): Promise<ImportedLog> {
  if (log.format === null) return emptyLogReport(name, null, log.reason)
  const report = emptyLogReport(name, log.format)
  const waiting: WaitingTurn[] = []
  const flush = (): Promise<void> =>
    togetherOrEach(
      [...Map.groupBy(waiting.splice(0), ({ turn }) => turn.conversationId).values()],
      async (chats) => {
        const inputs = chats.map((chat) => ({ ...conversationOf(chat), userId, think }))
        const { turnsAdded, turnsExisting } = await restoreAll(core, userId, inputs)
        report.turnsAdded += turnsAdded
        report.turnsExisting += turnsExisting
      },
      (chat, { message }) => {
        const reason = `${chat.length} turns from here on: ${message}`
        countItem(report, { kind: 'refused', line: chat[0]!.line, reason })
      },
    )
  const folder = posix.dirname(name)
  const places = new Map<string, Project>()
  for await (const item of log.items) {
    const { line } = item
    const named = item.kind === 'turn' ? item.turn.projectRoot : ''
    if (named !== '' && !places.has(named)) places.set(named, projectOfFolder(named))
    const place = log.format === 'notes' ? projects.get(posix.dirname(folder)) : places.get(named)
    if (named !== '' && place !== undefined) projects.set(folder, place)
    if (place?.ignored === true) {
      countItem(report, { kind: 'skipped', line, reason: 'its project is kept out by .mneme-ignore' })
      continue
    }
    if (item.kind !== 'turn') {
      countItem(report, item)
      if (item.kind === 'memory' && !dryRun) report.memoriesAdded += await keep(core, userId, item.memory, place?.root)
      continue
    }
    const turn = place === undefined ? item.turn : { ...item.turn, projectRoot: place.root }
    if (waiting.length >= TURNS_A_CALL) await flush()
    countItem(report, item)
    if (report.turns % TURNS_A_CALL === 0) await onTurns(TURNS_A_CALL)
    if (!dryRun) waiting.push({ line, turn })
  }
  await flush()
  await onTurns(report.turns % TURNS_A_CALL)
  return report
}

interface WaitingTurn {
  readonly line: number
  readonly turn: LogTurn
}

function conversationOf(chat: readonly WaitingTurn[]): Pick<RestoreInput, 'conversationId' | 'projectRoot' | 'turns'> {
  return {
    conversationId: chat[0]!.turn.conversationId,
    // A transcript may begin with a line that does not name its project.
    projectRoot: chat.find(({ turn }) => turn.projectRoot !== '')?.turn.projectRoot ?? null,
    turns: chat.map(({ turn }) => storedTurn(turn)),
  }
}

/** Stores a memory as it is; 0 where it was there already. */
async function keep(
  core: Core,
  userId: string,
  { text, externalId, createdAt, section }: LogMemory,
  projectRoot: string | undefined,
): Promise<number> {
  const [kept] = await addMemories(core, text, {
    userId,
    externalId,
    ...(projectRoot === undefined ? {} : { projectRoot }),
    ...(createdAt === null ? {} : { createdAt: new Date(createdAt) }),
  })
  const count = kept?.event === 'ADD' ? 1 : 0
  core.done('add', userId, count)
  if (count > 0) await core.thinking.embedSoon(userId)
  if (count > 0 && kept !== undefined && section !== undefined)
    await core.store.profiles.addLines(
      userId,
      [{ section, text, telling: { memoryIds: [kept.memory.id] } }],
      core.now(),
    )
  return count
}

const LISTED_REFUSALS = 100

/** The report of one file, to be counted up. */
export const emptyLogReport = (file: string, format: LogFormat | null, reason: string | null = null) => ({
  file,
  /** null when the whole file was refused, because of `reason`. */
  format,
  reason,
  turns: 0,
  memories: 0,
  skipped: 0,
  skippedBy: {} as Record<string, number>,
  refused: 0,
  refusals: [] as { line: number; reason: string }[],
  turnsAdded: 0,
  turnsExisting: 0,
  memoriesAdded: 0,
})

export function countItem(report: ReturnType<typeof emptyLogReport>, item: LogItem): void {
  if (item.kind === 'turn') report.turns += 1
  else if (item.kind === 'memory') report.memories += 1
  else if (item.kind === 'skipped') {
    report.skipped += 1
    report.skippedBy[item.reason] = (report.skippedBy[item.reason] ?? 0) + 1
  } else {
    report.refused += 1
    if (report.refused <= LISTED_REFUSALS) report.refusals.push({ line: item.line, reason: item.reason })
  }
}

async function* archiveEntries(path: string) {
  // Late: only archives need it.
  const { openPromise } = (await import('yauzl')).default
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false })
  try {
    const entries: yauzl.Entry[] = []
    for await (const entry of archive.eachEntry()) if (/\.jsonl?$/.test(entry.fileName)) entries.push(entry)
    for (const entry of entries.sort((a, b) => (a.fileName < b.fileName ? -1 : 1)))
      yield {
        name: entry.fileName,
        modified: entry.getLastModDate().getTime(),
        /** Bytes in the archive for a byte of the entry. */
        packed: entry.compressedSize / Math.max(1, entry.uncompressedSize),
        open: () => archive.openReadStreamPromise(entry),
      }
  } finally {
    archive.close()
  }
}

export interface LogFile {
  readonly path: string
  readonly name: string
  readonly refused: string | null
  readonly bytes: number
}

const EXTENSIONS = ['.jsonl', '.ndjson', '.json', '.md', '.markdown', '.txt', '.log', '.zip', '.af', '.vscdb', '.db']

/** The files below `folder`, or `folder` itself when it is a file; links are not followed. Throws not_found. */
export async function* findLogFiles(folder: string): AsyncGenerator<LogFile> {
  const found = await stat(folder).catch(() => null)
  if (found === null) {
    throw new MnemeError('not_found', `There is no folder ${JSON.stringify(folder)}.`, {
      field: 'fromLogs',
      remedy: 'Name a folder with chat logs (.jsonl, .md, .txt).',
    })
  }
  if (found.isFile()) yield { path: folder, name: folder.replace(/^.*[\\/]/, ''), refused: null, bytes: found.size }
  else yield* walk(folder, '')
}

async function* walk(folder: string, prefix: string): AsyncGenerator<LogFile> {
  const found = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => fileError(error, folder))
  if (found instanceof MnemeError)
    return yield { path: folder, name: prefix || folder, refused: reasonOf(found), bytes: 0 }
  const entries = found.filter(({ name }) => !name.startsWith('.'))
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const [path, name] = [join(folder, entry.name), prefix + entry.name]
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') yield* walk(path, `${name}/`)
      continue
    }
    const isRead = EXTENSIONS.some((extension) => name.toLowerCase().endsWith(extension))
    const refused = isRead ? null : `only ${EXTENSIONS.join(', ')} are read`
    if (!entry.isFile()) yield { path, name, refused: 'it is a link or no plain file', bytes: 0 }
    else yield { path, name, refused, bytes: isRead ? (await stat(path)).size : 0 }
  }
}
