/** Edits, burials, deletions, evictions and restorations of memories. */
import { asGiven, check, givenAs, type InputOf } from '../domain/checks.ts'
import { type Clock, isoTime } from '../domain/clock.ts'
import type { MemoryPatch, MemoryStore, RestoredMemory } from '../domain/contracts/memory-store.ts'
import type { NewProfileLine, ProfileStore } from '../domain/contracts/small-stores.ts'
import { invalid, MnemeError, notFound } from '../domain/errors.ts'
import { memoryId } from '../domain/ids.ts'
import { LIMITS } from '../domain/limits.ts'
import { CORRECTED_AT, DOUBTED_BY, holdsAt, type Memory, sourcesOf, undoubted } from '../domain/memory.ts'
import { inTurns, lazy } from '../domain/scheduling.ts'
import { compileFilter } from './matching/filter.ts'
import { DESCRIBED, describedMemory, getMemory, MEMORY_CHECKS, NO_SUCH_MEMORY, scanMemories } from './memories.ts'
import type { Opened } from './open-options.ts'

const PATCH_FIELDS = {
  text: givenAs<string>(),
  occurredAt: check.time,
  validTo: check.optionalTime,
  ...MEMORY_CHECKS,
  /** The `updatedAt` of what was seen: rejects `conflict` where the memory has changed since. */
  ifUpdatedAt: check.time,
}

/** The fields that an edit may change; absent ones stay. */
export type UpdateMemoryInput = InputOf<typeof PATCH_FIELDS>

// Loaded late: it reads texts, and most edits need none of it.
const following = lazy(() => import('./think/follow-text.ts'))
const profileLines = lazy(() => import('./think/profile-lines.ts'))

const inTurn = inTurns()

/** Changes the patch's fields; what follows from the text changes with it. Rejects not_found and `conflict`. */
export async function updateMemory(
  { store: { memories, profiles }, options: { clock, maxContentBytes, timeZone } }: Opened,
  userId: string,
  id: string,
  patch: UpdateMemoryInput,
): Promise<Memory> {
  const memoryId = check.id('id', id)
  const user = check.id('userId', userId)
  const { ifUpdatedAt, ...said } = checkPatch(patch, maxContentBytes)
  return inTurn(memories, JSON.stringify([user, memoryId]), async () => {
    if (said.validTo === undefined && said.text === undefined && ifUpdatedAt === undefined)
      return written(memories, user, memoryId, said, clock)
    const before = await getMemory(memories, user, memoryId)
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.updatedAt)
      throw new MnemeError('conflict', 'This memory was changed meanwhile.', { remedy: 'Read it again.' })
    if (said.validTo !== undefined && before.supersededBy !== null)
      throw invalid('validTo', 'was set by the memory that took its place', `Edit the memory ${before.supersededBy}.`)
    const isReworded = said.text !== undefined && said.text !== before.text
    const changes = settled(
      before,
      isReworded ? correctedNow(before, await (await following()).withFollowing(before, said, timeZone), clock) : said,
    )
    const after = { ...before, ...changes }
    const says = isReworded ? await linesAfter(profiles, user, before, after) : undefined
    return written(memories, user, memoryId, changes, clock, says)
  })
}

/** The patch of a memory whose words somebody gives, these or others: nothing said before them leaves it in doubt. */
function settled(before: Memory, patch: MemoryPatch): MemoryPatch {
  return patch.text === undefined || before.suspect === null
    ? patch
    : { ...patch, ...undoubted(patch.metadata ?? before.metadata) }
}

/** Lifts the doubts that memories cast which are gone. */
async function liftDoubts(
  memories: MemoryStore,
  user: string,
  clock: Clock,
  doubted: readonly Memory[],
): Promise<void> {
  for (const { id, metadata } of doubted) await memories.update(user, id, undoubted(metadata), clock().getTime())
}

