/** A copied file sends rows of its own, and a file that was moved or has several processes keeps its rows. */
import { copyFileSync, renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
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
  }
}

test('processes of one file that write in turn keep its rows, also once it was moved', async () => {
  const [path, moved, mirror] = [freshDatabase(), freshDatabase(), new InMemoryMirror()]
  const one = await processOf(path, mirror)
  await one.write(record(0))
  const two = await processOf(path, mirror)
  for (let at = 1; at < 9; at += 1) await (at % 3 === 0 ? one : two).write(record(at), record(at - 1, 'another'))
  await one.expectEqual()
  await Promise.all([one.close(), two.close()])
  renameSync(path, moved)
  const three = await processOf(moved, mirror)
  await three.write(record(0, 'a third'))
  await three.expectEqual()
  expect(new Set(mirror.rows().map(({ storeId }) => storeId)).size).toBe(1)
  expect(mirror.rows()).toHaveLength(9)
})

test.each(['the copy', 'the first'] as const)(
  'of a file and its copy the copy sends its own rows and says so, when %s writes first',
  async (first) => {
    const [path, copy, mirror] = [freshDatabase(), freshDatabase(), new InMemoryMirror()]
    const before = await processOf(path, mirror)
    await before.write(record(0), record(1), record(2))
    await before.close()
    const rows = mirror.rows().map(({ rowId }) => rowId)
    copyFileSync(path, copy)
    const warnings: string[] = []
    const logger = { ...silentLogger, warn: (message: string) => warnings.push(message) }
    const [one, two] = [await processOf(path, mirror), await processOf(copy, mirror, logger)]
    for (let round = 0; round < 3; round += 1)
      for (const writer of first === 'the copy' ? [two, one] : [one, two])
        await writer.write(record(1, `${writer === one} ${round}`), record(3 + round, String(writer === one)))
    await one.expectEqual()
    await two.expectEqual()
    expect(warnings).toEqual([expect.stringContaining('under an id of its own')])
    expect(mirror.rows()).toHaveLength(12)
    expect(mirror.rows().filter(({ rowId }) => rows.includes(rowId))).toHaveLength(2)
  },
)

test.each(['its', 'another'])(
  'at its path on %s machine a file that was copied back is known or a copy',
  async (machine) => {
    const [path, copy, mirror] = [freshDatabase(), freshDatabase(), new InMemoryMirror()]
    const before = await processOf(path, mirror)
    await before.write(record(0))
    await before.close()
    copyFileSync(path, copy)
    renameSync(copy, path)
    if (machine === 'another') {
      using database = new DatabaseSync(path)
      database.exec(`UPDATE counters SET name = replace(name, 'store_at ', 'store_at another-')`)
    }
    const after = await processOf(path, mirror)
    await after.write(record(1))
    await after.expectEqual()
    expect(new Set(mirror.rows().map(({ storeId }) => storeId)).size).toBe(machine === 'its' ? 1 : 2)
  },
)
