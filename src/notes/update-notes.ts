/** Takes in the person's changes and writes the news, under the file's lock. */
import { basename, dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withBitBack } from '../domain/checksum.ts'
import type { ListedEntry, SeenFile } from '../domain/contracts/small-stores.ts'
import { MnemeError } from '../domain/errors.ts'
import { MEMORY_FILE_SECTIONS, type MemoryFileHeadings, type MemoryFileReport } from '../domain/memory-file.ts'
import { breathe } from '../domain/scheduling.ts'
import { maskSecrets } from '../language/secrets/mask-secrets.ts'
import type { Note } from './choose-notes.ts'
import { type Arrival, addedEntry, composeNotes, lineOf, newRow, settled, writtenRows } from './compose-notes.ts'
import { checkKeeper, type Keeping, localDay, type NotesDependencies, type Stretch } from './dependencies.ts'
import { type FileContent, type LockedFile, readNotesFile, withLockedFile } from './locked-file.ts'
import { mergeEdits } from './merge-edits.ts'
import { NO_NEWS, newNotes, returningTo } from './new-notes.ts'
import { emptyNotes, entriesOf, type FilePart, joinParts, oneLine, parseNotes } from './parse-notes.ts'
import { readableText } from './read-notes.ts'
import { LONGEST_TICK_MS } from './rename-file.ts'

export interface Work {
  /** The days whose memories may come in; null: only changes on either side are taken over. */
  readonly stretch: Stretch | null
  readonly dryRun: boolean
}

const MOST_ATTEMPTS = 8
/** A file that is not there yet, or was removed, is no damage. */
export const MISSING = 'The file was missing; it was built anew from the memory.'
const EMPTY = 'The file was empty; it was built anew from the memory.'
const CUT_OFF = 'Whole sections were missing with their headings; they were written anew from the memory.'
const DECAYED = 'The file had changed on the disk although nobody wrote it; the lines are those from before.'
const CUT_SHORT = 'The file ended in the middle of an entry; what was missing was written anew from the memory.'

/** Brings the file up to date: the one way in which it changes. */
export async function updateNotes(
  dependencies: NotesDependencies,
  userId: string,
  path: string,
  work: Work,
  signal?: AbortSignal,
): Promise<MemoryFileReport> {
  const { store } = dependencies
  const keeping: Keeping = { ...dependencies, userId, signal }
  // A look writes nothing, not even a lock; and where nobody has a file, nobody has changed one.
  const isKept = (await store.memoryFile.file(userId)) !== null || (await readNotesFile(path)) !== null
  const isLook = work.dryRun || (work.stretch === null && !isKept)
  const attempt = async (file: LockedFile | null): Promise<MemoryFileReport> => {
    for (let number = 0; number < MOST_ATTEMPTS; number += 1) {
      const report = await updateOnce(keeping, path, file, work.stretch)
      if (report !== null) return report
      await breathe(signal)
    }
    throw new MnemeError('conflict', `${path} was changed by somebody else all the time.`, {
      remedy: 'Run `mneme digest` again when nobody writes the file.',
      place: path,
    })
  }
  if (isLook) return attempt(null)
  return withLockedFile(
    path,
    async (file) => {
      // Another database may have come first since the path was found.
      await checkKeeper(path, dependencies.database)
      if (dependencies.database !== null) await file.claim(dependencies.database)
      return attempt(file)
    },
    signal,
  )
}

