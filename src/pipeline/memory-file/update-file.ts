/**
 * Reads a memory file, takes in what the person has changed, and writes what is new: the one way in which a memory file
 * changes. All of it happens under the file's lock; if the person saves meanwhile, it is done again with what they saved.
 */

import type { LockedFile } from '../../contracts/memory-file.ts'
import type { LedgerEntry } from '../../contracts/memory-file-ledger.ts'
import { MnemeError } from '../../domain/errors.ts'
import type { MemoryFileReport } from '../../domain/memory-file.ts'
import { breathe } from '../../domain/pieces.ts'
import { entriesOf } from '../../text/memory-file/document.ts'
import { textHash } from '../../text/memory-file/entry-line.ts'
import { bytesOfParts } from '../../text/memory-file/rewrite.ts'
import { applyEdits } from './apply-edits.ts'
import { chooseNews, linesOf, replacements } from './arrivals.ts'
import { nameInFolder, refreshBlocks } from './blocks.ts'
import { compareWithLedger, type Finding } from './compare.ts'
import { type Arrival, addedEntry, arrivalOf, composeFile } from './compose.ts'
import { cutShort } from './cut-short.ts'
import { localDay, type Stretch } from './days.ts'
import type { MemoryFileDependencies } from './dependencies.ts'
import { heldRows } from './held-rows.ts'
import { keep, readAgain, takeKept } from './kept.ts'
import { resolvePending, settled } from './ledger-rows.ts'

/** What is to be done. */
export interface UpdateRequest {
  /** The days whose memories may come in; null: only what changed on either side is taken over. */
  readonly stretch: Stretch | null
  readonly dryRun: boolean
  /** Files that get a block if they have none. */
  readonly into: readonly string[]
}

/** Saved by the person so often while it was being worked on. */
const MOST_ATTEMPTS = 8

/** Nothing is wrong with a file that is not there yet, or no more. */
export const MISSING = 'The file was missing; it was built anew from the memory.'
const EMPTY = 'The file was empty; it was built anew from the memory.'
const CUT_SHORT = 'The file ended in the middle of an entry; what was missing was written anew from the memory.'

/** Brings the file up to date. */
export async function updateFile(
  dependencies: MemoryFileDependencies,
  userId: string,
  path: string,
  request: UpdateRequest,
  signal?: AbortSignal,
): Promise<MemoryFileReport> {
  const { files } = dependencies
  // A look writes nothing, not even a lock; and where nobody has a file, nobody has changed one.
  const isLook = request.dryRun || (request.stretch === null && !(await isKept(dependencies, userId, path)))
  const attempt = async (file: LockedFile | null): Promise<MemoryFileReport> => {
    for (let number = 0; number < MOST_ATTEMPTS; number += 1) {
      const report = await updateOnce(dependencies, userId, path, file, { ...request, dryRun: isLook }, signal)
      if (report !== null) return report
      await breathe(signal)
    }
    throw new MnemeError('conflict', `${path} was changed by somebody else all the time.`, {
      remedy: 'Run `mneme digest` again when nobody writes the file.',
      place: path,
    })
  }
  return isLook ? attempt(null) : files.locked(path, attempt, signal)
}

async function isKept({ store, files }: MemoryFileDependencies, userId: string, path: string): Promise<boolean> {
  return (await store.memoryFile.file(userId)) !== null || (await files.read(path)) !== null
}

