/**
 * Views of found memories, cached with their records. The store keeps the records of often found memories, so each view
 * is computed once.
 */
import type { Memory } from '../../domain/memory.ts'
import { type MemoryView, renderMemory } from './render.ts'
import { masked, type Show } from './reveal.ts'

/**
 * A function from a memory, shown through `show`, to a caller's own view. Its result is shared and must not be changed.
 */
export type FoundLook<T> = (memory: Memory, show: Show) => T

/** A look with cached results for masked views; `make` must be pure, and its result must not be changed. */
export function foundLook<T>(make: (view: MemoryView) => T): FoundLook<T> {
  // Results by the store's record, dropped with it.
  const kept = new WeakMap<Memory, T>()
  return (memory, show) => {
    if (show !== masked) return make(show(renderMemory(memory)))
    let look = kept.get(memory)
    if (look === undefined) {
      look = make(masked(renderMemory(memory)))
      kept.set(memory, look)
    }
    return look
  }
}

const sharedView = foundLook((view) => view)

/** The view of a memory through `show`, sharing nothing with the store or other callers. */
export function foundView(memory: Memory, show: Show): MemoryView {
  return ownCopy(sharedView(memory, show))
}

function ownCopy(view: MemoryView): MemoryView {
  const { value, tags, sourceTurnIds, suspect, metadata } = view
  return {
    ...view,
    value: typeof value === 'object' && value !== null ? structuredClone(value) : value,
    tags: [...tags],
    sourceTurnIds: [...sourceTurnIds],
    suspect: suspect === null ? null : { ...suspect },
    metadata: metadata === null ? null : structuredClone(metadata),
  }
}
