/** Which memories mean something like a message? Beside those that share its words, where there is a model of meaning. */
import type { MemoryMatch, MemoryStore } from '../domain/contracts/memory-store.ts'
import type { VectorIndex } from '../domain/contracts/vector-index.ts'
import { MEMORY_TYPES, type Memory } from '../domain/memory.ts'
import { similarityScores } from '../search/hybrid-features.ts'
import type { MeaningScores, NearMemory } from '../search/meaning/meaning-scores.ts'
import type { MemoryRanking } from '../search/memory-formulas.ts'
import type { CompiledFilter } from './memories/filter.ts'
import type { EmbedQuery } from './query-vector.ts'
import { searchOrWarn } from './query-vector.ts'

/** Memories that similarity brings beside those that words bring. */
const SIMILAR_CANDIDATES = 40

/** A model of meaning, and the index that it fills. */
export interface MeaningModel {
  readonly embedQuery: EmbedQuery
  readonly vectors: Pick<VectorIndex, 'search'>
}

/** The table of word vectors. */
export interface MeaningTable {
  /**
   * The meanings of a user's memories, and of those the ones so alike to the question that they answer it with any words;
   * null where the question or the memories have no known meaning.
   */
  ofMemories(
    userId: string,
    question: string,
  ): Promise<{ readonly scores: MeaningScores; readonly close: readonly NearMemory[] } | null>
}

/** The findings by meaning for a message. */
export interface Meaning {
  readonly matches: readonly MemoryMatch[]
  /** Cosine by id; null where no model of meaning answered. */
  readonly similarity: ReadonlyMap<string, number> | null
  /** How alike a memory is, 0 to 1, by either; null where neither answered. */
  readonly scoreOf: ((memory: Memory) => number) | null
  readonly warning: string | null
}

/** The matches by words, and besides them those that mean something alike. */
export async function withSimilar(
  { memories, meaning }: { readonly memories: MemoryStore; readonly meaning?: MeaningModel | MeaningTable | undefined },
  ranking: MemoryRanking,
  message: string,
  userId: string,
  matches: readonly MemoryMatch[],
  filter: CompiledFilter,
): Promise<Meaning> {
  const none: Meaning = { matches, similarity: null, scoreOf: null, warning: null }
  if (meaning === undefined || ranking === 'long-term') return none
  // The formula of `associative` takes cosines in the place of words: it needs those of all matches.
  if ('ofMemories' in meaning)
    return ranking === 'hybrid' ? withClose(memories, meaning, message, userId, none, filter) : none
  const { vector, warning } = await meaning.embedQuery(message, userId)
  if (vector === null) return { ...none, warning }
  const near = await Promise.all(
    MEMORY_TYPES.map((kind) => searchOrWarn(meaning.vectors, userId, vector, SIMILAR_CANDIDATES, { kind })),
  )
  const failed = near.find(({ matches: found }) => found === null)
  if (failed !== undefined) return { ...none, warning: failed.warning }
  const similarity = new Map(near.flatMap(({ matches: found }) => found ?? []).map(({ id, score }) => [id, score]))
  const known = new Set(matches.map(({ memory }) => memory.id))
  const unknown = [...similarity.keys()].filter((id) => !known.has(id))
  const others = await memories.getMany(userId, unknown, filter.stored)
  const scores = similarityScores(similarity)
  return {
    matches: [...matches, ...withoutWords(others, filter)],
    similarity,
    scoreOf: ({ id }) => scores.get(id) ?? 0,
    warning: null,
  }
}

/** The closest memories beside the matches by words, whose order stays. */
async function withClose(
  memories: MemoryStore,
  table: MeaningTable,
  message: string,
  userId: string,
  none: Meaning,
  filter: CompiledFilter,
): Promise<Meaning> {
  const { matches } = none
  const meant = await table.ofMemories(userId, message)
  if (meant === null) return none
  const { close: near, scores } = meant
  const rows = near.map(({ row }) => row)
  const found = rows.length === 0 ? [] : await memories.getRows(userId, rows, filter.stored)
  const known = new Set(matches.map(({ memory }) => memory.id))
  const similarity = new Map<string, number>()
  const others = found.flatMap((memory, at) => {
    if (memory === null || known.has(memory.id)) return []
    similarity.set(memory.id, near[at]!.cosine)
    return [memory]
  })
  return {
    matches: [...matches, ...withoutWords(others, filter)],
    similarity: similarity.size === 0 ? null : similarity,
    scoreOf: scores.scoreOf,
    warning: null,
  }
}

/** Memories that share no word with the message. */
function withoutWords(memories: readonly Memory[], { accepts }: CompiledFilter): readonly MemoryMatch[] {
  return memories
    .filter((memory) => accepts === null || accepts(memory))
    .map((memory): MemoryMatch => ({ memory, bm25: 0, matchedTerms: [] }))
}
