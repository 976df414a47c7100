/** Specification 002, requirement 3: searching by meaning with the ranking `associative`, over a real embedding server. */
import { expect, onTestFinished, test } from 'vitest'
import type { OpenMemory } from '../../src/doors/library/index.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts'
import { DAY, openThinking, START, type ThinkingMemory } from '../support/thinking-memory.ts'

async function open(): Promise<ThinkingMemory & { readonly embeddings: EmbeddingServer }> {
  const embeddings = await startEmbeddingServer()
  onTestFinished(() => embeddings.close())
  const thinking = await openThinking('rules', {
    embedding: { provider: 'openai', baseUrl: embeddings.url, apiKey: 'k', model: 'bag' },
  })
  return { ...thinking, embeddings }
}

const keep = (memory: OpenMemory, text: string, more: object = {}) =>
  memory.add(text, { infer: false, memoryType: 'episodic', ...more }).then(({ results }) => results[0]!.id)

const GARDEN = [
  'In the garden the tomato plants got their stakes.',
  'The tomato plants in the garden have lice again.',
  'Bought three tomato plants for the garden at the market.',
  'A neighbour took two tomato plants for her own garden.',
  'Hail broke the tomato plants in the garden.',
  'Watering the tomato plants in the garden takes an hour.',
  'The first tomato from the garden was eaten with salt.',
]

test('R3.1 "WHEN a search query is received THEN the system SHALL generate an embedding vector for the query text"', async () => {
  const { memory, embeddings } = await open()
  await keep(memory, '阳台上的薄荷长得很好。')
  await memory.idle()
  const before = embeddings.requests.length
  const answer = await memory.search('阳台种了什么', { ranking: 'associative' })
  const asked = embeddings.requests.slice(before).flatMap(({ body }) => body.input)
  expect(asked).toEqual([expect.stringContaining('阳台种了什么')])
  expect(answer.results.map(({ text }) => text)).toEqual(['阳台上的薄荷长得很好。'])
  expect(answer.warnings).toEqual([])
})

test('R3.2 "WHEN searching memories THEN the system SHALL retrieve both episodic and semantic memories filtered by user_id"', async () => {
  const { memory } = await open()
  const mine = [
    await keep(memory, 'The lighthouse tour was cancelled because of fog.'),
    await keep(memory, 'I collect models of lighthouses.', { memoryType: 'semantic' }),
  ]
  await keep(memory, 'We climbed the lighthouse at dawn.', { userId: 'two' })
  await memory.idle()
  const found = await memory.search('lighthouse', { ranking: 'associative' })
  expect(found.results.map(({ id }) => id).sort()).toEqual(mine.toSorted())
  expect(new Set(found.results.map(({ memoryType }) => memoryType))).toEqual(new Set(['episodic', 'semantic']))
  const other = await memory.search('lighthouse', { ranking: 'associative', userId: 'two' })
  expect(other.results.map(({ text }) => text)).toEqual(['We climbed the lighthouse at dawn.'])
})

test('R3.3 "WHEN retrieving memories THEN the system SHALL return up to k_semantic (default 5) semantic memories and k_episodic (default 5) episodic memories"', async () => {
  const { memory } = await open()
  for (const text of GARDEN) {
    await keep(memory, text)
    await keep(memory, text.replace('.', ', as every year.'), { memoryType: 'semantic' })
  }
  await memory.idle()
  const count = async (options: object) => {
    const { results } = await memory.search('tomato plants in the garden', { ranking: 'associative', ...options })
    const of = (type: string) => results.filter(({ memoryType }) => memoryType === type).length
    return [of('semantic'), of('episodic')]
  }
  expect(await count({})).toEqual([5, 5])
  expect(await count({ kSemantic: 2, kEpisodic: 0 })).toEqual([2, 0])
  expect(await count({ kSemantic: 0, kEpisodic: 6 })).toEqual([0, 6])
  expect(await count({ kSemantic: 6, kEpisodic: 7, limit: 20 })).toEqual([6, 7])
})

