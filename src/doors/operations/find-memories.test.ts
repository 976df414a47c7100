import { expect, onTestFinished, test } from 'vitest'
import { type OpenMemory, openMemory } from '../library/index.ts'
import { searchMemories } from './find-memories.ts'
import { jsonOf } from './operation.ts'

const USER = 'ada'

/** A memory with a bit of everything that an answer can hold. */
async function filled(): Promise<OpenMemory> {
  const memory = await openMemory({ path: ':memory:' })
  onTestFinished(() => memory.close())
  for (const text of [
    'The bees live behind the old brewery; she said "not yet".',
    '蜂箱在老啤酒厂后面，\n第二排。',
    'Log in at the brewery with password=hunter22xyz',
    'Bees \u2028 and \\ slashes / in the brewery \ud83d\udc1d',
  ])
    await memory.add(text, { userId: USER, infer: false, metadata: { shelf: 3, note: 'old "brewery"' } })
  return memory
}

const ASKED = [
  { query: 'brewery' },
  { query: '啤酒厂' },
  { query: 'brewery', explain: true, now: '2026-05-01T00:00:00Z' },
  { query: 'password brewery', reveal_secrets: true },
  { query: 'password brewery' },
  { query: 'brewery', ranking: 'long-term', limit: 1 },
  { query: 'zeppelin' },
]

/** The answer as an object and as text, to the same moment. */
async function both(memory: OpenMemory, asked: Record<string, unknown>): Promise<readonly [string, string]> {
  const call = { memory, userId: USER, isOperator: true }
  const input = { now: '2026-06-01T00:00:00Z', ...asked }
  return [JSON.stringify(await searchMemories.handler(call, input)), await jsonOf(searchMemories, call, input)]
}

test('the answer that is written is the one that is made, letter for letter', async () => {
  const memory = await filled()
  // Twice: what is kept of a record must read like what was made anew.
  for (const asked of [...ASKED, ...ASKED]) {
    const [made, written] = await both(memory, asked)
    expect(written, JSON.stringify(asked)).toBe(made)
  }
})

test('a secret is written only for whoever asks for secrets, in whatever order they are asked', async () => {
  const memory = await filled()
  const call = { memory, userId: USER, isOperator: true }
  for (const reveal_secrets of [false, true, false]) {
    const text = await jsonOf(searchMemories, call, { query: 'password brewery', reveal_secrets })
    expect(text.includes('hunter22xyz')).toBe(reveal_secrets)
  }
})

test('what was changed is written as it is now', async () => {
  const memory = await filled()
  const call = { memory, userId: USER, isOperator: true }
  const { results } = await memory.search('bees slashes', { userId: USER })
  const [first] = results
  await jsonOf(searchMemories, call, { query: 'slashes' })
  await memory.update(first?.id ?? '', { text: 'Wasps and slashes.' }, { userId: USER })
  const text = await jsonOf(searchMemories, call, { query: 'slashes' })
  expect(text).toContain('Wasps and slashes.')
  expect(text).not.toContain('Bees')
})
