/** The vector index in Milvus, whose ids change with updates: the new row comes first, then the old one goes. */
import { checkVector } from '../../domain/checks.ts'
import type { VectorMirror, VectorStoreOptions } from '../../domain/contracts/vector-mirror.ts'
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
import { allRows, findRows, insertRows, query, removeRows, removeWhere, searchVectors } from './find-rows.ts'
import { resolveMilvusOptions } from './options.ts'
import { fieldsOf, mirrorRowOf, ROW_FIELDS, rowOf } from './rows.ts'
import { literal, loadSdk, type SdkClient } from './sdk.ts'

/** The contract VectorMirror over both collections. */
function milvusVectorIndex(collections: MilvusCollections): VectorMirror {
  const { address, collection } = collections.options
  const ofUser = (userId: string): string => `user_id == ${literal(userId)}`

  async function sum(work: (at: UsedCollection) => Promise<number>): Promise<number> {
    const counts = await Promise.all(PARTS.map((part) => work(collections.use(part))))
    return counts.reduce((all, count) => all + count, 0)
  }

  const mirror: VectorMirror = {
    provider: 'milvus',
    target: `milvus ${address.host} ${address.database ?? 'default'} ${collection}`,
    prepare: (dimension) => collections.prepare(dimension),
    add: async (userId, records) => {
      const last = new Map(records.map((record) => [record.id, record]))
      const checked = [...last.values()].map((record) => ({
        ...record,
        vector: checkVector(`vector of ${record.id}`, record.vector, collections.shape()),
        text: record.text ?? record.memory?.text ?? '',
        userId,
        version: 0,
        storeId: '',
        model: '',
      }))
      if (checked.length === 0) return
      const before = await mirror.findRows(checked)
      await mirror.insertRows(checked)
      await mirror.removeRows(before)
    },
    remove: async (userId, ids) => {
      const rows = await mirror.findRows(ids.map((id) => ({ userId, id })))
      await mirror.removeRows(rows)
      return new Set(rows.map(({ id }) => id)).size
    },
    removeAll: (userId) =>
      sum(async (at) => {
        const count = await countRows(at, ofUser(userId))
        if (count > 0) await removeWhere(at, ofUser(userId))
        return count
      }),
    search: async (userId, vector, limit, filter = {}) => {
      const found = await searchVectors(collections, userId, vector, limit, filter, 'Strong')
      return found.map(({ id, score }) => ({ id, score }))
    },
    searchSettled: (userId, vector, limit, filter = {}) =>
      searchVectors(collections, userId, vector, limit, filter, 'Bounded'),
    get: async (userId, ids) => {
      const keys = ids.map((id) => ({ userId, id }))
      const rows = await findRows(collections, keys, [...ROW_FIELDS, 'vector'])
      return new Map(rows.map((row) => [mirrorRowOf(row).id, Float32Array.from(list(fieldsOf(row).vector), Number)]))
    },
    count: (userId) => sum((at) => countRows(at, ofUser(userId))),
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
    findRows: async (ids) => (await findRows(collections, ids, ROW_FIELDS)).map(mirrorRowOf),
    allRows: (signal) => allRows(collections, signal),
    seals: async (storeId) => {
      const request = { filter: sealsOf(storeId), output_fields: SEAL_FIELDS }
      const rows = await query(collections.use('turns'), 'look up whose its rows are', request)
      return rows.map(sealOf).sort((a, b) => (BigInt(a.rowId) < BigInt(b.rowId) ? -1 : 1))
    },
    setSeal: async (storeId, seal) => {
      const turns = collections.use('turns')
      await insertRows(turns, [sealRow(storeId, seal, turns.ready.dimension)])
    },
    removeSeals: async (seals) => {
      if (seals.length > 0)
        await removeWhere(collections.use('turns'), `id in [${seals.map(({ rowId }) => rowId).join(', ')}]`)
    },
    close: () => collections.close(),
  }
  return mirror
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
