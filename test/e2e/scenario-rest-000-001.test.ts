/** Specifications 000 and 001 at the REST door: 000's routes word for word, 001's settings on the next request, full CRUD. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectSdk2 } from '../support/mcp-clients.ts'
import { type Answer, type RestServer, startRestServer } from '../support/rest-server.ts'

let server: RestServer
beforeAll(async () => {
  server = await startRestServer()
})
afterAll(() => server.close())

/** Requests of one user, so that the cases do not see each other. */
const asUser = (user: string) => {
  return (method: string, path: string, body?: unknown): Promise<Answer> =>
    server.ask(method, path, body, { 'x-user-id': user })
}

describe('000, Memory API Endpoints', () => {
  const ask = asUser('endpoints')
  const ids: string[] = []
  beforeAll(async () => {
    await ask('POST', '/conversations/chat/turns', { turns: [{ role: 'user', content: '今天天气不错。' }] })
    for (let at = 0; at < 23; at += 1)
      ids.push((await ask('POST', '/memory/long-term', { text: `Shelf ${at} holds jars.` })).body.results[0].id)
  })

  test('List long-term memories with pagination: "返回分页的记忆列表 … 包含总数和分页信息"', async () => {
    const first = (await ask('GET', '/memory/long-term?limit=10&offset=0')).body
    expect(first).toMatchObject({ total: 23, limit: 10, offset: 0, has_more: true })
    expect(first.items).toHaveLength(10)
    const last = (await ask('GET', '/memory/long-term?limit=10&offset=20')).body
    expect(last).toMatchObject({ total: 23, limit: 10, offset: 20, has_more: false })
    expect(last.items).toHaveLength(3)
  })

  test('GET /memory/long-term/{id} has the ten fields of an entry', async () => {
    const made = {
      text: '我住在青岛。',
      category: 'fact',
      key: 'city',
      value: { name: '青岛' },
      conversation_id: 'chat',
    }
    const { body } = await ask('POST', '/memory/long-term', made)
    const { id } = body.results[0]
    expect((await ask('GET', `/memory/long-term/${id}`)).body).toMatchObject({
      id,
      session_id: 'chat',
      category: 'fact',
      key: 'city',
      value: { name: '青岛' },
      confidence: 0.9,
      source: 'user_stated',
      created_at: expect.any(String),
      last_accessed: null,
      access_count: 0,
    })
    ids.push(id)
  })

  test('Get working memory for session: its seven fields; "如会话不存在则返回 404"', async () => {
    const { status, body } = await ask('GET', '/memory/working/chat')
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(
      [
        'session_id',
        'current_topic',
        'context_variables',
        'turn_count',
        'last_emotion',
        'created_at',
        'updated_at',
      ].sort(),
    )
    expect(body).toMatchObject({ session_id: 'chat', turn_count: 1 })
    expect((await ask('GET', '/memory/working/nowhere')).status).toBe(404)
  })

  test('User delete specific memory: it is gone, and that is confirmed', async () => {
    const [id] = ids
    expect((await ask('DELETE', `/memory/long-term/${id}`)).body).toEqual({ id, deleted: true })
    for (const [method, path] of [
      ['GET', `/memory/long-term/${id}`],
      ['DELETE', `/memory/long-term/${id}`],
    ] as const)
      expect((await ask(method, path)).status).toBe(404)
  })

  test('User clear all memories: "保留工作记忆直到会话结束"', async () => {
    expect((await ask('DELETE', '/memory/long-term')).body).toEqual({ deleted: 23 })
    expect((await ask('GET', '/memory/long-term?include_past=true')).body.total).toBe(0)
    expect((await ask('GET', '/memory/working/chat')).body).toMatchObject({ turn_count: 1 })
  })
})

