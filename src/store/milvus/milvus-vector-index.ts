/**
 * The vector index in Milvus, which gives a row a new id with every update and refuses its upsert. So the new row comes
 * first, then the old one goes; in between the newest counts.
 */
import { checkVector } from '../../domain/checks.ts'
import type { VectorFilter, VectorMatch, VectorRecord } from '../../domain/contracts/vector-index.ts'
import type {
  MirroredVector,
  MirrorMatch,
  MirrorRow,
  MirrorSeal,
  VectorMirror,
  WholeMirrorRow,
} from '../../domain/contracts/vector-mirror.ts'
import { countRows, list } from './collection.ts'
import {
  MilvusCollections,
  PARTS,
  partOf,
  SEAL_FIELDS,
  sealOf,
  sealRow,
  sealsOf,
  type UsedCollection,
} from './collections.ts'
import { literal } from './expression.ts'
import { allRows, findRows, insertRows, query, removeRows, removeWhere } from './find-rows.ts'
import { type MilvusOptions, resolveMilvusOptions } from './options.ts'
import { fieldsOf, mirrorRowOf, ROW_FIELDS } from './read-row.ts'
import { loadSdk, type SdkClient } from './sdk.ts'
import { searchVectors } from './search-vectors.ts'
import { rowOf } from './write-row.ts'

/** The contract VectorMirror over both collections. */
export class MilvusVectorIndex implements VectorMirror {
  readonly provider = 'milvus'
  readonly target: string
  readonly #collections: MilvusCollections

  constructor(collections: MilvusCollections) {
    this.#collections = collections
    const { address, collection } = collections.options
    this.target = `milvus ${address.host} ${address.database ?? 'default'} ${collection}`
  }

  prepare(dimension: number | null): Promise<{ readonly isEmpty: boolean }> {
    return this.#collections.prepare(dimension)
  }

