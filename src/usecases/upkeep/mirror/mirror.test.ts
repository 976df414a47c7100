/** Bringing a mirror up to date, without any server: whatever fails between two steps, both sides become equal. */
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hashedVector } from '../../../../test/support/embedding-server.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { freshDatabase } from '../../../../test/support/folder.ts'
import { InMemoryMirror } from '../../../../test/support/in-memory-mirror.ts'
import { silentLogger } from '../../../domain/logger.ts'
import { openMemory } from '../../../doors/library/index.ts'
import { openSqliteStore } from '../../../store/sqlite/open-store.ts'
import { createMirrorWorker } from './mirror-worker.ts'
import { mirroredVectors } from './mirrored-store.ts'

const embedding = {
  model: 'test/bag',
  dimension: async () => 64,
  embed: async (texts: readonly string[]) => texts.map((text) => hashedVector(text, 64)),
  close: async () => {},
}

async function open(mirror: InMemoryMirror, path = freshDatabase(), clock = () => new Date()) {
  const memory = await openMemory({ path, userId: 'ann', embedding, vectorStore: mirror, background: false, clock })
  onTestFinished(() => memory.close())
  return memory
}

const problems = async (memory: Awaited<ReturnType<typeof open>>) =>
  (await memory.maintenance.verify()).filter(({ ok }) => !ok)

test('what is added, edited and deleted reaches the mirror, each memory once', async () => {
  const mirror = new InMemoryMirror()
  const memory = await open(mirror)
  const ids: string[] = []
  for (const text of ['She plays the cello.', '他每周三去游泳。', 'They moved to Ghent.'])
    ids.push((await memory.add(text, { infer: false })).results[0]!.id)
  await memory.idle()
  await memory.update(ids[0]!, { text: 'She plays the viola now.' })
  await memory.delete(ids[2]!)
  await memory.idle()
  expect(mirror.texts()).toEqual(['She plays the viola now.', '他每周三去游泳。'].sort())
  expect(await problems(memory)).toEqual([])
})

test.each(['before insert', 'after insert', 'before remove', 'after remove'] as const)(
  'a mirror that fails %s is told again, and holds each memory once',
  async (moment) => {
    const mirror = new InMemoryMirror()
    const path = freshDatabase()
    const memory = await open(mirror, path)
    const { results } = await memory.add('The kettle is broken.', { infer: false })
    await memory.idle()
    await memory.update(results[0]!.id, { text: 'The kettle is mended.' })
    mirror.failAt = moment
    await memory.idle()
    await memory.close()
    mirror.failAt = null
    const again = await open(mirror, path)
    await again.idle()
    expect(mirror.texts()).toEqual(['The kettle is mended.'])
    expect(await problems(again)).toEqual([])
  },
)

test('while the mirror fails the answer goes by words and says so, and nothing is lost', async () => {
  const mirror = new InMemoryMirror()
  const memory = await open(mirror)
  await memory.add('The ferry leaves at seven.', { infer: false })
  await memory.idle()
  mirror.failAt = 'always'
  const { results, warnings } = await memory.search('ferry')
  expect(results).toHaveLength(1)
  expect(warnings).toEqual([expect.stringMatching(/words alone.*does not answer/)])
  expect((await memory.maintenance.vectorStore())?.failure).not.toBeNull()
})

test('rows that nobody knows of, rows that say something else and rows that are missing are found, and put right on request', async () => {
  const mirror = new InMemoryMirror()
  const memory = await open(mirror)
  for (const text of ['One of them.', 'Two of them.', 'Three of them.']) await memory.add(text, { infer: false })
  await memory.idle()
  const [first, second, third] = mirror.rows()
  mirror.put({ ...first!, rowId: '900' })
  mirror.put({ ...second!, record: { ...second!.record, text: 'Something else.' } })
  mirror.drop(third!.rowId)
  mirror.put({ ...first!, rowId: '901', storeId: randomUUID() })
  const found = await problems(memory)
  expect(found[0]?.detail).toMatch(
    /1 of 3 vectors agree; 1 are missing, 1 say something else, 1 rows are left over; 1 rows are of others/,
  )
  await memory.maintenance.verify({ repair: true })
  await memory.idle()
  expect(await problems(memory)).toEqual([])
  expect(mirror.texts()).toEqual(['One of them.', 'One of them.', 'Three of them.', 'Two of them.'])
})

test.each([
  { supersededBy: 'another' },
  { projectRoot: '/home/ann/boats' },
  { suspect: { reason: 'it rests on another', since: 0 } },
])('a row is found that misses what changes without an edit: %j', async (change) => {
  const mirror = new InMemoryMirror()
  const memory = await open(mirror)
  await memory.add('The kettle is broken.', { infer: false })
  await memory.idle()
  const [row] = mirror.rows()
  mirror.put({ ...row!, record: { ...row!.record, memory: { ...row!.record.memory!, ...change } } })
  expect((await problems(memory))[0]?.detail).toMatch(/0 of 1 vectors agree; 0 are missing, 1 say something else/)
  await memory.maintenance.verify({ repair: true })
  await memory.idle()
  expect(await problems(memory)).toEqual([])
  expect(mirror.rows()[0]?.record.memory).toEqual(row!.record.memory)
})

