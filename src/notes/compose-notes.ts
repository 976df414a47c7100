/** The lines and ledger rows of the new file: old ones, marked where over or in doubt, and new ones. */
import type { TimeZone } from '../domain/clock.ts'
import type { EntryState, LedgerEntry, ListedEntry } from '../domain/contracts/small-stores.ts'
import { MOST_IMPORTANT } from '../domain/limits.ts'
import { holdsAt, type Memory } from '../domain/memory.ts'
import type { AddedEntry, EntryConflict, PersonsEdit, RemovedEntry, SkippedEntry } from '../domain/memory-file.ts'
import { withBreath } from '../domain/scheduling.ts'
import { hideSecrets, maskSecrets, maskSecretsPatiently, readLongTexts } from '../language/secrets/mask-secrets.ts'
import { type Note, noteOf, sectionOf } from './choose-notes.ts'
import { type Keeping, localDay } from './dependencies.ts'
import { type Candidate, withLabel } from './note-candidates.ts'
import {
  editParts,
  entryId,
  entryLine,
  type FileEntry,
  type FilePart,
  type Marks,
  markIn,
  markNote,
  oneLine,
  textHash,
  textIn,
  withMarks,
} from './parse-notes.ts'

export interface Standing {
  readonly entry: FileEntry
  readonly row: LedgerEntry
  readonly memory: Memory
  /** The memory has other words now, or the line was damaged: it is written anew. */
  readonly isReworded: boolean
}

export interface Merged {
  readonly standing: readonly Standing[]
  /** Entries whose memory was deleted, or has no words any more. */
  readonly leaving: readonly {
    readonly entry: FileEntry
    readonly row: LedgerEntry
    readonly reason: RemovedEntry['reason']
  }[]
  /** Memories to be written although they have no line: it was lost, or both sides of a conflict are kept. */
  readonly wanted: readonly Memory[]
  /** Memories of lines in the file that have just been superseded. */
  readonly superseded: readonly Memory[]
  /** Rows that have changed, to be written before anything else. */
  readonly rows: readonly LedgerEntry[]
  readonly edits: readonly PersonsEdit[]
  readonly conflicts: readonly EntryConflict[]
  /** Lines that were damaged and are written anew. */
  readonly restored: number
  /** Lines that are only what damage left; they go. */
  readonly remnants: readonly FileEntry[]
}

export interface Arrival {
  readonly memory: Memory
  readonly note: Note
  readonly row: LedgerEntry
  /** false: it was missing; nobody needs to be told of it as news. */
  readonly isNews: boolean
}

const MASKED = '…(masked, '

/** Composes it from the parts of the old one, with pauses between long memories. */
export async function composeNotes(
  { settings: { withSecrets, maxEntries, headings }, timeZone, signal }: Keeping,
  parts: readonly FilePart[],
  { standing, leaving, remnants }: Pick<Merged, 'standing' | 'leaving' | 'remnants'>,
  arrivals: readonly Arrival[],
  now: number,
) {
  const all: readonly (Standing | Arrival)[] = [...standing, ...arrivals]
  const tooMany = beyondLimit(all, maxEntries, now)
  const changes = new Map<FileEntry, string>(remnants.map((entry) => [entry, '']))
  const entries: { readonly section: Note['section']; readonly line: string }[] = []
  const rows: { readonly row: LedgerEntry; readonly memory: Memory | null }[] = []
  const added: AddedEntry[] = []
  const skipped: SkippedEntry[] = []
  const removed: RemovedEntry[] = []
  const updated: { text: string }[] = []
  const takeOut = ({ entry, row, reason }: Merged['leaving'][number], memory: Memory | null): void => {
    changes.set(entry, '')
    rows.push({ row: begun({ ...row, changedAt: now }, memory === null ? 'struck' : 'left', null), memory })
    removed.push({ text: entry.text, reason })
  }
  for (const one of leaving) takeOut(one, null)
  for await (const one of withBreath(all, ({ memory }) => memory.text.length, signal)) {
    const { row, memory } = one
    if (tooMany.has(memory.id)) {
      if ('entry' in one) takeOut({ ...one, reason: 'limit' }, memory)
      else {
        rows.push({ row: begun(row, 'left', null), memory })
        skipped.push({ text: one.note.text, reason: 'limit', twin: null, similarity: null })
      }
      continue
    }
    await readLongTexts(memory.text)
    const marks = marksOf(memory, row.entryId, withSecrets, now, timeZone)
    if ('note' in one) {
      const text = withSecrets ? one.note.text : await maskSecretsPatiently(oneLine(one.note.text))
      const raw = entryLine(localDay(memory.createdAt, timeZone), text, marks)
      rows.push({ row: begun(row, 'listed', textIn(raw)), memory })
      entries.push({ section: one.note.section, line: raw })
      if (one.isNews) added.push(addedEntry(memory, one.note))
      continue
    }
    const { entry, isReworded } = one
    const line = isReworded ? lineOf(memory).text : null
    await readLongTexts(line ?? entry.text)
    const said = (words: string): string => {
      const text = line ?? words
      if (!withSecrets) return maskSecrets(text)
      return text.includes(MASKED) ? hideSecrets(memory.text).restore(text) : text
    }
    const raw = withMarks(entry.raw, marks, said, isReworded)
    if (raw !== entry.raw) changes.set(entry, raw)
    if (isReworded || markIn(raw) !== markIn(entry.raw)) updated.push({ text: textIn(raw) })
    if (isReworded || raw !== entry.raw || row.state !== 'listed')
      rows.push({ row: begun(row, 'listed', textIn(raw)), memory })
  }
  const isEmpty = all.length === tooMany.size
  return { parts: editParts(parts, changes, entries, headings), rows, isEmpty, added, skipped, removed, updated }
}

