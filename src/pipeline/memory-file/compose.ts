/**
 * What will the file say? What stands in it, without what does not hold any more, with what is new, and no more entries
 * than are wanted. Every other byte stays.
 */

import { noteOf } from '../../cognition/notes/rules.ts'
import { sectionOf } from '../../cognition/notes/section-of.ts'
import type { Note } from '../../cognition/notes/types.ts'
import type { EntryMemory, LedgerEntry } from '../../contracts/memory-file-ledger.ts'
import { MOST_IMPORTANT } from '../../domain/limits.ts'
import type { Memory } from '../../domain/memory.ts'
import type { AddedEntry, RemovedEntry, SkippedEntry } from '../../domain/memory-file.ts'
import type { FileEntry, FilePart } from '../../text/memory-file/document.ts'
import { changeEntries, insertEntries, type NewEntry } from '../../text/memory-file/edit-document.ts'
import {
  asOneLine,
  doubtNote,
  entryLine,
  isInDoubt,
  textIn,
  withId,
  withoutId,
  withText,
} from '../../text/memory-file/entry-line.ts'
import { hideSecrets } from '../../text/secrets/hide-secrets.ts'
import { maskSecrets } from '../../text/secrets/mask-secrets.ts'
import type { AppliedEdits, Standing } from './apply-edits.ts'
import type { Finding } from './compare.ts'
import { localDay } from './days.ts'
import type { MemoryFileSettings } from './dependencies.ts'
import { begun, newRow } from './ledger-rows.ts'

/** An entry that is to come into the file. */
export interface Arrival {
  readonly memory: Memory
  /** What of the memory the entry says, and where. */
  readonly note: Note
  /** Whether the person asked for it in the file. */
  readonly row: LedgerEntry
  /** false: it takes the place of what was struck, or was missing; nobody needs to be told of it as news. */
  readonly isNews: boolean
}

/** The new file. */
export interface Composed {
  readonly parts: readonly FilePart[]
  /** Rows with what the write makes of them. */
  readonly rows: readonly LedgerEntry[]
  /** What the memories say that have an entry now and a row among these, by their ids. */
  readonly saying: ReadonlyMap<string, string>
  /** It has no entry. */
  readonly isEmpty: boolean
  readonly added: readonly AddedEntry[]
  readonly skipped: readonly SkippedEntry[]
  readonly removed: readonly RemovedEntry[]
  readonly updated: readonly { readonly text: string }[]
}

const MASKED = '…(masked, '

/**
 * Composes it from the parts of the old one. `lines`: what the entries of reworded memories are to say, by the ids of the
 * memories.
 */
export function composeFile(
  parts: readonly FilePart[],
  findings: readonly Finding[],
  applied: Pick<AppliedEdits, 'standing'>,
  arrivals: readonly Arrival[],
  lines: ReadonlyMap<string, string>,
  settings: MemoryFileSettings,
  now: number,
): Composed {
  const { withSecrets, maxEntries, headings } = settings
  const leaving = leavingOf(applied.standing, arrivals, maxEntries)
  const changes = new Map<FileEntry, string>()
  const masks = { withSecrets, mayHold: !withSecrets && mayHoldSecrets(findings) }
  const rows: LedgerEntry[] = []
  const saying = new Map<string, string>()
  const list = (row: LedgerEntry, memory: EntryMemory, said: string): void => {
    rows.push(begun(row, 'listed', said))
    saying.set(memory.id, memory.text)
  }
  const removed: RemovedEntry[] = []
  const updated: { text: string }[] = []
  for (const finding of findings) {
    if (finding.kind !== 'struck') continue
    changes.set(finding.entry, '')
    rows.push(begun({ ...finding.row, changedAt: now }, 'struck', null))
    removed.push({ text: finding.entry.text, reason: finding.reason })
  }
  const reworded = new Set<FileEntry>()
  for (const finding of findings) if (finding.kind === 'reworded') reworded.add(finding.entry)
  const isAnyOther = leaving.size + reworded.size > 0 || masks.mayHold || withSecrets
  for (const one of applied.standing) {
    if (!isAnyOther && isAsItWas(one)) continue
    if (leaving.has(one.memory.id)) {
      changes.set(one.entry, '')
      rows.push(begun({ ...one.row, changedAt: now }, 'left', null))
      removed.push({ text: one.entry.text, reason: 'limit' })
      continue
    }
    const line = reworded.has(one.entry) ? (lines.get(one.memory.id) ?? one.memory.text) : null
    const raw = rawOf(one, line, masks)
    if (raw !== one.entry.raw) changes.set(one.entry, raw)
    if (reworded.has(one.entry) || isInDoubt(raw) !== isInDoubt(one.entry.raw)) updated.push({ text: textIn(raw) })
    if (raw !== one.entry.raw || one.row.state !== 'listed' || reworded.has(one.entry))
      list(one.row, one.memory, textIn(raw))
  }
  const coming = arrivals.filter(({ memory }) => !leaving.has(memory.id))
  const entries = coming.map(
    ({ memory, note, row }): NewEntry & { readonly memory: Memory; readonly row: LedgerEntry } => {
      const line = shown(memory, note.text, withSecrets)
      return {
        section: note.section,
        line: entryLine({ date: localDay(memory.createdAt), text: line.text, id: row.entryId, ...line.note }),
        memory,
        row,
      }
    },
  )
  for (const { line, row, memory } of entries) list(row, memory, textIn(line))
  for (const { memory, row } of arrivals) if (leaving.has(memory.id)) rows.push(begun(row, 'left', null))
  return {
    parts: insertEntries(changeEntries(parts, changes), entries, headings),
    rows,
    saying,
    isEmpty: applied.standing.length + arrivals.length === leaving.size,
    added: coming.filter(({ isNews }) => isNews).map(({ memory, note }) => addedEntry(memory, note)),
    skipped: arrivals
      .filter(({ memory }) => leaving.has(memory.id))
      .map(({ note }) => ({ text: note.text, reason: 'limit', twin: null, similarity: null })),
    removed,
    updated,
  }
}