test('every field of a memory comes back from the mirror', async () => {
  const mirror = new InMemoryMirror()
  const memory = await open(mirror)
  await memory.add('She plays the cello.', {
    infer: false,
    metadata: { thing: 'cello' },
    tags: ['music', '音乐'],
    importance: 2,
    key: 'instrument',
    value: { name: 'cello', since: 2011 },
    confidence: 0.65,
    conversationId: 'music room',
    externalId: 'ext-1',
  })
  await memory.idle()
  const before = await memory.getAll()
  const fresh = await open(mirror)
  expect(await fresh.maintenance.fromVectorStore()).toMatchObject({ restored: 1, known: 0 })
  expect((await fresh.getAll()).items).toEqual(before.items)
})

test('a mirror that is left is told of nothing, keeps what it holds, and is brought up to date when it is taken up again', async () => {
  const mirror = new InMemoryMirror()
  const path = freshDatabase()
  const memory = await open(mirror, path)
  const { results } = await memory.add('The cellar is damp.', { infer: false })
  await memory.add('阁楼很干燥。', { infer: false })
  await memory.idle()
  await expect(memory.maintenance.detachVectorStore()).rejects.toMatchObject({ field: 'vectorStore' })
  await memory.close()
  const alone = await openMemory({ path, userId: 'ann', embedding, background: false })
  expect(await alone.maintenance.detachVectorStore()).toEqual({ detached: mirror.target })
  expect(await alone.maintenance.detachVectorStore()).toEqual({ detached: null })
  await alone.update(results[0]!.id, { text: 'The cellar is dry.' })
  await alone.idle()
  expect((await alone.search('cellar')).results[0]?.text).toBe('The cellar is dry.')
  await alone.close()
  expect(mirror.texts()).toEqual(['The cellar is damp.', '阁楼很干燥。'])
  const again = await open(mirror, path)
  await again.idle()
  expect(mirror.texts()).toEqual(['The cellar is dry.', '阁楼很干燥。'])
  expect(await problems(again)).toEqual([])
})

test('without a vector store there is nothing to send, and it is said', async () => {
  const memory = await openMemory({ path: freshDatabase(), userId: 'ann' })
  onTestFinished(() => memory.close())
  expect(await memory.maintenance.vectorStore()).toBeNull()
  await expect(memory.maintenance.toVectorStore()).rejects.toMatchObject({
    code: 'invalid_input',
    field: 'vectorStore',
  })
})

test('an hour without the mirror under writes: it is asked ever more rarely, its return is noticed within half a minute, and nothing is lost', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const mirror = new InMemoryMirror()
  const path = freshDatabase()
  const store = await openSqliteStore({ path, create: true, clock: () => new Date(), logger: silentLogger })
  onTestFinished(() => store.close())
  await store.vectors.begin({ model: 'test/bag', dimension: 8 })
  const worker = createMirrorWorker({
    mirror,
    outbox: store.outbox,
    logger: silentLogger,
    now: () => performance.now(),
    dimension: async () => 8,
    background: true,
  })
  const vectors = mirroredVectors(store.vectors, store.outbox, mirror, worker)
  const write = async (at: number) => {
    const vector = hashedVector(`note ${at}`, 8)
    const fixed = { kind: 'semantic', conversationId: null, who: null } as const
    await vectors.add('ann', [{ id: `m${at % 2500}`, time: at, vector, ...fixed }])
    if (at % 10 === 9) await vectors.remove('ann', [`m${at - 5}`])
  }
  await write(0)
  await worker.drain()
  const asked = vi.spyOn(mirror, 'prepare')
  mirror.failAt = 'always'
  for (let second = 1; second <= 3600; second += 1) {
    await write(second)
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(asked.mock.calls.length).toBeGreaterThan(100)
  expect(asked.mock.calls.length).toBeLessThan(135)
  await expect(vectors.search('ann', hashedVector('note 1', 8), 3)).rejects.toMatchObject({
    code: 'vector_store_failed',
  })
  mirror.failAt = null
  await vi.advanceTimersByTimeAsync(31_000)
  await eventually(async () => expect((await store.outbox.state()).waiting).toBe(0))
  expect(worker.lastFailure()).toBeNull()
  const count = await store.vectors.count('ann')
  expect(await store.outbox.compare(mirror.allRows(), false)).toMatchObject({
    vectors: count,
    equal: count,
    leftOver: 0,
  })
  expect(mirror.rows()).toHaveLength(count)
  await worker.stop()
})