export function addedEntry(memory: Candidate['memory'], { text, section, importance }: Note): AddedEntry {
  const { conversationId } = memory
  return {
    text,
    section,
    importance,
    memoryId: memory.id,
    turns: conversationId === null ? [] : memory.sourceTurnIds.map((turnId) => ({ conversationId, turnId })),
  }
}

/** The text of an entry that a memory must have: its note by the rules, or the whole memory. */
export function lineOf(memory: Memory): Note {
  const { text, importance } = memory
  const whole = { text, section: sectionOf(memory), importance: Math.max(1, importance) }
  const note = noteOf(memory, importance >= MOST_IMPORTANT) ?? whole
  return { ...note, text: withLabel(note.text, memory) }
}

/** The marks of a memory's line: the place of its masked value, and whether it is over or in doubt. */
function marksOf(memory: Memory, id: string, withSecrets: boolean, now: number, zone: TimeZone): Marks {
  const isSecret = maskSecrets(memory.text) !== memory.text
  const { validTo, buriedAt, suspect } = memory
  const over = holdsAt(memory, now) ? null : (buriedAt ?? validTo ?? now)
  const notes = [
    ...(isSecret ? [withSecrets ? 'written in full' : `in full: mneme memory show ${memory.id}`] : []),
    ...(over !== null ? [markNote('over', localDay(over, zone))] : []),
    ...(over === null && suspect !== null ? [markNote('doubt', localDay(suspect.since, zone))] : []),
  ]
  return { id, note: notes.join('; '), isOver: over !== null }
}

/** Memories that make room: ended ones first, then the oldest (004), then those asked for, last the person's. */
function beyondLimit(
  all: readonly Pick<Standing, 'row' | 'memory'>[],
  maxEntries: number,
  now: number,
): ReadonlySet<string> {
  const rank = ({ row, memory }: Pick<Standing, 'row' | 'memory'>): number => {
    if (!holdsAt(memory, now)) return -1
    return row.byPerson ? 2 : memory.importance >= MOST_IMPORTANT ? 1 : 0
  }
  const order = all.toSorted((a, b) => rank(a) - rank(b) || a.memory.createdAt - b.memory.createdAt)
  return new Set(order.slice(0, Math.max(0, all.length - maxEntries)).map(({ memory }) => memory.id))
}

/** Texts of one entry that backups may still hold. */
const MOST_HASHES = 20

export function newRow(
  memory: Pick<Memory, 'id' | 'text'>,
  now: number,
  more: Partial<Pick<LedgerEntry, 'byPerson' | 'entryId' | 'state' | 'hashes'>> = {},
): LedgerEntry {
  return {
    memoryId: memory.id,
    entryId: entryId(memory.id),
    byPerson: false,
    state: null,
    nextState: null,
    nextHash: null,
    hashes: [],
    memoryHash: textHash(memory.text),
    changedAt: now,
    ...more,
  }
}

/** The row with the text that stands in the file now. */
export function seenAs(row: LedgerEntry, text: string): LedgerEntry {
  return { ...row, state: 'listed', nextState: null, nextHash: null, hashes: withHash(row.hashes, textHash(text)) }
}

/** The row while a begun write is under way; `text`: the entry's coming text, null when it leaves. */
function begun(row: LedgerEntry, nextState: EntryState, text: string | null): LedgerEntry {
  return { ...row, nextState, nextHash: text === null ? null : textHash(text) }
}

/** The row when the write was done; `memory`: as it was when its entry was written. */
export function settled(row: LedgerEntry, memory: Pick<Memory, 'text'> | null): LedgerEntry {
  if (row.nextState === null) return row
  const hashes = row.nextHash === null ? row.hashes : withHash(row.hashes, row.nextHash)
  const memoryHash = memory === null ? row.memoryHash : textHash(memory.text)
  return { ...row, state: row.nextState, nextState: null, nextHash: null, hashes, memoryHash }
}

/** The rows as the file shows them after a write that may have been broken off; a row that was never written is left out. */
export function writtenRows(rows: readonly ListedEntry[], entries: readonly FileEntry[]): readonly ListedEntry[] {
  const byId = new Map(entries.flatMap((entry) => (entry.id === null ? [] : [[entry.id, entry] as const])))
  return rows.flatMap((row) => {
    if (row.nextState === null) return row.state === null ? [] : [row]
    const entry = byId.get(row.entryId)
    const isThere = entry !== undefined
    const isWritten = isThere
      ? row.nextState === 'listed' && (row.state === null || textHash(entry.text) === row.nextHash)
      : row.nextState !== 'listed'
    if (!isThere && row.state === null) return []
    return [{ ...(isWritten ? settled(row, null) : { ...row, nextState: null, nextHash: null }), memory: row.memory }]
  })
}

function withHash(hashes: readonly string[], hash: string): readonly string[] {
  return hashes[0] === hash ? hashes : [hash, ...hashes.filter((other) => other !== hash)].slice(0, MOST_HASHES)
}
