/** Embeddings on good and bad days: a model of meaning may be absent, wrong or new, and no person chatting sees an error. */
import { expect, onTestFinished, test } from 'vitest'
import { type OpenMemory, type OpenOptions, openMemory } from '../../src/doors/library/index.ts'
import { type EmbeddingServer, hashedVector, startEmbeddingServer } from '../support/embedding-server.ts'
import { freshDatabase } from '../support/folder.ts'
import { MINUTE, openThinking, type ThinkingOptions } from '../support/thinking-memory.ts'

async function serve(dimension = 64): Promise<EmbeddingServer> {
  const server = await startEmbeddingServer({ dimension })
  onTestFinished(() => server.close())
  return server
}

const at = (url: string, more: object = {}): NonNullable<OpenOptions['embedding']> => ({
  provider: 'openai',
  baseUrl: url,
  apiKey: 'sk-embed-77ac10',
  model: 'bag',
  timeoutMs: 2000,
  ...more,
})

async function open(url: string, more: object = {}, options: ThinkingOptions = {}) {
  return openThinking('rules', { ...options, embedding: at(url, more) })
}

/** Cosine of the message with a memory, as the ranking `associative` sees it. */
async function similarity(memory: OpenMemory, query: string, id: string): Promise<number | undefined> {
  const { results } = await memory.search(query, { ranking: 'associative', explain: true })
  const found = results.find((one) => one.id === id)
  return found?.explanation?.features.find(({ feature }) => feature === 'similarity')?.value
}

const keep = async (memory: OpenMemory, text: string) =>
  (await memory.add(text, { infer: false, memoryType: 'episodic' })).results[0]!.id

test('"Embedding of another dimension: clear error naming both numbers and the remedy" where the option and the endpoint disagree', async () => {
  const server = await serve(64)
  const { memory, log } = await open(server.url, { dimension: 32 })
  const id = await keep(memory, 'The ferry to the island leaves at seven.')
  await memory.idle()
  const answer = await memory.search('ferry')
  expect(answer.results.map((one) => one.id)).toEqual([id])
  expect(answer.warnings).toEqual([expect.stringMatching(/64[\s\S]*32/)])
  const { items } = await memory.maintenance.jobs()
  expect(items).toMatchObject([{ kind: 'embed', lastError: expect.stringMatching(/64[\s\S]*32/) }])
  const told = log.find(({ details }) => String(details.reason).includes('64'))
  expect(['warn', 'error']).toContain(told?.level)
})

test('an endpoint that changes its dimension while it runs: both numbers are named and nothing of the index is spoiled', async () => {
  const server = await serve(64)
  const { memory } = await open(server.url)
  const id = await keep(memory, '去岛上的渡轮七点出发。')
  await memory.idle()
  server.play({ body: { data: [{ index: 0, embedding: [...hashedVector('渡轮', 48)] }] } })
  const answer = await memory.search('渡轮几点出发')
  expect(answer.results.map((one) => one.id)).toEqual([id])
  expect(answer.warnings).toEqual([expect.stringMatching(/48[\s\S]*64/)])
})

test('turns are embedded while nothing is thought about, too', async () => {
  const server = await serve()
  const memory = await openMemory({ path: freshDatabase(), userId: 'one', thinking: false, embedding: at(server.url) })
  onTestFinished(() => memory.close())
  await memory.idle()
  const turns = [{ role: 'user' as const, content: '阁楼十一月前需要做保温。' }]
  await memory.conversations.store({ conversationId: 'house', turns })
  await memory.idle()
  expect(server.requests.flatMap(({ body }) => body.input).join()).toContain('阁楼')
  expect((await memory.maintenance.jobs()).total).toBe(0)
})

test('another model on the same database: everything is embedded anew, and full text answers meanwhile', async () => {
  const path = freshDatabase()
  const [small, large] = [await serve(64), await serve(96)]
  const text = 'The attic needs insulation before November.'
  const first = await openMemory({ path, userId: 'one', embedding: at(small.url) })
  const id = await keep(first, text)
  await first.idle()
  expect(await similarity(first, text, id)).toBeCloseTo(1, 2)
  await first.close()

  const second = await openMemory({ path, userId: 'one', embedding: at(large.url, { model: 'larger-bag' }) })
  onTestFinished(() => second.close())
  const meanwhile = await second.search('insulation of the attic')
  expect(meanwhile.results.map((one) => one.id)).toEqual([id])
  await second.idle()
  expect(large.requests.flatMap(({ body }) => body.input)).toContain(text)
  expect(await similarity(second, text, id)).toBeCloseTo(1, 2)
})

test('a database that was without embeddings gets them when a model comes', async () => {
  const path = freshDatabase()
  const server = await serve()
  const before = await openMemory({ path, userId: 'one' })
  const id = await keep(before, '阁楼要在十一月前做保温。')
  await before.close()
  const after = await openMemory({ path, userId: 'one', embedding: at(server.url) })
  onTestFinished(() => after.close())
  await after.idle()
  expect(await similarity(after, '阁楼要在十一月前做保温。', id)).toBeCloseTo(1, 2)
})

