/** The lines of the new file: old ones, marked where over or in doubt, and new ones up to the limit. */
import type { LedgerEntry } from '../domain/contracts/memory-file-ledger.ts'
import { MOST_IMPORTANT } from '../domain/limits.ts'
import { holdsAt, type Memory } from '../domain/memory.ts'
import type { AddedEntry, RemovedEntry, SkippedEntry } from '../domain/memory-file.ts'
import { hideSecrets, maskSecrets } from '../language/secrets/mask-secrets.ts'
import { withLabel } from './candidates.ts'
import { type Note, noteOf, sectionOf } from './choice.ts'
import { localDay } from './days.ts'
import type { MemoryFileSettings } from './dependencies.ts'
import { editParts, type FileEntry, type FilePart } from './document.ts'
import { entryLine, isInDoubt, isOver, type Marks, marked, markNote, oneLine, textIn } from './entry-line.ts'
import { begun } from './ledger-rows.ts'
import type { Merged, Standing } from './merge.ts'

/** An entry that is to come into the file. */
export interface Arrival {
  readonly memory: Memory
  readonly note: Note
  readonly row: LedgerEntry
  /** false: it was missing; nobody needs to be told of it as news. */
  readonly isNews: boolean
}

/** The new file. */
interface Composed {
  readonly parts: readonly FilePart[]
  /** The rows as the write makes them, each with its memory. */
  readonly rows: readonly { readonly row: LedgerEntry; readonly memory: Memory | null }[]
  readonly isEmpty: boolean
  readonly added: readonly AddedEntry[]
  readonly skipped: readonly SkippedEntry[]
  readonly removed: readonly RemovedEntry[]
  readonly updated: readonly { readonly text: string }[]
}

const MASKED = '…(masked, '

/** Composes it from the parts of the old one. */
export function composeNotes(
  parts: readonly FilePart[],
  { standing, leaving }: Pick<Merged, 'standing' | 'leaving'>,
  arrivals: readonly Arrival[],
  { withSecrets, maxEntries, headings }: MemoryFileSettings,
  now: number,
): Composed {
  const tooMany = beyondLimit(standing, arrivals, maxEntries, now)
  const changes = new Map<FileEntry, string>()
  const rows: { readonly row: LedgerEntry; readonly memory: Memory | null }[] = []
  const removed: RemovedEntry[] = []
  const updated: { text: string }[] = []
  for (const { entry, row, reason } of leaving) {
    changes.set(entry, '')
    rows.push({ row: begun({ ...row, changedAt: now }, 'struck', null), memory: null })
    removed.push({ text: entry.text, reason })
  }
  for (const { entry, row, memory, isReworded } of standing) {
    if (tooMany.has(memory.id)) {
      changes.set(entry, '')
      rows.push({ row: begun({ ...row, changedAt: now }, 'left', null), memory })
      removed.push({ text: entry.text, reason: 'limit' })
      continue
    }
    const marks = marksOf(memory, row.entryId, withSecrets, now)
    const said = (words: string): string => {
      const text = isReworded ? lineOf(memory).text : words
      if (!withSecrets) return maskSecrets(text)
      return text.includes(MASKED) ? hideSecrets(memory.text).restore(text) : text
    }
    const raw = marked(entry.raw, marks, said, isReworded)
    if (raw !== entry.raw) changes.set(entry, raw)
    if (isReworded || isOver(raw) !== isOver(entry.raw) || isInDoubt(raw) !== isInDoubt(entry.raw))
      updated.push({ text: textIn(raw) })
    if (isReworded || raw !== entry.raw || row.state !== 'listed')
      rows.push({ row: begun(row, 'listed', textIn(raw)), memory })
  }
  const coming = arrivals.filter(({ memory }) => !tooMany.has(memory.id))
  const entries = coming.map(({ memory, note, row }) => {
    const text = withSecrets ? note.text : maskSecrets(oneLine(note.text))
    const line = entryLine(localDay(memory.createdAt), text, marksOf(memory, row.entryId, withSecrets, now))
    rows.push({ row: begun(row, 'listed', textIn(line)), memory })
    return { section: note.section, line }
  })
  const passedOver = arrivals.filter(({ memory }) => tooMany.has(memory.id))
  for (const { memory, row } of passedOver) rows.push({ row: begun(row, 'left', null), memory })
  return {
    parts: editParts(parts, changes, entries, headings),
    rows,
    isEmpty: standing.length + arrivals.length === tooMany.size,
    added: coming.filter(({ isNews }) => isNews).map(({ memory, note }) => addedEntry(memory, note)),
    skipped: passedOver.map(({ note }) => ({ text: note.text, reason: 'limit', twin: null, similarity: null })),
    removed,
    updated,
  }
}

/** An entry that comes in, as a report tells it. */
export function addedEntry(memory: Memory, { text, section, importance }: Note): AddedEntry {
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
function marksOf(memory: Memory, id: string, withSecrets: boolean, now: number): Marks {
  const isSecret = maskSecrets(memory.text) !== memory.text
  const { validTo, buriedAt, suspect } = memory
  const over = holdsAt(memory, now) ? null : (buriedAt ?? validTo ?? now)
  const notes = [
    ...(isSecret ? [withSecrets ? 'written in full' : `in full: mneme memory show ${memory.id}`] : []),
    ...(over !== null ? [markNote('over', localDay(over))] : []),
    ...(over === null && suspect !== null ? [markNote('doubt', localDay(suspect.since))] : []),
  ]
  return { id, note: notes.join('; '), isOver: over !== null }
}

/** Memories that make room: ended ones first, then the oldest (004), then those asked for, last the person's. */
function beyondLimit(
  standing: readonly Standing[],
  arrivals: readonly Arrival[],
  maxEntries: number,
  now: number,
): ReadonlySet<string> {
  const all = [...standing, ...arrivals]
  const rank = ({ row, memory }: Pick<Standing, 'row' | 'memory'>): number => {
    if (!holdsAt(memory, now)) return -1
    return row.byPerson ? 2 : memory.importance >= MOST_IMPORTANT ? 1 : 0
  }
  const order = all.toSorted((a, b) => rank(a) - rank(b) || a.memory.createdAt - b.memory.createdAt)
  return new Set(order.slice(0, Math.max(0, all.length - maxEntries)).map(({ memory }) => memory.id))
}
