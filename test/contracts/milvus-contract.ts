/** The vector index in a real Milvus keeps the contract that the embedded one keeps (issue 5, items 1 and 5). */
import { expect, test } from 'vitest'
import type { MirroredVector } from '../../src/domain/contracts/vector-mirror.ts'
import { openMilvus } from '../../src/store/milvus/milvus-vector-index.ts'
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

  test(`${name}: a row is read as it was written, and found`, async () => {
    await using mirror = disposable(await open('written'))
    await mirror.insertRows([recordOf('one'), recordOf('two')])
    const rows = []
    for await (const piece of mirror.allRows()) rows.push(...piece)
    expect(rows.map(({ id }) => id).toSorted()).toEqual(['one', 'two'])
    for (const { id, record } of rows) expect(record).toEqual(recordOf(id))
    const { vector, userId } = recordOf('one')
    await expect
      .poll(() => mirror.searchSettled(userId, vector, 3), { timeout: 20_000 })
      .toMatchObject([{ id: 'one', version: 9_007_199_254_740_991, storeId: 'store' }, { id: 'two' }])
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
