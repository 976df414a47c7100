/** `mneme/mem0`: the class `Memory` in mem0's call shapes, old and new. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { serve } from '../../src/doors/cli/commands/serve.ts'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { type GetAllOptions, Memory } from '../../src/doors/mem0/index.ts'
import { freshFolder } from '../support/folder.ts'
import { startModelServer } from '../support/model-server.ts'

const DAY = 86_400_000

describe('Memory', () => {
  let now: number
  let open: OpenMemory
  let memory: Memory
  beforeEach(async () => {
    now = Date.parse('2026-05-07T10:00:00Z')
    open = await openMemory({ path: ':memory:', clock: () => new Date(now) })
    memory = new Memory(open)
  })
  afterEach(() => open.close())

  test('add takes a text, a message or messages, and answers in both shapes', async () => {
    const { results, relations } = await memory.add('My sister Lea lives in Ghent.', { userId: 'anna', infer: false })
    expect(relations).toEqual([])
    expect(results).toEqual([
      {
        id: expect.any(String),
        memory: 'My sister Lea lives in Ghent.',
        event: 'ADD',
        data: { memory: 'My sister Lea lives in Ghent.' },
        metadata: { event: 'ADD' },
      },
    ])
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: '我对花生过敏。' }], name: 'anna' },
      { role: 'assistant', content: null, tool_calls: [] },
    ]
    const several = await memory.add(messages, { userId: 'anna', infer: false })
    expect(several.results.map((one) => one.memory)).toEqual(['我对花生过敏。'])
    const thought = await memory.add({ role: 'user', content: 'I work as a nurse in Porto.' }, { user_id: 'anna' })
    expect(thought.results[0]?.event).toBe('ADD')
    const small = await memory.add('ok thanks', { userId: 'anna' })
    expect(small.results).toEqual([])
    expect(small.rejected).toEqual([{ text: 'ok thanks', reason: expect.any(String) }])
  })

  test('search takes filters or ids, topK or limit, and a threshold', async () => {
    for (const tea of ['Green tea in the morning', 'Black tea at noon', 'Mint tea at night'])
      await memory.add(tea, { userId: 'anna', infer: false })
    const newer = await memory.search('tea', { filters: { user_id: 'anna' }, topK: 2 })
    const older = await memory.search('tea', { userId: 'anna', limit: 2 })
    expect(newer).toEqual(older)
    expect(newer.results).toHaveLength(2)
    expect(newer.results[0]).toMatchObject({
      userId: 'anna',
      user_id: 'anna',
      hash: expect.stringMatching(/^[0-9a-f]{32}$/),
      createdAt: '2026-05-07T10:00:00.000Z',
    })
    const explained = await memory.search('mint tea', { userId: 'anna', explain: true })
    expect(explained.results[0]?.score_details).toMatchObject({ ranking: 'hybrid' })
    const best = explained.results[0]?.score ?? 0
    expect(best).toBeGreaterThan(0)
    expect(best).toBeLessThanOrEqual(1)
    const close = await memory.search('mint tea', { userId: 'anna', threshold: best })
    expect(close.results).toHaveLength(1)
  })

  test('agent and run narrow a user’s memories; alone they mean the default user', async () => {
    await memory.add('Deploys on Fridays.', { userId: 'anna', agentId: 'ops', runId: 'r1', infer: false })
    await memory.add('Deploys on Mondays.', { userId: 'anna', infer: false })
    await memory.add('The bot speaks Dutch.', { agentId: 'ops', infer: false })
    const texts = async (options: GetAllOptions) =>
      (await memory.getAll(options)).results.map((one) => one.memory).sort()
    expect(await texts({ userId: 'anna' })).toEqual(['Deploys on Fridays.', 'Deploys on Mondays.'])
    expect(await texts({ userId: 'anna', agentId: 'ops' })).toEqual(['Deploys on Fridays.'])
    expect(await texts({ filters: { user_id: 'anna', run_id: 'r1' } })).toEqual(['Deploys on Fridays.'])
    expect(await texts({ agentId: 'ops' })).toEqual(['The bot speaks Dutch.'])
    expect((await open.getAll({ userId: 'anna', filters: { conversationId: 'r1' } })).total).toBe(1)
    await expect(texts({})).rejects.toThrow('user_id: is missing')
    await expect(memory.add('Nobody’s.', {})).rejects.toThrow('user_id: is missing')
    await expect(memory.deleteAll({})).rejects.toThrow('user_id: is missing')
  })

  test('a memory past its expiration is not returned, one before it is, and both can be changed', async () => {
    const { results } = await memory.add('The pool is closed.', {
      userId: 'anna',
      infer: false,
      expirationDate: '2026-05-08',
    })
    const id = results[0]?.id ?? ''
    const shown = async (): Promise<number> =>
      (await memory.getAll({ userId: 'anna' })).results.length +
      (await memory.search('pool', { userId: 'anna' })).results.length
    expect((await memory.get(id)).expirationDate).toBe('2026-05-08')
    now = Date.parse('2026-05-08T23:59:59Z')
    expect(await shown()).toBe(2)
    now = Date.parse('2026-05-09T00:00:00Z')
    expect(await shown()).toBe(0)
    expect((await memory.getAll({ userId: 'anna', showExpired: true })).results).toHaveLength(1)
    expect((await memory.search('pool', { userId: 'anna', showExpired: true })).results).toHaveLength(1)
    await memory.update(id, { expirationDate: null })
    expect(await shown()).toBe(2)
  })

  test('what expires by itself still gives way to what is newer', async () => {
    await memory.add('I live in Oslo.', { userId: 'anna', expirationDate: '2030-01-01' })
    now += DAY
    await memory.add('I moved: I live in Bergen now.', { userId: 'anna' })
    const { results } = await memory.getAll({ userId: 'anna' })
    expect(results.map((one) => one.memory)).toEqual(['I moved: I live in Bergen now.'])
    const old = (await open.getAll({ userId: 'anna', includePast: true })).items.find(
      (one) => one.text === 'I live in Oslo.',
    )
    await expect(memory.update(old?.id ?? '', { expirationDate: '2031-01-01' })).rejects.toThrow(/took its place/)
  })

  test.each([
    ['agentId', 'I am allergic to kiwi.', 'I live in Rome.', 'I moved to Paris.'],
    ['runId', '我对猕猴桃过敏。', '我住在罗马。', '我搬到巴黎了。'],
    ['appId', 'I am allergic to kiwi.', 'I live in Rome.', 'I moved to Paris.'],
  ])(
    '%s keeps memories apart: a repeat is stored for each, a change is one of its own',
    async (id, fact, old, moved) => {
      const add = async (text: string, more: object) => (await memory.add(text, { userId: 'anna', ...more })).results
      const texts = async (more: object) =>
        (await memory.getAll({ userId: 'anna', ...more })).results.map((one) => one.memory).sort()
      const [a, b] = [{ [id]: 'A' }, { [id]: 'B' }]
      for (const where of [a, b, a]) await add(fact, where)
      expect(await texts(a)).toEqual([fact])
      expect(await texts(b)).toEqual([fact])
      await add(old, a)
      expect((await add(moved, b))[0]?.superseded).toBeUndefined()
      expect(await texts(a)).toEqual([fact, old].sort())
      expect((await add(moved, a))[0]?.superseded).toHaveLength(1)
      expect(await texts(a)).toEqual([fact, moved].sort())
      // Without an id all of the user's are compared.
      expect(await add(fact, {})).toMatchObject([{ event: 'NONE' }])
    },
  )

  test.each(['agentId', 'appId', 'runId'])('%s keeps memories apart in a consolidation, too', async (id) => {
    const told = 'Yesterday I broke a tooth on an olive stone at the market in Porto.'
    for (const one of ['A', 'B', 'B']) await memory.add(told, { userId: 'anna', infer: false, [id]: one })
    for (const { id: one } of (await memory.getAll({ userId: 'anna' })).results)
      await open.update(one, { memoryType: 'episodic' }, { userId: 'anna' })
    expect(await open.maintenance.consolidate({ userId: 'anna' })).toMatchObject({ merged: 1 })
    for (const one of ['A', 'B']) {
      const { results } = await memory.getAll({ userId: 'anna', [id]: one })
      expect(results.map((record) => record[id as 'runId'])).toEqual([one])
    }
  })

  test('a repeat among many other agents’ is found to be one', async () => {
    const agents = Array.from({ length: 60 }, (_, index) => ({ userId: 'anna', agentId: `agent ${index}` }))
    for (const agent of agents) await memory.add('I am allergic to kiwi.', agent)
    for (const agent of [agents[0]!, agents[59]!])
      expect((await memory.add('I am allergic to kiwi.', agent)).results).toMatchObject([{ event: 'NONE' }])
    await memory.add('I live in Rome.', agents[0])
    for (const agent of agents.slice(1)) await memory.add('I live in Oslo.', agent)
    expect((await memory.add('I moved to Paris.', agents[0])).results[0]?.superseded).toHaveLength(1)
    expect((await memory.getAll({ ...agents[1] })).results).toHaveLength(2)
  })

  test('what is said of a repeat is kept: metadata beside what is there, and its end', async () => {
    const fact = { userId: 'anna' }
    const said = async () => {
      const { results } = await memory.getAll(fact)
      expect(results).toHaveLength(1)
      return { a: results[0]?.metadata.a, b: results[0]?.metadata.b, expirationDate: results[0]?.expirationDate }
    }
    const add = async (more: object) => (await memory.add('I am allergic to kiwi.', { ...fact, ...more })).results
    await add({ metadata: { a: 1 }, expirationDate: '2027-01-01' })
    expect(await add({ metadata: { b: 2 }, expirationDate: '2027-01-01' })).toMatchObject([{ event: 'UPDATE' }])
    expect(await said()).toEqual({ a: 1, b: 2, expirationDate: '2027-01-01' })
    await add({ metadata: { a: 3 }, expirationDate: '2028-01-01' })
    expect(await said()).toEqual({ a: 3, b: 2, expirationDate: '2028-01-01' })
    expect(await add({})).toMatchObject([{ event: 'UPDATE' }])
    expect(await said()).toEqual({ a: 3, b: 2, expirationDate: null })
    await add({ expirationDate: '2020-01-01' })
    expect((await said()).expirationDate).toBeNull()
    expect(await add({ metadata: { a: 3 } })).toMatchObject([{ event: 'NONE' }])
  })

  test('get, update, history, delete; a failed look-up is an error', async () => {
    const { results } = await memory.add('我的车是红色的。', { userId: '小明', infer: false, metadata: { a: 1 } })
    const id = results[0]?.id ?? ''
    expect(await memory.update(id, '我的车是蓝色的。')).toEqual({ message: 'Memory updated successfully!' })
    await memory.update(id, { data: '我的车是绿色的。', metadata: { b: 2 } })
    expect(await memory.get(id)).toMatchObject({ memory: '我的车是绿色的。', metadata: { a: 1, b: 2 } })
    const story = await memory.history(id)
    expect(story.map(({ previous_value, new_value, action }) => [previous_value, new_value, action])).toEqual([
      [null, '我的车是红色的。', 'ADD'],
      ['我的车是红色的。', '我的车是蓝色的。', 'UPDATE'],
      ['我的车是蓝色的。', '我的车是绿色的。', 'UPDATE'],
    ])
    expect(await memory.delete(id)).toEqual({ message: 'Memory deleted successfully!' })
    for (const look of [memory.get(id), memory.history(id), memory.delete(id), memory.update(id, 'x')])
      await expect(look).rejects.toMatchObject({ code: 'not_found' })
    await expect(memory.get(undefined as never)).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('`*` is an ordinary user, and deleteAll keeps to one user; reset takes all', async () => {
    for (const userId of ['anna', 'ben', '*']) await memory.add('I keep bees.', { userId, infer: false })
    expect((await memory.search('bees', { userId: '*' })).results).toHaveLength(1)
    await memory.deleteAll({ userId: '*' })
    expect((await memory.getAll({ userId: 'anna' })).results).toHaveLength(1)
    await memory.reset()
    for (const userId of ['anna', 'ben']) expect((await memory.getAll({ userId })).results).toEqual([])
  })

  test('an id that two users have asks for the user', async () => {
    const [id = ''] = (await memory.add('One', { userId: 'anna', infer: false })).results.map((one) => one.id)
    const exported = Readable.from(open.conversations.export({ userId: 'anna' })).map((piece: string) =>
      Buffer.from(piece),
    )
    await open.conversations.import(exported, { userId: 'ben' })
    await expect(memory.get(id)).rejects.toThrow(/several users/)
    expect((await memory.get(id, { userId: 'ben' })).userId).toBe('ben')
  })

  test('options that ask for what is not done are refused by name', async () => {
    await expect(memory.add('x', { userId: 'a', customInstructions: 'only songs' })).rejects.toMatchObject({
      code: 'unsupported',
      field: 'custom_instructions',
    })
    await expect(memory.search('x', { userId: 'a', colour: 1 })).rejects.toThrow('colour: is not known here')
    await expect(memory.search(7 as never, { userId: 'a' })).rejects.toThrow('query')
    await expect(memory.search('x', 'anna' as never)).rejects.toThrow('options: must be an object')
    await expect(memory.add('x', 'anna' as never)).rejects.toThrow('options: must be an object')
    await expect(memory.add([{ role: 'user', content: [{ type: 'image_url' }] }], { userId: 'a' })).rejects.toThrow(
      /only texts/,
    )
  })
})

describe('Memory.fromConfig', () => {
  test('historyDbPath names the database; it is opened by the first call and kept', async () => {
    const historyDbPath = join(freshFolder(), 'mem0.db')
    const config = { vectorStore: { provider: 'memory', config: { collectionName: 'm', dimension: 8 } }, historyDbPath }
    const memory = Memory.fromConfig(config)
    expect(existsSync(historyDbPath)).toBe(false)
    await memory.add('I row on Sundays.', { userId: 'anna', infer: false })
    await memory.close()
    const again = Memory.fromConfig(config)
    expect((await again.search('row', { userId: 'anna' })).results).toHaveLength(1)
    await again.close()
  })

  test('a model is asked where the configuration names it, and add waits for its answer', async () => {
    const model = await startModelServer([
      {
        content: JSON.stringify({
          write_episodic: false,
          records: [],
          memory_update: {
            should_store: true,
            items: [{ category: 'preference', key: 'tea', value: 'oolong', confidence: 0.9, source: 'user_stated' }],
          },
          profile: [],
          working_memory: {},
        }),
      },
    ])
    const memory = Memory.fromConfig({
      llm: { provider: 'ollama', config: { baseURL: model.url.replace(/\/v1$/, ''), model: 'small', temperature: 0 } },
      mneme: { path: ':memory:' },
    })
    try {
      const { results } = await memory.add('My favourite tea is oolong.', { userId: 'anna' })
      expect(model.requests).toHaveLength(1)
      expect(results[0]?.memory).toContain('oolong')
    } finally {
      await memory.close()
      await model.close()
    }
  })

  test('a server does not wait for ever: it says that the work goes on, and it does', async () => {
    const model = await startModelServer([{ content: '{}', delayMs: 400 }])
    const memory = await openMemory({
      path: ':memory:',
      llm: { provider: 'openai', baseUrl: model.url, model: 'slow', retries: 0 },
    })
    const server = await serve({ memory, port: 0, version: '0.0.0', timeoutMs: 150 })
    try {
      // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
      const post = async (path: string, body: object): Promise<any> => {
        const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
        return (await fetch(`${server.url}/mem0/v3/memories/${path}/`, options)).json()
      }
      const answer = await post('add', { messages: 'I work as a nurse in Porto.', user_id: 'anna' })
      expect(answer).toMatchObject({ status: 'PENDING', job_id: expect.any(String) })
      await memory.idle()
      expect((await post('search', { query: 'nurse', user_id: 'anna' })).results).toHaveLength(1)
    } finally {
      await server.close(1000)
      await memory.close()
      await model.close()
    }
  })

  test.each([
    [{ llm: { provider: 'anthropic' } }, /llm\.provider.*cannot be used/],
    [{ llm: { provider: 'groq', config: { apiKey: 'k' } } }, /llm\.config\.model/],
    [{ embedder: { provider: 'google' } }, /embedder\.provider/],
    [{ vectorStore: { provider: 'qdrant' } }, /vectorStore\.provider/],
    [{ historyStore: { provider: 'supabase' } }, /historyStore\.provider/],
    [{ historyDbPath: 'a.db', vectorStore: { provider: 'memory', config: { dbPath: 'b.db' } } }, /second file/],
    [{ reranker: { provider: 'cohere' } }, /reranker/],
    [{ disableHistory: true }, /disableHistory/],
    [{ llm: { provider: 'openai', config: { colour: 1 } } }, /colour/],
    [{ nonsense: 1 }, /nonsense/],
  ])('%o is refused', (config, message) => {
    expect(() => new Memory(config as never)).toThrow(message)
  })
})
