/** Searching in a mirror, without any server: whatever rows lie there, the answer is that of the record. */
import { expect, onTestFinished, test } from 'vitest'
import { hashedVector } from '../../../../test/support/embedding-server.ts'
import { freshDatabase } from '../../../../test/support/folder.ts'
import { InMemoryMirror } from '../../../../test/support/in-memory-mirror.ts'
import type { VectorRecord } from '../../../domain/contracts/vector-index.ts'
import { silentLogger } from '../../../domain/logger.ts'
import { openSqliteStore } from '../../../store/sqlite/open-store.ts'
import { createMirrorWorker } from './mirror-worker.ts'
import { mirroredVectors } from './mirrored-store.ts'

const DIMENSION = 64
const COUNT = 60
const QUERY = hashedVector('the ferry leaves at seven', DIMENSION)

const record = (at: number, more: Partial<VectorRecord> = {}): VectorRecord => ({
  id: `turn:${at}`,
  vector: hashedVector(`the ferry number ${at} leaves at ${'seven '.repeat(at % 7)}`, DIMENSION),
  kind: 'turn',
  conversationId: `c${at % 3}`,
  who: at % 2 === 0 ? 'ann' : 'ben',
  time: 1_800_000_000_000 + at,
  ...more,
})

/** A filled store and its mirror, which shows everything: nothing is compared by the record itself any more. */
async function settled() {
  let now = Date.now()
  const store = await openSqliteStore({
    path: freshDatabase(),
    create: true,
    clock: () => new Date(now),
    logger: silentLogger,
  })
  onTestFinished(() => store.close())
  await store.vectors.begin({ model: 'test/bag', dimension: DIMENSION })
  await store.vectors.add(
    'ann',
    Array.from({ length: COUNT }, (_, at) => record(at)),
  )
  const mirror = new InMemoryMirror()
  const { outbox } = store
  const worker = createMirrorWorker({
    mirror,
    outbox,
    logger: silentLogger,
    now: () => now,
    dimension: async () => DIMENSION,
    background: false,
  })
  await worker.drain()
  now += 60_000
  await worker.drain()
  expect((await outbox.unsettled('ann', 500)).vectors.size).toBe(0)
  return { record: store.vectors, mirrored: mirroredVectors(store.vectors, outbox, mirror, worker), mirror, worker }
}

async function expectSame({ record: exact, mirrored }: Awaited<ReturnType<typeof settled>>): Promise<void> {
  for (const filter of [{}, { who: 'ben' }, { conversationId: 'c1' }, { since: 1_800_000_000_030 }])
    for (const limit of [1, 10, 50, 200]) {
      const [found, wanted] = await Promise.all([
        mirrored.search('ann', QUERY, limit, filter),
        exact.search('ann', QUERY, limit, filter),
      ])
      expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
      for (const [at, { score }] of found.entries()) expect(score).toBeCloseTo(wanted[at]!.score, 5)
    }
}

test('the answer is that of the record, for every limit and filter', async () => {
  const both = await settled()
  await expectSame(both)
})

test('rows of another store for the same user, under the same ids and versions, change no answer', async () => {
  const both = await settled()
  for (const [at, { record: held, ...row }] of both.mirror.rows().entries())
    both.mirror.put({ ...row, rowId: `${1000 + at}`, storeId: 'another', record: { ...held, vector: QUERY } })
  await expectSame(both)
})

test('what was removed or replaced a moment ago takes no place of what is left', async () => {
  const both = await settled()
  const nearest = await both.record.search('ann', QUERY, 40)
  await both.record.remove(
    'ann',
    nearest.slice(0, 30).map(({ id }) => id),
  )
  for (const { id } of nearest.slice(30)) {
    const at = Number(id.slice('turn:'.length))
    await both.record.add('ann', [record(at, { vector: hashedVector(`nothing of the kind ${at}`, DIMENSION) })])
  }
  await expectSame(both)
  await both.worker.drain()
  await expectSame(both)
})
