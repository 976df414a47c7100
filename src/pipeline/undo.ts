/**
 * What came from this turn or conversation, and how is it taken back? Every memory made from it goes for good, those that
 * it had ended hold again, doubts that it had cast are lifted, its lines leave the profile, and topic and variables are
 * those of the other turns. The turns stay.
 */

import type { MemoryChange } from '../contracts/memory-store.ts'
import type { Store } from '../contracts/store.ts'
import { checkId, checkInteger } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import { MnemeError, notFound } from '../domain/errors.ts'
import type { Logger } from '../domain/logger.ts'
import { holdsAt, type Memory } from '../domain/memory.ts'
import { breathe } from '../domain/pieces.ts'
import { readSourceTurns, type SourceScope, type SourceTurns } from './source-turns.ts'
import { planChanges } from './thinking/plan-changes.ts'
import { linesOfDrafts, linesOfMemory } from './thinking/profile-lines.ts'
import { readsOf } from './thinking/related-memories.ts'
import type { ThinkInput, Thoughts } from './thinking/thoughts.ts'
import { renewAnalysis } from './undo-analysis.ts'
import { comesFrom, namesOf } from './undo-references.ts'
import { joinChanges, repairsOf } from './undo-repairs.ts'
import { keptBy, memoriesAfter, otherSources, thinkAgain } from './undo-sources.ts'
import { takeUpdatesBack } from './undo-updates.ts'

/** The source that is taken back. */
export interface UndoInput {
  readonly userId: string
  readonly conversationId: string
  /** One turn of it; default: all of them. */
  readonly turnId?: number | undefined
}

/** What was taken back. */
export interface UndoCounts {
  /** Memories that are gone. */
  readonly removed: number
  /** Memories that hold again, or say again what they said before it. */
  readonly restored: number
  /** Doubts that were lifted. */
  readonly cleared: number
  readonly profileLines: number
}

/** What taking back needs. */
export interface UndoDependencies {
  readonly store: Pick<Store, 'memories' | 'log' | 'profiles' | 'workingMemory'>
  readonly clock: Clock
  readonly logger: Logger
  /** Thinks without a model. */
  readonly think: (input: ThinkInput) => Promise<Thoughts>
  readonly newId: () => string
  /** Longest text of one memory, in characters. */
  readonly maxCharacters: () => Promise<number>
}

/** Removed in one transaction. */
const MEMORIES_TAKEN_A_PIECE = 50
const MOST_ATTEMPTS = 20
const MOST_ROUNDS = 20

/** Takes back what came from the source. Rejects `not_found` for a conversation that the user does not have. */
export async function undoSource(dependencies: UndoDependencies, input: UndoInput): Promise<UndoCounts> {
  const { store } = dependencies
  const userId = checkId('userId', input.userId)
  const conversationId = checkId('conversationId', input.conversationId)
  const turnId = input.turnId === undefined ? null : checkInteger('turnId', input.turnId, 1, Number.MAX_SAFE_INTEGER)
  const scope: SourceScope =
    turnId === null ? { kind: 'conversation', conversationId } : { kind: 'turn', conversationId, turnId }
  const known = await store.log.conversation(userId, conversationId)
  const sources = await readSourceTurns(store, userId, scope)
  const counts = await takeBack(dependencies, userId, sources)
  await renewAnalysis(store, userId, conversationId, sources, dependencies.clock().getTime())
  if (known === null && counts.removed + counts.profileLines === 0)
    throw notFound('conversation', conversationId, 'List the conversations to see their ids.')
  return counts
}

/**
 * Takes back what came from these turns, a few memories at a time, each piece with all that follows from it in one
 * transaction: stopped half-way, it can be asked for again.
 */
export async function takeBack(
  dependencies: UndoDependencies,
  userId: string,
  sources: SourceTurns,
): Promise<UndoCounts> {
  const { store, clock, logger } = dependencies
  const counts = { removed: 0, restored: 0, cleared: 0, profileLines: 0 }
  const linesBefore = await machineLines(store, userId)
  // Asked again when all pieces are done: others may have written meanwhile.
  for (let round = 1; ; round += 1) {
    const ids = await store.memories.madeFrom(userId, sources)
    let removed = 0
    for (let first = 0; first < ids.length; first += MEMORIES_TAKEN_A_PIECE) {
      const piece = await takeBackPiece(dependencies, userId, sources, ids.slice(first, first + MEMORIES_TAKEN_A_PIECE))
      removed += piece.taken
      counts.removed += piece.removed
      counts.restored += piece.restored
      counts.cleared += piece.cleared
      await breathe()
    }
    if (removed === 0) {
      const now = (): number => clock().getTime()
      counts.restored += await takeUpdatesBack(store.memories, userId, ids, sources, now)
      break
    }
    if (round > MOST_ROUNDS)
      throw new MnemeError('conflict', 'Not everything was undone: others wrote all the time.', {
        remedy: 'Try again.',
      })
  }
  await store.profiles.takeBack(userId, sources, clock().getTime())
  counts.profileLines = linesBefore.difference(await machineLines(store, userId)).size
  logger.info('a source was undone', { operation: 'undo', user: userId, count: counts.removed, ...counts })
  return counts
}

