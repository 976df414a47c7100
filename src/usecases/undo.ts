/** Takes back the memories that came from a turn or conversation, with their effects; the turns stay. */
import { check, type InputOf, orElse } from '../domain/checks.ts'
import type { RemovalScope } from '../domain/contracts/conversation-log.ts'
import type { MemoryChange } from '../domain/contracts/memory-store.ts'
import type { TakenBackTurns } from '../domain/contracts/small-stores.ts'
import type { Store } from '../domain/contracts/store.ts'
import { MnemeError, notFound } from '../domain/errors.ts'
import { memoryId } from '../domain/ids.ts'
import { DOUBTED_BY, holdsAt, type Memory, sourcesOf, undoubted } from '../domain/memory.ts'
import { breathe, everyItem } from '../domain/scheduling.ts'
import type { ThinkMessage } from '../domain/thought.ts'
import { metadataTexts } from '../thinking/merge/episode-metadata.ts'
import { updatesOf, withoutUpdates } from '../thinking/reconsolidate/reconsolidate-by-rules.ts'
import type { Opened } from './open-options.ts'
import type { Draft, ThinkInput, Thoughts } from './think/draft.ts'
import { planChanges } from './think/plan-changes.ts'
import { linesOfDrafts, linesOfMemory } from './think/profile-lines.ts'
import { asChanged, readsOf } from './think/related-memories.ts'
import { isTaken, messageOf, renewAnalysis } from './think/take-back-turns.ts'

const FIELDS = {
  userId: check.id,
  conversationId: check.id,
  /** One turn of it; default: all of them. */
  turnId: orElse(null, check.ordinal),
}
/** The source that is taken back. */
export type UndoInput = InputOf<typeof FIELDS, 'userId' | 'conversationId'>

/** The counts of taken-back items. */
export interface UndoCounts {
  /** Memories that are gone. */
  readonly removed: number
  /** Memories that hold again, or have their former words again. */
  readonly restored: number
  /** Doubts that were lifted. */
  readonly cleared: number
  readonly profileLines: number
}

/** The items that would be taken back. */
export interface UndoPreview {
  readonly gone: readonly Memory[]
  /** Memories that another turn says as well: they would stay. */
  readonly kept: readonly Memory[]
  /** Memories that would hold again, or have their former words again. */
  readonly restored: readonly Memory[]
}

export interface UndoDependencies extends Opened {
  readonly thinking: {
    readonly byRules: (input: ThinkInput) => Promise<Thoughts>
    /** Longest text of one memory, in characters. */
    readonly maxCharacters: () => Promise<number>
  }
}

const ALL = { includePast: true, includeBuried: true }
const MEMORIES_A_PIECE = 50
const MOST_ATTEMPTS = 20
const MOST_ROUNDS = 20

/** Takes back the results of the source. Rejects `not_found` for a conversation or turn that the user does not have. */
export async function undoSource(dependencies: UndoDependencies, input: UndoInput): Promise<UndoCounts> {
  const { userId, conversationId, scope } = readUndo(input)
  const known = await dependencies.store.log.conversation(userId, conversationId)
  const sources = await sourceTurns(dependencies.store, userId, scope)
  const counts = await takeBack(dependencies, userId, sources)
  await renewAnalysis(dependencies, userId, conversationId, sources)
  const isThere = known !== null && (scope.kind !== 'turn' || scope.turnId <= known.lastTurnId)
  if (!isThere && counts.removed + counts.profileLines === 0)
    throw notFound(scope.kind, conversationId, 'List the conversations and their turns to see what there is.')
  return counts
}

function readUndo(input: UndoInput) {
  const { userId, conversationId, turnId } = check.fields('', input, FIELDS)
  const scope: SourceScope =
    turnId === null ? { kind: 'conversation', conversationId } : { kind: 'turn', conversationId, turnId }
  return { userId, conversationId, scope }
}

