/** The routes of mem0's self-hosted server, and bad input at every route under /mem0, with nothing but fetch. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RestServer, rawRequest, startRestServer } from '../support/rest-server.ts'

let server: RestServer
beforeAll(async () => {
  server = await startRestServer()
})
afterAll(async () => {
  await server.close()
})
afterEach(async () => {
  await server.ask('POST', '/mem0/reset')
})

async function added(text: string, more: Record<string, unknown> = {}): Promise<string> {
  const { body } = await server.ask('POST', '/mem0/memories', {
    messages: [{ role: 'user', content: text }],
    user_id: 'anna',
    infer: false,
    ...more,
  })
  return body.results[0].id
}

describe('mem0’s self-hosted routes', () => {
  test('POST and GET /memories, GET, PUT and DELETE of one, its history, POST /search, POST /reset', async () => {
    const id = await added('I moved to Porto.', { metadata: { from: 'chat' } })
    const list = await server.ask('GET', '/mem0/memories?user_id=anna')
    expect(list.body).toMatchObject({ results: [{ id, memory: 'I moved to Porto.', user_id: 'anna' }], relations: [] })
    const one = await server.ask('GET', `/mem0/memories/${id}`)
    expect(one.body).toMatchObject({ id, metadata: { from: 'chat' }, agent_id: null, run_id: null })
    expect(one.body.hash).toMatch(/^[0-9a-f]{32}$/)
    const put = await server.ask('PUT', `/mem0/memories/${id}`, { text: 'I moved to Lisbon.' })
    expect(put.body).toMatchObject({ message: 'Memory updated successfully!', memory: 'I moved to Lisbon.' })
    const found = await server.ask('POST', '/mem0/search', { query: 'Lisbon', user_id: 'anna' })
    expect(found.body.results[0]).toMatchObject({ id, memory: 'I moved to Lisbon.' })
    const story = await server.ask('GET', `/mem0/memories/${id}/history`)
    expect(story.body.map((line: { action: string }) => line.action)).toEqual(['ADD', 'UPDATE'])
    expect((await server.ask('DELETE', `/mem0/memories/${id}`)).status).toBe(200)
    expect((await server.ask('GET', `/mem0/memories/${id}`)).status).toBe(404)
    await added('我养了一只猫。', { user_id: '小明' })
    expect((await server.ask('POST', '/mem0/reset')).body).toMatchObject({ message: 'All memories reset', deleted: 1 })
  })

  test('a path takes a slash at its end or none, and Authorization: Token is a key', async () => {
    for (const path of ['/mem0/v1/ping', '/mem0/v1/ping/'])
      expect((await server.ask('GET', path, undefined, { authorization: 'Token any' })).body.status).toBe('ok')
  })

  test.each(['user_id=anna&top_k=2', 'userId=anna&topK=2', 'user_id=anna&limit=2'])(
    'GET /memories?%s',
    async (query) => {
      for (const hour of ['five', 'six', 'seven']) await added(`Tea at ${hour}.`)
      const { status, body } = await server.ask('GET', `/mem0/memories?${query}&showExpired=True`)
      expect(status).toBe(200)
      expect(body.results).toHaveLength(2)
    },
  )

  test('what one user’s DELETE /memories takes away is that user’s, run’s and agent’s alone', async () => {
    await added('Tea at five.', { run_id: 'r1' })
    await added('Tea at six.', { agent_id: 'bot' })
    await added('Tea at seven.', { user_id: 'ben', run_id: 'r1' })
    const { body } = await server.ask('DELETE', '/mem0/memories?user_id=anna&run_id=r1')
    expect(body).toMatchObject({ deleted: 1 })
    expect((await server.ask('DELETE', '/mem0/memories?user_id=anna&agent_id=bot')).body.deleted).toBe(1)
    expect((await server.ask('GET', '/mem0/memories?user_id=ben')).body.total).toBe(1)
  })

  test('an expired memory is in no answer of any door, unless it is asked for', async () => {
    const gone = await added('The offer ends.', { expiration_date: '2020-02-29' })
    const stays = await added('The offer stays.', { expiration_date: '2199-12-31' })
    const ids = (answer: { body: { results?: { id: string }[]; items?: { id: string }[] } }): string[] =>
      (answer.body.results ?? answer.body.items ?? []).map(({ id }) => id)
    const header = { 'x-user-id': 'anna' }
    expect(ids(await server.ask('GET', '/mem0/memories?user_id=anna'))).toEqual([stays])
    expect(ids(await server.ask('POST', '/mem0/search', { query: 'offer', user_id: 'anna' }))).toEqual([stays])
    expect(ids(await server.ask('GET', '/memory/long-term', undefined, header))).toEqual([stays])
    expect(ids(await server.ask('POST', '/memory/search', { query: 'offer' }, header))).toEqual([stays])
    const context = await server.ask('POST', '/context', { message: 'Tell me about the offer' }, header)
    expect(context.text).toContain('The offer stays.')
    expect(context.text).toContain('true until 2200-01-01')
    expect(context.text).not.toContain('The offer ends.')
    const all = await server.ask('GET', '/mem0/memories?user_id=anna&show_expired=true')
    expect(ids(all).sort()).toEqual([gone, stays].sort())
  })

  test('filters: operators, OR, NOT, dates', async () => {
    await added('Piano lesson', { metadata: { level: 3, place: 'town hall' }, timestamp: 1_700_000_000 })
    await added('Chess club', { metadata: { level: 7 } })
    const found = async (filters: object): Promise<string[]> => {
      const { body } = await server.ask('POST', '/mem0/v3/memories/', { filters: { user_id: 'anna', ...filters } })
      return body.results.map(({ memory }: { memory: string }) => memory).sort()
    }
    expect(await found({ level: { gte: 5 } })).toEqual(['Chess club'])
    expect(await found({ OR: [{ level: 3 }, { level: { gt: 6 } }] })).toEqual(['Chess club', 'Piano lesson'])
    expect(await found({ NOT: [{ level: 3 }] })).toEqual(['Chess club'])
    expect(await found({ metadata: { place: { icontains: 'TOWN' } } })).toEqual(['Piano lesson'])
    expect(await found({ level: [3, 4] })).toEqual(['Piano lesson'])
    expect(await found({ created_at: { lt: '2024-01-01' } })).toEqual(['Piano lesson'])
  })
})

describe('bad input under /mem0', () => {
  test.each<[string, string, unknown, number, string]>([
    ['POST', '/memories', { messages: 'hi' }, 400, 'user_id'],
    ['POST', '/memories', { user_id: 'anna' }, 400, 'messages'],
    ['POST', '/memories', { user_id: 'anna', messages: [] }, 400, 'messages'],
    ['POST', '/memories', { user_id: 'anna', messages: [{ role: 'robot', content: 'hi' }] }, 400, 'role'],
    ['POST', '/memories', { user_id: 'anna', messages: [{ role: 'user', content: 7 }] }, 400, 'content'],
    ['POST', '/memories', { user_id: '', messages: 'hi' }, 400, 'user_id'],
    ['POST', '/memories', { user_id: 7, messages: 'hi' }, 400, 'user_id'],
    ['POST', '/memories', { user_id: 'x'.repeat(2000), messages: 'hi' }, 400, 'user_id'],
    ['POST', '/memories', { user_id: 'anna', messages: 'hi', infer: 'no' }, 400, 'infer'],
    ['POST', '/memories', { user_id: 'anna', messages: 'hi', colour: 'red' }, 400, 'colour'],
    ['POST', '/memories', { user_id: 'anna', messages: 'hi', metadata: [] }, 400, 'metadata'],
    ['POST', '/memories', { user_id: 'anna', messages: 'hi', metadata: { user_id: 'ben' } }, 400, 'metadata.user_id'],
    ['POST', '/memories', { user_id: 'anna', messages: 'hi', expiration_date: '31.12.2030' }, 400, 'expiration_date'],
    ['POST', '/memories', { user_id: 'anna', messages: 'hi', expiration_date: '2030-02-30' }, 400, 'expiration_date'],
    ['POST', '/memories', { user_id: 'anna', messages: 'hi', timestamp: 'soon' }, 400, 'timestamp'],
    ['POST', '/memories', { user_id: 'anna', messages: 'hi', memory_type: 'procedural_memory' }, 422, 'memory_type'],
    ['POST', '/memories', { user_id: 'anna', messages: 'hi', filters: { user_id: 'ben' } }, 400, 'user_id'],
    ['POST', '/search', { user_id: 'anna' }, 400, 'query'],
    ['POST', '/search', { user_id: 'anna', query: '' }, 400, 'query'],
    ['POST', '/search', { user_id: 'anna', query: 'x', top_k: 0 }, 400, 'top_k'],
    ['POST', '/search', { user_id: 'anna', query: 'x', threshold: 2 }, 400, 'threshold'],
    ['POST', '/search', { user_id: 'anna', query: 'x', filters: { NOT: [{ user_id: 'ben' }] } }, 400, 'user_id'],
    ['POST', '/search', { user_id: 'anna', query: 'x', filters: { a: { near: 1 } } }, 400, 'near'],
    ['POST', '/search', { user_id: 'anna', query: 'x', filters: { keywords: 'a' } }, 422, 'keywords'],
    [
      'POST',
      '/search',
      { user_id: 'anna', query: 'x', filters: { metadata: { nest: { a: 1 } } } },
      400,
      'metadata.nest.a: is',
    ],
    ['POST', '/search', { user_id: 'anna', query: 'x', filters: { categories: ['fact'] } }, 422, 'categories'],
    ['POST', '/memories', { user_id: 'anna', messages: 'hi', timestamp: 1700000000123 }, 400, 'are seconds'],
    ['POST', '/search', '{"query":"a","query":"b"}', 400, 'query'],
    ['POST', '/search', '{"query":', 400, 'body'],
    ['POST', '/search', `${'['.repeat(100)}${']'.repeat(100)}`, 400, 'body'],
    ['POST', '/v3/memories/?page=0', { user_id: 'anna' }, 400, 'page'],
    ['POST', '/v3/memories/?page=1&page_size=99999', { user_id: 'anna' }, 400, 'page_size'],
    ['GET', '/memories?user_id=anna&top_k=many', undefined, 400, 'top_k'],
    ['GET', '/memories?user_id=anna&user_id=ben', undefined, 400, 'user_id'],
    ['GET', '/memories', undefined, 400, 'user_id'],
    ['DELETE', '/memories', undefined, 400, 'user_id'],
    ['DELETE', '/v1/memories/?filters=%7B%27user_id%27%3A%20%27anna%27%7D', undefined, 400, 'filters'],
    ['DELETE', '/v1/memories//', undefined, 404, 'path'],
    ['PUT', '/memories/no-such', { text: 'x' }, 404, 'no-such'],
    ['GET', '/memories/%FF', undefined, 400, 'url'],
    ['PATCH', '/memories', {}, 405, 'GET'],
    ['GET', '/v1/memories/', undefined, 405, 'another method'],
    ['GET', '/nothing', undefined, 404, 'path'],
  ])('%s %s with %o is answered %i, naming %s', async (method, path, body, status, named) => {
    const answer = await server.ask(method, `/mem0${path}`, body)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(answer.body.detail).toContain(named)
    expect(answer.body).toMatchObject({ code: expect.any(String), remedy: expect.any(String), status })
    expect(answer.text).not.toMatch(/at .*\.ts:\d+/)
  })

  test('an update that says nothing changes nothing', async () => {
    const id = await added('The bell rings.')
    expect((await server.ask('PUT', `/mem0/memories/${id}`, {})).body.field).toBe('text')
    expect((await server.ask('PUT', `/mem0/memories/${id}`, { text: ' ' })).status).toBe(400)
    expect((await server.ask('GET', `/mem0/memories/${id}`)).body.memory).toBe('The bell rings.')
  })

  test.each<[object, string]>([
    [{ text: '' }, 'text'],
    [{ text: '长'.repeat(400_000) }, 'text'],
    [{ expiration_date: 'soon' }, 'expiration_date'],
    [{ timestamp: 1_700_000_000 }, 'timestamp'],
    [{ metadata: { user_id: 'ben' } }, 'metadata.user_id'],
    [{ metadata: { long: 'x'.repeat(300_000) } }, 'metadata'],
    [{ text: 'One.', data: 'Two.' }, 'data'],
    [{ colour: 'red' }, 'colour'],
  ])('a change that is refused changes nothing', async (change, field) => {
    const id = await added('The gate is green.')
    const { status, body } = await server.ask('PUT', `/mem0/memories/${id}`, { text: 'CHANGED', ...change })
    expect({ status, field: body.field }).toEqual({ status: 400, field })
    expect((await server.ask('GET', `/mem0/memories/${id}`)).body.memory).toBe('The gate is green.')
  })

  test('an end for what another memory ended is refused', async () => {
    const anna = { user_id: 'anna' }
    await server.ask('POST', '/mem0/memories', { messages: 'I live in Oslo.', ...anna })
    await server.ask('POST', '/mem0/memories', { messages: 'I moved to Bergen.', ...anna })
    const past = await server.ask('GET', '/memory/long-term?user_id=anna&include_past=true')
    const old = past.body.items.find((one: { superseded_by: string | null }) => one.superseded_by !== null)
    const { body } = await server.ask('PUT', `/mem0/memories/${old.id}`, { expiration_date: '2099-01-01' })
    expect(body).toMatchObject({ status: 400, field: 'expiration_date' })
  })

  test('a page of another site may not call', async () => {
    const { status } = await rawRequest(server.url, {
      path: '/mem0/memories?user_id=anna',
      headers: { origin: 'https://elsewhere.example' },
    })
    expect(status).toBe(403)
  })
})
