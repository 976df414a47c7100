/** Which rows are nearest? Both collections are asked where the filter allows, and their answers become one ranking. */

import { checkVector } from '../../domain/check-vector.ts'
import { checkInteger } from '../../domain/checks.ts'
import type { VectorFilter } from '../../domain/contracts/vector-index.ts'
import type { MirrorMatch } from '../../domain/contracts/vector-mirror.ts'
import { LIMITS } from '../../domain/limits.ts'
import { called } from './call.ts'
import { type MilvusCollections, PARTS, type UsedCollection } from './collections.ts'
import { callDirectly } from './direct-call.ts'
import { filterOf } from './expression.ts'
import { fieldsOf, mirrorRowOf } from './read-row.ts'
import type { SdkAnswer, SdkClient } from './sdk.ts'
import { foundRows, type SearchQuestion, searchRequest } from './search-message.ts'

/** HNSW, DISKANN: how many candidates a search keeps, at least (Milvus wants it to be no less than the limit). */
const LEAST_EF = 128
const MOST_EF = 32_768
/** IVF: lists that are looked through, of the 1,024 that there are; Milvus's own 8 miss much under a filter. */
const LISTS = 64

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
  const query = checkVector('vector', vector, collections.shape())
  const parts =
    filter.kind === undefined ? PARTS : [filter.kind === 'turn' ? ('turns' as const) : ('memories' as const)]
  const accepted = filterOf(userId, filter, filter.kind === 'turn')
  const found = await Promise.all(
    parts.map((part) => searchOne(collections.use(part), query, limit, accepted, consistency)),
  )
  // Of two rows of one vector, as they are for a moment while it is replaced, the newer counts.
  const best = new Map<string, MirrorMatch>()
  for (const match of found.flat()) {
    const key = `${match.storeId}\0${match.id}`
    const before = best.get(key)
    if (before === undefined || before.version < match.version) best.set(key, match)
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit)
}

async function searchOne(
  { client, place, options, name, ready: { metric, index } }: UsedCollection,
  query: Float32Array,
  limit: number,
  filter: string,
  consistency: Consistency,
): Promise<readonly MirrorMatch[]> {
  const question: SearchQuestion = {
    collection: name,
    vector: query,
    metric,
    limit,
    filter,
    params: paramsOf(index, limit),
    outputFields: ['memory_id', 'vector_no', 'store_id'],
    consistency,
  }
  const answer = await called(place, 'search', options.timeoutMs, () => ask(client, question, options.timeoutMs))
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

async function ask(client: SdkClient, question: SearchQuestion, timeoutMs: number): Promise<SdkAnswer> {
  const answer = await callDirectly(client, 'Search', (serialize) => serialize(searchRequest(question)), timeoutMs)
  return answer ?? askSlowly(client, question, timeoutMs)
}

/** By the SDK's own search: for a version of it that keeps its connections to itself. */
function askSlowly(client: SdkClient, question: SearchQuestion, timeoutMs: number): Promise<SdkAnswer> {
  const { collection, vector, metric, limit, filter, params, outputFields, consistency } = question
  return client.search({
    collection_name: collection,
    data: [Array.from(vector)],
    anns_field: 'vector',
    metric_type: metric,
    limit,
    filter,
    params,
    output_fields: outputFields,
    consistency_level: consistency,
    timeout: timeoutMs,
  })
}

/** One question: the SDK makes one list of rows of it, or a list with one list. */
function rowsOf(answer: SdkAnswer): readonly unknown[] {
  if (!Array.isArray(answer.results)) return foundRows(answer)
  return Array.isArray(answer.results[0]) ? answer.results[0] : answer.results
}

/** Milvus's distance as a cosine of unit vectors: L2 is the square of the Euclidean distance. */
function cosineOf(score: number, metric: string): number {
  return metric === 'L2' ? 1 - score / 2 : score
}