/** The effect that `undoSource` would have on memories; changes nothing. */
export async function previewUndo({ store }: UndoDependencies, input: UndoInput): Promise<UndoPreview> {
  const { userId, scope } = readUndo(input)
  const sources = await sourceTurns(store, userId, scope)
  const told = await store.memories.getMany(userId, await store.memories.madeFrom(userId, sources), ALL)
  const gone = told.filter((memory) => isMadeFrom(memory, sources))
  const kept = told.filter((memory) => !gone.includes(memory) && isToldBy(memory, sources))
  const { restored } = await repairsOf(store, userId, sources, gone)
  const ids = restored.map(({ id }) => id)
  return { gone, kept, restored: await store.memories.getMany(userId, ids, ALL) }
}

/** Takes back a few memories a transaction: stopped half-way, it can be asked for again. */
export async function takeBack(
  dependencies: UndoDependencies,
  userId: string,
  sources: TakenBackTurns,
): Promise<UndoCounts> {
  const { store, options } = dependencies
  const { clock, logger } = options
  const counts = { removed: 0, restored: 0, cleared: 0, profileLines: 0 }
  const linesBefore = await machineLines(store, userId)
  // Asked again when all pieces are done: others may have written meanwhile.
  for (let round = 1, isDone = false; !isDone; round += 1) {
    if (round > MOST_ROUNDS) throw conflict()
    isDone = true
    const ids = await store.memories.madeFrom(userId, sources)
    for (let first = 0; first < ids.length; first += MEMORIES_A_PIECE) {
      const piece = await takePieceBack(dependencies, userId, sources, ids.slice(first, first + MEMORIES_A_PIECE))
      if (piece === null) continue
      isDone = false
      counts.removed += piece.removed
      counts.restored += piece.restored
      counts.cleared += piece.cleared
      await breathe()
    }
  }
  await store.profiles.takeBack(userId, sources, clock().getTime())
  counts.profileLines = linesBefore.difference(await machineLines(store, userId)).size
  logger.info('a source was undone', { operation: 'undo', user: userId, count: counts.removed, ...counts })
  return counts
}

/** null: none of these memories holds anything of the source any more. */
async function takePieceBack(
  dependencies: UndoDependencies,
  userId: string,
  sources: TakenBackTurns,
  ids: readonly string[],
): Promise<Omit<UndoCounts, 'profileLines'> | null> {
  const { store, options } = dependencies
  const { memories } = store
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const revision = await memories.revision(userId)
    const now = options.clock().getTime()
    const told = await memories.getMany(userId, ids, ALL)
    const gone = told.filter((memory) => isMadeFrom(memory, sources))
    const kept: MemoryChange[] = []
    for (const memory of told)
      if (!gone.includes(memory)) kept.push(...(await withoutSource(store, userId, memory, sources)))
    if (gone.length + kept.length === 0) return null
    const { restored, cleared } = await repairsOf(store, userId, sources, gone)
    const goneIds = new Set(gone.map(({ id }) => id))
    const repairs = joinChanges([...restored, ...cleared, ...kept])
    const patches = new Map(repairs.map(({ id, patch }) => [id, patch]))
    const changed = (await memories.getMany(userId, [...patches.keys()], ALL)).map(
      (memory): Memory => ({ ...memory, ...patches.get(memory.id) }),
    )
    const again = await thinkAgain(dependencies, userId, gone, sources, now)
    const plan = await planChanges(asChanged(readsOf(memories), goneIds, changed), userId, again, memoryId, now)
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
    const said = kept.filter(({ unsaid }) => unsaid !== undefined).length
    if (await memories.apply(userId, revision, changes))
      return { removed: gone.length, restored: restored.length + said, cleared: cleared.length }
  }
  throw conflict()
}

/** Whether a memory says something of the source that cannot be taken out. */
function isMadeFrom(memory: Memory, sources: TakenBackTurns): boolean {
  const { conversationId, sourceTurnIds, metadata, text } = memory
  if (isToldBy({ conversationId, sourceTurnIds, metadata: null }, sources)) return true
  if (metadataTexts(metadata, 'merged_from_ids').length === 0) return false
  const updates = updatesOf(metadata).filter((one) => isTaken(sources, one.conversationId, one.turnId))
  if (updates.length > 0) return !updates.every(({ piece }) => text.includes(piece))
  return isToldBy(memory, sources)
}

function isToldBy(
  memory: Pick<Memory, 'metadata' | 'conversationId' | 'sourceTurnIds'>,
  sources: TakenBackTurns,
): boolean {
  return sourcesOf(memory).some(
    ({ conversation_id: id, turn_ids }) =>
      isTaken(sources, id, null) || turn_ids.some((turn) => isTaken(sources, id, turn)),
  )
}

