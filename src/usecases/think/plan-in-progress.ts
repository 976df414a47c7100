/** The plan so far: memories to insert and to change, read as they will be once all of it is written. */
import type { MemoryChange, MemoryPatch } from '../../domain/contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'

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
