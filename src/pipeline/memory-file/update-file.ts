/**
 * Reads a memory file, takes in what the person has changed, and writes what is new: the one way in which a memory file
 * changes. All of it happens under the file's lock; if the person saves meanwhile, it is done again with what they saved.
 */

import type { LockedFile } from '../../contracts/memory-file.ts'
import type { EntryMemory, LedgerEntry } from '../../contracts/memory-file-ledger.ts'
import { MnemeError } from '../../domain/errors.ts'
import type { MemoryFileReport } from '../../domain/memory-file.ts'
import { breathe } from '../../domain/pieces.ts'
import { entriesOf, parseMemoryFile } from '../../text/memory-file/document.ts'
import { emptyMemoryFile } from '../../text/memory-file/edit-document.ts'
import { textHash } from '../../text/memory-file/entry-line.ts'
import { readableText } from '../../text/memory-file/repair.ts'
import { applyEdits } from './apply-edits.ts'
import { chooseNews, linesOf, replacements } from './arrivals.ts'
import { nameInFolder, refreshBlocks } from './blocks.ts'
import { compareWithLedger, type Finding } from './compare.ts'
import { addedEntry, arrivalOf, composeFile } from './compose.ts'
import { cutShort } from './cut-short.ts'
import { localDay, type Stretch } from './days.ts'
import type { MemoryFileDependencies } from './dependencies.ts'
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

/** null: the file was changed meanwhile. */
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
  const ledger = await store.memoryFile.entries(userId)
  const hadEntries = ledger.some(({ state }) => state === 'listed')
  const readable = bytes === null ? { text: '', repairs: [], cut: true } : readableText(bytes)
  const isBlank = readable.text.trim() === ''
  const repairs = [
    ...readable.repairs,
    ...(isBlank && hadEntries
      ? [`The file was ${bytes === null ? 'missing' : 'empty'}; it was built anew from the memory.`]
      : []),
  ]
  const asRead = parseMemoryFile(isBlank ? emptyMemoryFile(settings.headings) : readable.text, settings.headings)
  const memories = new Map<string, EntryMemory>()
  for (const memory of await store.memoryFile.memories(userId)) memories.set(memory.id, memory)
  const broken = cutShort(asRead, ledger, memories)
  const parts = broken === null ? asRead : asRead.slice(0, -1)
  if (broken !== null) repairs.push(CUT_SHORT)
  const entries = entriesOf(parts)
  const resolved = resolvePending(ledger, entries)
  const rows = resolved.filter((row) => row !== null)
  const dropped = ledger.filter((_, index) => resolved[index] === null).map(({ memoryId }) => memoryId)
  const isCut = readable.cut || isBlank || broken !== null
  const findings = compareWithLedger(entries, { rows, memories, now, cut: isCut })
  const applied = await applyEdits(dependencies, userId, findings, now, dryRun)
  const over = overOf(findings)
  if (!dryRun) {
    // From here on the ledger agrees with the file as it was read.
    const understood = resolved.filter((row, index) => row !== null && row !== ledger[index])
    const changed = [...understood, ...over.put, ...applied.rows].filter((row) => row !== null)
    await store.memoryFile.write(userId, {
      drop: [...dropped, ...over.drop],
      put: changed,
      file: { path, blocks: record?.blocks ?? [] },
    })
  }
  const held = new Map<string, LedgerEntry>()
  for (const some of [rows, over.put, applied.rows]) for (const row of some) held.set(row.memoryId, row)
  for (const id of over.drop) held.delete(id)
  const arrivals = await replacements(dependencies, userId, findings, [...applied.standing], applied.wanted, held, now)
  const choice = await chooseNews(dependencies, userId, request, applied.standing, arrivals, held, memories, signal)
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
  const composed = composeFile(parts, findings, applied, [...arrivals, ...fresh], lines, settings, now)
  const next = Buffer.from(composed.text)
  // A mere look makes no file where there is nothing to put into it.
  const isNothing = bytes === null && stretch === null && composed.listed.length === 0
  const isSame = isNothing || (bytes !== null && Buffer.compare(next, bytes) === 0)
  let backup: string | null = null
  if (file !== null && !isSame) {
    if (bytes !== null && repairs.length > 0 && !isBlank) {
      const kept = await file.setAside(bytes, now)
      repairs.push(`The file as it was lies beside it in ${nameInFolder(kept)}.`)
    }
    await store.memoryFile.write(userId, { put: composed.rows })
    const { withSecrets, backups } = settings
    const replaced = await file.replace(next, { expected: bytes, secret: withSecrets, backups, at: now })
    if (replaced === 'changed') return null
    backup = replaced.backup
  }
  const blocks = { changed: [] as readonly string[], warnings: [] as readonly string[] }
  if (!dryRun) {
    const wanted = [...settings.blocks, ...into]
    const refreshed = await refreshBlocks(dependencies, composed.text, record?.blocks ?? [], wanted)
    blocks.changed = refreshed.changed
    blocks.warnings = refreshed.warnings
    const written = new Set(composed.rows.map(({ memoryId }) => memoryId))
    const texts = new Map(composed.listed.flatMap(({ id, text }) => (written.has(id) ? [[id, text] as const] : [])))
    await store.memoryFile.write(userId, {
      put: composed.rows.map((row) => settledRow(row, texts)),
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
