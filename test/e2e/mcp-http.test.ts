/** Issue 6, MCP over streamable HTTP: keys, users, guards and limits are those of REST. */
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../../src/doors/cli/commands/serve.ts'
import type { Listening } from '../../src/doors/http/serve.ts'
import type { AppOptions } from '../../src/doors/http/server-options.ts'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { connectSdk1, connectSdk2 } from '../support/mcp-clients.ts'

async function served(options: Partial<AppOptions> = {}): Promise<{ memory: OpenMemory; server: Listening }> {
  const memory = await openMemory({ path: ':memory:' })
  const server = await serve({ memory, port: 0, version: '0.1.0', ...options })
  onTestFinished(async () => {
    await server.close(100)
    await memory.close()
  })
  return { memory, server }
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

function post(
  server: Listening,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${server.url}/mcp`, { method: 'POST', headers: { ...HEADERS, ...headers }, body })
}

test('a key is asked for where one is set, and its scope and its user hold', async () => {
  const { memory, server } = await served()
  const reader = await memory.keys.create({ name: 'reader', scope: 'read', userId: 'ann' })
  const writer = await memory.keys.create({ name: 'writer', scope: 'write', userId: 'ann' })
  expect((await post(server, LIST)).status).toBe(401)
  expect((await post(server, LIST, { authorization: 'Bearer wrong' })).status).toBe(401)
  expect((await post(server, LIST, { authorization: `Bearer ${reader.key}`, 'x-user-id': 'bob' })).status).toBe(403)

  const writes = await connectSdk2({ url: server.url, headers: { authorization: `Bearer ${writer.key}` } })
  await writes.call('add_memory', { text: 'Ann sails.', infer: false })
  const reads = await connectSdk1({ url: server.url, headers: { 'x-api-key': reader.key } })
  expect((await reads.call('search_memories', { keyword: 'sails' })).structured.results).toHaveLength(1)
  for (const [name, args] of [
    ['add_memory', { text: 'Ann rows.' }],
    ['delete_all_memories', {}],
    ['create_entities', { entities: [{ name: 'Boat', entityType: 'thing', observations: [] }] }],
  ] as const) {
    const { isError, text } = await reads.call(name, args)
    expect(isError).toBe(true)
    expect(text).toContain('This key may only read')
  }
  expect((await memory.getAll({ userId: 'ann' })).total).toBe(1)
  await writes.close()
  await reads.close()
})

test('a page of another site and a foreign host name are refused', async () => {
  const { server } = await served()
  expect((await post(server, LIST, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await post(server, LIST)).status).toBe(200)
})

test('faults of the protocol are answered by the protocol', async () => {
  const { server } = await served({ maxBodyBytes: 10_000 })
  for (const body of [
    '{"jsonrpc"',
    '{"a":1,"a":2}',
    '['.repeat(100) + ']'.repeat(100),
    new Uint8Array([0x22, 0xff, 0x22]),
  ]) {
    const response = await post(server, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_700 } })
  }
  expect((await post(server, '{"id":1}')).status).toBe(400)
  const twice = await post(server, '{"jsonrpc":"2.0","id":5,"method":"ping","method":"ping"}')
  expect([twice.status, await twice.json()]).toMatchObject([400, { id: 5, error: { code: -32_600 } }])
  expect((await post(server, '')).status).toBe(400)
  expect((await post(server, `"${'x'.repeat(20_000)}"`)).status).toBe(413)
  expect((await post(server, LIST, { 'content-type': 'text/plain' })).status).toBe(415)
  for (const [method, params, says] of [['tools/list', { cursor: 5 }, 'cursor: must be a text']] as const) {
    const answer = await (await post(server, JSON.stringify({ jsonrpc: '2.0', id: 6, method, params }))).text()
    const { error } = JSON.parse(/^data: (.*)$/m.exec(answer)?.[1] ?? '{}')
    expect(error).toEqual({ code: -32_602, message: `Invalid params for ${method}: ${says}` })
  }
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
    const refused = await fetch(`${server.url}/mcp`, { method, headers: HEADERS })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await refused.json()).toMatchObject({ remedy: 'Use POST.' })
  }
})

test('a client that hangs up in mid-call gives its place back', async () => {
  const { memory, server } = await served({ streams: 2 })
  const observations = Array.from({ length: 1000 }, (_, at) => `Counts to ${at}`)
  const args = { entities: [{ name: 'Counter', entityType: 'machine', observations }] }
  const params = { name: 'create_entities', arguments: args, _meta: { progressToken: 1 } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  for (let round = 0; round < 4; round += 1) {
    const gone = new AbortController()
    const response = await fetch(`${server.url}/mcp`, { method: 'POST', headers: HEADERS, body, signal: gone.signal })
    expect(response.status).toBe(200)
    gone.abort()
    await expect.poll(async () => (await post(server, LIST)).status).toBe(200)
  }
  expect([0, 1001]).toContain((await memory.getAll({ userId: 'local', limit: 1 })).total)
})

test('"Over HTTP it is the user of the key, else the parameter user_id or the header X-User-Id"', async () => {
  const { memory, server } = await served()
  const adding = (text: string): string => {
    const params = { name: 'add_memory', arguments: { text, infer: false } }
    return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  }
  const ask = (query: string, text: string, headers = {}): Promise<Response> =>
    fetch(`${server.url}/mcp${query}`, { method: 'POST', headers: { ...HEADERS, ...headers }, body: adding(text) })
  expect((await ask('?user_id=bob', 'Bob rows.')).status).toBe(200)
  expect((await ask('?user_id=%E5%BF%83%E6%80%A1', '心怡划船。')).status).toBe(200)
  expect((await memory.getAll({ userId: 'bob' })).items.map(({ text }) => text)).toEqual(['Bob rows.'])
  expect((await memory.getAll({ userId: '心怡' })).total).toBe(1)
  for (const [query, headers, says] of [
    ['?user=bob', {}, /^user: is not known here/],
    ['?user_id=bob&session=1', {}, /^session: is not known here/],
    ['?user_id=bob&user_id=ann', {}, /^user_id: /],
    ['?user_id=', {}, /^user_id: is empty/],
    ['?user_id=bob', { 'x-user-id': 'ann' }, /two users/],
  ] as const) {
    const refused = await ask(query, 'Nobody rows.', headers)
    expect([query, refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
      query,
      400,
      expect.stringMatching(says),
    ])
  }
  expect((await memory.getAll({ userId: 'local' })).total).toBe(0)
})

test('a call that takes too long ends with an answer', async () => {
  const { server } = await served({ timeoutMs: 1 })
  const client = await connectSdk2({ url: server.url })
  const observations = Array.from({ length: 1000 }, (_, at) => `Counts to ${at}`)
  const { isError, text } = await client.call('create_entities', {
    entities: [{ name: 'Counter', entityType: 'machine', observations }],
  })
  expect(isError).toBe(true)
  expect(text).toContain('took too long')
  await client.close()
})
