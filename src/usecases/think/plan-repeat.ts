/**
 * What follows when a draft repeats a memory? Nothing is stored again, but the memory gets the draft's source, too.
 */
import type { MemoryChange, MemoryPatch } from '../../domain/contracts/memory-store.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Memory } from '../../domain/memory.ts'
import { joinSources, sourcesOf } from '../../thinking/merge/episode-metadata.ts'
import type { Draft, Outcome } from './thoughts.ts'

/**
 * The plan for a repeat: an order makes the old memory more important, and a repeat ends a doubt. The caller's metadata
 * joins what is there, and the caller's end (or none) holds.
 */
export function planRepeat(plan: PlanInProgress, twin: Memory, { memory, said }: Draft): Outcome {
  const patch: MemoryPatch = {
    ...(memory.importance > twin.importance ? { importance: memory.importance } : {}),
    ...(memory.confidence > twin.confidence ? { confidence: memory.confidence } : {}),
    ...(twin.suspect === null ? {} : { suspect: null }),
    ...(said !== undefined && memory.createdAt >= twin.createdAt ? toldNow(twin, said, memory.createdAt) : {}),
  }
  const event = Object.keys(patch).length > 0 ? 'UPDATE' : 'NONE'
  const all = { ...patch, ...alsoFrom({ ...twin, ...patch }, memory) }
  if (Object.keys(all).length > 0) plan.change(twin, all, 'UPDATE')
  return { memory: { ...twin, ...all }, event, superseded: [], doubted: [] }
}

/**
 * The news among the caller's fields. An end before the telling ends nothing, and metadata never grows beyond its
 * limit.
 */
function toldNow(twin: Memory, { validTo, metadata }: NonNullable<Draft['said']>, toldAt: number): MemoryPatch {
  const all = { ...twin.metadata, ...metadata }
  const isNew = Object.entries(metadata ?? {}).some(
    ([name, value]) => JSON.stringify(twin.metadata?.[name]) !== JSON.stringify(value),
  )
  return {
    ...(validTo === twin.validTo || (validTo !== null && validTo <= toldAt) ? {} : { validTo }),
    ...(isNew && Buffer.byteLength(JSON.stringify(all)) <= LIMITS.metadataBytes ? { metadata: all } : {}),
  }
}

/** The turns that said it again, beside those that it was made from. */
function alsoFrom(twin: Memory, again: Omit<Memory, 'id'>): MemoryPatch {
  const before = sourcesOf(twin)
  const sources = joinSources([...before, ...sourcesOf(again)])
  const count = (list: typeof sources): number => list.reduce((sum, { turn_ids }) => sum + turn_ids.length, list.length)
  // A memory of an unstored turn has no source in it.
  if (again.sourceTurnIds.length === 0 || count(sources) === count(before)) return {}
  const own = sources.find(({ conversation_id }) => conversation_id === twin.conversationId)
  return {
    sourceTurnIds: own?.turn_ids ?? twin.sourceTurnIds,
    ...(sources.length > 1 ? { metadata: { ...twin.metadata, sources } } : {}),
  }
}

/** A plan while it is made. */
export interface PlanInProgress {
  /** Memories to insert, as they are by now. */
  planned(): readonly Memory[]
  isPlanned(id: string): boolean
  /** A memory as it will be after the plan so far. */
  current(memory: Memory): Memory
  insert(memory: Memory): void
  change(memory: Memory, patch: MemoryPatch, event: MemoryChange['event']): void
  updates(): readonly MemoryChange[]
}

/** An empty plan. */
export function planInProgress(): PlanInProgress {
  const planned = new Map<string, Memory>()
  const patches = new Map<string, MemoryChange>()
  return {
    planned: () => [...planned.values()],
    isPlanned: (id) => planned.has(id),
    current: (memory) => planned.get(memory.id) ?? { ...memory, ...patches.get(memory.id)?.patch },
    insert: (memory) => void planned.set(memory.id, memory),
    change: (memory, patch, event) => {
      const own = planned.get(memory.id)
      if (own !== undefined) planned.set(memory.id, { ...own, ...patch })
      else patches.set(memory.id, { id: memory.id, patch: { ...patches.get(memory.id)?.patch, ...patch }, event })
    },
    updates: () => [...patches.values()],
  }
}
