import { expect, test } from 'vitest'
import { memoryOf } from '../../../../test/contracts/memory-store.ts'
import { newTurn } from '../../../../test/contracts/turn-index.ts'
import { randomVector } from '../../../../test/contracts/vector-index.ts'
import { seeded } from '../../../../test/support/random.ts'
import { systemClock } from '../../../domain/clock.ts'
import { silentLogger } from '../../../domain/logger.ts'
import { openSqliteStore } from '../open-store.ts'

test('deleting a memory or a turn takes its vector along, and that of the turn after it', async () => {
  const store = await openSqliteStore({ path: ':memory:', create: true, clock: systemClock, logger: silentLogger })
  await store.memories.insert('ann', [memoryOf('a', 'I drink tea'), memoryOf('b', '我住在里斯本')])
  const turn = (content: string, day: number) => newTurn(content, { createdAt: Date.UTC(2026, 4, day) })
  const turns = [turn('My door code is 4711.', 1), turn('Noted.', 20), turn('谢谢', 20)]
  await store.log.append('ann', [{ conversationId: 'c', projectRoot: '', turns }], Date.UTC(2026, 4, 20))
  await store.vectors.begin({ model: 'test/model', dimension: 48 })
  const random = seeded(1)
  const fill = async () => {
    for (const one of await store.vectors.pendingEmbeddings(50))
      await store.vectors.add(one.userId, [{ ...one, vector: randomVector(random, 48) }])
  }
  await fill()
  expect(await store.vectors.count('ann')).toBe(5)
  await store.memories.remove('ann', ['a'])
  expect(await store.vectors.count('ann')).toBe(4)
  await store.log.remove('ann', { kind: 'older', before: Date.UTC(2026, 4, 10) })
  expect(await store.vectors.count('ann')).toBe(2)
  expect((await store.vectors.pendingEmbeddings(5)).map(({ text }) => text)).toEqual(['Noted.'])
  await fill()
  await store.log.remove('ann', { kind: 'all' })
  expect(await store.vectors.count('ann')).toBe(1)
  await store.rebuild('ann')
  expect(await store.vectors.count('ann')).toBe(1)
  await store.close()
})
