/** The vector index in a real Milvus keeps the contract that the embedded one keeps (issue 5, items 1 and 5). */
import { expect, test } from 'vitest'
import { insertRows } from '../../src/adapters/milvus/insert-rows.ts'
import { openMilvus } from '../../src/adapters/milvus/open-milvus.ts'
import { resolveMilvusOptions } from '../../src/adapters/milvus/options.ts'
import type { SdkClient } from '../../src/adapters/milvus/sdk.ts'
import { rowOf } from '../../src/adapters/milvus/write-row.ts'
import type { MirroredVector } from '../../src/contracts/vector-mirror.ts'
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
    const closed: SdkClient = { ...client, insert: (request: object) => client.insert(request) }
    delete (closed as { channelPool?: unknown }).channelPool
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
