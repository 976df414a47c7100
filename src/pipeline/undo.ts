/**
 * What came from this turn or conversation, and how is it taken back? Every memory made from it goes for good, those that
 * it had ended hold again, doubts that it had cast are lifted, and its lines leave the profile. The turns stay.
 */
import { sourcesOf } from '../cognition/merge/episode-metadata.ts'
import type { MemoryChange } from '../contracts/memory-store.ts'
import type { Store } from '../contracts/store.ts'
import { checkId, checkInteger } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import { MnemeError, notFound } from '../domain/errors.ts'
import type { Logger } from '../domain/logger.ts'
import type { Memory } from '../domain/memory.ts'
import { breathe } from '../domain/pieces.ts'
import type { ThinkMessage } from '../domain/thought.ts'
import { readSourceTurns, type SourceScope, type SourceTurns } from './source-turns.ts'
import { DOUBTED_BY } from './thinking/plan-changes.ts'
import type { ThinkInput, Thoughts } from './thinking/thoughts.ts'
import { writeThoughts } from './thinking/write-thoughts.ts'

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
  /** Memories that hold again. */
  readonly restored: number
  /** Doubts that were lifted. */
  readonly cleared: number
  readonly profileLines: number
}

/** What taking back needs. */
export interface UndoDependencies {
  readonly store: Pick<Store, 'memories' | 'log' | 'profiles'>
  readonly clock: Clock
  readonly logger: Logger
  /** Thinks without a model. */
  readonly think: (input: ThinkInput) => Promise<Thoughts>
  readonly newId: () => string
  /** Longest text of one memory, in characters. */
  readonly maxCharacters: () => Promise<number>
}

const MEMORIES_A_PIECE = 500
/** Removed in one transaction. */
const MEMORIES_TAKEN_A_PIECE = 50
const MOST_ATTEMPTS = 20

/** Takes back what came from the source. Rejects `not_found` for a conversation that the user does not have. */
export async function undoSource(dependencies: UndoDependencies, input: UndoInput): Promise<UndoCounts> {
  const { store } = dependencies
  const userId = checkId('userId', input.userId)
  const conversationId = checkId('conversationId', input.conversationId)
  const turnId = input.turnId === undefined ? null : checkInteger('turnId', input.turnId, 1, Number.MAX_SAFE_INTEGER)
  const scope: SourceScope =
    turnId === null ? { kind: 'conversation', conversationId } : { kind: 'turn', conversationId, turnId }
  const known = await store.log.conversation(userId, conversationId)
  const counts = await takeBack(dependencies, userId, await readSourceTurns(store, userId, scope))
  if (known === null && counts.removed === 0)
    throw notFound('conversation', conversationId, 'List the conversations to see their ids.')
  return counts
}

/** Takes back what came from these turns, a few memories at a time: stopped half-way, it can be asked for again. */
export async function takeBack(
  dependencies: UndoDependencies,
  userId: string,
  sources: SourceTurns,
): Promise<UndoCounts> {
  const { store, clock, logger } = dependencies
  const counts = { removed: 0, restored: 0, cleared: 0, profileLines: 0 }
  for (;;) {
    const piece = await takeBackPiece(dependencies, userId, sources)
    counts.removed += piece.removed
    counts.restored += piece.restored
    counts.cleared += piece.cleared
    if (piece.removed < MEMORIES_TAKEN_A_PIECE) break
    await breathe()
  }
  if (sources.profileTexts.length > 0)
    counts.profileLines = await store.profiles.removeLines(userId, sources.profileTexts, clock().getTime())
  logger.info('a source was undone', { operation: 'undo', user: userId, count: counts.removed, ...counts })
  return counts
}

async function takeBackPiece(
  dependencies: UndoDependencies,
  userId: string,
  sources: SourceTurns,
): Promise<Omit<UndoCounts, 'profileLines'>> {
  const { store, clock } = dependencies
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const revision = await store.memories.revision(userId)
    const all = await allMemories(store, userId)
    const gone = all.filter((memory) => comesFrom(memory, sources)).slice(0, MEMORIES_TAKEN_A_PIECE)
    if (gone.length === 0) return { removed: 0, restored: 0, cleared: 0 }
    const { restored, cleared } = repairs(all, gone)
    const changes = {
      insert: [],
      update: [...restored, ...cleared],
      remove: gone.map(({ id }) => id),
      at: clock().getTime(),
    }
    if (!(await store.memories.apply(userId, revision, changes))) continue
    await thinkAgain(dependencies, userId, otherSources(gone, sources))
    return { removed: gone.length, restored: restored.length, cleared: cleared.length }
  }
  throw new MnemeError('conflict', 'Not everything was undone: others wrote all the time.', { remedy: 'Try again.' })
}

