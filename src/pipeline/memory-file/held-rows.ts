/** What does the ledger say of a memory after what was found in the file, though it is not written yet? */
import type { EntryMemory, LedgerEntry } from '../../contracts/memory-file-ledger.ts'
import type { LedgerView } from './ledger-view.ts'

/** Rows of a ledger with some changes. */
export interface HeldRows {
  /** By the id of the memory. */
  get(memoryId: string): LedgerEntry | undefined
  /** Rows of what the person took out of the file or wrote in other words. */
  refusing(): readonly LedgerEntry[]
  /** The memory as it was when the ledger was read; null: there was none. */
  memoryOf(memoryId: string): EntryMemory | null
}

/** The rows of the ledger with the changes; `drop`: ids of memories without a row. */
export function heldRows(
  ledger: LedgerView,
  { put, drop }: { readonly put: readonly LedgerEntry[]; readonly drop: readonly string[] },
): HeldRows {
  const changed = new Map<string, LedgerEntry | undefined>()
  for (const id of drop) changed.set(id, undefined)
  for (const row of put) changed.set(row.memoryId, row)
  return {
    get: (id) => (changed.has(id) ? changed.get(id) : ledger.of(id)?.row),
    refusing: () => {
      const rows: LedgerEntry[] = []
      for (const { row } of ledger.places) if (isRefusing(row) && !changed.has(row.memoryId)) rows.push(row)
      for (const row of changed.values()) if (row !== undefined && isRefusing(row)) rows.push(row)
      return rows
    },
    memoryOf: (id) => ledger.of(id)?.memory ?? null,
  }
}

function isRefusing({ state }: LedgerEntry): boolean {
  return state === 'removed' || state === 'replaced'
}
