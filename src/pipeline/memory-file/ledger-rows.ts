/** How does a row of the ledger change? Written in two steps, so that a crash in between is understood by the next look. */
import type { EntryState, LedgerEntry } from '../../contracts/memory-file-ledger.ts'
import type { Memory } from '../../domain/memory.ts'
import type { FileEntry } from '../../text/memory-file/document.ts'
import { entryId, textHash } from '../../text/memory-file/entry-line.ts'

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

/**
 * Rows that a write had begun to change when its process ended, told by the file whether it was done; null: the row was
 * never written.
 */
export function resolvePending(
  rows: readonly LedgerEntry[],
  entries: readonly FileEntry[],
): readonly (LedgerEntry | null)[] {
  if (rows.every(({ state, nextState }) => nextState === null && state !== null)) return rows
  const byId = new Map(entries.flatMap((entry) => (entry.id === null ? [] : [[entry.id, entry] as const])))
  return rows.map((row) => {
    if (row.nextState === null) return row.state === null ? null : row
    const entry = byId.get(row.entryId)
    const unchanged = { ...row, nextState: null, nextHash: null }
    if (entry === undefined) {
      if (row.state === null) return null
      return row.nextState === 'listed' ? unchanged : settled(row)
    }
    if (row.nextState === 'listed' && (row.state === null || textHash(entry.text) === row.nextHash)) return settled(row)
    return unchanged
  })
}