/** The memories in doubt because of these. */
async function doubtedBy(memories: MemoryStore, user: string, ids: readonly string[]): Promise<readonly Memory[]> {
  const gone = new Set<unknown>(ids)
  const others = (await memories.pointingTo(user, ids)).filter((id) => !gone.has(id))
  const found = await memories.getMany(user, others, { includePast: true, includeBuried: true })
  return found.filter(({ suspect, metadata }) => suspect !== null && gone.has(metadata?.[DOUBTED_BY]))
}

/** The patch with the time of the correction, for a memory of which turns keep the old words. */
function correctedNow(before: Memory, patch: MemoryPatch, clock: Clock): MemoryPatch {
  if (!sourcesOf(before).some(({ turn_ids }) => turn_ids.length > 0)) return patch
  const at = isoTime(clock().getTime())
  return {
    ...patch,
    metadata: { ...(patch.metadata === undefined ? before.metadata : patch.metadata), [CORRECTED_AT]: at },
  }
}

/** The profile lines of a reworded memory: where a model had made one of it, the new words are the line. */
async function linesAfter(
  profiles: Pick<ProfileStore, 'get'>,
  user: string,
  before: Memory,
  after: Memory,
): Promise<readonly NewProfileLine[]> {
  const { linesOfMemory } = await profileLines()
  const lines = linesOfMemory(after)
  if (lines.length + linesOfMemory(before).length > 0) return lines
  const made = (await profiles.get(user)).lines.find(
    ({ source, tellings = [] }) =>
      source === 'machine' && tellings.some((one) => 'memoryIds' in one && one.memoryIds.includes(after.id)),
  )
  const { text, id } = after
  return made?.section == null ? [] : [{ section: made.section, text, telling: { memoryIds: [id] } }]
}

/** Buries a memory with profile lines that only it says, or takes it out again. Rejects not_found. */
export async function buryMemory(
  { store: { memories }, options: { clock } }: Opened,
  userId: string,
  id: string,
  isBuried: boolean,
): Promise<Memory> {
  const memoryId = check.id('id', id)
  const user = check.id('userId', userId)
  const before = await getMemory(memories, user, memoryId)
  if (((before.buriedAt ?? null) !== null) === isBuried) return before
  const now = clock().getTime()
  const buriedAt = isBuried ? now : null
  const after = { ...before, buriedAt }
  const lines = isBuried || !holdsAt(after, now) ? [] : (await profileLines()).linesOfMemory(after)
  for (;;) {
    const revision = await memories.revision(user)
    const update = [{ id: memoryId, patch: { buriedAt }, event: 'UPDATE' as const }]
    if (await memories.apply(user, revision, { insert: [], update, remove: [], lines, at: now })) break
  }
  return getMemory(memories, user, memoryId)
}

async function written(
  memories: MemoryStore,
  user: string,
  memoryId: string,
  changes: MemoryPatch,
  clock: Clock,
  says?: readonly NewProfileLine[],
): Promise<Memory> {
  const updated = await memories.update(user, memoryId, changes, clock().getTime(), says)
  if (updated === null) throw notFound('memory', memoryId, NO_SUCH_MEMORY)
  return updated
}

function checkPatch(patch: unknown, maxBytes: number): MemoryPatch & { readonly ifUpdatedAt?: number } {
  const text = (field: string, value: unknown): string => check.content(field, value, maxBytes)
  const checks: Readonly<Record<string, (field: string, value: unknown) => unknown>> = { ...PATCH_FIELDS, text }
  const names = Object.keys(checks)
  const given = Object.entries(check.record('', patch, names)).filter(([, value]) => value !== undefined)
  if (given.every(([name]) => name === 'ifUpdatedAt'))
    throw invalid('patch', 'changes nothing', `Name at least one of: ${names.join(', ')}.`)
  return Object.fromEntries(given.map(([name, value]) => [name, checks[name]!(name, value)]))
}

const PLANNED_FIELDS = { text: givenAs<string>(), ...DESCRIBED }
/** A memory of a plan: a text, and the fields with it. */
type PlannedMemory = InputOf<typeof PLANNED_FIELDS, 'text'>

