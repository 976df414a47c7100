/**
 * What has changed since the file was last written: in the file, by the person; in the memory, by whatever was said since?
 * A merge of three: the file as it is, the memory as it is, and the hashes of what was last written.
 */
import type { EntryMemory, LedgerEntry } from '../../contracts/memory-file-ledger.ts'
import type { RemovedEntry } from '../../domain/memory-file.ts'
import { editSimilarity } from '../../text/edit-distance.ts'
import type { FileEntry } from '../../text/memory-file/document.ts'
import { asOneLine, textHash } from '../../text/memory-file/entry-line.ts'

/** Why both sides of a merge have changed. */
export type ConflictKind = 'reworded' | 'ended' | 'deleted'

/** One thing that was found. */
export type Finding =
  /** Nothing changed; without an id, the person has lost its comment. */
  | { readonly kind: 'same'; readonly entry: FileEntry; readonly row: LedgerEntry; readonly memory: EntryMemory }
  /** The memory does not hold any more. */
  | {
      readonly kind: 'struck'
      readonly entry: FileEntry
      readonly row: LedgerEntry
      readonly memory: EntryMemory | null
      readonly reason: RemovedEntry['reason']
    }
  /** The memory has other words now. */
  | { readonly kind: 'reworded'; readonly entry: FileEntry; readonly row: LedgerEntry; readonly memory: EntryMemory }
  /** The person changed the entry. */
  | {
      readonly kind: 'changed'
      readonly entry: FileEntry
      readonly row: LedgerEntry
      readonly memory: EntryMemory | null
      readonly conflict: ConflictKind | null
    }
  /** The person wrote a new one. */
  | { readonly kind: 'added'; readonly entry: FileEntry }
  /** The person put back what was taken out, or what had made room. */
  | { readonly kind: 'revived'; readonly entry: FileEntry; readonly row: LedgerEntry; readonly memory: EntryMemory }
  /** The person took it out. */
  | { readonly kind: 'removed'; readonly row: LedgerEntry; readonly memory: EntryMemory }
  /** It is to be written again: the file was cut, or the memory was reworded while the person took the entry out. */
  | { readonly kind: 'missing'; readonly row: LedgerEntry; readonly memory: EntryMemory; readonly conflict: boolean }
  /** It is neither in the file nor in the memory. */
  | { readonly kind: 'over'; readonly row: LedgerEntry; readonly deleted: boolean }

/** An entry without its comment is the changed form of one that is missing when it is at least this like it. */
const SAME_ENTRY = 0.6

/** What is known beside the file. */
export interface Known {
  readonly rows: readonly LedgerEntry[]
  readonly memories: ReadonlyMap<string, EntryMemory>
  readonly now: number
  /** Nothing that is missing was taken out by a person. */
  readonly cut: boolean
}

/** Compares. Every entry of the file is in one finding, and every listed row. */
export function compareWithLedger(entries: readonly FileEntry[], known: Known): readonly Finding[] {
  const places = new Map<string, Place>()
  for (const row of known.rows) if (row.state !== 'replaced') places.set(row.entryId, { row, keeper: null })
  chooseKeepers(entries, places)
  const findings: Finding[] = []
  const strangers: FileEntry[] = []
  for (const entry of entries) {
    const place = entry.id === null ? undefined : places.get(entry.id)
    if (place?.keeper === entry) findings.push(findingOf(entry, place.row, known))
    else strangers.push(entry)
  }
  const vanished = known.rows.filter((row) => {
    if (row.state !== 'listed') return false
    const place = places.get(row.entryId)
    return place?.row !== row || place.keeper === null
  })
  const seen = new Set<LedgerEntry>()
  for (const entry of strangers) {
    const row = formerOf(entry, vanished, seen, known)
    if (row === undefined) findings.push({ kind: 'added', entry })
    else {
      seen.add(row)
      findings.push(findingOf(entry, row, known))
    }
  }
  for (const row of vanished) if (!seen.has(row)) findings.push(absent(row, known))
  return findings
}

/** A row and the entry of the file that has its id. */
interface Place {
  readonly row: LedgerEntry
  keeper: FileEntry | null
}

