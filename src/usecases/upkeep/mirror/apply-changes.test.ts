/** The first filling of a mirror, without any server: whatever ends half-way, every vector is there once. */
import { expect, test } from 'vitest'
import { freshDatabase } from '../../../../test/support/folder.ts'
import { InMemoryMirror } from '../../../../test/support/in-memory-mirror.ts'
import { DIMENSION, openStore, record } from '../../../../test/support/mirrored-store.ts'
import { silentLogger } from '../../../domain/logger.ts'
import { createMirrorWorker } from './mirror-worker.ts'

const COUNT = 3700

/** A store with vectors that no mirror knows of. */
async function filledStore(path = freshDatabase()) {
  const store = await openStore(path)
  await store.vectors.add(
    'ann',
    Array.from({ length: COUNT }, (_, at) => record(at)),
  )
  return store
}

type OpenStore = Awaited<ReturnType<typeof openStore>>

function workerOf({ outbox }: OpenStore, mirror: InMemoryMirror, now = Date.now) {
  const dimension = async () => DIMENSION
  return createMirrorWorker({ mirror, outbox, logger: silentLogger, now, dimension, background: false })
}

async function expectEqual({ outbox, vectors }: OpenStore, mirror: InMemoryMirror): Promise<void> {
  const count = await vectors.count('ann')
  expect(await outbox.compare(mirror.allRows(), false)).toEqual({
    vectors: count,
    equal: count,
    missing: 0,
    stale: 0,
    leftOver: 0,
    foreign: 0,
  })
  expect(await outbox.state()).toMatchObject({ waiting: 0, toFill: 0 })
}

test('vectors that were there before the mirror are sent, and progress tells of all of them', async () => {
  const store = await filledStore()
  const mirror = new InMemoryMirror()
  const seen: [number, number | null][] = []
  await workerOf(store, mirror).drain({ onProgress: (done, total) => seen.push([done, total]) })
  await expectEqual(store, mirror)
  expect(seen.at(-1)).toEqual([COUNT, COUNT])
  expect(seen.length).toBeGreaterThan(1)
})

test.each(['before insert', 'after insert'] as const)(
  'a filling that fails %s and is taken up by another process leaves each vector once',
  async (moment) => {
    const path = freshDatabase()
    const store = await filledStore(path)
    const mirror = new InMemoryMirror()
    mirror.failAt = moment
    await expect(workerOf(store, mirror).drain()).rejects.toMatchObject({ code: 'vector_store_failed' })
    mirror.failAt = null
    const later = await openStore(path)
    await workerOf(later, mirror, () => Date.now() + 300_000).drain()
    await expectEqual(later, mirror)
  },
)

test('what is replaced, removed and added while the filling stands still is as it was left', async () => {
  const store = await filledStore()
  const mirror = new InMemoryMirror()
  mirror.failAt = 'after insert'
  const worker = workerOf(store, mirror)
  await expect(worker.drain()).rejects.toMatchObject({ code: 'vector_store_failed' })
  mirror.failAt = null
  await store.vectors.remove('ann', ['m0', 'm1500', `m${COUNT - 1}`])
  await store.vectors.add('ann', [record(1, 'another'), record(3000, 'another'), record(COUNT)])
  await worker.drain()
  await expectEqual(store, mirror)
})

test('vectors of an earlier model are not sent', async () => {
  const store = await filledStore()
  await store.vectors.begin({ model: 'test/other', dimension: DIMENSION })
  await store.vectors.add('ann', [record(1, 'another')])
  const mirror = new InMemoryMirror()
  await workerOf(store, mirror).drain()
  expect(mirror.rows()).toHaveLength(1)
  await expectEqual(store, mirror)
})

test('two processes fill one after the other, never both', async () => {
  const path = freshDatabase()
  const [one, two] = [await filledStore(path), await openStore(path)]
  const mirror = new InMemoryMirror()
  const workers = [workerOf(one, mirror), workerOf(two, mirror)]
  await Promise.all(workers.map((worker) => worker.drain().then(() => worker.stop())))
  await expectEqual(one, mirror)
})

test.each(['the first filling', 'changes'] as const)(
  'a process that was asleep while it sent %s, and whose right another took meanwhile, takes its rows back',
  async (what) => {
    const path = freshDatabase()
    const store = await filledStore(path)
    const other = await openStore(path)
    const mirror = new InMemoryMirror()
    let now = Date.now()
    if (what === 'changes') {
      await workerOf(other, mirror).drain()
      now += 300_000
      await store.vectors.add('ann', [record(1, 'another'), record(COUNT)])
    }
    const insert = mirror.insertRows.bind(mirror)
    const rowsBefore = mirror.rows().length
    let isTaken = false
    mirror.insertRows = async (records) => {
      const ids = await insert(records)
      if (isTaken) return ids
      isTaken = true
      now += 120_000
      expect(await other.outbox.claim('another process', now, 60_000)).toBe(true)
      return ids
    }
    const stopped = new AbortController()
    const sleeper = workerOf(store, mirror, () => now).drain({ signal: stopped.signal })
    await expect.poll(() => isTaken).toBe(true)
    await expect.poll(() => mirror.rows().length).toBe(rowsBefore)
    stopped.abort()
    await sleeper.catch(() => {})
    await workerOf(other, mirror, () => now + 300_000).drain()
    await expectEqual(other, mirror)
    expect(mirror.rows()).toHaveLength(await other.vectors.count('ann'))
  },
)