/** A plan. Both lists have at most 10,000 items. */
export interface WriteMemoriesInput {
  readonly userId: string
  /** The value of `revision` before the plan's first read. */
  readonly expectedRevision: number
  /** Stored as they are; one whose externalId is there already, after the removals, is passed over. */
  readonly add?: readonly PlannedMemory[] | undefined
  /** Ids of memories to remove for good; unknown ones are passed over. */
  readonly remove?: readonly string[] | undefined
}

/** Writes a plan in one transaction. false, and nothing is written, when the revision is another by now: plan anew. */
export async function writeMemories(
  { store: { memories }, options: { clock, maxContentBytes } }: Opened,
  input: WriteMemoriesInput,
): Promise<boolean> {
  check.record('', input, ['userId', 'expectedRevision', 'add', 'remove'])
  const userId = check.id('userId', input.userId)
  const expected = check.integer('expectedRevision', input.expectedRevision, 0, Number.MAX_SAFE_INTEGER)
  const at = clock().getTime()
  const planned = (field: string, value: unknown): Memory => {
    const { text, ...said } = check.fields(field, value, PLANNED_FIELDS)
    const words = check.content(`${field}.text`, text, maxContentBytes)
    return { ...describedMemory(said, at), id: memoryId(), text: words }
  }
  const insert = check.list('add', input.add ?? [], planned, LIMITS.turnsPerCall)
  const remove = check.list('remove', input.remove ?? [], check.id, LIMITS.turnsPerCall)
  return memories.apply(userId, expected, { insert, update: [], remove, wipes: true, at })
}

/** Inserts the new ones, in one transaction. */
export async function restoreMemories(
  store: MemoryStore,
  userId: string,
  restored: readonly RestoredMemory[],
  maxContentBytes: number,
): Promise<{ readonly added: number; readonly existing: number }> {
  const user = check.id('userId', userId)
  for (const { memory, edits } of restored) {
    check.id('id', memory.id)
    check.content('text', memory.text, maxContentBytes)
    for (const { previousText } of edits)
      if (previousText !== null) check.content('history.previousText', previousText, maxContentBytes)
  }
  const stored = await store.restore(user, restored)
  const existing = stored.filter(({ existed }) => existed).length
  return { added: stored.length - existing, existing }
}

/** The most passes over a filter's memories, while others write. */
const MOST_ROUNDS = 20

/** Removes one memory for good, with the profile lines of it alone and the doubts that it cast. Rejects not_found. */
export async function deleteMemory(opened: Opened, userId: string, id: string): Promise<void> {
  const memoryId = check.id('id', id)
  if ((await deleteMemories(opened, userId, [memoryId])) === 0) throw notFound('memory', memoryId, NO_SUCH_MEMORY)
}

/** Removes these for good, as `deleteMemory` does, in one transaction; how many there were. */
export async function deleteMemories(
  { store: { memories }, options: { clock } }: Opened,
  userId: string,
  ids: readonly string[],
): Promise<number> {
  const user = check.id('userId', userId)
  const given = check.list('ids', ids, check.id, LIMITS.turnsPerCall)
  const doubted = await doubtedBy(memories, user, given)
  const removed = await memories.remove(user, given)
  await liftDoubts(memories, user, clock, doubted)
  return removed
}

/** Removes the user's memories, or those that pass the filter, for good; their number. */
export async function deleteAllMemories(
  { store: { memories, profiles }, options: { clock } }: Opened,
  input: { readonly userId: string; readonly filters?: unknown },
): Promise<number> {
  const { userId, filters } = check.fields('', input, { userId: check.id, filters: asGiven })
  const { stored, accepts, where } = compileFilter(filters)
  if (accepts === null && Object.keys(stored).length === 0) {
    await profiles.clear(userId, clock().getTime())
    return memories.removeAll(userId)
  }
  let removed = 0
  // Memories that others edit meanwhile move to another page, and would be passed over.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const ids = new Set<string>()
    const filter = { ...stored, includePast: true, includeBuried: true }
    for await (const memory of scanMemories(memories, userId, { filter, where }))
      if (accepts?.(memory) !== false) ids.add(memory.id)
    if (ids.size === 0) break
    removed += await memories.remove(userId, [...ids])
  }
  return removed
}
