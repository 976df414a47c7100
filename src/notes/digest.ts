/** The daily digest (004): a day is thought about, and its lasting statements come into the memory file. */
import { check, givenAs, type InputOf, orElse } from '../domain/checks.ts'
import type { LedgerEntry } from '../domain/contracts/small-stores.ts'
import { messageOf } from '../domain/errors.ts'
import type { MemoryFileReport } from '../domain/memory-file.ts'
import { withBreath } from '../domain/scheduling.ts'
import { summarizeByRules } from '../thinking/summarizer/summarize-by-rules.ts'
import { localDay, type NotesDependencies, notesFileOf, type StretchInput, stretchFor } from './dependencies.ts'
import { withLockedFile } from './locked-file.ts'
import { conversationsOf, thinkAboutStretch } from './note-candidates.ts'
import { idIn, textHash, textIn } from './parse-notes.ts'
import { linesOf } from './read-notes.ts'
import { MISSING, stackOf, updateNotes } from './update-notes.ts'

const FIELDS = {
  userId: check.id,
  /** YYYY-MM-DD, a day in local time. Default: today, and all since the last digest. */
  date: givenAs<string | undefined>(),
  /** The first day, up to the date. Default: the date alone. */
  since: givenAs<string | undefined>(),
  /** Only memories said in this conversation, on any day: for the end of a session, without `date` and `since`. */
  conversationId: orElse(undefined, check.id),
  /** true: only tells the outcome. Default false. */
  dryRun: orElse(false, check.boolean),
  /** true: secrets are written out, and only the owner may read the file. Default: the option. */
  withSecrets: orElse(null, check.boolean),
}

/** The input of a digest; everything but the user has a default. */
export type DigestInput = InputOf<typeof FIELDS, 'userId'>

const SUMMARY = 80

/** Digests. Rejects with MnemeError when the file cannot be used; the memories are unharmed. */
export async function digest(
  dependencies: NotesDependencies,
  input: DigestInput,
  signal?: AbortSignal,
): Promise<MemoryFileReport> {
  const { userId, dryRun, withSecrets, ...days } = check.fields('', input, FIELDS)
  const { settings } = dependencies
  const stretch = await stretchFor(dependencies, userId, days)
  const given = { ...dependencies, settings: { ...settings, withSecrets: withSecrets ?? settings.withSecrets } }
  return told(given, userId, async (path) => {
    if (!dryRun) await thinkAboutStretch(given, userId, stretch)
    return updateNotes(given, userId, path, { stretch, dryRun }, signal)
  })
}

/** Takes over changes in the file and in the memory since the last look; no new lines come in. */
export async function syncNotes(
  dependencies: NotesDependencies,
  userId: string,
  signal?: AbortSignal,
): Promise<MemoryFileReport> {
  return told(dependencies, check.id('userId', userId), (path) =>
    updateNotes(dependencies, userId, path, { stretch: null, dryRun: false }, signal),
  )
}

/** Does the work, logs it, and never takes more than the file down with it. */
async function told(
  dependencies: NotesDependencies,
  userId: string,
  work: (path: string) => Promise<MemoryFileReport>,
): Promise<MemoryFileReport> {
  const { logger, store } = dependencies
  const path = await notesFileOf(dependencies, userId)
  try {
    const reworded = (await store.memoryFile.entries(userId)).filter(
      ({ state, memory, memoryHash }) => state === 'listed' && memory !== null && textHash(memory.text) !== memoryHash,
    )
    const report = await work(path)
    await log(dependencies, report)
    // The former words of an edited memory leave the backups as deleted ones do.
    if (report.written && reworded.length > 0) await strike(path, reworded)
    // A deletion that could not strike it from the file has left it in the backups, too.
    if (report.written && report.removed.some(({ reason }) => reason === 'deleted'))
      await forgetInFile(dependencies, userId)
    return report
  } catch (error) {
    const reason = messageOf(error)
    logger.error('the memory file was not updated', { operation: 'digest', file: path, reason, stack: stackOf(error) })
    throw error
  }
}

/** Characters of a line of the log, about, with what is looked for in it. */
const LINE = 2048