/** The change that takes the source and its additions off a memory told elsewhere; none where it added nothing. */
async function withoutSource(
  { memories }: Pick<Store, 'memories'>,
  userId: string,
  memory: Memory,
  sources: TakenBackTurns,
): Promise<readonly MemoryChange[]> {
  const { id, text } = memory
  const { sources: told, ...metadata } = memory.metadata ?? {}
  const left = tellingsLeft(memory, sources)
  const without = told === undefined || left.length === 0 ? metadata : { ...metadata, sources: left }
  const taken = updatesOf(metadata).filter((one) => isTaken(sources, one.conversationId, one.turnId))
  if (taken.length === 0)
    return isToldBy(memory, sources) ? [{ id, patch: { metadata: without }, event: 'UPDATE' }] : []
  const since = Math.min(...taken.map(({ at }) => at))
  const before = (await memories.history(userId, id)).find(
    ({ event, createdAt, previousText, newText }) =>
      event === 'UPDATE' && createdAt >= since && previousText !== newText,
  )?.previousText
  const patch = withoutUpdates({ text, metadata: without }, taken, before ?? null)
  return [{ id, patch, event: 'UPDATE', unsaid: { since, text: before ?? patch.text } }]
}

/** The other sources of a memory, each conversation once. */
function tellingsLeft(
  memory: Memory,
  sources: TakenBackTurns,
): readonly { readonly conversation_id: string; readonly turn_ids: readonly number[] }[] {
  return sourcesOf(memory).flatMap(({ conversation_id, turn_ids }) => {
    if (conversation_id === null || isTaken(sources, conversation_id, null)) return []
    const left = turn_ids.filter((turn) => !isTaken(sources, conversation_id, turn))
    return left.length === 0 ? [] : [{ conversation_id, turn_ids: left }]
  })
}

/** The memories that these had ended hold again, or are ended by the next in the row that stays; their doubts are lifted. */
async function repairsOf(
  { memories }: Pick<Store, 'memories'>,
  userId: string,
  sources: TakenBackTurns,
  gone: readonly Memory[],
): Promise<{ readonly restored: readonly MemoryChange[]; readonly cleared: readonly MemoryChange[] }> {
  // Others may still name the ones that were merged into it.
  const namesOf = ({ id, metadata }: Memory): readonly string[] => [id, ...metadataTexts(metadata, 'merged_from_ids')]
  const successors = new Map<string, string | null>()
  /** Where a row of successors leads; each is followed once. */
  const ends = new Map<string, string | null>()
  for (const memory of gone) {
    const passed = new Set(namesOf(memory))
    let next = memory.supersededBy
    while (next !== null) {
      const known = ends.get(next)
      if (known !== undefined) {
        next = known
        break
      }
      const one: Memory | null = passed.has(next) ? null : await memories.get(userId, next)
      passed.add(next)
      if (one !== null && !isMadeFrom(one, sources)) break
      next = one?.supersededBy ?? null
      if (passed.size % MEMORIES_A_PIECE === 0) await breathe()
    }
    for (const name of passed) ends.set(name, next)
    for (const name of namesOf(memory)) successors.set(name, next)
  }
  const pointing = await memories.pointingTo(userId, [...successors.keys()])
  const others = await memories.getMany(
    userId,
    pointing.filter((id) => !gone.some((memory) => memory.id === id)),
    ALL,
  )
  const restored = others.flatMap(({ id, supersededBy }): readonly MemoryChange[] => {
    const next = supersededBy === null ? undefined : successors.get(supersededBy)
    if (next === undefined) return []
    return next === null
      ? [{ id, patch: { validTo: null, supersededBy: null }, event: 'UPDATE' }]
      : [{ id, patch: { supersededBy: next }, event: 'SUPERSEDE' }]
  })
  const cleared = others.flatMap(({ id, metadata, suspect, supersededBy, validTo }): readonly MemoryChange[] => {
    const doubtedBy = metadata?.[DOUBTED_BY]
    if (typeof doubtedBy !== 'string' || !successors.has(doubtedBy)) return []
    const isOfPlan = suspect === null && supersededBy === null && validTo !== null
    return [{ id, patch: { ...undoubted(metadata), ...(isOfPlan ? { validTo: null } : {}) }, event: 'UPDATE' }]
  })
  return { restored, cleared }
}