/** What is told of an entry that comes in. */
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

/** Its arrival in the file; without a note what the rules make of the memory, or all of it. */
export function arrivalOf(memory: Memory, now: number, isNews: boolean, known?: LedgerEntry, note?: Note): Arrival {
  return { memory, note: note ?? lineOf(memory), row: known ?? newRow(memory, false, now), isNews }
}

/** What a memory that must have an entry says in it. */
export function lineOf(memory: Omit<Memory, 'id'>): Note {
  const { text, importance } = memory
  return (
    noteOf(memory, importance >= MOST_IMPORTANT) ?? {
      text,
      section: sectionOf(memory),
      importance: Math.max(1, importance),
    }
  )
}

/** How an entry that stays will look; `line`: what it is to say instead of what it says. */
function rawOf(
  { entry, row, memory, note: said }: Standing,
  line: string | null,
  { withSecrets, mayHold }: { readonly withSecrets: boolean; readonly mayHold: boolean },
): string {
  const note = (): string | undefined => said ?? shown(memory, memory.text, withSecrets).note.note
  if (line !== null) return withText(entry.raw, shown(memory, line, withSecrets).text, row.entryId, note())
  const raw = withSecrets && entry.raw.includes(MASKED) ? hideSecrets(memory.text).restore(entry.raw) : entry.raw
  const bare = mayHold ? withoutId(raw) : raw
  const masked = mayHold ? maskSecrets(bare) : raw
  const isUnchanged = masked === bare && raw === entry.raw && entry.id === row.entryId
  if (said === undefined && isUnchanged && isInDoubt(raw) === (memory.suspect !== null)) return raw
  return withId(masked, row.entryId, note())
}

/** A line that was written with nothing masked in it, of a memory that is not in doubt, in a file that may hold no more secrets. */
function isAsItWas({ entry, row, memory, note }: Standing): boolean {
  return (
    entry.plain && note === undefined && memory.suspect === null && row.state === 'listed' && entry.id === row.entryId
  )
}

/** Entries in which no secret was found. */
const searched = new WeakSet<FileEntry>()

/** Looked at as a whole, which is quicker than entry by entry. An entry that was searched before says what it said then. */
function mayHoldSecrets(findings: readonly Finding[]): boolean {
  const entries: FileEntry[] = []
  for (const finding of findings) if ('entry' in finding && !searched.has(finding.entry)) entries.push(finding.entry)
  const text = entries.map((entry) => entry.text).join('\n')
  if (maskSecrets(text) !== text) return true
  for (const entry of entries) searched.add(entry)
  return false
}

/** A memory's text in the file; for the comment where what is masked in it can be read, and whether it may hold no longer. */
function shown(
  memory: Pick<Memory, 'id' | 'suspect'>,
  said: string,
  withSecrets: boolean,
): { readonly text: string; readonly note: { readonly note?: string } } {
  const text = asOneLine(said)
  const masked = maskSecrets(text)
  const notes = [
    ...(masked === text ? [] : [withSecrets ? 'written in full' : `in full: mneme memory show ${memory.id}`]),
    ...(memory.suspect === null ? [] : [doubtNote(localDay(memory.suspect.since))]),
  ]
  return { text: withSecrets ? text : masked, note: notes.length === 0 ? {} : { note: notes.join('; ') } }
}

/** Ids of the memories that make room: never the newest, what was asked for last, what the person wrote last of all. */
function leavingOf(
  standing: readonly Standing[],
  arrivals: readonly Arrival[],
  maxEntries: number,
): ReadonlySet<string> {
  if (standing.length + arrivals.length <= maxEntries) return new Set()
  const all = [...standing, ...arrivals]
  const rank = ({ row, memory }: Pick<Standing, 'row' | 'memory'>): number =>
    row.byPerson ? 2 : memory.importance >= 3 ? 1 : 0
  const order = all.toSorted((a, b) => rank(a) - rank(b) || a.memory.createdAt - b.memory.createdAt)
  return new Set(order.slice(0, all.length - maxEntries).map(({ memory }) => memory.id))
}