async function machineLines({ profiles }: Pick<Store, 'profiles'>, userId: string): Promise<ReadonlySet<string>> {
  const { lines } = await profiles.get(userId)
  return new Set(lines.filter(({ source }) => source === 'machine').map(({ text }) => text))
}

async function takeBackPiece(
  dependencies: UndoDependencies,
  userId: string,
  sources: SourceTurns,
  ids: readonly string[],
): Promise<Omit<UndoCounts, 'profileLines'> & { readonly taken: number }> {
  const { store, clock, newId, think, maxCharacters } = dependencies
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const revision = await store.memories.revision(userId)
    const now = clock().getTime()
    const found = await store.memories.getMany(userId, ids, { includePast: true })
    const kept: MemoryChange[] = []
    const gone: Memory[] = []
    const taken = found.filter((one) => comesFrom(one, sources))
    if (taken.length === 0) return { taken: 0, removed: 0, restored: 0, cleared: 0 }
    for (const memory of taken) {
      const change = await keptBy(store, userId, memory, sources)
      if (change === null) gone.push(memory)
      else kept.push(change)
    }
    const others = await readPointing(store, userId, gone)
    const successors = await successorsOf(store, userId, sources, gone)
    const { restored, cleared, remainders } = repairsOf(gone, others, (id) => successors.get(id) ?? null)
    const goneIds = new Set([...gone.map(({ id }) => id), ...remainders])
    const repairs = joinChanges([...restored, ...cleared, ...kept]).filter(({ id }) => !goneIds.has(id))
    const patches = new Map(repairs.map(({ id, patch }) => [id, patch]))
    const changed = (await store.memories.getMany(userId, [...patches.keys()], { includePast: true })).map(
      (memory): Memory => ({ ...memory, ...patches.get(memory.id) }),
    )
    const again = await thinkAgain(store, think, userId, otherSources(gone, sources), {
      now,
      maxCharacters: await maxCharacters(),
    })
    const plan = await planChanges(memoriesAfter(readsOf(store.memories), goneIds, changed), userId, again, newId, now)
    const holding = changed.filter(({ id }) => restored.some((one) => one.id === id))
    const changes = {
      lines: [
        ...holding.filter((memory) => holdsAt(memory, now)).flatMap(linesOfMemory),
        ...linesOfDrafts(again, plan.outcomes, now),
      ],
      insert: plan.insert,
      update: joinChanges([...repairs, ...plan.update]),
      remove: [...goneIds],
      at: now,
    }
    if (await store.memories.apply(userId, revision, changes))
      return { taken: taken.length, removed: gone.length, restored: restored.length, cleared: cleared.length }
  }
  throw new MnemeError('conflict', 'Not everything was undone: others wrote all the time.', { remedy: 'Try again.' })
}

/** The memories that point to those that go, and what was once kept of memories that these had ended. */
async function readPointing(
  { memories }: Pick<Store, 'memories'>,
  userId: string,
  gone: readonly Memory[],
): Promise<readonly Memory[]> {
  const direct = await memories.pointingTo(userId, gone.flatMap(namesOf))
  const ids = new Set([...direct, ...(await memories.pointingTo(userId, direct))])
  for (const { id } of gone) ids.delete(id)
  return memories.getMany(userId, [...ids], { includePast: true })
}

/** Who took over in the end, all that come from the source passed over; null: nobody is left. */
async function successorsOf(
  { memories }: Pick<Store, 'memories'>,
  userId: string,
  sources: SourceTurns,
  gone: readonly Memory[],
): Promise<ReadonlyMap<string, string | null>> {
  const successors = new Map<string, string | null>()
  for (const memory of gone) {
    const passed = new Set(namesOf(memory))
    let next = memory.supersededBy
    while (next !== null && !passed.has(next)) {
      const one: Memory | null = await memories.get(userId, next)
      if (one === null || !comesFrom(one, sources)) break
      passed.add(next)
      next = one.supersededBy
    }
    for (const name of namesOf(memory)) successors.set(name, next !== null && passed.has(next) ? null : next)
  }
  return successors
}
