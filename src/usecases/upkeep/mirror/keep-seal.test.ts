/** Two files that were one, without any server: each keeps its own rows, and a file that only has several processes its rows. */
import { copyFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { hashedVector } from '../../../../test/support/embedding-server.ts'
import { freshDatabase } from '../../../../test/support/folder.ts'
import { InMemoryMirror } from '../../../../test/support/in-memory-mirror.ts'
import type { VectorRecord } from '../../../domain/contracts/vector-index.ts'
import { type Logger, silentLogger } from '../../../domain/logger.ts'
import { openSqliteStore } from '../../../store/sqlite/open-store.ts'
import { createMirrorWorker } from './mirror-worker.ts'

const DIMENSION = 8

const record = (at: number, said = 'note'): VectorRecord => ({
  id: `turn:${at}`,
  vector: hashedVector(`${said} ${at}`, DIMENSION),
  kind: 'turn',
  conversationId: null,
  who: null,
  time: 1_800_000_000_000 + at,
})

/** A process that has the file open. It lets go of the right to apply when it has applied. */
async function processOf(path: string, mirror: InMemoryMirror, logger: Logger = silentLogger) {
  const store = await openSqliteStore({ path, create: true, clock: () => new Date(), logger })
  await store.vectors.begin({ model: 'test/bag', dimension: DIMENSION })
  const { outbox, vectors } = store
  const worker = createMirrorWorker({
    ...{ mirror, outbox, logger, now: () => performance.now() },
    dimension: async () => DIMENSION,
    background: false,
  })
  let isOpen = true
  const close = async () => {
    if (isOpen) await store.close()
    isOpen = false
  }
  onTestFinished(close)
  return {
    outbox,
    close,
    write: async (...records: readonly VectorRecord[]) => {
      await vectors.add('ann', records)
      await worker.drain()
      await worker.stop()
    },
    expectEqual: async () => {
      const count = await vectors.count('ann')
      expect(await outbox.compare(mirror.allRows(), false)).toMatchObject({
        ...{ vectors: count, equal: count, missing: 0, stale: 0, leftOver: 0 },
      })
    },
    storeId: async () => (await outbox.seal())?.storeId,
  }
}

test('processes of one file that write in turn keep its rows, whoever was last', async () => {
  const [path, mirror] = [freshDatabase(), new InMemoryMirror()]
  const one = await processOf(path, mirror)
  await one.write(record(0))
  const storeId = await one.storeId()
  const two = await processOf(path, mirror)
  for (let at = 1; at < 9; at += 1) await (at % 3 === 0 ? one : two).write(record(at), record(at - 1, 'another'))
  await one.expectEqual()
  expect([await one.storeId(), await two.storeId(), mirror.rows().length]).toEqual([storeId, storeId, 9])
})

test.each(['the copy', 'the first'] as const)(
  'of a file and its copy, %s writes first and keeps the rows; the other says so and sends its own',
  async (first) => {
    const [path, copy, mirror] = [freshDatabase(), freshDatabase(), new InMemoryMirror()]
    const before = await processOf(path, mirror)
    await before.write(record(0), record(1), record(2))
    const storeId = await before.storeId()
    await before.close()
    copyFileSync(path, copy)
    const warnings: string[] = []
    const logger = { ...silentLogger, warn: (message: string) => warnings.push(message) }
    const paths = first === 'the copy' ? [copy, path] : [path, copy]
    const keeps = await processOf(paths[0]!, mirror, logger)
    const leaves = await processOf(paths[1]!, mirror, logger)
    for (let round = 0; round < 3; round += 1) {
      await keeps.write(record(1, `kept ${round}`), record(3 + round))
      await leaves.write(record(1, `left ${round}`), record(3 + round, 'another'))
    }
    await keeps.expectEqual()
    await leaves.expectEqual()
    expect(await keeps.storeId()).toBe(storeId)
    expect(await leaves.storeId()).not.toBe(storeId)
    expect(warnings).toEqual([expect.stringContaining('under an id of its own')])
    expect(mirror.rows()).toHaveLength(12)
  },
)

test('an earlier state of a file that was brought back does not take up what came after it', async () => {
  const [path, backup, mirror] = [freshDatabase(), freshDatabase(), new InMemoryMirror()]
  const before = await processOf(path, mirror)
  await before.write(record(0), record(1))
  await before.close()
  copyFileSync(path, backup)
  const after = await processOf(path, mirror)
  await after.write(record(1, 'another'), record(2))
  await after.close()
  copyFileSync(backup, path)
  const again = await processOf(path, mirror)
  // The same ids and versions as before, for other vectors.
  await again.write(record(1, 'a third'), record(2, 'a fourth'))
  await again.expectEqual()
  const own = await again.storeId()
  expect(mirror.rows().filter(({ storeId }) => storeId === own)).toHaveLength(3)
})

test('a seal that arrived though its setting failed is the file’s own', async () => {
  const [path, mirror] = [freshDatabase(), new InMemoryMirror()]
  const one = await processOf(path, mirror)
  await one.write(record(0))
  const storeId = await one.storeId()
  const { seals } = (await one.outbox.seal())!
  // As a process leaves it that ends between the two steps, before and after the mirror was told.
  await one.outbox.noteSeal(seals.at(-1)!, '42')
  const two = await processOf(path, mirror)
  await two.write(record(1))
  await two.outbox.noteSeal((await two.outbox.seal())!.seals.at(-1)!, '43')
  await mirror.setSeal(storeId!, '43')
  const three = await processOf(path, mirror)
  await three.write(record(2))
  await three.expectEqual()
  expect(await three.storeId()).toBe(storeId)
  expect(await mirror.seals(storeId!)).toHaveLength(1)
})
