/** The vector index in Milvus, whose ids change with updates: the new row comes first, then the old one goes. */
import { check } from '../../domain/checks.ts'
import type {
  MirrorMatch,
  MirrorRow,
  VectorFilter,
  VectorMirror,
  VectorStoreOptions,
  WholeMirrorRow,
} from '../../domain/contracts/vector-index.ts'
import { MnemeError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { checkVector } from '../../domain/unit-vectors.ts'
import {
  ask,
  type CollectionPlace,
  METRIC,
  MilvusCollections,
  PARTS,
  partOf,
  type UsedCollection,
} from './collection.ts'
import { fieldsOf, list, mirrorRowOf, ROW_FIELDS, rowOf, type SentRow, WHOLE_FIELDS, wholeRowOf } from './rows.ts'
import { filterOf, literals, loadSdk, resolveMilvusOptions, type SdkAnswer, type SdkClient } from './sdk.ts'

function milvusVectorIndex(collections: MilvusCollections): VectorMirror {
  const { address, collection } = collections.options
  return {
    provider: 'milvus',
    target: `milvus ${address.host} ${address.database ?? 'default'} ${collection}`,
    prepare: (dimension) => collections.prepare(dimension),
    searchSettled: (userId, vector, limit, filter = {}) => searchVectors(collections, userId, vector, limit, filter),
    insertRows: async (records) => {
      const ids = new Array<string>(records.length)
      for (const part of PARTS) {
        const places = [...records.keys()].filter((index) => partOf(records[index]!.id) === part)
        if (places.length === 0) continue
        const rows = places.map((index) => rowOf(records[index]!))
        const given = await insertRows(collections.use(part), rows)
        for (const [at, index] of places.entries()) ids[index] = given[at]!
      }
      return ids
    },
    removeRows: (rows) => removeRows(collections, rows),
    findRows: (keys) => findRows(collections, keys),
    allRows: (signal) => allRows(collections, signal),
    close: () => collections.close(),
  }
}

/** Time between pings; the SDK's own ten seconds are too often for some servers, which then end the connection. */
const KEEPALIVE_MS = 60_000
/** Time for the answer to a ping, gRPC's own default: a busy server takes longer than the SDK's five seconds. */
const KEEPALIVE_ANSWER_MS = 20_000
/** Longest pause of gRPC before it connects again; its own is two minutes. */
const RECONNECT_MS = 1000

/** Opens a Milvus without connecting yet. Rejects `unsupported` without the SDK, `invalid_input` for a bad option. */
export async function openMilvus(options: VectorStoreOptions): Promise<VectorMirror> {
  const resolved = resolveMilvusOptions(options)
  const { address, token, timeoutMs } = resolved
  const { MilvusClient } = await loadSdk()
  const secrets = [token, token?.slice(token.indexOf(':') + 1), address.password]
  const connect = (): SdkClient => {
    const client = new MilvusClient({
      address: address.host,
      ssl: address.ssl,
      timeout: timeoutMs,
      // The SDK's retry would send rows twice that had arrived; `called` knows what may be tried again.
      maxRetries: 0,
      retryDelay: 1,
      logLevel: 'error',
      telemetry: { enabled: false },
      channelOptions: {
        'grpc.keepalive_time_ms': KEEPALIVE_MS,
        'grpc.keepalive_timeout_ms': KEEPALIVE_ANSWER_MS,
        'grpc.initial_reconnect_backoff_ms': RECONNECT_MS,
        'grpc.max_reconnect_backoff_ms': RECONNECT_MS,
      },
      ...(token === undefined ? {} : { token }),
      ...(address.username === undefined ? {} : { username: address.username, password: address.password ?? '' }),
      ...(address.database === undefined ? {} : { database: address.database }),
    })
    // The connection is checked by a call of our own; an unhandled rejection would end the process.
    client.connectPromise.catch(() => {})
    return client
  }
  const place = {
    shown: address.shown,
    secrets: secrets.filter((secret) => secret !== undefined).filter((secret) => secret !== ''),
  }
  return milvusVectorIndex(new MilvusCollections(connect, place, resolved))
}

/** Rejects as `openMilvus` would, without connecting to anything. */
export async function checkMilvus(options: VectorStoreOptions): Promise<void> {
  resolveMilvusOptions(options)
  await loadSdk()
}

const IDS_A_CALL = 500
const ROWS_A_PIECE = 500

async function findRows(
  collections: MilvusCollections,
  keys: readonly Pick<MirrorRow, 'userId' | 'id'>[],
): Promise<readonly MirrorRow[]> {
  const found: MirrorRow[] = []
  const wanted = new Set(keys.map(({ userId, id }) => `${userId}\0${id}`))
  for (const part of PARTS) {
    const mine = keys.filter(({ id }) => partOf(id) === part)
    for (let from = 0; from < mine.length; from += IDS_A_CALL) {
      const piece = mine.slice(from, from + IDS_A_CALL)
      const users = literals(new Set(piece.map(({ userId }) => userId)))
      const filter = `user_id in ${users} and memory_id in ${literals(piece.map(({ id }) => id))}`
      const rows = await query(collections.use(part), 'look up vectors', { filter, output_fields: ROW_FIELDS })
      found.push(...rows.map(mirrorRowOf).filter(({ userId, id }) => wanted.has(`${userId}\0${id}`)))
    }
  }
  return found
}

async function* allRows(
  collections: MilvusCollections,
  signal?: AbortSignal,
): AsyncGenerator<readonly WholeMirrorRow[]> {
  for (const part of PARTS) {
    let after = ''
    for (;;) {
      signal?.throwIfAborted()
      // Rows come in the order of their ids, which begin at 0 or above.
      const filter = after === '' ? 'id >= 0' : `id > ${after}`
      const request = { filter, limit: ROWS_A_PIECE, output_fields: WHOLE_FIELDS }
      const rows = (await query(collections.use(part), 'read its rows', request)).map(wholeRowOf)
      if (rows.length === 0) break
      yield rows
      after = rows.at(-1)!.rowId
    }
  }
}

async function removeRows(
  collections: MilvusCollections,
  rows: readonly Pick<MirrorRow, 'rowId' | 'id'>[],
): Promise<void> {
  for (const part of PARTS) {
    const mine = rows.filter(({ id }) => partOf(id) === part).map(({ rowId }) => rowId)
    for (let from = 0; from < mine.length; from += IDS_A_CALL) {
      const filter = `id in [${mine.slice(from, from + IDS_A_CALL).join(', ')}]`
      await ask(collections.use(part), 'remove vectors', 'delete', { filter })
    }
  }
}

/** The rows that the filter accepts as of now, in the SDK's form. */
async function query(at: UsedCollection, doing: string, request: object): Promise<readonly unknown[]> {
  return list((await ask(at, doing, 'query', { ...request, consistency_level: 'Strong' })).data)
}

/** Bytes of one message. A busy Milvus works through some 2 MB a second (docs/scale.md). */
const MESSAGE_BYTES = 4 * 1024 * 1024

/** The id of each row, in order. Rejects `vector_store_failed`; rows may have arrived all the same. */
async function insertRows(at: CollectionPlace, rows: readonly SentRow[]): Promise<readonly string[]> {
  const ids: string[] = []
  for (const piece of pieces(rows)) {
    // A failed insert may have arrived, so the caller looks for it before it sends again.
    const answer = await ask(at, `store ${piece.length} vectors`, 'insert', { data: piece.map(sdkRow) }, { tries: 1 })
    const given = list(fieldsOf(fieldsOf(answer.IDs).int_id).data).map(String)
    if (given.length !== piece.length)
      throw new MnemeError(
        'vector_store_failed',
        `Milvus at ${at.place.shown} took ${given.length} of ${piece.length} vectors.`,
        { remedy: 'See the log of the Milvus server; Mneme tries again by itself.' },
      )
    ids.push(...given)
  }
  return ids
}

function pieces(rows: readonly SentRow[]): readonly (readonly SentRow[])[] {
  const found: SentRow[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const size = sizeOf(row)
    if (bytes + size > MESSAGE_BYTES) {
      found.push([])
      bytes = 0
    }
    found.at(-1)!.push(row)
    bytes += size
  }
  return found
}

function sizeOf({ vector, user_id, chat_id, who, text, metadata, $meta }: SentRow): number {
  const texts = [user_id, chat_id, who, text, metadata, $meta]
  return texts.reduce((sum, one) => sum + Buffer.byteLength(one), vector.byteLength + 100)
}

/** The row as the SDK takes it: dynamic fields stand beside the others. */
function sdkRow({ $meta, metadata, vector, ...row }: SentRow): object {
  return { ...row, ...JSON.parse($meta), metadata: JSON.parse(metadata), vector: Array.from(vector) }
}

/** Fewest candidates that a search keeps with HNSW or DISKANN; Milvus wants no fewer than the limit. */
const LEAST_EF = 128
const MOST_EF = 32_768
/** IVF lists that a search reads, of 1,024; Milvus's own 8 miss much under a filter. */
const LISTS = 64

async function searchVectors(
  collections: MilvusCollections,
  userId: string,
  vector: Float32Array,
  limit: number,
  filter: VectorFilter,
): Promise<readonly MirrorMatch[]> {
  check.integer('limit', limit, 1, LIMITS.resultLimit)
  const { name, dimension } = collections.use('memories').ready
  const query = checkVector('vector', vector, { model: `the collection ${name}`, dimension })
  const parts =
    filter.kind === undefined ? PARTS : [filter.kind === 'turn' ? ('turns' as const) : ('memories' as const)]
  const accepted = filterOf(userId, filter, filter.kind === 'turn')
  const found = await Promise.all(parts.map((part) => searchOne(collections.use(part), query, limit, accepted)))
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
): Promise<readonly MirrorMatch[]> {
  const request = {
    data: [Array.from(query)],
    anns_field: 'vector',
    metric_type: METRIC,
    limit,
    filter,
    params: paramsOf(at.ready.index, limit),
    output_fields: ['memory_id', 'vector_no', 'store_id'],
    consistency_level: 'Bounded',
  }
  const answer = await ask(at, 'search', 'search', request, { withinMs: at.options.timeoutMs })
  return rowsOf(answer).map((row) => {
    const { id, version, storeId } = mirrorRowOf(row)
    return { id, version, storeId, score: Number(fieldsOf(row).score) }
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