async function allMemories({ memories }: Pick<Store, 'memories'>, userId: string): Promise<readonly Memory[]> {
  const all: Memory[] = []
  for (let offset = 0; ; offset += MEMORIES_A_PIECE) {
    const { items } = await memories.list(userId, { limit: MEMORIES_A_PIECE, offset, filter: { includePast: true } })
    all.push(...items)
    if (items.length < MEMORIES_A_PIECE) return all
    await breathe()
  }
}

function comesFrom(memory: Memory, { turns, whole }: SourceTurns): boolean {
  return sourcesOf(memory).some(({ conversation_id: id, turn_ids }) => {
    if (id === null) return false
    const taken = turns.get(id)
    return whole.has(id) || (taken !== undefined && turn_ids.some((turn) => taken.has(turn)))
  })
}

/** What the memories that are gone had done to others is taken back. */
function repairs(
  all: readonly Memory[],
  gone: readonly Memory[],
): { readonly restored: readonly MemoryChange[]; readonly cleared: readonly MemoryChange[] } {
  const ids = new Set(gone.map(({ id }) => id))
  const left = all.filter(({ id }) => !ids.has(id))
  const successors = new Map(gone.map(({ id, supersededBy }) => [id, supersededBy]))
  /** Who took over in the end, those that are gone passed over. */
  const successor = (id: string): string | null => {
    let next: string | null = id
    while (next !== null && ids.has(next)) next = successors.get(next) ?? null
    return next
  }
  const restored = left
    .filter(({ supersededBy }) => supersededBy !== null && ids.has(supersededBy))
    .map(({ id, supersededBy }): MemoryChange => {
      const next = successor(supersededBy ?? '')
      const patch = next === null ? { validTo: null, supersededBy: null } : { supersededBy: next }
      return { id, patch, event: next === null ? 'UPDATE' : 'SUPERSEDE' }
    })
  const cleared = left
    .filter(({ metadata }) => typeof metadata?.[DOUBTED_BY] === 'string' && ids.has(metadata[DOUBTED_BY]))
    .map(({ id, metadata }): MemoryChange => {
      const { [DOUBTED_BY]: _, ...rest } = metadata ?? {}
      return { id, patch: { suspect: null, metadata: rest }, event: 'UPDATE' }
    })
  return { restored, cleared }
}

/** What the memories that are gone had been made of besides: they may have been merged from several chats. */
function otherSources(gone: readonly Memory[], { turns, whole }: SourceTurns): ReadonlyMap<string, readonly number[]> {
  const others = new Map<string, readonly number[]>()
  for (const { conversation_id: id, turn_ids } of gone.flatMap(sourcesOf)) {
    if (id === null || whole.has(id)) continue
    const left = turn_ids.filter((turn) => turns.get(id)?.has(turn) !== true)
    if (left.length > 0) others.set(id, [...new Set([...(others.get(id) ?? []), ...left])])
  }
  return others
}

/** Thinks about those turns once more, so that nothing is lost that came from elsewhere. */
async function thinkAgain(
  { store, clock, think, newId, maxCharacters }: UndoDependencies,
  userId: string,
  sources: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  for (const [conversationId, turnIds] of sources)
    for (const turnId of turnIds) {
      const turns = await store.log.turns(userId, conversationId, { from: Math.max(1, turnId - 1), to: turnId })
      const messages = turns.map(
        ({ role, content, speaker, turnId: number, createdAt }): ThinkMessage => ({
          role,
          content,
          speaker,
          turnId: number,
          createdAt,
        }),
      )
      // The turn before is there to be understood with it, not to be thought about again.
      if (messages.length > 1 && messages[0]!.role === 'user') messages.shift()
      const now = clock().getTime()
      const input = { userId, conversationId, messages, now, maxCharacters: await maxCharacters() }
      const { drafts } = await think(input)
      if (drafts.length > 0) await writeThoughts({ memories: store.memories, newId }, userId, drafts, now)
    }
}
