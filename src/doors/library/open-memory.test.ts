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

test('every option of the table in the README has a variable', async () => {
  vi.stubEnv('MNEME_DB', ':memory:')
  vi.stubEnv('MNEME_USER', 'ana')
  vi.stubEnv('MNEME_MAX_CONTENT_BYTES', '1024')
  await using memory = await openMemory()
  await expect(memory.add('x'.repeat(1025), { infer: false })).rejects.toThrow(/1024/)
  const { results } = await memory.add('My hen lays eggs', { infer: false })
  expect(await memory.get(results[0]!.id, { userId: 'ana' })).toMatchObject({ text: 'My hen lays eggs' })
  vi.stubEnv('MNEME_ARCHIVE_WORKING_MEMORY', 'perhaps')
  await expect(openMemory()).rejects.toThrow(/^MNEME_ARCHIVE_WORKING_MEMORY: /)
})
