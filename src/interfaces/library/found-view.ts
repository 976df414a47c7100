/**
 * How does a memory that was found look? The store keeps the records of the memories that are found again and again, so
 * the look of each is worked out once for as long as its record is kept. Every caller gets a copy of its own.
 */
import type { Memory } from '../../domain/memory.ts'
import { type MemoryView, renderMemory } from './render.ts'
import { masked, type Show } from './reveal.ts'

/** Masked views by the store's record; gone with it. */
const maskedViews = new WeakMap<Memory, MemoryView>()

/** The view of a memory as `show` shows it. Nothing in it is shared with the store, or with another caller. */
export function foundView(memory: Memory, show: Show): MemoryView {
  return ownCopy(show === masked ? maskedView(memory) : show(renderMemory(memory)))
}

function maskedView(memory: Memory): MemoryView {
  let view = maskedViews.get(memory)
  if (view === undefined) {
    view = masked(renderMemory(memory))
    maskedViews.set(memory, view)
  }
  return view
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
