/**
 * Which rows are nearest? Both collections are searched where the filter allows, and their answers merge into one
 * ranking.
 */

import { checkInteger, checkVector } from '../../domain/checks.ts'
import type { VectorFilter } from '../../domain/contracts/vector-index.ts'
import type { MirrorMatch } from '../../domain/contracts/vector-mirror.ts'
import { LIMITS } from '../../domain/limits.ts'
import { ask, list } from './collection.ts'
import { type MilvusCollections, PARTS, type UsedCollection } from './collections.ts'
import { filterOf } from './expression.ts'
import { fieldsOf, mirrorRowOf } from './read-row.ts'
import type { SdkAnswer } from './sdk.ts'

/** Fewest candidates that a search keeps with HNSW or DISKANN; Milvus wants no fewer than the limit. */
const LEAST_EF = 128
const MOST_EF = 32_768
/** IVF lists that a search reads, of 1,024; Milvus's own 8 miss much under a filter. */
const LISTS = 64

/** The writes that a search must have seen: all, or those older than some seconds. */
export type Consistency = 'Strong' | 'Bounded'

/** See VectorIndex.search; of each match also the version that the row holds. */
export async function searchVectors(
  collections: MilvusCollections,
  userId: string,
  vector: Float32Array,
  limit: number,
  filter: VectorFilter,
  consistency: Consistency,
): Promise<readonly MirrorMatch[]> {
  checkInteger('limit', limit, 1, LIMITS.resultLimit)
  const query = checkVector('vector', vector, collections.shape())
  const parts =
    filter.kind === undefined ? PARTS : [filter.kind === 'turn' ? ('turns' as const) : ('memories' as const)]
  const accepted = filterOf(userId, filter, filter.kind === 'turn')
  const found = await Promise.all(
    parts.map((part) => searchOne(collections.use(part), query, limit, accepted, consistency)),
  )
  // A vector that is being replaced has two rows for a moment; the newer counts.
  const best = new Map<string, MirrorMatch>()
  for (const match of found.flat()) {
    const key = `${match.storeId}\0${match.id}`
    const before = best.get(key)
    if (before === undefined || before.version < match.version) best.set(key, match)
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit)
}

async function searchOne(
  at: UsedCollection,
  query: Float32Array,
  limit: number,
  filter: string,
  consistency: Consistency,
): Promise<readonly MirrorMatch[]> {
  const { metric, index } = at.ready
  const request = {
    data: [Array.from(query)],
    anns_field: 'vector',
    metric_type: metric,
    limit,
    filter,
    params: paramsOf(index, limit),
    output_fields: ['memory_id', 'vector_no', 'store_id'],
    consistency_level: consistency,
  }
  const answer = await ask(at, 'search', 'search', request, { withinMs: at.options.timeoutMs })
  return rowsOf(answer).map((row) => {
    const { id, version, storeId } = mirrorRowOf(row)
    return { id, version, storeId, score: cosineOf(Number(fieldsOf(row).score), metric) }
  })
}

function paramsOf(index: string, limit: number): Readonly<Record<string, number>> {
  const candidates = Math.min(Math.max(LEAST_EF, limit), MOST_EF)
  if (index === 'HNSW') return { ef: candidates }
  if (index === 'DISKANN') return { search_list: candidates }
  return index.startsWith('IVF') ? { nprobe: LISTS } : {}
}

/** The rows for one question, which the SDK gives as a list, or as a list with one list. */
function rowsOf({ results }: SdkAnswer): readonly unknown[] {
  const rows = list(results)
  return Array.isArray(rows[0]) ? rows[0] : rows
}

/** Milvus's distance as a cosine of unit vectors: L2 is the square of the Euclidean distance. */
function cosineOf(score: number, metric: string): number {
  return metric === 'L2' ? 1 - score / 2 : score
}
