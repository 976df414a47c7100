/** The mirror of vectors in a real Milvus: what is written is read, found, told apart and removed (issue 5, items 1 and 5). */
import { expect, test } from 'vitest'
import type { MirroredVector, VectorFilter } from '../../src/domain/contracts/vector-index.ts'
import { openMilvus } from '../../src/store/milvus/milvus-vector-index.ts'
import type { MilvusServer } from '../support/milvus-server.ts'
import { TEXTS } from './vector-index.ts'

const DIMENSION = 48

/** For vectors of 48 dimensions, opened twice. FLAT compares all, as the oracle does. */
export function milvusContract(server: () => MilvusServer): void {
  const open = async (collection = 'exact') => {
    const { uri, token } = server()
    const mirror = await openMilvus({ provider: 'milvus', uri, token, collection, timeoutMs: 20_000 })
    await mirror.prepare(DIMENSION)
    return mirror
  }
  test('a row is read as it was written, and found', async () => {
    await using mirror = disposable(await open('written'))
    await mirror.insertRows([recordOf('one'), recordOf('two')])
    const rows = []
    for await (const piece of mirror.allRows()) rows.push(...piece)
    expect(rows.map(({ id }) => id).toSorted()).toEqual(['one', 'two'])
    for (const { id, record } of rows) expect(record).toEqual(recordOf(id))
    const { vector, userId } = recordOf('one')
    await expect
      .poll(() => mirror.searchSettled(userId, vector, 3))
      .toMatchObject([{ id: 'one', version: 9_007_199_254_740_991, storeId: 'store' }, { id: 'two' }])
  })

  test('users, conversations and speakers of any letters are told apart, and only named rows are removed', async () => {
    await using mirror = disposable(await open('letters'))
    const records = TEXTS.flatMap(([, text]): readonly MirroredVector[] => [
      { ...recordOf('one'), userId: text, kind: 'semantic', conversationId: text, who: 'user' },
      { ...recordOf('two'), userId: text, kind: 'episodic', conversationId: 'other', who: text },
    ])
    const rowIds = await mirror.insertRows(records)
    const { vector, time } = recordOf('one')
    for (const [title, text] of TEXTS) {
      const found = async (filter: VectorFilter) =>
        (await mirror.searchSettled(text, vector, 10, filter)).map(({ id }) => id)
      await expect.poll(() => found({}), { message: title }).toEqual(['one', 'two'])
      expect(await found({ conversationId: text }), title).toEqual(['one'])
      expect(await found({ who: text }), title).toEqual(['two'])
      expect(await found({ kind: 'episodic', since: time, until: time + 1 }), title).toEqual(['two'])
      expect(await found({ until: time }), title).toEqual([])
    }
    const [first, ...rest] = TEXTS.map(([, text]) => ({ userId: text, id: 'one' }))
    await mirror.removeRows([{ rowId: rowIds[0]!, id: 'one' }])
    expect(await mirror.findRows([first!])).toEqual([])
    expect(await mirror.findRows(rest)).toHaveLength(TEXTS.length - 1)
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
