/** How does a row of the ledger change? Written in two steps, so that a crash in between is understood by the next look. */
import type { EntryState, LedgerEntry } from '../../contracts/memory-file-ledger.ts'
import type { Memory } from '../../domain/memory.ts'
import type { FileEntry } from '../../text/memory-file/document.ts'
import { entryId, textHash } from '../../text/memory-file/entry-line.ts'
import type { LedgerView, Place } from './ledger-view.ts'

/** Texts of one entry that backups may still hold. */
const MOST_HASHES = 20

/** A row for an entry that was never written. */
export function newRow(
  memory: Pick<Memory, 'id' | 'text'>,
  byPerson: boolean,
  now: number,
  id = entryId(memory.id),
): LedgerEntry {
  return {
    memoryId: memory.id,
    entryId: id,
    byPerson,
    state: null,
    nextState: null,
    nextHash: null,
    hashes: [],
    memoryHash: textHash(memory.text),
    changedAt: now,
  }
}

/** The row with the text that stands in the file now. */
export function seenAs(row: LedgerEntry, text: string): LedgerEntry {
  return { ...row, state: 'listed', nextState: null, nextHash: null, hashes: withHash(row.hashes, textHash(text)) }
}

/** The row while a write that has begun makes it so. */
export function begun(row: LedgerEntry, nextState: EntryState, text: string | null): LedgerEntry {
  return { ...row, nextState, nextHash: text === null ? null : textHash(text) }
}

/** The row when the write was done. */
export function settled(row: LedgerEntry): LedgerEntry {
  if (row.nextState === null) return row
  const hashes = row.nextHash === null ? row.hashes : withHash(row.hashes, row.nextHash)
  return { ...row, state: row.nextState, nextState: null, nextHash: null, hashes }
}

function withHash(hashes: readonly string[], hash: string): readonly string[] {
  return hashes[0] === hash ? hashes : [hash, ...hashes.filter((other) => other !== hash)].slice(0, MOST_HASHES)
}

/** Rows that are other than the ledger has them, and the ids of memories whose rows are to go. */
export interface Understood {
  readonly put: readonly LedgerEntry[]
  readonly drop: readonly string[]
}

/**
 * Rows that a write had begun to change when its process ended: the file tells whether it was done. A row that was never
 * written goes. The view says so afterwards.
 */
export function resolvePending(ledger: LedgerView, entries: readonly FileEntry[]): Understood {
  const pending: Place[] = []
  for (const place of ledger.places) if (place.row.nextState !== null || place.row.state === null) pending.push(place)
  if (pending.length === 0) return { put: [], drop: [] }
  const byId = new Map(entries.flatMap((entry) => (entry.id === null ? [] : [[entry.id, entry] as const])))
  const put: LedgerEntry[] = []
  const drop: string[] = []
  for (const place of pending) {
    const row = resolved(place.row, byId.get(place.row.entryId))
    ledger.replace(place, row)
    if (row === null) drop.push(place.row.memoryId)
    else put.push(row)
  }
  return { put, drop }
}

function resolved(row: LedgerEntry, entry: FileEntry | undefined): LedgerEntry | null {
  if (row.nextState === null) return null
  const unchanged = { ...row, nextState: null, nextHash: null }
  if (entry === undefined) {
    if (row.state === null) return null
    return row.nextState === 'listed' ? unchanged : settled(row)
  }
  if (row.nextState === 'listed' && (row.state === null || textHash(entry.text) === row.nextHash)) return settled(row)
  return unchanged
}
