/** Rows of the ledger change before and after the file is written, so that a crash in between is seen. */
import type { EntryState, LedgerEntry, ListedEntry } from '../domain/contracts/memory-file-ledger.ts'
import type { Memory } from '../domain/memory.ts'
import type { FileEntry } from './document.ts'
import { entryId, textHash } from './entry-line.ts'

/** Texts of one entry that backups may still hold. */
const MOST_HASHES = 20

/** A row for an entry that was never written. */
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
export function begun(row: LedgerEntry, nextState: EntryState, text: string | null): LedgerEntry {
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
export function understood(rows: readonly ListedEntry[], entries: readonly FileEntry[]): readonly ListedEntry[] {
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
