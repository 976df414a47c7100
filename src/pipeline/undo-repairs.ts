/**
 * What had the memories that go done to others, and how is it taken back? What they ended holds again, without what had
 * been kept of it meanwhile; doubts that they cast are lifted. Pure: from memories to a plan.
 */
import type { MemoryChange } from '../contracts/memory-store.ts'
import type { Memory } from '../domain/memory.ts'
import { CHANGED_BY, DOUBTED_BY } from './thinking/plan-changes.ts'
import { namesOf, referenceOf } from './undo-references.ts'

/** The plan for the others. */
export interface Repairs {
  readonly restored: readonly MemoryChange[]
  readonly cleared: readonly MemoryChange[]
  /** Remainders of what holds again as a whole: they would say it twice. */
  readonly remainders: readonly string[]
}

/**
 * `gone`: what goes now; `successorOf`: who took over from one that goes, in the end, null where nobody is left; `others`:
 * memories that refer to `gone` or are remainders.
 */
export function repairsOf(
  gone: readonly Memory[],
  others: readonly Memory[],
  successorOf: (id: string) => string | null,
): Repairs {
  const names = new Set(gone.flatMap(namesOf))
  const restored: MemoryChange[] = []
  const cleared: MemoryChange[] = []
  const remainders: string[] = []
  for (const memory of others) {
    const { supersededBy } = memory
    if (supersededBy !== null && names.has(supersededBy)) {
      const next = successorOf(supersededBy)
      if (next !== null) restored.push({ id: memory.id, patch: { supersededBy: next }, event: 'SUPERSEDE' })
      else {
        const parts = others.filter((other) => referenceOf(other).derivedFrom === memory.id)
        remainders.push(...parts.filter(({ validTo }) => validTo === null).map(({ id }) => id))
        const changed = parts.find(({ validTo }) => validTo !== null)
        const suspect =
          changed === undefined ? {} : { suspect: { reason: 'a part of it has changed', since: changed.validTo! } }
        restored.push({ id: memory.id, patch: { validTo: null, supersededBy: null, ...suspect }, event: 'UPDATE' })
      }
    }
    const { doubtedBy } = referenceOf(memory)
    if (doubtedBy !== null && names.has(doubtedBy)) {
      const { [DOUBTED_BY]: _, [CHANGED_BY]: _by, ...metadata } = memory.metadata ?? {}
      cleared.push({ id: memory.id, patch: { suspect: null, metadata }, event: 'UPDATE' })
    }
  }
  return { restored, cleared, remainders: [...new Set(remainders)] }
}

/** Changes of one memory as one; of a field that two change the later one counts. */
export function joinChanges(changes: readonly MemoryChange[]): readonly MemoryChange[] {
  const joined = new Map<string, MemoryChange>()
  for (const change of changes) {
    const before = joined.get(change.id)
    joined.set(change.id, before === undefined ? change : { ...change, patch: { ...before.patch, ...change.patch } })
  }
  return [...joined.values()]
}
