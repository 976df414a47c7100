/** Takes in the person's changes and writes the news and the blocks in other files, under the file's lock. */
import { basename, dirname } from 'node:path'
import type { LedgerEntry, ListedEntry } from '../domain/contracts/memory-file-ledger.ts'
import { MnemeError, reasonOf } from '../domain/errors.ts'
import { MEMORY_FILE_SECTIONS, type MemoryFileHeadings, type MemoryFileReport } from '../domain/memory-file.ts'
import { breathe } from '../domain/pieces.ts'
import { maskSecrets } from '../language/secrets/mask-secrets.ts'
import { type Arrival, addedEntry, composeNotes, newRow, settled, understood } from './compose.ts'
import { localDay, type NotesDependencies, type Stretch } from './dependencies.ts'
import { type LockedFile, readNotesFile, rewriteFile, withLockedFile } from './disk.ts'
import {
  emptyNotes,
  entriesOf,
  type FileEntry,
  type FilePart,
  isInDoubt,
  isOver,
  joinParts,
  oneLine,
  parseNotes,
  sectionName,
} from './document.ts'
import { mergeEdits } from './merge.ts'
import { NO_NEWS, newsOf, returningTo } from './news.ts'
import { readableText } from './read-notes.ts'

/** The work of one update. */
export interface Work {
  /** The days whose memories may come in; null: only changes on either side are taken over. */
  readonly stretch: Stretch | null
  readonly dryRun: boolean
  /** Files that get a block if they have none. */
  readonly into: readonly string[]
}

const MOST_ATTEMPTS = 8
/** A file that is not there yet, or was removed, is no damage. */
export const MISSING = 'The file was missing; it was built anew from the memory.'
const EMPTY = 'The file was empty; it was built anew from the memory.'
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
  // A look writes nothing, not even a lock; and where nobody has a file, nobody has changed one.
  const isKept = (await store.memoryFile.file(userId)) !== null || (await readNotesFile(path)) !== null
  const isLook = work.dryRun || (work.stretch === null && !isKept)
  const attempt = async (file: LockedFile | null): Promise<MemoryFileReport> => {
    for (let number = 0; number < MOST_ATTEMPTS; number += 1) {
      const report = await updateOnce(dependencies, userId, path, file, { ...work, dryRun: isLook }, signal)
      if (report !== null) return report
      await breathe(signal)
    }
    throw new MnemeError('conflict', `${path} was changed by somebody else all the time.`, {
      remedy: 'Run `mneme digest` again when nobody writes the file.',
      place: path,
    })
  }
  return isLook ? attempt(null) : withLockedFile(path, attempt, signal)
}