  async add(userId: string, records: readonly VectorRecord[]): Promise<void> {
    const last = new Map(records.map((record) => [record.id, record]))
    const checked = [...last.values()].map((record) => ({
      ...record,
      vector: checkVector(`vector of ${record.id}`, record.vector, this.#collections.shape()),
      text: record.text ?? record.memory?.text ?? '',
      userId,
      version: 0,
      storeId: '',
      model: '',
    }))
    if (checked.length === 0) return
    const before = await this.findRows(checked)
    await this.insertRows(checked)
    await this.removeRows(before)
  }

  async remove(userId: string, ids: readonly string[]): Promise<number> {
    const rows = await this.findRows(ids.map((id) => ({ userId, id })))
    await this.removeRows(rows)
    return new Set(rows.map(({ id }) => id)).size
  }

  removeAll(userId: string): Promise<number> {
    const filter = `user_id == ${literal(userId)}`
    return this.#sum(async (at) => {
      const count = await countRows(at, filter)
      if (count > 0) await removeWhere(at, filter)
      return count
    })
  }

  async search(
    userId: string,
    vector: Float32Array,
    limit: number,
    filter: VectorFilter = {},
  ): Promise<readonly VectorMatch[]> {
    const found = await searchVectors(this.#collections, userId, vector, limit, filter, 'Strong')
    return found.map(({ id, score }) => ({ id, score }))
  }

  searchSettled(
    userId: string,
    vector: Float32Array,
    limit: number,
    filter: VectorFilter = {},
  ): Promise<readonly MirrorMatch[]> {
    return searchVectors(this.#collections, userId, vector, limit, filter, 'Bounded')
  }

  async get(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    const keys = ids.map((id) => ({ userId, id }))
    const rows = await findRows(this.#collections, keys, [...ROW_FIELDS, 'vector'])
    return new Map(rows.map((row) => [mirrorRowOf(row).id, Float32Array.from(list(fieldsOf(row).vector), Number)]))
  }

  count(userId: string): Promise<number> {
    return this.#sum((at) => countRows(at, `user_id == ${literal(userId)}`))
  }

  async insertRows(records: readonly MirroredVector[]): Promise<readonly string[]> {
    const ids = new Array<string>(records.length)
    for (const part of PARTS) {
      const places = [...records.keys()].filter((index) => partOf(records[index]!.id) === part)
      if (places.length === 0) continue
      const rows = places.map((index) => rowOf(records[index]!))
      const given = await insertRows(this.#collections.use(part), rows)
      for (const [at, index] of places.entries()) ids[index] = given[at]!
    }
    return ids
  }

  removeRows(rows: readonly Pick<MirrorRow, 'rowId' | 'id'>[]): Promise<void> {
    return removeRows(this.#collections, rows)
  }

  async findRows(ids: readonly Pick<MirrorRow, 'userId' | 'id'>[]): Promise<readonly MirrorRow[]> {
    return (await findRows(this.#collections, ids, ROW_FIELDS)).map(mirrorRowOf)
  }

  allRows(signal?: AbortSignal): AsyncGenerator<readonly WholeMirrorRow[]> {
    return allRows(this.#collections, signal)
  }

  async seals(storeId: string): Promise<readonly MirrorSeal[]> {
    const request = { filter: sealsOf(storeId), output_fields: SEAL_FIELDS }
    const rows = await query(this.#collections.use('turns'), 'look up whose its rows are', request)
    return rows.map(sealOf).sort((a, b) => (BigInt(a.rowId) < BigInt(b.rowId) ? -1 : 1))
  }

  async setSeal(storeId: string, seal: string): Promise<void> {
    const turns = this.#collections.use('turns')
    await insertRows(turns, [sealRow(storeId, seal, turns.ready.dimension)])
  }

  async removeSeals(seals: readonly MirrorSeal[]): Promise<void> {
    if (seals.length === 0) return
    await removeWhere(this.#collections.use('turns'), `id in [${seals.map(({ rowId }) => rowId).join(', ')}]`)
  }

  async ping(): Promise<void> {
    await this.#collections.reach()
  }

  close(): Promise<void> {
    return this.#collections.close()
  }

  async #sum(work: (at: UsedCollection) => Promise<number>): Promise<number> {
    const counts = await Promise.all(PARTS.map((part) => work(this.#collections.use(part))))
    return counts.reduce((sum, count) => sum + count, 0)
  }
}

/** Time between pings; the SDK's own ten seconds are too often for some servers, which then end the connection. */
const KEEPALIVE_MS = 60_000
/**
 * Time for the answer to a ping before the connection and its calls are given up: gRPC's own default. A busy server
 * sometimes takes longer than the SDK's five seconds; calls have bounds of their own.
 */
const KEEPALIVE_ANSWER_MS = 20_000
/**
 * Longest pause of gRPC before it connects again, as its own two minutes would keep an answering server away. The
 * callers decide how often the server is asked.
 */
const RECONNECT_MS = 1000

/** Opens a Milvus without connecting yet. Rejects `unsupported` without the SDK, `invalid_input` for a bad option. */
export async function openMilvus(options: MilvusOptions): Promise<VectorMirror> {
  const resolved = resolveMilvusOptions(options)
  const { address, token, timeoutMs } = resolved
  const { MilvusClient } = await loadSdk()
  const secrets = [token, token?.slice(token.indexOf(':') + 1), address.password]
  const connect = (): SdkClient => {
    const client = new MilvusClient({
      address: address.host,
      ssl: address.ssl,
      timeout: timeoutMs,
      // The SDK's retry would send rows twice that had arrived; `call.ts` knows what may be tried again.
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
  return new MilvusVectorIndex(new MilvusCollections(connect, place, resolved))
}

/** Rejects as `openMilvus` would, without connecting to anything. */
export async function checkMilvus(options: MilvusOptions): Promise<void> {
  resolveMilvusOptions(options)
  await loadSdk()
}
