/** A merge of three: the file, the memories, and the hashes of the last write. */
import type { TimeZone } from '../domain/clock.ts'
import type { LedgerEntry, ListedEntry } from '../domain/contracts/small-stores.ts'
import { MnemeError } from '../domain/errors.ts'
import { MOST_IMPORTANT, STATED_CONFIDENCE } from '../domain/limits.ts'
import { freshMemory, holdsAt, type Memory } from '../domain/memory.ts'
import type { EntryConflict, MemoryFileSection, PersonsEdit } from '../domain/memory-file.ts'
import { hideSecrets, maskSecrets } from '../language/secrets/mask-secrets.ts'
import { editSimilarity, foldedText } from '../language/spelling.ts'
import { extractFacts } from '../thinking/facts/extract-facts.ts'
import { messageTerms } from '../usecases/matching/memory-candidates.ts'
import { draftOf } from '../usecases/think/draft.ts'
import { type Plan, planChanges } from '../usecases/think/plan-changes.ts'
import { asChanged, readsOf } from '../usecases/think/related-memories.ts'
import { lineOf, type Merged, newRow, type Standing, seenAs } from './compose-notes.ts'
import { type Keeping, localDay } from './dependencies.ts'
import { withoutLabel } from './note-candidates.ts'
import {
  dateIn,
  entriesOf,
  type FileEntry,
  type FilePart,
  hasWords,
  idIn,
  isOver,
  oneLine,
  textHash,
} from './parse-notes.ts'
import { isDamaged, isDamageOf, isHurtAround, isRemnant } from './read-notes.ts'
import { tornParts, type WrittenLine } from './torn-lines.ts'

interface MergeInput {
  readonly rows: readonly ListedEntry[]
  readonly now: number
  /** Whether no missing line was taken out by a person. */
  readonly cut: boolean
  /** Whether nobody has written the file since it was seen, although it is another one. */
  readonly decayed: boolean
  /** Whether nothing is written: the memories of new lines are made up. */
  readonly dryRun: boolean
}

/** An entry without its comment is the changed form of one that is missing when it is at least this like it. */
const SAME_ENTRY = 0.6

const EXPLANATIONS = {
  reworded: 'The memory was reworded since; both are kept.',
  ended: 'The memory was superseded or ended since; what was written in the file is kept beside it.',
  deleted: 'The memory was deleted since; what was written in the file is a memory of its own now.',
} as const