describe('001, 配置项生效: what is set by PATCH /settings holds for the next request', () => {
  const ask = asUser('settings')
  const set = async (changes: object) => expect((await ask('PATCH', '/settings', changes)).status).toBe(200)
  const context = async (message: string, more: object = {}) =>
    (await ask('POST', '/context', { message, ...more })).body
  beforeAll(async () => {
    for (let at = 1; at <= 8; at += 1)
      await ask('POST', '/memory/long-term', { text: `Beehive ${at} is in the meadow.` })
    await ask('PUT', '/profile', { text: '- Call me Juno.' })
    for (const id of ['one', 'two', 'three'])
      await ask('POST', `/conversations/${id}/turns`, {
        turns: [
          { role: 'user', content: `Please help me plan trip number ${id} to the Faroe Islands.` },
          { role: 'assistant', content: 'Gladly.' },
          { role: 'user', content: 'By ferry.' },
          { role: 'assistant', content: 'There is one on Saturdays.' },
        ],
      })
    await server.memory.idle()
  })

  test('memory.rag_top_n', async () => {
    // 001 bounds the memories; turns follow as far as the budget goes.
    const recalled = async () =>
      (await context('the beehive in the meadow')).recalled.filter(({ kind }: { kind: string }) => kind === 'memory')
        .length
    expect(await recalled()).toBe(5)
    await set({ 'memory.rag_top_n': 2 })
    expect(await recalled()).toBe(2)
    expect((await ask('GET', '/settings')).body['memory.rag_top_n']).toEqual({ value: 2, source: 'database' })
    await set({ 'memory.rag_top_n': null })
    expect(await recalled()).toBe(5)
  })

  test('memory.enable_user_profile, memory.session_summary_limit, context_limit', async () => {
    const seen = async () => {
      const { layers } = await context('Hello again', { conversation_id: 'one' })
      const text = (level: number): string => layers[level].text
      return [text(1).includes('Juno'), (text(4).match(/Faroe/g) ?? []).length > 0, text(5).includes('By ferry')]
    }
    expect(await seen()).toEqual([true, true, true])
    await set({ 'memory.enable_user_profile': false, 'memory.session_summary_limit': 0, context_limit: 0 })
    expect(await seen()).toEqual([false, false, false])
    await set({ 'memory.enable_user_profile': null, 'memory.session_summary_limit': null, context_limit: null })
    expect(await seen()).toEqual([true, true, true])
  })

  test('memory.atomic_content_max_length', async () => {
    const said = `Remember this: ${'my allotment grows leeks in the third bed and beets in the fourth. '.repeat(6)}`
    await set({ 'memory.atomic_content_max_length': 80 })
    const { body } = await ask('POST', '/memory/long-term', { text: said, infer: true })
    expect(body.results.length).toBeGreaterThan(0)
    for (const { memory } of body.results) expect(memory.length).toBeLessThanOrEqual(80)
    await set({ 'memory.atomic_content_max_length': null })
  })

  test('主动记忆搜索: memory.enable_agentic_search decides whether a model may call search_memories(keyword, time_range)', async () => {
    const client = await connectSdk2({ url: server.url, headers: { 'x-user-id': 'settings' } })
    const search = () => client.call('search_memories', { keyword: 'beehive', time_range: 'today' })
    expect((await search()).text).toContain('Beehive')
    await set({ 'memory.enable_agentic_search': false })
    const refused = await search()
    expect(refused.text).toContain('memory.enable_agentic_search')
    expect(refused.text).not.toContain('Beehive')
    await set({ 'memory.enable_agentic_search': true })
    expect((await search()).text).toContain('Beehive')
    await set({ 'memory.enable_agentic_search': null })
    await client.close()
  })
})

describe('001, "所有记忆 SHALL 支持完整 CRUD，用户可查看、编辑、删除"', () => {
  const ask = asUser('crud')

  test('memories', async () => {
    const made = await ask('POST', '/memory/long-term', {
      text: '我们周六去爬山了。',
      memory_type: 'episodic',
      tags: ['山'],
    })
    const path = `/memory/long-term/${made.body.results[0].id}`
    expect((await ask('GET', path)).body).toMatchObject({ text: '我们周六去爬山了。', tags: ['山'] })
    expect((await ask('PATCH', path, { text: '我们周日去爬山了。' })).body).toMatchObject({
      text: '我们周日去爬山了。',
    })
    expect((await ask('DELETE', path)).status).toBe(200)
    expect((await ask('GET', path)).status).toBe(404)
  })

  test('the profile', async () => {
    expect((await ask('PUT', '/profile', { text: '- 我是护士' })).body.text).toBe('- 我是护士')
    expect((await ask('PUT', '/profile', { text: '' })).status).toBe(200)
    expect((await ask('GET', '/profile')).body.text).toBe('')
  })

  test('session summaries, also of a conversation that has none yet', async () => {
    await ask('POST', '/conversations', { conversation_id: 'fresh' })
    const path = '/session-summaries/fresh'
    expect((await ask('GET', path)).status).toBe(404)
    expect((await ask('PATCH', path, { title: '搬家' })).body).toMatchObject({
      session_id: 'fresh',
      title: '搬家',
      snippet: '',
      created_at: expect.any(String),
    })
    expect((await ask('PATCH', path, { snippet: 'Boxes, van, keys' })).body.snippet).toBe('Boxes, van, keys')
    expect((await ask('DELETE', path)).body).toEqual({ conversation_id: 'fresh', deleted: true })
    expect((await ask('GET', path)).status).toBe(404)
  })
})

test('002 R3.3 over HTTP: k_semantic and k_episodic', async () => {
  const ask = asUser('both')
  for (let at = 0; at < 6; at += 1)
    for (const memory_type of ['semantic', 'episodic'])
      await ask('POST', '/memory/long-term', { text: `The ${memory_type} lighthouse note ${at}.`, memory_type })
  const count = async (body: object) => {
    const { results } = (await ask('POST', '/memory/search', { query: 'lighthouse note', ...body })).body
    return ['semantic', 'episodic'].map(
      (type) => results.filter((one: { memory_type: string }) => one.memory_type === type).length,
    )
  }
  expect(await count({ ranking: 'associative' })).toEqual([5, 5])
  expect(await count({ ranking: 'associative', k_semantic: 1, k_episodic: 4 })).toEqual([1, 4])
  expect(await count({ k_semantic: 2, k_episodic: 0 })).toEqual([2, 0])
})
