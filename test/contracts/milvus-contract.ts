/** The vector index in a real Milvus keeps the contract that the embedded one keeps (issue 5, items 1 and 5). */
import { expect, test } from 'vitest'
import type { MirroredVector } from '../../src/domain/contracts/vector-mirror.ts'
import { MilvusCollections } from '../../src/store/milvus/collections.ts'
import { insertRows } from '../../src/store/milvus/insert-rows.ts'
import { openMilvus } from '../../src/store/milvus/open-milvus.ts'
import { resolveMilvusOptions } from '../../src/store/milvus/options.ts'
import type { SdkClient } from '../../src/store/milvus/sdk.ts'
import { searchVectors } from '../../src/store/milvus/search-vectors.ts'
import { rowOf } from '../../src/store/milvus/write-row.ts'
import type { MilvusServer } from '../support/milvus-server.ts'
import { vectorIndexContract } from './vector-index.ts'

const DIMENSION = 48

/** For vectors of 48 dimensions, opened twice. FLAT compares all, as the oracle does. */
export function milvusContract(name: string, server: () => MilvusServer): void {
  const open = async (collection = 'exact') => {
    const { uri, token } = server()
    const mirror = await openMilvus({ provider: 'milvus', uri, token, collection, index: 'FLAT', timeoutMs: 20_000 })
    await mirror.prepare(DIMENSION)
    return mirror
  }
  vectorIndexContract(name, async () => {
    const opened = [await open(), await open()]
    return {
      index: opened[0]!,
      other: opened[1]!,
      reopen: async () => {
        await opened[0]!.close()
        opened[0] = await open()
        return opened[0]
      },
      close: async () => {
        for (const mirror of opened) await mirror.close()
      },
    }
  })

  test(`${name}: rows are the same whether Mneme encodes them or the SDK, which it asks where it cannot`, async () => {
    const collection = 'encoded'
    await using mirror = disposable(await open(collection))
    const client = await server().client()
    // One whose connections nobody but itself can use.
    const closed = withoutPool(client)
    const options = resolveMilvusOptions({ provider: 'milvus', uri: server().uri, timeoutMs: 20_000 })
    const place = { shown: server().uri, secrets: [] }
    for (const [id, by] of [
      ['by Mneme', client],
      ['by the SDK', closed],
    ] as const)
      await insertRows({ client: by, place, options, name: collection }, [
        rowOf(recordOf(id)),
        rowOf(recordOf(`${id} 2`)),
      ])
    const rows = []
    for await (const piece of mirror.allRows()) rows.push(...piece)
    expect(rows.map(({ id }) => id).toSorted()).toEqual(['by Mneme', 'by Mneme 2', 'by the SDK', 'by the SDK 2'])
    for (const { id, record } of rows) expect(record).toEqual(recordOf(id))
    // And the other way: a search that Mneme encodes and reads, and the SDK's own.
    const asked = async (by: SdkClient) => {
      const collections = new MilvusCollections(() => by, place, { ...options, collection, index: 'FLAT' })
      await collections.prepare(DIMENSION)
      const { vector, userId } = recordOf('by Mneme')
      return searchVectors(collections, userId, vector, 3, {}, 'Strong')
    }
    const found = await asked(client)
    expect(found).toEqual(await asked(closed))
    expect(found[0]).toMatchObject({ id: 'by Mneme', version: 9_007_199_254_740_991, storeId: 'store' })
    expect(found[0]!.score).toBeCloseTo(1, 5)
    expect(found).toHaveLength(3)
  })
}

function withoutPool(client: SdkClient): SdkClient {
  return new Proxy(client, {
    get: (whole, name) => {
      const value: unknown = name === 'channelPool' ? undefined : Reflect.get(whole, name, whole)
      return typeof value === 'function' ? value.bind(whole) : value
    },
  })
}

function recordOf(id: string): MirroredVector {
  return {
    userId: '小林 "ann"\n',
    id,
    version: 9_007_199_254_740_991,
    storeId: 'store',
    model: 'test/bag',
    vector: Float32Array.from({ length: DIMENSION }, (_, at) => Math.fround(Math.sin(at + id.length))),
    kind: 'turn',
    conversationId: 'c\\d',
    who: null,
    time: 1_800_000_000_000,
    text: '雨下了一整天。👩‍👩‍👧 "quoted"',
  }
}

function disposable<T extends { close(): Promise<void> }>(one: T): T & AsyncDisposable {
  return Object.assign(one, { [Symbol.asyncDispose]: () => one.close() })
}