/** 004: writes are logged at INFO, passed over entries at DEBUG with the reason. */
async function log({ logger }: NotesDependencies, report: MemoryFileReport): Promise<void> {
  const { dryRun, added, updated, removed, edits, conflicts, repairs, skipped, backup, file, written } = report
  const short = (text: string): string => {
    const head = [...text.slice(0, 2 * SUMMARY + 2)]
    return head.length > SUMMARY ? `${head.slice(0, SUMMARY).join('')}…` : text
  }
  const entry = { operation: 'digest', file }
  for await (const { text, reason, twin, similarity } of withBreath(skipped, () => LINE))
    logger.debug('an entry was skipped', { ...entry, text, reason, twin, similarity })
  if (repairs.includes(MISSING)) logger.info('the memory file was built anew', entry)
  for (const repair of repairs.filter((repair) => repair !== MISSING))
    logger.error('the memory file was repaired', { ...entry, repair, stack: stackOf(new Error(repair)) })
  for (const { inFile, inMemory, explanation } of conflicts)
    logger.warn('the memory file and the memory differ', { ...entry, inFile, inMemory, explanation })
  if (dryRun) return
  for await (const { section, importance, text } of withBreath(added, () => LINE))
    logger.info('an entry was added', { ...entry, kind: section, importance, summary: short(text) })
  for (const { text } of updated) logger.info('an entry was brought up to date', { ...entry, summary: short(text) })
  for (const { reason, text } of removed) logger.info('an entry left', { ...entry, kind: reason, summary: short(text) })
  for (const { edit, text } of edits)
    logger.info('an edit became memory', { ...entry, kind: edit, summary: short(text) })
  if (written) logger.info('the memory file was updated', { ...entry, added: added.length, backup })
}

/** Takes lines of deleted memories out of the file and the backups. Never rejects: it logs. */
export async function forgetInFile(dependencies: NotesDependencies, userId: string): Promise<void> {
  const { store, logger } = dependencies
  try {
    const gone = await store.memoryFile.gone(userId)
    const record = gone.length === 0 ? null : await store.memoryFile.file(userId)
    if (record === null) return
    await updateNotes(dependencies, userId, record.path, { stretch: null, dryRun: false })
    // The struck file's last backup is among them.
    await strike(record.path, gone)
    await store.memoryFile.write(userId, { drop: gone.map(({ memoryId }) => memoryId) })
  } catch (error) {
    logger.error('what was deleted could not be struck from the memory file yet', {
      operation: 'forget',
      reason: messageOf(error),
      stack: stackOf(error),
    })
  }
}

async function strike(path: string, rows: readonly Pick<LedgerEntry, 'entryId' | 'hashes'>[]): Promise<void> {
  const ids = new Set(rows.map(({ entryId }) => entryId))
  const hashes = new Set(rows.flatMap((row) => row.hashes))
  await withLockedFile(path, (file) => file.rewriteCopies((bytes) => withoutLines(bytes, ids, hashes)))
}

/** The bytes without the lines of these entries, by their ids or the hashes of their texts. */
function withoutLines(bytes: Uint8Array, ids: ReadonlySet<string>, hashes: ReadonlySet<string>): Uint8Array {
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

/** The days and their conversations. */
export interface DaySummary {
  /** The last day, YYYY-MM-DD. */
  readonly date: string
  /** The last active first. */
  readonly conversations: readonly {
    readonly conversationId: string
    readonly projectRoot: string | null
    /** null: it has none yet. */
    readonly title: string | null
    readonly summary: string
    readonly keyDecisions: readonly string[]
    readonly turns: number
  }[]
}

/** Turns of one conversation that are read, the last ones. */
const MOST_TURNS = 2000

/** Summarises the day, default today. Throws `invalid` naming the field. */
export async function summarizeDay(
  { store, clock, timeZone }: NotesDependencies,
  userId: string,
  { date, since, conversationId }: StretchInput,
): Promise<DaySummary> {
  const day = conversationId === undefined ? (date ?? localDay(clock().getTime(), timeZone)) : date
  const stretch = await stretchFor({ store, clock, timeZone }, userId, { date: day, since, conversationId })
  const conversations: DaySummary['conversations'][number][] = []
  for await (const conversation of conversationsOf(store.log, userId, stretch)) {
    const { conversationId: id, projectRoot, lastTurnId } = conversation
    const range = { from: Math.max(1, lastTurnId - MOST_TURNS + 1), to: lastTurnId }
    const turns = (await store.log.turns(userId, id, range)).filter(
      ({ createdAt }) => createdAt >= stretch.from && createdAt < stretch.to,
    )
    if (turns.length === 0) continue
    const { summary, keyDecisions } = summarizeByRules(turns)
    const title = (await store.sessionSummaries.get(userId, id))?.title ?? null
    const told = { conversationId: id, projectRoot: projectRoot || null, title }
    conversations.push({ ...told, summary, keyDecisions, turns: turns.length })
  }
  return { date: stretch.date, conversations }
}