/** Merges. With `dryRun` false the memories agree with the file afterwards. */
export async function mergeEdits(
  keeping: Keeping,
  parts: readonly FilePart[],
  { rows, now, cut, decayed, dryRun }: MergeInput,
): Promise<Merged> {
  const { userId, store, timeZone } = keeping
  const { memories } = store
  const entries = entriesOf(parts)
  const { rowOf, vanished } = matchEntries(entries, rows)
  const standing: Standing[] = []
  const leaving: Merged['leaving'][number][] = []
  const wanted: Memory[] = []
  const superseded: Memory[] = []
  const changed: LedgerEntry[] = []
  const edits: PersonsEdit[] = []
  const conflicts: EntryConflict[] = []
  let restored = 0
  const remnants: FileEntry[] = []
  const torn = new Set(await tornParts(parts, writtenLines(rows, timeZone)))
  const hurt = new Set(entries.filter((entry) => torn.has(entry) || isHurtLine(entry, rowOf.get(entry))))
  // A remnant may have been any line: then no missing line was taken out by a person.
  const isHurt = cut || decayed || torn.size + hurt.size > 0 || entries.some(({ raw }) => isRemnant(raw))
  // A new line ends nothing that stands in the file, and never goes into a memory that leaves with its entry.
  const listed = new Set(rows.flatMap(({ memoryId, state }) => (state === 'listed' ? [memoryId] : [])))
  const said = new Set<string>()
  const leave = { has: (id: string) => listed.has(id) || said.has(id) }
  const remember = async (entry: FileEntry, text: string, replaces: Memory | null): Promise<Memory> => {
    if (dryRun)
      return freshMemory({ id: `dry-run:${text}`, text, who: 'user', createdAt: now, importance: MOST_IMPORTANT })
    const line = { text, section: entry.section, leave, replaces, now }
    const memory = await rememberLine(keeping, line)
    said.add(memory.id)
    return memory
  }
  const change = async (entry: FileEntry, row: ListedEntry, conflict: keyof typeof EXPLANATIONS | null) => {
    const { memory } = row
    const text = memory === null ? entry.text : withoutLabel(hideSecrets(memory.text).restore(entry.text), memory)
    // A conflict leaves the old memory as it is: the line becomes one of its own.
    const fresh = await remember(entry, text, conflict === null ? memory : null)
    edits.push({ edit: 'changed', text, memoryId: fresh.id })
    if (conflict !== null)
      conflicts.push({ inFile: text, inMemory: memory?.text ?? null, explanation: EXPLANATIONS[conflict] })
    if (conflict === 'reworded' && memory !== null) {
      wanted.push(memory)
      standing.push({ entry, row: newRow(fresh, now, { byPerson: true }), memory: fresh, isReworded: false })
      return
    }
    if (row.memoryId !== fresh.id)
      changed.push({ ...bare(row), state: conflict === null ? 'replaced' : 'struck', changedAt: now })
    if (conflict === 'ended' && memory !== null && !isOver(entry.raw)) superseded.push(memory)
    const known = newRow(fresh, now, { byPerson: true, entryId: row.entryId, hashes: row.hashes })
    const seen = seenAs(known, entry.text)
    changed.push(seen)
    standing.push({ entry, row: seen, memory: fresh, isReworded: false })
  }
  const putBack = async (entry: FileEntry, row: ListedEntry, memory: Memory): Promise<void> => {
    if (row.state === 'removed') {
      if (!dryRun) await memories.update(userId, memory.id, { validTo: null }, now)
      edits.push({ edit: 'restored', text: entry.text, memoryId: memory.id })
    }
    const seen = seenAs({ ...bare(row), changedAt: now }, entry.text)
    changed.push(seen)
    standing.push({ entry, row: seen, memory: { ...memory, validTo: null }, isReworded: false })
  }
  /** An entry with a row. false: it is a line of the person's own all the same. */
  const compare = async (entry: FileEntry, row: ListedEntry): Promise<boolean> => {
    const { memory } = row
    const isOther = !isAsWritten(entry, row)
    const isBroken = memory !== null && ((decayed && isOther) || isBrokenForm(entry, row, memory))
    const isEdited = !decayed && !isBroken && isOther
    const isReworded = isBroken || (memory !== null && textHash(memory.text) !== row.memoryHash)
    if (row.state !== 'listed') {
      if (memory === null || memory.supersededBy !== null) return false
      await (isEdited ? change(entry, row, null) : putBack(entry, row, memory))
    } else if (memory === null || !hasWords(memory.text)) {
      const reason = memory === null ? 'deleted' : 'ended'
      if (isEdited) await change(entry, row, reason)
      else leaving.push({ entry, row: bare(row), reason })
    } else if (isEdited) {
      await change(entry, row, !holdsAt(memory, now) ? 'ended' : isReworded ? 'reworded' : null)
    } else {
      if (isBroken) restored += 1
      if (memory.supersededBy !== null && !isOver(entry.raw)) superseded.push(memory)
      standing.push({ entry, row: bare(row), memory, isReworded })
    }
    return true
  }
  const takeIn = async (strangers: readonly FileEntry[]): Promise<void> => {
    const known = new Set(standing.map(({ entry }) => entry.text.toLowerCase()))
    const there = new Set(standing.map(({ memory }) => memory.id))
    for (const entry of strangers) {
      const words = entry.text.toLowerCase()
      // Damage is never a person's word, and a second line of the same words is left as it is.
      if (decayed || isRemnant(entry.raw)) remnants.push(entry)
      if (decayed || isDamaged(entry.raw) || known.has(words)) continue
      known.add(words)
      const memory = await remember(entry, entry.text, null)
      if (there.has(memory.id)) continue
      there.add(memory.id)
      standing.push({ entry, row: newRow(memory, now, { byPerson: true }), memory, isReworded: false })
      edits.push({ edit: 'added', text: entry.text, memoryId: memory.id })
    }
  }
  const takeOut = async (row: ListedEntry): Promise<void> => {
    const { memory } = row
    if (memory === null || !hasWords(memory.text)) changed.push({ ...bare(row), state: 'struck', changedAt: now })
    else if (isHurt) wanted.push(memory)
    else if (!holdsAt(memory, now)) changed.push({ ...bare(row), state: 'removed', changedAt: now })
    else if (textHash(memory.text) !== row.memoryHash) {
      wanted.push(memory)
      const explanation = 'The entry was taken out of the file while its memory was reworded; it is written again.'
      conflicts.push({ inFile: '', inMemory: memory.text, explanation })
    } else {
      if (!dryRun) await endMemory(keeping, memory, leave, now)
      changed.push({ ...bare(row), state: 'removed', changedAt: now })
      edits.push({ edit: 'removed', text: memory.text, memoryId: memory.id })
    }
  }
  const strangers: FileEntry[] = []
  for (const entry of entries) {
    const row = rowOf.get(entry)
    if (hurt.has(entry)) {
      remnants.push(entry)
      if (row?.state === 'listed' && row.memory !== null) wanted.push(row.memory)
    } else if (row === undefined || !(await compare(entry, row))) strangers.push(entry)
  }
  await takeIn(strangers)
  for (const row of vanished) await takeOut(row)
  return { standing, leaving, wanted, superseded, rows: changed, edits, conflicts, restored, remnants }
}

