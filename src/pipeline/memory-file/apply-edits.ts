/**
 * What the person did to the file becomes a change of memory, with the person as its source. Afterwards the ledger says
 * what the file says, so that doing it again changes nothing.
 */
import type { EntryMemory, LedgerEntry } from '../../contracts/memory-file-ledger.ts'
import { MOST_IMPORTANT } from '../../domain/limits.ts'
import type { Memory } from '../../domain/memory.ts'
import type { EntryConflict, PersonsEdit } from '../../domain/memory-file.ts'
import type { FileEntry } from '../../text/memory-file/document.ts'
import { entryId } from '../../text/memory-file/entry-line.ts'
import { hideSecrets } from '../../text/secrets/hide-secrets.ts'
import type { ConflictKind, Finding } from './compare.ts'
import type { MemoryFileDependencies } from './dependencies.ts'
import { newRow, seenAs } from './ledger-rows.ts'
import type { LedgerView } from './ledger-view.ts'
import { endMemory, rememberLine, type SomeIds } from './remember-line.ts'
import { successorOf } from './successor.ts'

/** An entry of the file with its memory and its row. */
export interface Standing {
  readonly entry: FileEntry
  readonly row: LedgerEntry
  readonly memory: EntryMemory
  /** What its comment says besides the id. */
  readonly note?: string
}

/** What the edits came to. */
export interface AppliedEdits {
  /** Entries that stay in the file. */
  readonly standing: readonly Standing[]
  /** Ids of their memories. */
  readonly there: SomeIds
  /** Memories that both sides of a conflict left without a line: they are to be written, too. */
  readonly wanted: readonly Memory[]
  /** Rows that have changed, to be written before anything else. */
  readonly rows: readonly LedgerEntry[]
  readonly edits: readonly PersonsEdit[]
  readonly conflicts: readonly EntryConflict[]
}

const EXPLANATIONS: Readonly<Record<ConflictKind, string>> = {
  reworded: 'The memory was reworded since; both are kept.',
  ended: 'The memory was superseded or ended since; what was written in the file is kept beside it.',
  deleted: 'The memory was deleted since; what was written in the file is a memory of its own now.',
}

