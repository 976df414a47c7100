/**
 * Caches the graph of a user until `memory.revision` changes, since rebuilding it reads all memories. The revision is
 * read from the file, so changes of other processes are seen at once.
 */
import type { Call } from '../operation.ts'
import { type Graph, graphOf, readSnapshot } from './read-graph.ts'

interface Kept {
  readonly revision: number
  readonly graph: Graph
  /** Number of memories in the graph. */
  readonly items: number
}

/** Most memories in cached graphs, over all users of an open memory; 20,000 notes of 100 characters take 10 MB. */
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

/** Caches a graph and drops the least recently used ones. */
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