/** null: the file was changed meanwhile, or what was to come into it was deleted. */
async function updateOnce(
  dependencies: MemoryFileDependencies,
  userId: string,
  path: string,
  file: LockedFile | null,
  request: UpdateRequest,
  signal: AbortSignal | undefined,
): Promise<MemoryFileReport | null> {
  const { stretch, dryRun, into } = request
  const { store, files, settings, clock, logger } = dependencies
  const now = clock().getTime()
  const bytes = (await (file === null ? files.read(path) : file.read()))?.bytes ?? null
  const record = await store.memoryFile.file(userId)
  const kept = takeKept(store.memoryFile, userId)
  const { ledger } = kept
  await ledger.refresh(store.memoryFile, userId)
  const read = readAgain(kept.read, bytes, settings.headings)
  kept.read = read
  const { readable, isBlank } = read
  const hadEntries = isBlank && ledger.places.some(({ row }) => row.state === 'listed')
  const repairs = [...readable.repairs, ...(hadEntries ? [bytes === null ? MISSING : EMPTY] : [])]
  const broken = cutShort(read.parts, ledger)
  const parts = broken === null ? read.parts : read.parts.slice(0, -1)
  if (broken !== null) repairs.push(CUT_SHORT)
  const entries = entriesOf(parts)
  const understood = resolvePending(ledger, entries)
  const isCut = readable.cut || isBlank || broken !== null
  const findings = compareWithLedger(entries, { ledger, now, cut: isCut })
  const applied = await applyEdits(dependencies, userId, findings, ledger, now, dryRun)
  const over = overOf(findings)
  const changes = {
    put: [...understood.put, ...over.put, ...applied.rows],
    drop: [...understood.drop, ...over.drop],
  }
  // From here on the ledger agrees with the file as it was read.
  if (!dryRun) await store.memoryFile.write(userId, { ...changes, file: { path, blocks: record?.blocks ?? [] } })
  const held = heldRows(ledger, changes)
  const arrivals = await replacements(dependencies, userId, findings, applied, held, now)
  const choice = await chooseNews(dependencies, userId, request, applied, arrivals, held, kept.texts, signal)
  const fresh = choice.chosen.flatMap((candidate) =>
    candidate.memory.id === null
      ? []
      : [
          arrivalOf(
            { ...candidate.memory, id: candidate.memory.id },
            now,
            true,
            held.get(candidate.memory.id),
            candidate.note,
          ),
        ],
  )
  const lines = await linesOf(dependencies, userId, findings)
  const coming = [...arrivals, ...fresh]
  const composed = composeFile(parts, findings, applied, coming, lines, settings, now)
  // A mere look makes no file where there is nothing to put into it.
  const isNothing = bytes === null && stretch === null && composed.isEmpty
  const isWhole = bytes !== null && readable.repairs.length === 0 && !isBlank && broken === null
  const next = isWhole && composed.parts === parts ? bytes : bytesOfParts(composed.parts, read, isWhole ? bytes : null)
  const isSame = isNothing || (bytes !== null && Buffer.compare(next, bytes) === 0)
  // What a dry run makes of a write that was broken off stands nowhere.
  if (!dryRun || understood.put.length + understood.drop.length === 0) keep(store.memoryFile, userId, kept)
  let backup: string | null = null
  if (file !== null && !isSame) {
    if (bytes !== null && repairs.length > 0 && !isBlank) {
      const copy = await file.setAside(bytes, now)
      repairs.push(`The file as it was lies beside it in ${nameInFolder(copy)}.`)
    }
    await store.memoryFile.write(userId, { put: composed.rows })
    // From here on whoever deletes one of them finds its row, and strikes it from the file when this is done.
    if (await isAnyDeleted(dependencies, userId, coming)) return null
    const { withSecrets, backups } = settings
    const replaced = await file.replace(next, { expected: bytes, secret: withSecrets, backups, at: now })
    if (replaced === 'changed') return null
    backup = replaced.backup
  }
  const blocks = { changed: [] as readonly string[], warnings: [] as readonly string[] }
  if (!dryRun) {
    const wanted = [...settings.blocks, ...into]
    const refreshed = await refreshBlocks(dependencies, next, record?.blocks ?? [], wanted)
    blocks.changed = refreshed.changed
    blocks.warnings = refreshed.warnings
    await store.memoryFile.write(userId, {
      put: composed.rows.map((row) => settledRow(row, composed.saying)),
      file: {
        blocks: refreshed.kept,
        ...(isSame ? {} : { writtenAt: now }),
        ...(stretch === null || stretch.conversationId !== null ? {} : { digestedAt: now }),
      },
    })
    if (applied.edits.length > 0) await dependencies.embedSoon(userId)
  }
  const report: MemoryFileReport = {
    date: stretch?.date ?? localDay(now),
    file: path,
    added: [
      ...composed.added,
      // A dry run has nothing to write for what is not remembered yet.
      ...choice.chosen.flatMap(({ memory, note }) =>
        memory.id === null ? [{ ...addedEntry({ ...memory, id: '' }, note), memoryId: null }] : [],
      ),
    ],
    skipped: [...choice.skipped, ...composed.skipped],
    removed: [
      ...composed.removed,
      ...applied.edits.flatMap(({ edit, text }) => (edit === 'removed' ? [{ text, reason: 'person' as const }] : [])),
    ],
    updated: composed.updated,
    edits: applied.edits,
    conflicts: applied.conflicts,
    repairs,
    backup,
    written: file !== null && !isSame,
    dryRun,
    blocks: blocks.changed,
    warnings: blocks.warnings,
    answeredBy: choice.answeredBy,
  }
  logger.debug('candidates were compared with the file', { operation: 'digest', ...choice.effort })
  return report
}

/** Whether a memory was deleted since it was read: a model may have thought about it for long. */
async function isAnyDeleted(
  { store }: MemoryFileDependencies,
  userId: string,
  coming: readonly Arrival[],
): Promise<boolean> {
  const ids = [...new Set(coming.map(({ memory }) => memory.id))]
  return (
    ids.length > 0 &&
    (await store.memories.getMany(userId, ids, { includePast: true, includeBuried: true })).length < ids.length
  )
}

/** Rows of entries that are in neither place any more. */
function overOf(findings: readonly Finding[]): {
  readonly put: readonly LedgerEntry[]
  readonly drop: readonly string[]
} {
  const over = findings.filter((finding) => finding.kind === 'over')
  return {
    put: over.filter(({ deleted }) => !deleted).map(({ row }) => ({ ...row, state: 'struck' as const })),
    drop: over.filter(({ deleted }) => deleted).map(({ row }) => row.memoryId),
  }
}

/** The row when the write is done: what its memory says now stands in the file. */
function settledRow(row: LedgerEntry, texts: ReadonlyMap<string, string>): LedgerEntry {
  const text = texts.get(row.memoryId)
  return { ...settled(row), ...(text === undefined ? {} : { memoryHash: textHash(text) }) }
}