/** Applies what the person did. With `dryRun` nothing is written: the memories of new lines are made up. */
export async function applyEdits(
  dependencies: MemoryFileDependencies,
  userId: string,
  findings: readonly Finding[],
  ledger: LedgerView,
  now: number,
  dryRun: boolean,
): Promise<AppliedEdits> {
  const { memories } = dependencies.store
  const standing: Standing[] = []
  const wanted: Memory[] = []
  const rows: LedgerEntry[] = []
  const edits: PersonsEdit[] = []
  const conflicts: EntryConflict[] = []
  // Only what is as long can be the same.
  const lengths = new Set<number>()
  for (const finding of findings) if (finding.kind === 'added') lengths.add(finding.entry.text.length)
  const known = new Set<string>()
  for (const finding of findings) {
    if (finding.kind !== 'same' && finding.kind !== 'reworded') continue
    standing.push(finding)
    if (lengths.has(finding.entry.text.length)) known.add(plain(finding.entry.text))
  }
  const said = new Set<string>()
  // What the person left standing in the file holds beside what they wrote now, and so do both sides of a conflict. And
  // a new line never goes into a memory that is to end with the entry they took out.
  const leave: SomeIds = { has: (id) => said.has(id) || isInFile(ledger.of(id)?.found ?? null) }
  const arrived = new Set<string>()
  const stand = (one: Standing): void => {
    standing.push(one)
    arrived.add(one.memory.id)
  }
  const there: SomeIds = { has: (id) => arrived.has(id) || STANDS.has(ledger.of(id)?.found?.kind) }
  const remember = async (entry: FileEntry, text: string, replaces: EntryMemory | null): Promise<EntryMemory> => {
    const line = { text, section: entry.section, leave, ...(replaces === null ? {} : { replaces }), now }
    if (dryRun) return madeUp(text, now)
    const memory = await rememberLine(dependencies, userId, line)
    said.add(memory.id)
    return memory
  }
  const want = async ({ id }: EntryMemory): Promise<void> => {
    const memory = await memories.get(userId, id)
    if (memory !== null) wanted.push(memory)
  }
  for (const finding of findings) {
    if (finding.kind === 'revived') {
      if (finding.row.state === 'removed') {
        if (!dryRun) await memories.update(userId, finding.memory.id, { validTo: null }, now)
        edits.push({ edit: 'restored', text: finding.entry.text, memoryId: finding.memory.id })
      }
      const row = seenAs({ ...finding.row, changedAt: now }, finding.entry.text)
      rows.push(row)
      stand({ entry: finding.entry, row, memory: finding.memory })
    } else if (finding.kind === 'removed') {
      if (!dryRun) await endMemory(dependencies, userId, finding.memory, leave, now)
      rows.push({ ...finding.row, state: 'removed', changedAt: now })
      edits.push({ edit: 'removed', text: finding.memory.text, memoryId: finding.memory.id })
    } else if (finding.kind === 'missing') {
      await want(finding.memory)
      if (finding.conflict)
        conflicts.push({
          inFile: '',
          inMemory: finding.memory.text,
          explanation: 'The entry was taken out of the file while its memory was reworded; it is written again.',
        })
    } else if (finding.kind === 'changed') {
      const { entry, row, memory, conflict } = finding
      const text = unmasked(entry.text, memory)
      // A conflict leaves the old memory as it is: the line becomes one of its own.
      const own = conflict === null ? memory : null
      const said = await remember(entry, text, own)
      edits.push({ edit: 'changed', text, memoryId: said.id })
      const fresh = newRow(said, true, now, conflict === 'reworded' ? entryId(said.id) : row.entryId)
      if (conflict !== null)
        conflicts.push({ inFile: text, inMemory: memory?.text ?? null, explanation: EXPLANATIONS[conflict] })
      if (conflict === 'reworded' && memory !== null) {
        await want(memory)
        stand({
          entry,
          row: fresh,
          memory: said,
          note: `differs from mneme:${row.entryId}, reworded elsewhere`,
        })
      } else {
        const mine = seenAs({ ...fresh, hashes: row.hashes }, entry.text)
        if (row.memoryId !== said.id)
          rows.push({ ...row, state: conflict === null ? 'replaced' : 'struck', changedAt: now })
        rows.push(mine)
        stand({ entry, row: mine, memory: said })
        const successor =
          conflict === 'ended' && memory !== null ? await successorOf(memories, userId, memory, now) : null
        if (successor !== null) wanted.push(successor)
      }
    } else if (finding.kind === 'added') {
      const { entry } = finding
      // The same words twice: the second line is left as it is.
      if (known.has(plain(entry.text))) continue
      known.add(plain(entry.text))
      const memory = await remember(entry, entry.text, null)
      if (there.has(memory.id)) continue
      stand({ entry, row: newRow(memory, true, now), memory })
      edits.push({ edit: 'added', text: entry.text, memoryId: memory.id })
    }
  }
  return { standing, there, wanted, rows, edits, conflicts }
}

/** Kinds of findings whose entries stay as they are, or with other words. */
const STANDS: ReadonlySet<Finding['kind'] | undefined> = new Set(['same', 'reworded'] as const)

/** Whether an entry of the memory stood in the file, whatever became of it, and the memory did not end elsewhere. */
function isInFile(found: Finding | null): boolean {
  return found !== null && found.kind !== 'struck' && 'memory' in found && found.memory !== null
}

/** Case makes no other line. */
function plain(text: string): string {
  return text.toLowerCase()
}

/** A masked value that the person left in the line is the one that the memory holds. */
function unmasked(text: string, memory: EntryMemory | null): string {
  return memory === null ? text : hideSecrets(memory.text).restore(text)
}

/** What a dry run takes for the memory of a line. */
function madeUp(text: string, now: number): EntryMemory {
  return {
    id: `dry-run:${text}`,
    text,
    importance: MOST_IMPORTANT,
    createdAt: now,
    validFrom: now,
    validTo: null,
    supersededBy: null,
    suspect: null,
  }
}
