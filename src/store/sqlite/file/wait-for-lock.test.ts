/** Work in many transactions beside a neighbour who holds the write lock again and again: each piece is done once. */
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { hashedVector } from '../../../../test/support/embedding-server.ts'
import { freshDatabase } from '../../../../test/support/folder.ts'
import { InMemoryMirror } from '../../../../test/support/in-memory-mirror.ts'
import type { Store } from '../../../domain/contracts/store.ts'
import { silentLogger } from '../../../domain/logger.ts'
import { createMirrorWorker } from '../../../usecases/upkeep/mirror/mirror-worker.ts'
import { openSqliteStore } from '../open-store.ts'
import { BUSY_MS } from './connection.ts'

const HELD_MS = 15
const EVERY_MS = 40

/** A store, and its file with a second connection that writes all the time once it is told to. */
async function besideNeighbour(): Promise<{ store: Store; file: DatabaseSync; disturb: () => void }> {
  const path = freshDatabase()
  const store = await openSqliteStore({ path, create: true, clock: () => new Date(), logger: silentLogger })
  const file = new DatabaseSync(path, { timeout: 0 })
  const timers: NodeJS.Timeout[] = []
  onTestFinished(async () => {
    for (const timer of timers) clearTimeout(timer)
    file.close()
    await store.close()
  })
  const hold = (): void => {
    try {
      file.exec('BEGIN IMMEDIATE')
    } catch {
      return
    }
    timers.push(setTimeout(() => file.exec('COMMIT'), HELD_MS))
  }
  const disturb = (): void => {
    hold()
    timers.push(setInterval(hold, EVERY_MS))
  }
  return { store, file, disturb }
}

async function fillLog({ log }: Store, turns: number): Promise<void> {
  for (let first = 0; first < turns; first += 200) {
    const piece = Array.from({ length: 200 }, (_, at) => ({
      role: 'user' as const,
      content: `Turn ${first + at} of reserveStock${(first + at) % 97}`,
      speaker: null,
      createdAt: 1000 + first + at,
      externalId: null,
      metadata: null,
      isCollected: false,
      symbols: [],
    }))
    await log.append('ann', [{ conversationId: 'chat', projectRoot: '', turns: piece, think: false }], 2000)
  }
}

test('segments are merged, none is left half built', async () => {
  const { store, file, disturb } = await besideNeighbour()
  disturb()
  await fillLog(store, 6000)
  await store.idle()
  const [half] = file.prepare('SELECT count(*) AS n FROM index_segments WHERE building = 3').all()
  const [whole] = file.prepare('SELECT count(*) AS n FROM index_segments WHERE building = 2').all()
  expect(half?.n).toBe(0)
  expect(whole?.n).toBeLessThan(8)
})

test('while the lock goes from hand to hand, a write waits for longer than for a lock that one holds', async () => {
  const { store, file } = await besideNeighbour()
  file.exec('BEGIN IMMEDIATE')
  const write = "INSERT INTO counters VALUES ('x', 1) ON CONFLICT DO UPDATE SET value = value + 1; COMMIT"
  const handsOn = setInterval(() => file.exec(`${write}; BEGIN IMMEDIATE`), 500)
  setTimeout(() => {
    clearInterval(handsOn)
    file.exec(write)
  }, BUSY_MS + 1000)
  await fillLog(store, 1)
  expect(await store.log.remove('ann', { kind: 'conversation', conversationId: 'chat' })).toMatchObject({ turns: 200 })
})

test('a rebuild goes over every turn once, a deletion counts what it deleted', async () => {
  const { store, disturb } = await besideNeighbour()
  await fillLog(store, 3000)
  disturb()
  const progress: number[] = []
  expect(await store.rebuild('ann', { onProgress: (done) => void progress.push(done) })).toMatchObject({ turns: 3000 })
  expect(progress).toEqual([...new Set(progress)].sort((a, b) => a - b))
  expect(await store.log.remove('ann', { kind: 'conversation', conversationId: 'chat' })).toMatchObject({ turns: 3000 })
})

test('a mirror that holds everything is not taken for empty', async () => {
  const { store, disturb } = await besideNeighbour()
  await store.vectors.begin({ model: 'test/bag', dimension: 8 })
  const vectors = Array.from({ length: 600 }, (_, at) => ({
    id: `m${at}`,
    vector: hashedVector(`note ${at}`, 8),
    kind: 'semantic' as const,
    conversationId: null,
    who: null,
    time: 1_800_000_000_000 + at,
  }))
  await store.vectors.add('ann', vectors)
  const mirror = new InMemoryMirror()
  const dimension = async () => 8
  const now = () => Date.now()
  const outbox = store.outbox
  await createMirrorWorker({ mirror, outbox, logger: silentLogger, now, dimension, background: false }).idle()
  disturb()
  expect(await outbox.compare(mirror.allRows(), true)).toMatchObject({ equal: 600, missing: 0 })
  expect(await store.vectors.removeAll('ann')).toBe(600)
})