/** Which entry is which row's, and the rows in the file that have none any more. */
function matchEntries(
  entries: readonly FileEntry[],
  rows: readonly ListedEntry[],
): { readonly rowOf: ReadonlyMap<FileEntry, ListedEntry>; readonly vanished: readonly ListedEntry[] } {
  const byId = new Map<string, ListedEntry>()
  for (const row of rows) {
    const other = byId.get(row.entryId)
    if (row.state !== 'replaced' && (other === undefined || isRather(row, other))) byId.set(row.entryId, row)
  }
  const keepers = new Map<ListedEntry, FileEntry>()
  for (const entry of entries) {
    const row = entry.id === null ? undefined : byId.get(entry.id)
    if (row === undefined) continue
    // Among entries with one id, the one as it was written is kept, else the first; the others are copies.
    const keeper = keepers.get(row)
    if (keeper === undefined || (!isAsWritten(keeper, row) && isAsWritten(entry, row))) keepers.set(row, entry)
  }
  const rowOf = new Map([...keepers].map(([row, entry]) => [entry, row]))
  const free = new Set(rows.filter((row) => row.state === 'listed' && !keepers.has(row)))
  const written = new Map([...free].map((row) => [row.hashes[0], row]))
  for (const entry of entries) {
    if (free.size === 0) break
    if (rowOf.has(entry)) continue
    const same = written.get(textHash(entry.text))
    const row = same !== undefined && free.has(same) ? same : entry.id === null ? mostAlike(entry, free) : null
    if (row === null) continue
    free.delete(row)
    rowOf.set(entry, row)
  }
  return { rowOf, vanished: [...free].toSorted((a, b) => (a.memoryId < b.memoryId ? -1 : 1)) }
}

/** The row whose memory is most like an entry that has lost its comment; null: none is like it. */
function mostAlike(entry: FileEntry, rows: Iterable<ListedEntry>): ListedEntry | null {
  const text = oneLine(entry.text)
  let best: ListedEntry | null = null
  let likeness = SAME_ENTRY
  for (const row of rows) {
    if (isHurtLine(entry, row)) return row
    const similarity = row.memory === null ? 0 : editSimilarity(text, oneLine(row.memory.text))
    if (similarity < likeness) continue
    likeness = similarity
    best = row
  }
  return best
}

/** Whether the line is the memory's own, damaged: then nobody has written it. */
function isBrokenForm(entry: FileEntry, row: ListedEntry, memory: Memory): boolean {
  if (isAsWritten(entry, row)) return isDamaged(entry.raw) && !isDamaged(entry.text)
  if (isDamaged(entry.raw)) return true
  return ownTexts(memory).some((own) => isDamageOf(own, entry.text))
}

