/** Which memories mean something like a message? Beside those that share its words, where there is a model of meaning. */
import type { MemoryMatch, MemoryStore } from '../contracts/memory-store.ts'
import type { VectorIndex } from '../contracts/vector-index.ts'
import { MEMORY_TYPES } from '../domain/memory.ts'
import type { CompiledFilter } from './memories-filter.ts'
import type { EmbedQuery } from './query-vector.ts'
import { searchOrWarn } from './similar-vectors.ts'

/** Memories that similarity brings beside those that words bring. */
const SIMILAR_CANDIDATES = 40

/** A model of meaning, and the index that it fills. */
export interface MeaningSource {
  readonly embedQuery: EmbedQuery
  readonly vectors: Pick<VectorIndex, 'search'>
}

/** What a message finds by meaning. */
export interface Meaning {
  readonly matches: readonly MemoryMatch[]
  /** Cosine by id; null where no model of meaning answered. */
  readonly similarity: ReadonlyMap<string, number> | null
  readonly warning: string | null
}

/** The matches by words, and besides them those that mean something alike. */
export async function withSimilar(
  { memories, meaning }: { readonly memories: MemoryStore; readonly meaning?: MeaningSource | undefined },
  message: string,
  userId: string,
  matches: readonly MemoryMatch[],
  { stored, accepts }: CompiledFilter,
): Promise<Meaning> {
  if (meaning === undefined) return { matches, similarity: null, warning: null }
  const { vector, warning } = await meaning.embedQuery(message, userId)
  if (vector === null) return { matches, similarity: null, warning }
  const near = await Promise.all(
    MEMORY_TYPES.map((kind) => searchOrWarn(meaning.vectors, userId, vector, SIMILAR_CANDIDATES, { kind })),
  )
  const failed = near.find(({ matches: found }) => found === null)
  if (failed !== undefined) return { matches, similarity: null, warning: failed.warning }
  const similarity = new Map(near.flatMap(({ matches: found }) => found ?? []).map(({ id, score }) => [id, score]))
  const known = new Set(matches.map(({ memory }) => memory.id))
  const others = await memories.getMany(
    userId,
    [...similarity.keys()].filter((id) => !known.has(id)),
    stored,
  )
  const found = others
    .filter((memory) => accepts === null || accepts(memory))
    .map((memory): MemoryMatch => ({ memory, bm25: 0, matchedTerms: [] }))
  return { matches: [...matches, ...found], similarity, warning: null }
}