/** null: the file was changed meanwhile, or a coming memory was deleted. */
async function updateOnce(
  dependencies: NotesDependencies,
  userId: string,
  path: string,
  file: LockedFile | null,
  { stretch, dryRun, into }: Work,
  signal: AbortSignal | undefined,
): Promise<MemoryFileReport | null> {
  const { store, settings, clock, logger } = dependencies
  const now = clock().getTime()
  const bytes = (await (file === null ? readNotesFile(path) : file.read()))?.bytes ?? null
  const record = await store.memoryFile.file(userId)
  const stored = await store.memoryFile.entries(userId)
  const read = readParts(bytes, stored, settings.headings)
  const entries = entriesOf(read.parts)
  const rows = understood(stored, entries)
  const merged = await mergeEdits(dependencies, userId, entries, { rows, now, cut: read.cut, dryRun })
  const repairs = [...read.repairs]
  if (merged.restored > 0) repairs.push(`Damaged entries that were written anew from the memory: ${merged.restored}.`)
  await breathe(signal)
  const known = new Map(rows.map(({ memory: _, ...row }) => [row.memoryId, row]))
  const before = new Set(stored)
  // The ledger agrees from here on with the file as it was read.
  if (!dryRun)
    await store.memoryFile.write(userId, {
      // The first are those that a write had begun to change when its process ended.
      put: [...rows.filter((row) => !before.has(row)), ...merged.rows],
      drop: stored.flatMap(({ memoryId }) => (known.has(memoryId) ? [] : [memoryId])),
      file: { path, blocks: record?.blocks ?? [] },
    })
  const returning = await returningTo(dependencies, userId, merged, rows, now)
  const news =
    stretch === null
      ? NO_NEWS
      : await newsOf(dependencies, userId, stretch, dryRun, { merged, rows, returning }, signal)
  const fresh = news.chosen.flatMap(({ memory, note }): Arrival[] => {
    if (memory.id === null) return []
    const one = { ...memory, id: memory.id }
    return [{ memory: one, note, row: known.get(one.id) ?? newRow(one, now), isNews: true }]
  })
  await breathe(signal)
  const composed = composeNotes(read.parts, merged, [...returning, ...fresh], settings, now)
  const next = Buffer.from(joinParts(composed.parts).replaceAll('\0', ''))
  // A mere look makes no file where there is nothing to put into it.
  const isNothing = bytes === null && stretch === null && composed.isEmpty
  const isSame = isNothing || (bytes !== null && Buffer.compare(next, bytes) === 0)
  const written = new Set(composed.rows.map(({ row }) => row.memoryId))
  const passedOver = news.judged
    .filter(({ id }) => !written.has(id))
    .map((memory): LedgerEntry => {
      const row = newRow(memory, Math.max(now, memory.updatedAt), { state: 'left' })
      return { ...row, hashes: known.get(memory.id)?.hashes ?? [] }
    })
  let backup: string | null = null
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
  }
  let blocks: { readonly changed: readonly string[]; readonly warnings: readonly string[] } = {
    changed: [],
    warnings: [],
  }
  await breathe(signal)
  if (!dryRun) {
    const parts = parseNotes(next.toString(), settings.headings)
    const refreshed = await refreshBlocks(dependencies, parts, record?.blocks ?? [], [...settings.blocks, ...into])
    blocks = refreshed
    await store.memoryFile.write(userId, {
      put: [...passedOver, ...composed.rows.map(({ row, memory }) => settled(row, memory))],
      file: {
        blocks: refreshed.kept,
        ...(isSame ? {} : { writtenAt: now }),
        ...(stretch === null || stretch.conversationId !== null ? {} : { digestedAt: now }),
      },
    })
    if (merged.edits.length > 0 || fresh.length > 0) await dependencies.embedSoon(userId)
  }
  logger.debug('candidates were compared with the file', { operation: 'digest', ...news.effort })
  const takenOut = merged.edits.filter(({ edit }) => edit === 'removed')
  return {
    date: stretch?.date ?? localDay(now),
    file: path,
    // A dry run has no memory to write for unremembered turns.
    added: [
      ...composed.added,
      ...news.chosen.flatMap(({ memory, note }) =>
        memory.id === null ? [{ ...addedEntry({ ...memory, id: '' }, note), memoryId: null }] : [],
      ),
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
    blocks: blocks.changed,
    warnings: blocks.warnings,
    answeredBy: news.answeredBy,
  }
}

function readParts(bytes: Uint8Array | null, rows: readonly ListedEntry[], headings: MemoryFileHeadings) {
  const { text, repairs, cut } = bytes === null ? { text: '', repairs: [], cut: true } : readableText(bytes)
  if (text.replaceAll('\0', '').trim() === '') {
    const hadEntries = rows.some(({ state }) => state === 'listed')
    const told = bytes === null ? [MISSING] : repairs.length > 0 ? repairs : [EMPTY]
    const parts = parseNotes(emptyNotes(headings), headings)
    return { parts, isBlank: true, cut: true, repairs: hadEntries ? told : [] }
  }
  const parts = parseNotes(text, headings)
  if (!isCutShort(parts, rows)) return { parts, isBlank: false, cut, repairs }
  return { parts: parts.slice(0, -1), isBlank: false, cut: true, repairs: [...repairs, CUT_SHORT] }
}

/** Whether the file ends in the middle of an entry, like a broken copy: the rest is missing, not taken out. */
function isCutShort(parts: readonly FilePart[], rows: readonly ListedEntry[]): boolean {
  const last = parts.at(-1)
  if (last?.kind !== 'entry' || last.raw.endsWith('\n') || last.id !== null) return false
  const there = new Set(entriesOf(parts).map(({ id }) => id))
  const missing = rows.filter(({ state, entryId }) => state === 'listed' && !there.has(entryId))
  const headings = new Set(parts.flatMap((part) => (part.kind === 'heading' ? [part.section] : [])))
  if (missing.length < 2 && MEMORY_FILE_SECTIONS.every((section) => headings.has(section))) return false
  const text = oneLine(last.text)
  return missing.some(({ memory }) => {
    const whole = oneLine(memory?.text ?? '')
    return whole.length > text.length && whole.startsWith(text)
  })
}