test('R3.3: the two numbers hold with every ranking that names them, and many of one type crowd out none of the other', async () => {
  const { memory } = await openThinking('rules')
  for (let at = 0; at < 60; at += 1)
    await memory.add(`The kiln glaze kiln glaze recipe number ${at}.`, { infer: false, importance: 0 })
  for (let at = 0; at < 7; at += 1)
    await memory.add(`In week ${at} we stood by the old brick oven for hours, and the glaze ran down.`, {
      infer: false,
      memoryType: 'episodic',
    })
  const count = async (options: object) => {
    const { results } = await memory.search('kiln glaze', options)
    const of = (type: string) => results.filter(({ memoryType }) => memoryType === type).length
    return [of('semantic'), of('episodic')]
  }
  expect(await count({ ranking: 'associative' })).toEqual([5, 5])
  for (const ranking of ['hybrid', 'long-term', 'associative'])
    expect(await count({ ranking, kSemantic: 3, kEpisodic: 2 })).toEqual([3, 2])
  expect(await count({ kEpisodic: 0, limit: 4 })).toEqual([4, 0])
})

test('R3.4 "WHEN ranking search results THEN the system SHALL consider similarity score, memory_type (semantic weighted higher), time decay (recent episodic more important), and hit_count"', async () => {
  const { memory } = await open()
  const text = 'The choir rehearses the requiem.'
  const order = async () => (await memory.search('choir requiem', { ranking: 'associative' })).results
  const at = (days: number) => new Date(START.getTime() - days * DAY)

  const old = await keep(memory, text, { createdAt: at(60) })
  const recent = await keep(memory, text, { createdAt: at(1) })
  await memory.idle()
  expect((await order()).map(({ id }) => id)).toEqual([recent, old])

  const semantic = await keep(memory, text, { memoryType: 'semantic', createdAt: at(60) })
  await memory.idle()
  expect((await order()).map(({ id }) => id)).toEqual([semantic, recent, old])

  // A memory of the same age that was used often comes first; one that says something else comes last.
  const used = await keep(memory, text, { createdAt: at(1) })
  const other = await keep(memory, 'The choir had cake.', { createdAt: at(1) })
  for (let time = 0; time < 12; time += 1) await memory.touch([used])
  await memory.idle()
  const ids = (await order()).map(({ id }) => id)
  expect(ids.indexOf(used)).toBeLessThan(ids.indexOf(recent))
  expect(ids.at(-1)).toBe(other)
  const [best] = (await memory.search('choir requiem', { ranking: 'associative', explain: true })).results
  expect(best!.explanation!.features.map(({ feature }) => feature)).toEqual(['similarity', 'type', 'decay', 'hits'])
})

test('R3.5 "WHEN a memory is retrieved and used THEN the system SHALL increment its hit_count by 1"', async () => {
  const { memory } = await open()
  const id = await keep(memory, '我在学弹古筝，每周三上课。')
  const other = await keep(memory, '冰箱里还有半个西瓜。')
  await memory.idle()
  // Looking is not using.
  await memory.search('古筝', { ranking: 'associative' })
  await memory.search('古筝')
  await memory.context.build('古筝学得怎么样了？', { count: false })
  expect(await memory.get(id)).toMatchObject({ accessCount: 0, lastAccessed: null })

  const first = await memory.context.build('古筝学得怎么样了？')
  expect(first.recalled.map((item) => item.id)).toContain(id)
  expect(await memory.get(id)).toMatchObject({ accessCount: 1, lastAccessed: START.toISOString() })
  const second = await memory.context.build('古筝课是星期几？')
  expect((await memory.get(id)).accessCount).toBe(2)
  const used = [first, second].filter(({ recalled }) => recalled.some((item) => item.id === other))
  expect((await memory.get(other)).accessCount).toBe(used.length)
})