/** Of several entries with one id the one that is as it was written, else the first; the others are copies. */
function chooseKeepers(entries: readonly FileEntry[], places: ReadonlyMap<string, Place>): void {
  for (const entry of entries) {
    const place = entry.id === null ? undefined : places.get(entry.id)
    if (place === undefined) continue
    const { row, keeper } = place
    if (keeper === null || (!isAsWritten(keeper, row) && isAsWritten(entry, row))) place.keeper = entry
  }
}

function isAsWritten(entry: FileEntry, row: LedgerEntry): boolean {
  return row.hashes[0] === textHash(entry.text)
}

/** Whether a memory holds, and says what it said when its entry was written. */
function changeOf(
  row: LedgerEntry,
  { memories, now }: Pick<Known, 'memories' | 'now'>,
  seen?: { readonly text: string; readonly hash: string },
): ConflictKind | null {
  const memory = memories.get(row.memoryId)
  if (memory === undefined) return 'deleted'
  if (memory.supersededBy !== null || (memory.validTo !== null && memory.validTo <= now)) return 'ended'
  // Mostly the entry says what the memory says, and its hash is known.
  const hash = seen?.text === memory.text ? seen.hash : textHash(memory.text)
  return hash === row.memoryHash ? null : 'reworded'
}

/**
 * Mostly the entry says what the memory says, as it did when it was written. Should both have been changed to the same
 * words, there is nothing to tell either.
 */
function isUntouched({ text }: FileEntry, { state, hashes, memoryHash }: LedgerEntry, memory: EntryMemory): boolean {
  if (state !== 'listed' || text !== memory.text || hashes[0] !== memoryHash) return false
  return memory.supersededBy === null && memory.validTo === null
}

function findingOf(entry: FileEntry, row: LedgerEntry, known: Known): Finding {
  const memory = known.memories.get(row.memoryId) ?? null
  if (memory !== null && isUntouched(entry, row, memory)) return { kind: 'same', entry, row, memory }
  const hash = textHash(entry.text)
  const change = changeOf(row, known, { text: entry.text, hash })
  const isEdited = row.hashes[0] !== hash
  if (row.state === 'removed' || row.state === 'left') {
    if (memory === null || memory.supersededBy !== null) return { kind: 'added', entry }
    return isEdited ? { kind: 'changed', entry, row, memory, conflict: null } : { kind: 'revived', entry, row, memory }
  }
  if (row.state === 'struck' && change !== null && isEdited) return { kind: 'added', entry }
  if (isEdited) return { kind: 'changed', entry, row, memory, conflict: change }
  if (change === null && memory !== null) return { kind: 'same', entry, row, memory }
  if (change === 'reworded' && memory !== null) return { kind: 'reworded', entry, row, memory }
  const reason = memory === null ? 'deleted' : memory.supersededBy === null ? 'ended' : 'superseded'
  return { kind: 'struck', entry, row, memory, reason }
}

function absent(row: LedgerEntry, known: Known): Finding {
  const memory = known.memories.get(row.memoryId)
  const change = changeOf(row, known)
  if (memory === undefined || change === 'ended') return { kind: 'over', row, deleted: memory === undefined }
  if (known.cut) return { kind: 'missing', row, memory, conflict: false }
  return change === 'reworded' ? { kind: 'missing', row, memory, conflict: true } : { kind: 'removed', row, memory }
}

/** The row of an entry whose comment got lost: by its text, else by the likeness to what the memory says. */
function formerOf(
  entry: FileEntry,
  vanished: readonly LedgerEntry[],
  seen: ReadonlySet<LedgerEntry>,
  { memories }: Known,
): LedgerEntry | undefined {
  const free = vanished.filter((row) => !seen.has(row))
  const same = free.find((row) => isAsWritten(entry, row))
  if (same !== undefined || entry.id !== null) return same
  const text = asOneLine(entry.text)
  let best: LedgerEntry | undefined
  let likeness = SAME_ENTRY
  for (const row of free) {
    const memory = memories.get(row.memoryId)
    const similarity = memory === undefined ? 0 : editSimilarity(text, asOneLine(memory.text))
    if (similarity >= likeness) {
      likeness = similarity
      best = row
    }
  }
  return best
}
