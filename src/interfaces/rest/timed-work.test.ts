import { expect, test, vi } from 'vitest'
import { silentLogger } from '../../domain/logger.ts'
import { openMemory } from '../library/index.ts'
import { startTimedWork } from './timed-work.ts'

const NEVER = { expire: null, consolidate: null, digest: null, evict: null }
const EVERY_SECOND = '* * * * * *'

test('what lies beyond the configured number goes by the clock, of every user, the least certain first', async () => {
  await using memory = await openMemory({ path: ':memory:', evictionThreshold: 2 })
  for (const userId of ['ana', '小明'])
    for (const confidence of [0.9, 0.3, 0.8])
      await memory.add(`The cellar key, ${confidence}. 地窖的钥匙。`, { userId, infer: false, confidence })
  const stop = startTimedWork(memory, { ...NEVER, evict: EVERY_SECOND }, silentLogger, 'ana')
  const left = async (userId: string) => (await memory.getAll({ userId })).items.map(({ confidence }) => confidence)
  await vi.waitFor(
    async () => {
      for (const userId of ['ana', '小明']) expect((await left(userId)).sort()).toEqual([0.8, 0.9])
    },
    { timeout: 4000, interval: 100 },
  )
  await stop()
})

test('a pattern that is none is refused by its name', async () => {
  await using memory = await openMemory({ path: ':memory:' })
  expect(() => startTimedWork(memory, { ...NEVER, evict: 'now and then' }, silentLogger, 'ana')).toThrow(/evict/)
})
