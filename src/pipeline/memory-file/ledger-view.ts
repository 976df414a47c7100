/**
 * The ledger of one user with its memories, as it was when the file was last looked at, and brought up to date from what has
 * changed since: of ten thousand entries a day touches a hundred.
 */
import type { EntryMemory, LedgerEntry, ListedEntry, MemoryFileLedger } from '../../contracts/memory-file-ledger.ts'
import type { FileEntry } from '../../text/memory-file/document.ts'
import type { Finding, Same } from './compare.ts'

/** A row, its memory, and its entry in the file. */
export interface Place {
  readonly row: LedgerEntry
  /** null: it was deleted. */
  readonly memory: EntryMemory | null
  /** Of the entries that have its id the one that is the row's; null: none is. */
  keeper: FileEntry | null
  /** What was found of them; null: the row has no entry, and is to have none. */
  found: Finding | null
  /** What was found before, if it holds as long as row, memory and entry are these. */
  same: Same | null
}

/** What a row, its memory and what is found of them take besides the text. */
const PLACE_BYTES = 1200

/** The rows by their memories and by the ids of their entries. */
export class LedgerView {
  readonly #places = new Map<string, Place>()
  /** The same as a list: it is gone over several times with each look. */
  #all: readonly Place[] | null = null
  #byEntry: Map<string, Place> | null = null
  /** Ids of entries that several rows have. */
  readonly #shared = new Set<string>()
  #state: string | null = null
  #characters = 0

  /** Takes over what has changed. What was said of a place that did not change stays. */
  async refresh(ledger: Pick<MemoryFileLedger, 'listing'>, userId: string): Promise<void> {
    const { entries, changed, state } = await ledger.listing(userId, this.#state)
    this.#state = state
    if (changed === null) {
      this.#places.clear()
      this.#characters = 0
      this.#byEntry = null
      this.#all = null
    }
    for (const id of changed ?? []) this.#remove(id)
    for (const entry of entries) this.#put(entry)
  }

  /** Every row, in no order. */
  get places(): readonly Place[] {
    this.#all ??= [...this.#places.values()]
    return this.#all
  }

  /** Bytes that all this takes, about. */
  get bytes(): number {
    return this.#places.size * PLACE_BYTES + this.#characters
  }

  /** The place of a memory. */
  of(memoryId: string): Place | undefined {
    return this.#places.get(memoryId)
  }

  /**
   * The place whose entry has this id: where several rows have had it, the one that stands in the file, else the one that
   * changed last. What the person wrote themselves instead is in none.
   */
  ofEntry(entryId: string): Place | undefined {
    this.#byEntry ??= this.#entries()
    return this.#byEntry.get(entryId)
  }

  /** Puts another row in the place of one; null: there is none any more. */
  replace({ row, memory }: Place, next: LedgerEntry | null): void {
    this.#remove(row.memoryId)
    if (next !== null) this.#put({ row: next, memory })
  }

  #put({ row, memory }: ListedEntry): void {
    const place: Place = { row, memory, keeper: null, found: null, same: null }
    this.#places.set(row.memoryId, place)
    this.#all = null
    this.#characters += memory?.text.length ?? 0
    if (row.state === 'replaced') return
    if (this.#byEntry?.has(row.entryId)) this.#byEntry = null
    else this.#byEntry?.set(row.entryId, place)
  }

  #remove(memoryId: string): void {
    const place = this.#places.get(memoryId)
    if (place === undefined) return
    const { row, memory } = place
    this.#places.delete(memoryId)
    this.#all = null
    this.#characters -= memory?.text.length ?? 0
    if (row.state === 'replaced') return
    if (this.#shared.has(row.entryId)) this.#byEntry = null
    else this.#byEntry?.delete(row.entryId)
  }

  #entries(): Map<string, Place> {
    const found = new Map<string, Place>()
    this.#shared.clear()
    for (const place of this.places) {
      const { entryId, state } = place.row
      if (state === 'replaced') continue
      const other = found.get(entryId)
      if (other !== undefined) this.#shared.add(entryId)
      if (other === undefined || isRather(place.row, other.row)) found.set(entryId, place)
    }
    return found
  }
}

/** Whether an entry is this row's rather than the other's, in whatever order they come. */
function isRather(row: LedgerEntry, other: LedgerEntry): boolean {
  const isListed = row.state === 'listed'
  if (isListed !== (other.state === 'listed')) return isListed
  return row.changedAt === other.changedAt ? row.memoryId > other.memoryId : row.changedAt > other.changedAt
}
