/**
 * The daily digest (specification 004): what mattered in the conversations of a day comes into the memory file. A file that
 * cannot be used harms nothing but the file: it is told and logged, and what is remembered stays.
 */
import { checkBoolean, checkId, checkRecord } from '../../domain/checks.ts'
import { invalid, notFound } from '../../domain/errors.ts'
import type { MemoryFileReport } from '../../domain/memory-file.ts'
import { stackOf } from './blocks.ts'
import { thinkAboutStretch } from './candidates.ts'
import { type Stretch, stretchOf, stretchOfConversation } from './days.ts'
import type { MemoryFileDependencies } from './dependencies.ts'
import { forgetInFile } from './forget-in-file.ts'
import { MISSING, updateFile } from './update-file.ts'
import { memoryFileOf } from './where.ts'

/** What to digest; everything but the user has a default. */
export interface DigestInput {
  readonly userId: string
  /** YYYY-MM-DD, a day in local time. Default: today, and what earlier digests did not see. */
  readonly date?: string | undefined
  /** From this day to the date. Default: the date alone. */
  readonly since?: string | undefined
  /** Only what was said in this conversation, on whatever day: for the end of a session. Without `date` and `since`. */
  readonly conversationId?: string | undefined
  /** true: only tells what would be done. Default false. */
  readonly dryRun?: boolean | undefined
  /** true: secrets are written out, and only the owner may read the file. Default: the option. */
  readonly withSecrets?: boolean | undefined
  /** Files, such as CLAUDE.md, that get a block with the entries; absolute paths. */
  readonly into?: readonly string[] | undefined
}

const FIELDS = ['userId', 'date', 'since', 'conversationId', 'dryRun', 'withSecrets', 'into']
/** Characters of an entry in a line of the log. */
const SUMMARY = 80

/** Digests. Rejects with MnemeError when the file cannot be used. */
export async function digest(
  dependencies: MemoryFileDependencies,
  input: DigestInput,
  signal?: AbortSignal,
): Promise<MemoryFileReport> {
  checkRecord('', input, FIELDS)
  const userId = checkId('userId', input.userId)
  const dryRun = input.dryRun === undefined ? false : checkBoolean('dryRun', input.dryRun)
  const withSecrets =
    input.withSecrets === undefined ? dependencies.settings.withSecrets : checkBoolean('withSecrets', input.withSecrets)
  const into = input.into === undefined ? [] : checkPaths(input.into)
  const now = dependencies.clock().getTime()
  const stretch = await stretchFor(dependencies, userId, input, now)
  const kept = { ...dependencies, settings: { ...dependencies.settings, withSecrets } }
  return told(kept, userId, async (path) => {
    if (!dryRun) await thinkAboutStretch(kept, userId, stretch)
    return updateFile(kept, userId, path, { stretch, dryRun, into }, signal)
  })
}

/** Takes over what changed in the file and in the memory since the last look; nothing new comes in. */
export async function syncFile(
  dependencies: MemoryFileDependencies,
  userId: string,
  signal?: AbortSignal,
): Promise<MemoryFileReport> {
  return told(dependencies, checkId('userId', userId), (path) =>
    updateFile(dependencies, userId, path, { stretch: null, dryRun: false, into: [] }, signal),
  )
}

/** Throws `invalid` naming the field, `not_found` for a conversation that there is not. */
async function stretchFor(
  { store }: MemoryFileDependencies,
  userId: string,
  { date, since, conversationId }: DigestInput,
  now: number,
): Promise<Stretch> {
  if (conversationId === undefined) {
    const record = await store.memoryFile.file(userId)
    return stretchOf(date, since, record?.digestedAt ?? null, now)
  }
  const id = checkId('conversationId', conversationId)
  if (date !== undefined || since !== undefined)
    throw invalid('conversationId', 'goes with no day', 'Leave out date and since, or the conversation.')
  const conversation = await store.log.conversation(userId, id)
  if (conversation === null) throw notFound('conversation', id, 'List the conversations to see their ids.')
  return stretchOfConversation(conversation, now)
}

async function told(
  dependencies: MemoryFileDependencies,
  userId: string,
  work: (path: string) => Promise<MemoryFileReport>,
): Promise<MemoryFileReport> {
  const { logger } = dependencies
  const path = await memoryFileOf(dependencies, userId)
  try {
    const report = await work(path)
    log(dependencies, report)
    // Whoever deleted it could not strike it from the file, and so not from the backups either.
    if (report.written && report.removed.some(({ reason }) => reason === 'deleted'))
      await forgetInFile(dependencies, userId)
    return report
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    logger.error('the memory file was not updated', { operation: 'digest', file: path, reason, stack: stackOf(error) })
    throw error
  }
}

/** 004: what was written at INFO, what was passed over at DEBUG with its reason. */
function log({ logger }: MemoryFileDependencies, report: MemoryFileReport): void {
  const { dryRun, added, updated, removed, edits, conflicts, repairs, skipped, backup, file, written } = report
  const short = (text: string): string =>
    [...text].length > SUMMARY ? `${[...text].slice(0, SUMMARY).join('')}…` : text
  const entry = { operation: 'digest', file }
  for (const { text, reason, twin, similarity } of skipped)
    logger.debug('an entry was skipped', { ...entry, text, reason, twin, similarity })
  if (repairs.includes(MISSING)) logger.info('the memory file was built anew', entry)
  for (const repair of repairs.filter((repair) => repair !== MISSING))
    logger.error('the memory file was repaired', { ...entry, repair, stack: stackOf(new Error(repair)) })
  for (const { inFile, inMemory, explanation } of conflicts)
    logger.warn('the memory file and the memory differ', { ...entry, inFile, inMemory, explanation })
  if (dryRun) return
  for (const { section, importance, text } of added)
    logger.info('an entry was added', { ...entry, kind: section, importance, summary: short(text) })
  for (const { text } of updated) logger.info('an entry was brought up to date', { ...entry, summary: short(text) })
  for (const { reason, text } of removed) logger.info('an entry left', { ...entry, kind: reason, summary: short(text) })
  for (const { edit, text } of edits)
    logger.info('an edit became memory', { ...entry, kind: edit, summary: short(text) })
  if (written) logger.info('the memory file was updated', { ...entry, added: added.length, backup })
}

function checkPaths(paths: unknown): readonly string[] {
  if (!Array.isArray(paths)) throw invalid('into', 'must be a list of files', 'Pass a list of paths.')
  return paths.map((path: unknown, index) => checkId(`into[${index}]`, path))
}
