/**
 * The graph of a user, kept until the user's memories say something else: every look at it would read all its memories
 * again. The number that tells (`memory.revision`) is read from the file, so that another process's work is seen at once.
 */
import type { Call } from '../operation.ts'
import { type Graph, graphOf, readSnapshot } from './read-graph.ts'

interface Kept {
  readonly revision: number
  readonly graph: Graph
  /** Memories that it was made of. */
  readonly items: number
}

/** Memories whose graphs are kept at once, of all users of an open memory; 20,000 notes of 100 characters are 10 MB. */
const MOST_ITEMS = 20_000

const keptOf = new WeakMap<Call['memory'], Map<string, Kept>>()

/** The user's current graph, oldest first, with secrets unmasked. It is shared and must not be changed. */
export async function wholeGraph({ memory, userId, signal }: Call): Promise<Graph> {
  const kept = keptOf.get(memory) ?? new Map<string, Kept>()
  keptOf.set(memory, kept)
  const known = kept.get(userId)
  kept.delete(userId)
  if (known !== undefined && known.revision === (await memory.revision({ userId }))) {
    kept.set(userId, known)
    return known.graph
  }
  const { revision, items } = await readSnapshot(memory, userId, { signal })
  const graph = graphOf(items)
  // A graph with an expiring memory is not kept, since expiry changes no revision.
  if (items.every(({ memory: { validTo } }) => validTo === null))
    keep(kept, userId, { revision, graph, items: items.length })
  return graph
}

/** Keeps it, and forgets those that were not asked for the longest. */
function keep(kept: Map<string, Kept>, userId: string, fresh: Kept): void {
  kept.set(userId, fresh)
  let items = 0
  for (const one of kept.values()) items += one.items
  for (const [user, one] of kept) {
    if (items <= MOST_ITEMS) return
    kept.delete(user)
    items -= one.items
  }
}