const BLOCK_BEGIN = '<!-- mneme:begin (kept by Mneme; edit MEMORY.md instead) -->'
const BLOCK_END = '<!-- mneme:end -->'
const BEGIN = Buffer.from('<!-- mneme:begin')
const END = Buffer.from(BLOCK_END)

/** The files whose block was changed, those that still have one, and warnings; those in `wanted` get one. */
async function refreshBlocks(
  { settings, logger }: Pick<NotesDependencies, 'settings' | 'logger'>,
  parts: readonly FilePart[],
  known: readonly string[],
  wanted: readonly string[],
) {
  const changed: string[] = []
  const kept: string[] = []
  const warnings: string[] = []
  const paths = new Set([...known, ...wanted])
  const text = paths.size === 0 ? '' : blockText(parts, settings)
  for (const path of paths) {
    try {
      let hasBlock = false
      let isBroken = false
      const isWritten = await rewriteFile(path, (bytes) => {
        const next = withBlock(bytes, text, wanted.includes(path))
        hasBlock = next !== null
        isBroken = next === null && Buffer.from(bytes).includes(BEGIN)
        return next
      })
      if (hasBlock || isBroken) kept.push(path)
      if (isBroken)
        warnings.push(
          `The block in ${nameInFolder(path)} was not brought up to date: its last line, ${BLOCK_END}, is missing. Put it back, or delete the block's first line, too.`,
        )
      else if (!hasBlock && wanted.includes(path))
        warnings.push(`${nameInFolder(path)} has no place for the block: there is no such file.`)
      if (isWritten) changed.push(path)
    } catch (error) {
      kept.push(path)
      warnings.push(`The block in ${nameInFolder(path)} was not brought up to date: ${reasonOf(error)}`)
      logger.error('a block was not written', { file: path, reason: String(error), stack: stackOf(error) })
    }
  }
  return { changed, kept, warnings }
}

/** The bytes with `text` as the block; without marks in them null, or with `append` a new block at the end. */
export function withBlock(bytes: Uint8Array, text: string, append: boolean): Uint8Array | null {
  const file = Buffer.from(bytes)
  const eol = file.includes('\r\n') ? '\r\n' : '\n'
  const block = Buffer.from(`${BLOCK_BEGIN}\n${text.trimEnd()}\n${BLOCK_END}`.replaceAll('\n', eol))
  const from = file.indexOf(BEGIN)
  const to = from < 0 ? -1 : file.indexOf(END, from)
  if (to >= 0) return Buffer.concat([file.subarray(0, from), block, file.subarray(to + END.length)])
  if (!append || from >= 0) return null
  const gap = file.length === 0 ? '' : file.at(-1) === 0x0a ? eol : eol + eol
  return Buffer.concat([file, Buffer.from(gap), block, Buffer.from(eol)])
}

/** The entries by section, without ids, with secrets masked. */
function blockText(parts: readonly FilePart[], { headings }: Pick<NotesDependencies['settings'], 'headings'>): string {
  const entries = entriesOf(parts)
  const sections = MEMORY_FILE_SECTIONS.flatMap((section) => {
    const lines = entries.filter((entry) => entry.section === section).map(lineOf)
    return lines.length === 0 ? [] : [`## ${sectionName(section, headings)}\n${lines.join('\n')}`]
  })
  const elsewhere = entries.filter(({ section }) => section === null).map(lineOf)
  return [...(elsewhere.length === 0 ? [] : [elsewhere.join('\n')]), ...sections].join('\n\n')
}

function lineOf({ raw, text: said }: FileEntry): string {
  // Words that look like a mark would end the block.
  const text = maskSecrets(said).replaceAll('\n', '\n  ').replaceAll('<!--', '<\u200b!--')
  // Comments stay behind, so a reader must be told in words.
  const isHan = /\p{Script=Han}/u.test(text)
  if (isOver(raw)) return `- ${text}${isHan ? '（已不成立）' : ' (no longer holds)'}`
  return `- ${text}${isInDoubt(raw) ? (isHan ? '（可能已不成立）' : ' (may no longer hold)') : ''}`
}

/** The name of a file with its folder's: a report names no more of the machine than a reader needs. */
function nameInFolder(path: string): string {
  return `${basename(dirname(path))}/${basename(path)}`
}

/** The place where an error was thrown. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