/** The drafts, by rules, of the staying turns that told the same. */
async function thinkAgain(
  { store: { log }, thinking }: UndoDependencies,
  userId: string,
  gone: readonly Memory[],
  sources: TakenBackTurns,
  now: number,
): Promise<readonly Draft[]> {
  const left = gone.flatMap((memory) => tellingsLeft(memory, sources))
  const places = new Map(
    left.flatMap(({ conversation_id: id, turn_ids }) =>
      turn_ids.map((turn) => [JSON.stringify([id, turn]), { id, turn }]),
    ),
  )
  const drafts: Draft[] = []
  for (const { id, turn } of places.values()) {
    const messages = await messagesUpTo(log, userId, id, turn)
    const asked = {
      userId,
      conversationId: id,
      messages,
      injected: [],
      now,
      maxCharacters: await thinking.maxCharacters(),
    }
    drafts.push(...(await thinking.byRules(asked)).drafts)
  }
  return drafts
}

/** A turn as thinking reads it, behind the answer or question of somebody else that it is understood with. */
export async function messagesUpTo(
  log: Store['log'],
  userId: string,
  conversationId: string,
  turnId: number,
): Promise<readonly ThinkMessage[]> {
  const range = { from: Math.max(1, turnId - 1), to: turnId }
  const messages = (await log.turns(userId, conversationId, range)).map(messageOf)
  return messages.length > 1 && messages[0]!.role === 'user' ? messages.slice(1) : messages
}

/** Changes of one memory as one; of a field that two change the later one counts. */
function joinChanges(changes: readonly MemoryChange[]): readonly MemoryChange[] {
  const joined = new Map<string, MemoryChange>()
  for (const change of changes) {
    const before = joined.get(change.id)
    joined.set(change.id, { ...before, ...change, patch: { ...before?.patch, ...change.patch } })
  }
  return [...joined.values()]
}

async function machineLines({ profiles }: Pick<Store, 'profiles'>, userId: string): Promise<ReadonlySet<string>> {
  const { lines } = await profiles.get(userId)
  return new Set(lines.flatMap(({ source, text }) => (source === 'machine' ? [text] : [])))
}

function conflict(): MnemeError {
  return new MnemeError('conflict', 'Not everything was undone: others wrote all the time.', { remedy: 'Try again.' })
}

/** Which turns are meant: of one conversation, one turn of it, or all said before a moment that the user did not collect. */
export type SourceScope = Exclude<RemovalScope, { readonly kind: 'all' }>

const TURNS_A_PIECE = 200
const CONVERSATIONS_A_PIECE = 200

/** The turns of the scope; old ones are looked for in pieces. */
export async function sourceTurns(
  { log }: Pick<Store, 'log'>,
  userId: string,
  scope: SourceScope,
): Promise<TakenBackTurns> {
  if (scope.kind === 'conversation') return { turns: new Map(), whole: new Set([scope.conversationId]) }
  if (scope.kind === 'turn')
    return { turns: new Map([[scope.conversationId, new Set([scope.turnId])]]), whole: new Set() }
  const turns = new Map<string, Set<number>>()
  const all = everyItem((page) => log.conversations(userId, page), CONVERSATIONS_A_PIECE)
  for await (const { conversationId, createdAt, lastTurnId } of all) {
    if (createdAt >= scope.before) continue
    for (let from = 1; from <= lastTurnId; from += TURNS_A_PIECE) {
      const range = { from, to: Math.min(lastTurnId, from + TURNS_A_PIECE - 1) }
      const old = (await log.turns(userId, conversationId, range)).filter(
        (turn) => turn.createdAt < scope.before && !turn.isCollected,
      )
      const numbers = turns.get(conversationId) ?? new Set()
      for (const { turnId } of old) turns.set(conversationId, numbers.add(turnId))
    }
    await breathe()
  }
  return { turns, whole: new Set() }
}

/** Whether the scope holds a turn; null: something that was told to the conversation without one. */