/** null: the file was changed meanwhile, or a coming memory was deleted. Without a `file` nothing is written. */
async function updateOnce(
  keeping: Keeping,
  path: string,
  file: LockedFile | null,
  stretch: Stretch | null,
): Promise<MemoryFileReport | null> {
  const { store, settings, clock, timeZone, userId, signal } = keeping
  const now = clock().getTime()
  const dryRun = file === null
  const look = (): ReturnType<typeof readNotesFile> => (file === null ? readNotesFile(path) : file.read())
  const content = await look()
  const bytes = content?.bytes ?? null
  const { sound, decayed } = asSeen(content, (await store.memoryFile.file(userId))?.seenAs ?? null)
  const stored = await store.memoryFile.entries(userId)
  const read = readParts(sound, stored, settings.headings)
  const entries = entriesOf(read.parts)
  const rows = writtenRows(stored, entries)
  const merged = await mergeEdits(keeping, read.parts, { rows, now, cut: read.cut, decayed, dryRun })
  const repairs = [...read.repairs]
  if (decayed || sound !== bytes) repairs.push(DECAYED)
  if (merged.restored > 0) repairs.push(`Damaged entries that were written anew from the memory: ${merged.restored}.`)
  if (merged.remnants.length > 0)
    repairs.push(`Lines that were only remnants of damage were taken out: ${merged.remnants.length}.`)
  await breathe(signal)
  const known = new Map(rows.map(({ memory: _, ...row }) => [row.memoryId, row]))
  const before = new Set(stored)
  // The ledger agrees from here on with the file as it was read.
  if (!dryRun)
    await store.memoryFile.write(userId, {
      // The first are those that a write had begun to change when its process ended.
      put: [...rows.filter((row) => !before.has(row)), ...merged.rows],
      drop: stored.flatMap(({ memoryId }) => (known.has(memoryId) ? [] : [memoryId])),
      file: { path },
    })
  const returning = await returningTo(keeping, merged, rows, now)
  const news = stretch === null ? NO_NEWS : await newNotes(keeping, stretch, dryRun, { merged, rows, returning })
  const fresh = news.chosen.flatMap(({ memory, note }): Arrival[] => {
    if (memory.id === null) return []
    const one = { ...memory, id: memory.id }
    return [{ memory: one, note, row: known.get(one.id) ?? newRow(one, now), isNews: true }]
  })
  await breathe(signal)
  const composed = await composeNotes(keeping, read.parts, merged, [...returning, ...fresh], now)
  const next = Buffer.from(joinParts(composed.parts).replaceAll('\0', ''))
  // A mere look makes no file where there is nothing to put into it.
  const isNothing = bytes === null && stretch === null && composed.isEmpty
  const isSame = isNothing || (bytes !== null && Buffer.compare(next, bytes) === 0)
  const written = new Set(composed.rows.map(({ row }) => row.memoryId))
  const passedOver = news.judged
    .filter(({ id }) => !written.has(id))
    .map((memory) => {
      const hashes = known.get(memory.id)?.hashes ?? []
      return newRow(memory, Math.max(now, memory.updatedAt), { state: 'left', hashes })
    })
  let backup: string | null = null
  let seenAs = isSame && content !== null && !dryRun ? await seenAtRest(content, look) : undefined
  if (file !== null && !isSame) {
    if (bytes !== null && repairs.length > 0 && !read.isBlank)
      repairs.push(`The file as it was lies beside it in ${nameInFolder(await file.setAside(bytes, now))}.`)
    await store.memoryFile.write(userId, { put: composed.rows.map(({ row }) => row) })
    // A deletion finds the rows from here on, and strikes their entries from the file when this is done.
    const coming = new Set([...returning, ...fresh].map(({ memory }) => memory.id))
    if ((await store.memories.getMany(userId, [...coming], { includePast: true })).length < coming.size) return null
    const { withSecrets, backups } = settings
    const replaced = await file.replace(next, { expected: bytes, secret: withSecrets, backups, at: now })
    if (replaced === 'changed') return null
    backup = replaced.backup
    seenAs = replaced.seenAs
  }
  await breathe(signal)
  if (!dryRun) {
    await store.memoryFile.write(userId, {
      put: [...passedOver, ...composed.rows.map(({ row, memory }) => settled(row, memory))],
      file: {
        ...(stretch === null || stretch.conversationId !== null ? {} : { digestedAt: now }),
        ...(seenAs === undefined ? {} : { seenAs }),
      },
    })
    if (merged.edits.length > 0 || fresh.length > 0) await keeping.embedSoon(userId)
  }
  const takenOut = merged.edits.filter(({ edit }) => edit === 'removed')
  return {
    date: stretch?.date ?? localDay(now, timeZone),
    file: path,
    // A dry run has no memory to write for unremembered turns.
    added: [
      ...composed.added,
      ...news.chosen.filter(({ memory }) => memory.id === null).map(({ memory, note }) => addedEntry(memory, note)),
    ],
    skipped: [...news.skipped, ...composed.skipped],
    removed: [...composed.removed, ...takenOut.map(({ text }) => ({ text, reason: 'person' as const }))],
    updated: composed.updated,
    edits: merged.edits,
    conflicts: merged.conflicts,
    repairs,
    backup,
    written: file !== null && !isSame,
    dryRun,
    answeredBy: news.answeredBy,
  }
}

/** How a file was seen that nobody writes any more; undefined: it was written again since. */
async function seenAtRest(
  content: FileContent,
  look: () => Promise<FileContent | null>,
): Promise<SeenFile | undefined> {
  if (content.isSettled) return content.seenAs
  // Within a tick of the clock another write may leave the same time.
  await pause(LONGEST_TICK_MS + 5)
  const again = await look()
  const isSame = again?.seenAs.time === content.seenAs.time && again.seenAs.check === content.seenAs.check
  return isSame && again.isSettled ? again.seenAs : undefined
}

/**
 * The bytes as they were seen, where one bit has flipped on the disk since. `decayed`: more is other than it was, although
 * nobody has written the file, since its time is the same.
 */
