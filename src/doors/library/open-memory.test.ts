import { afterEach, expect, test, vi } from 'vitest'
import { openMemory } from './open-memory.ts'

afterEach(() => vi.unstubAllEnvs())

test('an option goes before the environment, which goes before the default', async () => {
  vi.stubEnv('MNEME_DB', ':memory:')
  vi.stubEnv('MEMORY_RETRIEVAL_LIMIT', '2')
  const found = async (retrievalLimit?: number): Promise<number> => {
    await using memory = await openMemory({ userId: 'kim', retrievalLimit })
    for (const name of ['Ada', 'Bea', 'Cleo', 'Dora']) await memory.add(`My hen ${name} lays eggs`, { infer: false })
    return (await memory.search('hen eggs', { ranking: 'long-term' })).results.length
  }
  expect(await found()).toBe(2)
  expect(await found(3)).toBe(3)
  vi.stubEnv('MEMORY_RETRIEVAL_LIMIT', 'many')
  await expect(openMemory({ userId: 'kim' })).rejects.toThrow(/^MEMORY_RETRIEVAL_LIMIT: /)
})
