/**
 * What has changed since the file was last written: in the file, by the person; in the memory, by whatever was said since?
 * A merge of three: the file as it is, the memory as it is, and the hashes of what was last written.
 */
import type { EntryMemory, LedgerEntry } from '../../contracts/memory-file-ledger.ts'
import type { RemovedEntry } from '../../domain/memory-file.ts'
import { editSimilarity } from '../../text/edit-distance.ts'
import { type FileEntry, hasWords } from '../../text/memory-file/document.ts'
import { asOneLine, textHash } from '../../text/memory-file/entry-line.ts'
import type { LedgerView, Place } from './ledger-view.ts'

/** Why both sides of a merge have changed. */
export type ConflictKind = 'reworded' | 'ended' | 'deleted'

/** Nothing changed; without an id, the person has lost its comment. */
export interface Same {
  readonly kind: 'same'
  readonly entry: FileEntry
  readonly row: LedgerEntry
  readonly memory: EntryMemory
}

/** One thing that was found. */
export type Finding =
  | Same
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
  readonly ledger: LedgerView
  readonly now: number
  /** Nothing that is missing was taken out by a person. */
  readonly cut: boolean
}

/** Compares. Every entry of the file is in one finding, and every listed row; the ledger's places have theirs afterwards. */
export function compareWithLedger(entries: readonly FileEntry[], known: Known): readonly Finding[] {
  const { ledger } = known
  for (const place of ledger.places) {
    place.keeper = null
    place.found = null
  }
  const places = entries.map(({ id }) => (id === null ? undefined : ledger.ofEntry(id)))
  for (let at = 0; at < entries.length; at += 1) keepBetter(places[at], entries[at]!)
  const findings: Finding[] = []
  const strangers: FileEntry[] = []
  for (let at = 0; at < entries.length; at += 1) {
    const [place, entry] = [places[at], entries[at]!]
    if (place?.keeper === entry) findings.push(found(place, findingAgain(place, entry, known)))
    else strangers.push(entry)
  }
  const vanished: Place[] = []
  for (const place of ledger.places) if (place.keeper === null && place.row.state === 'listed') vanished.push(place)
  vanished.sort((a, b) => (a.row.memoryId < b.row.memoryId ? -1 : 1))
  const seen = new Set<Place>()
  for (const entry of strangers) {
    const place = formerOf(entry, vanished, seen)
    if (place === undefined) findings.push({ kind: 'added', entry })
    else {
      seen.add(place)
      findings.push(found(place, findingOf(entry, place, known)))
    }
  }
  for (const place of vanished) if (!seen.has(place)) findings.push(found(place, absent(place, known)))
  return findings
}

/** Of several entries with one id the one that is as it was written, else the first; the others are copies. */
function keepBetter(place: Place | undefined, entry: FileEntry): void {
  if (place === undefined) return
  const { keeper, row } = place
  if (keeper === null || (!isAsWritten(keeper, row) && isAsWritten(entry, row))) place.keeper = entry
}

function found(place: Place, finding: Finding): Finding {
  place.found = finding
  return finding
}

/** What was found before of the same row, memory and entry, where the passing of time cannot have changed it. */
function findingAgain(place: Place, entry: FileEntry, known: Known): Finding {
  if (place.same?.entry === entry) return place.same
  const finding = findingOf(entry, place, known)
  place.same = finding.kind === 'same' && finding.memory.validTo === null ? finding : null
  return finding
}

function isAsWritten(entry: FileEntry, row: LedgerEntry): boolean {
  return row.hashes[0] === textHash(entry.text)
}

/** Whether a memory holds, and says what it said when its entry was written. */
function changeOf(
  { row, memory }: Place,
  { now }: Pick<Known, 'now'>,
  seen?: { readonly text: string; readonly hash: string },
): ConflictKind | null {
  if (memory === null) return 'deleted'
  if (memory.supersededBy !== null || (memory.validTo !== null && memory.validTo <= now)) return 'ended'
  // Its words were blotted out, and nothing is left to write.
  if (!hasWords(memory.text)) return 'ended'
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

function findingOf(entry: FileEntry, place: Place, known: Known): Finding {
  const { row, memory } = place
  if (memory !== null && isUntouched(entry, row, memory)) return { kind: 'same', entry, row, memory }
  const hash = textHash(entry.text)
  const change = changeOf(place, known, { text: entry.text, hash })
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

function absent(place: Place, known: Known): Finding {
  const { row, memory } = place
  const change = changeOf(place, known)
  if (memory === null || change === 'ended') return { kind: 'over', row, deleted: memory === null }
  if (known.cut) return { kind: 'missing', row, memory, conflict: false }
  return change === 'reworded' ? { kind: 'missing', row, memory, conflict: true } : { kind: 'removed', row, memory }
}

/** The place of an entry whose comment got lost: by its text, else by the likeness to what the memory says. */
function formerOf(entry: FileEntry, vanished: readonly Place[], seen: ReadonlySet<Place>): Place | undefined {
  const free = vanished.filter((place) => !seen.has(place))
  const same = free.find(({ row }) => isAsWritten(entry, row))
  if (same !== undefined || entry.id !== null) return same
  const text = asOneLine(entry.text)
  let best: Place | undefined
  let likeness = SAME_ENTRY
  for (const place of free) {
    const similarity = place.memory === null ? 0 : editSimilarity(text, asOneLine(place.memory.text))
    if (similarity >= likeness) {
      likeness = similarity
      best = place
    }
  }
  return best
}