function asSeen(content: Awaited<ReturnType<typeof readNotesFile>>, before: SeenFile | null) {
  const now = content?.seenAs
  const bytes = content?.bytes ?? null
  if (bytes === null || before === null || now?.time !== before.time || now.check === before.check)
    return { sound: bytes, decayed: false }
  // A file system that knows only seconds has a person's write in the same one.
  if (before.time.endsWith('000000000')) return { sound: bytes, decayed: false }
  const mended = withBitBack(bytes, before.check)
  return { sound: mended ?? bytes, decayed: mended === null }
}

function readParts(bytes: Uint8Array | null, rows: readonly ListedEntry[], headings: MemoryFileHeadings) {
  const { text, repairs, cut } = bytes === null ? { text: '', repairs: [], cut: true } : readableText(bytes)
  const held = parseNotes(text)
  // A title alone is what a cut at the end of a line leaves.
  const isBlank = !held.some((part) => part.kind === 'entry' || (part.kind === 'heading' && part.section !== null))
  if (isBlank && text.replace(/[\0\s]|^#[^\n]*/g, '') === '') {
    const hadEntries = rows.some(({ state }) => state === 'listed')
    const told = bytes === null ? [MISSING] : repairs.length > 0 ? repairs : [EMPTY]
    const parts = parseNotes(emptyNotes(headings))
    return { parts, isBlank: true, cut: true, repairs: hadEntries ? told : [] }
  }
  if (isCutShort(held, rows)) {
    const whole = held.slice(0, -1)
    return { parts: whole, isBlank: false, cut: true, repairs: [...repairs, CUT_SHORT] }
  }
  const there = new Set(entriesOf(held).map(({ id }) => id))
  // A line that is none any more still has its comment: nobody has taken it out.
  if (rows.some(({ state, entryId }) => state === 'listed' && !there.has(entryId) && text.includes(`mneme:${entryId}`)))
    return { parts: held, isBlank: false, cut: true, repairs }
  if (isCutOff(held, rows)) return { parts: held, isBlank: false, cut: true, repairs: [...repairs, CUT_OFF] }
  return { parts: held, isBlank: false, cut, repairs }
}

/** The lines that the memories have which stand in the file no more. */
function missingLines(parts: readonly FilePart[], rows: readonly ListedEntry[]): readonly Note[] {
  const there = new Set(entriesOf(parts).map(({ id }) => id))
  return rows
    .filter(({ state, entryId }) => state === 'listed' && !there.has(entryId))
    .flatMap(({ memory }) => (memory === null ? [] : [lineOf(memory)]))
}

/** Whether all lines or several sections are gone with headings, as behind a cut: a person takes out lines, or one section. */
function isCutOff(parts: readonly FilePart[], rows: readonly ListedEntry[]): boolean {
  const end = parts.findLastIndex(({ raw }) => raw.trim() !== '')
  // A heading at the very end may have lost its lines.
  const headings = new Set(parts.flatMap((part, at) => (part.kind === 'heading' && at < end ? [part.section] : [])))
  const missing = missingLines(parts, rows)
  const gone = missing.flatMap(({ section }) => (headings.has(section) ? [] : [section]))
  const isBare = entriesOf(parts).length === 0 && MEMORY_FILE_SECTIONS.some((section) => !headings.has(section))
  return new Set(gone).size > 1 || (isBare && missing.length > 1)
}

/** Whether the file ends in the middle of a line, like a broken copy: the rest is missing, not taken out. */
function isCutShort(parts: readonly FilePart[], rows: readonly ListedEntry[]): boolean {
  const last = parts.at(-1)
  if (last === undefined || last.raw.endsWith('\n')) return false
  const missing = missingLines(parts, rows)
  if (last.kind === 'heading' && last.section !== null) return missing.some(({ section }) => section === last.section)
  if (last.raw.startsWith('#')) return missing.length > 0
  if (last.kind === 'entry' && last.id !== null) {
    const headings = new Set(parts.flatMap((part) => (part.kind === 'heading' ? [part.section] : [])))
    return missing.length > 0 && !MEMORY_FILE_SECTIONS.every((section) => headings.has(section))
  }
  const begun = BEGUN_ENTRY.exec(last.raw)
  if (begun === null) return false
  // A letter may have been cut in its bytes.
  const text = oneLine(begun[1]!).replace(/\ufffd{1,3}$/, '')
  return missing.some((line) => [line.text, maskSecrets(line.text)].some((own) => oneLine(own).startsWith(text)))
}

/** An entry up to any place before its id. */
const BEGUN_ENTRY =
  /^ {0,3}[-*+][ \t]{0,4}(?:\[[\d-]{0,10}(?:\][ \t]?|$))?(.{0,4000}?)[ \t]?(?:<(?:!(?:-(?:-[^\n]{0,40})?)?)?)?$/s

/** The name of a file with its folder's: a report names no more of the machine than a reader needs. */
function nameInFolder(path: string): string {
  return `${basename(dirname(path))}/${basename(path)}`
}

export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
