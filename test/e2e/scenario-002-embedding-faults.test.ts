/** Faults of embedding that lie in one text or in one process: all the others have their vectors all the same. */
import { expect, onTestFinished, test } from 'vitest'
import { type OpenMemory, type OpenOptions, openMemory } from '../../src/doors/library/index.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts'
import { freshDatabase } from '../support/folder.ts'
import { openThinking } from '../support/thinking-memory.ts'

async function serve(dimension = 64): Promise<EmbeddingServer> {
  const server = await startEmbeddingServer({ dimension })
  onTestFinished(() => server.close())
  return server
}

const at = ({ url }: EmbeddingServer, model = 'bag'): NonNullable<OpenOptions['embedding']> => ({
  provider: 'openai',
  baseUrl: url,
  apiKey: 'k',
  model,
  timeoutMs: 20_000,
})

async function similarity(memory: OpenMemory, query: string, id: string): Promise<number | undefined> {
  const { results } = await memory.search(query, { ranking: 'associative', explain: true })
  const found = results.find((one) => one.id === id)
  return found?.explanation?.features.find(({ feature }) => feature === 'similarity')?.value
}

const keep = async (memory: OpenMemory, text: string, userId = 'one') =>
  (await memory.add(text, { infer: false, memoryType: 'episodic', userId })).results[0]!.id

test('a text that the endpoint refuses keeps nobody else from being embedded, is found by its words, and is not sent again', async () => {
  const server = await serve()
  const { memory, log } = await openThinking('rules', { embedding: at(server) })
  const blocked = 'Notes on the forbidden recipe of the abbey.'
  server.spoil((input) =>
    input.some((text) => text.includes('forbidden recipe'))
      ? { status: 400, body: { error: { message: 'The input was blocked by a filter.' } } }
      : null,
  )
  const before = await keep(memory, '渡轮七点出发去岛上。')
  const refused = await keep(memory, blocked)
  const after = await keep(memory, 'The ferry to the island leaves at seven.', 'two')
  await memory.idle()
  expect(await memory.maintenance.jobs()).toEqual({ items: [], total: 0 })
  expect(await similarity(memory, '渡轮七点出发去岛上。', before)).toBeCloseTo(1, 2)
  const others = await memory.search('The ferry to the island leaves at seven.', {
    userId: 'two',
    ranking: 'associative',
    explain: true,
  })
  expect(others.results).toMatchObject([{ id: after }])
  expect((await memory.search('abbey recipe')).results.map(({ id }) => id)).toContain(refused)
  expect(log.filter(({ message }) => message.includes('found by its words alone'))).toHaveLength(1)
  expect(JSON.stringify(log)).not.toContain('abbey')
  const sent = server.requests.length
  await keep(memory, 'A gull stole the bread.')
  await memory.idle()
  expect(server.requests.slice(sent).flatMap(({ body }) => body.input)).toEqual(['A gull stole the bread.'])
  // Edited, it is tried again.
  await memory.update(refused, 'Notes on the bread of the abbey.')
  await memory.idle()
  expect(await similarity(memory, 'Notes on the bread of the abbey.', refused)).toBeCloseTo(1, 2)
})

test('two processes with two models: the one that came last has its way, and nothing is embedded anew in turn', async () => {
  const path = freshDatabase()
  const [small, large] = [await serve(64), await serve(96)]
  const open = async (server: EmbeddingServer, model: string) => {
    const memory = await openMemory({ path, userId: 'one', embedding: at(server, model) })
    onTestFinished(() => memory.close())
    return memory
  }
  const earlier = await open(small, 'small')
  const text = '阁楼要在十一月前做保温。'
  const id = await keep(earlier, text)
  await earlier.idle()
  const later = await open(large, 'large')
  await later.idle()
  const sent = small.requests.length
  // The earlier process goes on: it searches by words and says so, what it stores is embedded by the later one.
  const answer = await earlier.search(text)
  expect(answer.results[0]?.id).toBe(id)
  expect(answer.warnings).toEqual([expect.stringContaining("another model's")])
  const fresh = await keep(earlier, 'The attic window was painted.')
  await earlier.idle()
  await later.maintenance.embed()
  for (const [said, known] of [
    [text, id],
    ['The attic window was painted.', fresh],
  ] as const)
    expect(await similarity(later, said, known)).toBeCloseTo(1, 2)
  expect(small.requests.slice(sent).flatMap(({ body }) => body.input)).toEqual([text])
  const times = large.requests.flatMap(({ body }) => body.input).filter((input) => input === text)
  expect(times.length).toBeLessThanOrEqual(2)
})
