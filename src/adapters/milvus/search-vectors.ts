/** Which rows are nearest? Both collections are asked where the filter allows, and their answers become one ranking. */
import type { VectorFilter } from '../../contracts/vector-index.ts'
import type { MirrorMatch } from '../../contracts/vector-mirror.ts'
import { checkVector } from '../../domain/check-vector.ts'
import { checkInteger } from '../../domain/checks.ts'
import { LIMITS } from '../../domain/limits.ts'
import { called } from './call.ts'
import { type MilvusCollections, PARTS, type UsedCollection } from './collections.ts'
import { filterOf } from './expression.ts'
import { fieldsOf, mirrorRowOf } from './read-row.ts'
import { list } from './schema.ts'

/** HNSW: how many candidates a search keeps, at least (Milvus wants it to be no less than the limit). */
const LEAST_EF = 128
const MOST_EF = 32_768

/** What a search must have seen: every write, or those older than some seconds. */
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
  const query = Array.from(checkVector('vector', vector, collections.shape()))
  const parts =
    filter.kind === undefined ? PARTS : [filter.kind === 'turn' ? ('turns' as const) : ('memories' as const)]
  const accepted = filterOf(userId, filter, filter.kind === 'turn')
  const found = await Promise.all(
    parts.map((part) => searchOne(collections.use(part), query, limit, accepted, consistency)),
  )
  // Of two rows of one vector, as they are for a moment while it is replaced, the newer counts.
  const best = new Map<string, MirrorMatch>()
  for (const match of found.flat()) {
    const before = best.get(match.id)
    if (before === undefined || before.version < match.version) best.set(match.id, match)
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit)
}

async function searchOne(
  { client, place, options, name, ready: { metric, index } }: UsedCollection,
  query: readonly number[],
  limit: number,
  filter: string,
  consistency: Consistency,
): Promise<readonly MirrorMatch[]> {
  const params = index === 'HNSW' ? { ef: Math.min(Math.max(LEAST_EF, limit), MOST_EF) } : {}
  const answer = await called(place, 'search', options.timeoutMs, () =>
    client.search({
      collection_name: name,
      data: [query],
      anns_field: 'vector',
      metric_type: metric,
      limit,
      filter,
      params,
      output_fields: ['memory_id', 'vector_no'],
      consistency_level: consistency,
      timeout: options.timeoutMs,
    }),
  )
  // One query: the results come as one list, or as a list with one list.
  const results = list(answer.results)
  const rows = Array.isArray(results[0]) ? list(results[0]) : results
  return rows.map((row) => {
    const { id, version } = mirrorRowOf(row)
    return { id, version, score: cosineOf(Number(fieldsOf(row).score), metric) }
  })
}

/** Milvus's distance as a cosine of unit vectors: L2 is the square of the Euclidean distance. */
function cosineOf(score: number, metric: string): number {
  return metric === 'L2' ? 1 - score / 2 : score
}