/** Whether the line stands in the file with its words, and damage around them. */
function isHurtLine({ raw }: FileEntry, row: ListedEntry | undefined): boolean {
  if (row === undefined || row.memory === null || row.state !== 'listed') return false
  // Half a day in front: nobody writes one.
  if (/^ {0,3}- \[\d/.test(raw) && dateIn(raw) === null && idIn(raw) === row.entryId) return true
  return ownTexts(row.memory).some((own) => isHurtAround(raw, own, row.entryId))
}

/** The lines of the rows as Mneme writes them. */
function writtenLines(rows: readonly ListedEntry[], zone: TimeZone): readonly WrittenLine[] {
  return rows.flatMap(({ state, memory, entryId }) => {
    if (state !== 'listed' || memory === null) return []
    const mark = `- [${localDay(memory.createdAt, zone)}] `
    const line = (own: string) => ({
      raw: `${mark}${own} <!-- mneme:${entryId} -->`,
      from: mark.length,
      to: mark.length + own.length,
    })
    return [...new Set(ownTexts(memory))].map(line)
  })
}

/** The words of its line, as they are and without secrets. */
function ownTexts(memory: Memory): readonly string[] {
  const text = oneLine(lineOf(memory).text)
  return [text, maskSecrets(text)]
}

function isAsWritten(entry: FileEntry, row: ListedEntry): boolean {
  return row.hashes[0] === textHash(entry.text)
}

/** Whether an id is this row's rather than the other's: the one that stands in the file, else the one that changed last. */
function isRather(row: ListedEntry, other: ListedEntry): boolean {
  const isListed = row.state === 'listed'
  if (isListed !== (other.state === 'listed')) return isListed
  return row.changedAt === other.changedAt ? row.memoryId > other.memoryId : row.changedAt > other.changedAt
}

function bare({ memory: _, ...row }: ListedEntry): LedgerEntry {
  return row
}

/** Ids of memories, of which nobody needs a list. */
type SomeIds = Pick<ReadonlySet<string>, 'has'>

interface PersonsLine {
  readonly text: string
  readonly section: MemoryFileSection | null
  /** Ids of memories that it must leave alone: those of other lines. */
  readonly leave: SomeIds
  /** The memory whose place it takes. */
  readonly replaces: Memory | null
  readonly now: number
}

const MOST_ATTEMPTS = 20
const MOST_TWINS = 20
/** The longest text, in characters, that is compared; a longer one takes seconds. */
const LONGEST_COMPARED = 20_000
const PERSON = { source: 'user_stated', importance: MOST_IMPORTANT, suspect: null } as const

/** Remembers it; the memory that says it now. */
async function rememberLine(
  { store: { memories }, userId, newId, maxCharacters, timeZone }: Keeping,
  { text, section, leave, replaces, now }: PersonsLine,
): Promise<Memory> {
  const parts = {
    text,
    memoryType: 'semantic',
    category: section === 'preferences' ? 'preference' : 'fact',
    importance: MOST_IMPORTANT,
    source: 'user_stated',
    confidence: STATED_CONFIDENCE,
    facts: extractFacts(text),
    context: '',
    thing: '',
    time: null,
    who: null,
  } as const
  const message = { role: 'user', content: text, speaker: null, turnId: null, createdAt: now } as const
  // The person's words are never cut.
  const most = Math.max(text.length, await maxCharacters())
  const input = { userId, conversationId: null, messages: [], now, maxCharacters: most, timeZone }
  const heard = await draftOf(parts, message, input)
  const draft = { ...heard, memory: { ...heard.memory, projectRoot: replaces?.projectRoot ?? null } }
  const reads = asChanged(readsOf(memories), { has: (id) => id === replaces?.id || leave.has(id) })
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const revision = await memories.revision(userId)
    const plan: Plan =
      text.length > LONGEST_COMPARED
        ? alone({ ...draft.memory, id: newId() })
        : await planChanges(reads, userId, [draft], newId, now)
    const said = plan.outcomes[0]!.memory
    const isNew = plan.insert.some(({ id }) => id === said.id)
    // A line of the file holds, even if it tells of the past.
    const insert = plan.insert.map((one) =>
      one.id === said.id ? { ...one, ...PERSON, validTo: null, supersededBy: null } : one,
    )
    const again = { id: said.id, patch: { ...PERSON, confidence: STATED_CONFIDENCE }, event: 'UPDATE' as const }
    const isReplaced = replaces !== null && replaces.supersededBy === null && replaces.id !== said.id
    const update = [
      ...plan.update.filter(({ id }) => id !== said.id),
      ...(isNew ? [] : [again]),
      ...(isReplaced
        ? [
            {
              id: replaces.id,
              patch: { validTo: Math.max(replaces.validFrom, now), supersededBy: said.id, suspect: null },
              event: 'SUPERSEDE' as const,
            },
          ]
        : []),
    ]
    if (await memories.apply(userId, revision, { insert, update, remove: [], at: now }))
      return (await memories.get(userId, said.id)) ?? said
  }
  throw new MnemeError('conflict', 'The memory was changed by others all the time.', { remedy: 'Run it again.' })
}

function alone(said: Memory): Plan {
  return { insert: [said], update: [], outcomes: [{ memory: said, event: 'ADD', superseded: [], doubted: [] }] }
}

/** Ends the memory of a line that the person took out, and every other one with the very same text. */
async function endMemory(
  { store: { memories }, userId }: Keeping,
  memory: Memory,
  leave: SomeIds,
  now: number,
): Promise<void> {
  const words = foldedText(memory.text)
  const terms = messageTerms(memory.text.slice(0, LONGEST_COMPARED))
  const { matches } = await readsOf(memories).find(userId, terms, {}, MOST_TWINS)
  const twins = matches
    .map((match) => match.memory)
    .filter(({ id, text }) => id !== memory.id && !leave.has(id) && foldedText(text) === words)
  for (const one of [memory, ...twins])
    await memories.update(userId, one.id, { validTo: Math.max(one.validFrom, now), suspect: null }, now)
}