test.each([
  ['not there', { gone: true }],
  ['refusing the key', { status: 401, body: { error: { message: 'Incorrect API key sk-embed-77ac10' } } }],
  ['failing', { status: 500, body: 'oops' }],
  ['answering nonsense', { body: { data: [{ index: 0, embedding: [] }] } }],
  ['answering NaN', { body: '{"data":[{"index":0,"embedding":[null,1]}]}' }],
] as const)(
  '"a dead endpoint degrades recall to full text with a warning in the answer, never an error": %s',
  async (_case, day) => {
    const server = await serve()
    const { memory, log } = await open(server.url)
    const id = await keep(memory, 'The beehives stand behind the orchard wall.')
    await memory.conversations.store({
      conversationId: 'chat',
      turns: [{ role: 'user', content: 'Two swarms left the beehives this morning.' }],
    })
    if ('gone' in day) await server.close()
    else server.play(...Array.from({ length: 40 }, () => day))
    const answer = await memory.search('beehives', { ranking: 'associative' })
    expect(answer.results[0]?.id).toBe(id)
    expect(answer.warnings).toEqual([expect.stringMatching(/embedding model/)])
    const recalled = await memory.conversations.recall('beehives swarms')
    expect(recalled.results[0]?.content).toContain('beehives')
    const built = await memory.context.build('Where are the beehives?')
    expect(built.recalled.map((one) => one.id)).toContain(id)
    expect(JSON.stringify({ answer, recalled, built, log })).not.toContain('sk-embed-77ac10')
  },
)

test('an endpoint that accepts and never answers: the search is answered by words, with a warning', async () => {
  const server = await serve()
  const { memory } = await open(server.url, { timeoutMs: 200 })
  const id = await keep(memory, 'Our sourdough starter is called Bertha.')
  server.play(...Array.from({ length: 20 }, () => ({ hang: true })))
  const answer = await memory.search('sourdough starter')
  expect(answer.results[0]?.id).toBe(id)
  expect(answer.warnings).toHaveLength(1)
})

test('embedding that fails for good is dead with its reason, retryable, and done once the endpoint is back', async () => {
  const server = await serve()
  const { memory, pass } = await open(server.url)
  server.play(
    ...Array.from({ length: 60 }, () => ({ status: 400, body: { error: { message: 'no such model: bag' } } })),
  )
  const id = await keep(memory, '蜂箱放在果园围墙后面。')
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await memory.idle()
    pass(3 * MINUTE)
  }
  const dead = await memory.maintenance.jobs({ state: 'dead' })
  expect(dead.items).toMatchObject([{ kind: 'embed', lastError: expect.stringContaining('HTTP 400') }])
  server.play()
  expect(await memory.maintenance.retryJobs()).toEqual({ retried: 1 })
  await memory.idle()
  expect(await memory.maintenance.jobs()).toEqual({ items: [], total: 0 })
  pass(MINUTE)
  expect(server.requests.at(-1)?.body.input).toContain('蜂箱放在果园围墙后面。')
  expect((await memory.get(id)).text).toBe('蜂箱放在果园围墙后面。')
})

test('what is imported is embedded', async () => {
  const source = await openThinking('rules')
  await source.memory.add('The canoe is moored at the third jetty.', { infer: false })
  await source.memory.conversations.store({
    conversationId: 'chat',
    turns: [{ role: 'user', content: '独木舟系在第三个码头。' }],
  })
  const pieces: Uint8Array[] = []
  for await (const piece of source.memory.conversations.export()) pieces.push(new TextEncoder().encode(piece))
  const server = await serve()
  const { memory } = await open(server.url)
  await memory.conversations.import(
    (async function* () {
      yield* pieces
    })(),
  )
  await memory.idle()
  const embedded = server.requests.flatMap(({ body }) => body.input).join('\n')
  expect(embedded).toContain('The canoe is moored')
  expect(embedded).toContain('独木舟系在')
})

test('a memory that is edited is embedded anew', async () => {
  const server = await serve()
  const { memory } = await open(server.url)
  const id = await keep(memory, 'The shed key hangs in the hall.')
  await memory.idle()
  await memory.update(id, 'The shed key hangs behind the pantry door.')
  await memory.idle()
  expect(await similarity(memory, 'The shed key hangs behind the pantry door.', id)).toBeCloseTo(1, 2)
})

test('an episode that grew without a stored turn is embedded anew', async () => {
  const server = await serve()
  const { memory } = await open(server.url)
  const id = await keep(memory, 'Our cat Biscuit is ill and stays at the vet over the weekend.')
  await memory.idle()
  const news = 'The cat Biscuit came back from the vet and eats again.'
  await memory.context.build(news, { conversationId: 'elsewhere' })
  await memory.idle()
  const { text } = await memory.get(id)
  expect(text).toContain('came back')
  expect(await similarity(memory, text, id)).toBeCloseTo(1, 2)
})
