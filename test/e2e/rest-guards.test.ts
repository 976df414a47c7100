/** Attacks and broken programs at the server of REST and of mem0's routes. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serve } from '../../src/doors/cli/commands/serve.ts'
import { createApp } from '../../src/doors/http/app.ts'
import type { Health } from '../../src/doors/http/server-routes.ts'
import { openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase } from '../support/folder.ts'
import { bearer, rawRequest, startForTest as start } from '../support/rest-server.ts'

describe('keys', () => {
  test('taking the last key back lets nobody in, its owner least of all', async () => {
    const { ask, memory } = await start()
    await memory.add('Bob keeps bees in Porto.', { userId: 'bob', infer: false })
    const key = await memory.keys.create({ name: 'stolen', scope: 'read', userId: 'ana' })
    expect((await ask('GET', '/profile', undefined, bearer(key.key))).status).toBe(200)
    await memory.keys.revoke(key.id)
    expect((await ask('GET', '/profile', undefined, bearer(key.key))).status).toBe(401)
    expect((await ask('GET', '/memory/long-term?user_id=bob')).status).toBe(401)
    expect((await ask('PATCH', '/settings', { context_limit: 1 })).status).toBe(401)
  })

  test('a key counts for the request behind it, also where both come in one turn of the event loop', async () => {
    const memory = await openMemory({ path: ':memory:' })
    onTestFinished(() => memory.close())
    const app = createApp({ memory }, '0')
    const ask = () => app.fetch(new Request('http://localhost/memory/long-term', { headers: { host: 'localhost' } }))
    expect((await ask()).status).toBe(200)
    await memory.keys.create({ name: 'first', scope: 'admin' })
    expect((await ask()).status).toBe(401)
  })

  test('a server that other machines reach asks for a key, even when the only one was taken back', async () => {
    const memory = await openMemory({ path: ':memory:' })
    const key = await memory.keys.create({ name: 'only', scope: 'admin' })
    const server = await serve({ memory, host: '0.0.0.0', port: 0, version: '0' })
    await memory.keys.revoke(key.id)
    const { status } = await rawRequest(`http://127.0.0.1:${server.port}`, { path: '/memory/long-term' })
    await server.close(100)
    await memory.close()
    expect(status).toBe(401)
  })

  test('what is about every user takes an admin of every user', async () => {
    const { ask, memory } = await start()
    const own = bearer((await memory.keys.create({ name: 'own', scope: 'admin', userId: 'ana' })).key)
    for (const [method, path, body] of [
      ['PATCH', '/settings', { context_limit: 7 }],
      ['GET', '/metrics', undefined],
      ['POST', '/maintenance/expire', {}],
      ['GET', '/maintenance/verify', undefined],
    ] as const)
      expect([path, (await ask(method, path, body, own)).status]).toEqual([path, 403])
    await memory.add('Bob keeps bees in Porto.', { userId: 'bob', infer: false })
    expect((await ask('POST', '/mem0/reset', {}, own)).status).toBe(200)
    expect((await memory.getAll({ userId: 'bob' })).total).toBe(1)
    const anyone = bearer((await memory.keys.create({ name: 'all', scope: 'write' })).key)
    expect((await ask('POST', '/mem0/reset', {}, anyone)).status).toBe(403)
  })
})

describe('names', () => {
  test.each([
    `/memory/long-term?filters=${encodeURIComponent('{"__proto__":{"category":"fact"}}')}`,
    '/memory/long-term?__proto__=x',
    '/mem0/memories?user_id=local&__proto__=x',
  ])('a filter that readers lose deletes nothing: DELETE %s', async (path) => {
    const { ask, memory } = await start()
    await memory.add('My bike is green.', { userId: 'local', infer: false })
    const answer = await ask('DELETE', path)
    expect([answer.status, answer.body.field]).toEqual([400, '__proto__'])
    expect((await memory.getAll({ userId: 'local' })).total).toBe(1)
  })

  test('what narrows a deletion down counts in the body, too, and a body where none is taken is refused', async () => {
    const { ask, memory } = await start()
    await memory.add('My bike is green.', { userId: 'local', infer: false, category: 'preference' })
    await memory.add('The shed is locked.', { userId: 'local', infer: false, category: 'fact' })
    expect((await ask('DELETE', '/memory/long-term', { category: 'preference' })).body).toEqual({ deleted: 1 })
    expect((await ask('DELETE', '/memory/long-term', { colour: 'green' })).body.field).toBe('colour')
    expect((await ask('DELETE', '/memory/long-term?category=fact', { category: 'pattern' })).body.field).toBe(
      'category',
    )
    const search = await ask('POST', '/memory/search?limit=1', { query: 'shed', limit: 2 })
    expect([search.status, search.body.field]).toEqual([400, 'limit'])
    const { items } = await memory.getAll({ userId: 'local' })
    expect(items.map(({ text }) => text)).toEqual(['The shed is locked.'])
    const both = await ask('GET', `/memory/long-term/${items[0]?.id}?id=another`)
    expect([both.status, both.body.field]).toEqual([400, 'id'])
  })

  test('a GET with a body is refused', async () => {
    const { url } = await start()
    const body = Buffer.from('{"category":"fact"}')
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
    const { status, text } = await rawRequest(url, { path: '/memory/long-term', headers, body })
    expect([status, JSON.parse(text).field]).toEqual([400, 'body'])
  })

  test.each([
    ['POST', '/search', { keyword: ' ' }, 'keyword'],
    ['POST', '/memory/search', { query: 'bike', topic_of: 'a\u0000b' }, 'topic_of'],
    ['POST', '/chat', { message: 'Hi', session_id: 'a\u0000b' }, 'session_id'],
    [
      'POST',
      '/conversations/c/turns',
      { turns: [{ role: 'user', content: '船', created_at: 'never' }] },
      'turns[0].created_at',
    ],
    ['POST', '/conversations/c/turns', { turns: [{ role: 'user', content: ' ' }] }, 'turns[0].content'],
  ])('%s %s names the field that the caller wrote: %j', async (method, path, body, field) => {
    const { ask } = await start()
    const detail = expect.stringContaining(`${field}: `)
    expect((await ask(method, path, body)).body).toMatchObject({ status: 400, field, detail })
  })

  test('a conversation that is not there is called so', async () => {
    const { ask } = await start()
    const { status, body } = await ask('PATCH', '/conversations/nosuch', { title: 'Boats' })
    expect([status, body.detail]).toEqual([404, 'No conversation "nosuch" exists for this user.'])
  })

  test('an import that is none is told what to send, by no name of another door', async () => {
    const { ask } = await start()
    const half = '{"mneme_export":1,"exported_at":"2026-05-07T10:00:00Z","user_id":"a","conversations":[{"turns":1}]}'
    for (const body of ['garbage', half])
      expect((await ask('POST', '/import', body)).text).not.toMatch(/memory_export|FORMAT\.md/)
    expect((await ask('POST', '/import', 'garbage')).body.remedy).toContain('Import what an export of Mneme gave')
  })

  test('what is not known is named as it was written, however long', async () => {
    const { ask } = await start()
    const camel = await ask('POST', '/memory/search', { query: 'bike', asOf: '2026-05-07' })
    expect([camel.body.field, camel.body.detail]).toEqual(['asOf', 'asOf: is not known here'])
    const long = await ask('POST', '/memory/search', { query: 'bike', ['k'.repeat(1_000_000)]: 1 })
    expect(long.status).toBe(400)
    expect(long.text.length).toBeLessThan(5000)
    const key = await ask('POST', '/memory/long-term', { text: 'a' }, { 'idempotency-key': 'k'.repeat(300) })
    expect(key.body.field).toBe('Idempotency-Key')
  })

  test('of two users at the proxy of OpenAI’s interface the one under our own name is meant', async () => {
    const { ask } = await start()
    const asked = { messages: [{ role: 'user', content: 'Hi' }], user: 'ana' }
    await ask('POST', '/v1/chat/completions?user_id=bob', asked)
    expect((await ask('GET', '/conversations?user_id=ana')).body.total).toBe(0)
    expect((await ask('GET', '/conversations?user_id=bob')).body.total).toBe(1)
    expect((await ask('POST', '/v1/chat/completions?user_id=bob', asked, { 'x-user-id': 'cem' })).status).toBe(400)
  })

  test('a completion is handed on as it is, its numbers, too', async () => {
    const { ask } = await start()
    const body = '{"messages":[{"role":"user","content":"Hi"}],"seed":9223372036854775807}'
    // There is no model, and nothing else is wrong.
    expect((await ask('POST', '/v1/chat/completions', body)).status).toBe(422)
  })

  test('two users in one query string are nobody, at the proxy of OpenAI’s interface, too', async () => {
    const { ask } = await start()
    const messages = [{ role: 'user', content: 'Hi' }]
    const answer = await ask('POST', '/v1/chat/completions?user_id=ana&user_id=bob', { messages })
    expect([answer.status, answer.body.field]).toEqual([400, 'user_id'])
    expect((await ask('GET', '/conversations?user_id=ana')).body.total).toBe(0)
  })
})

describe('places', () => {
  test('bodies that never end give their places back', async () => {
    const { ask, url } = await start({ concurrency: 2, timeoutMs: 2000 })
    const { hostname, port } = new URL(url)
    const heads = 'POST /memory/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
    const answers = ['content-length: 100\r\n\r\n{"q', 'transfer-encoding: chunked\r\n\r\n3\r\n{"q\r\n'].map(
      (rest) =>
        new Promise<string>((resolve) => {
          const socket = connect(Number(port), hostname, () => socket.write(heads + rest))
          let said = ''
          socket.on('data', (piece) => {
            said += piece
          })
          socket.on('close', () => resolve(said))
        }),
    )
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /)
      expect(answer).toContain('application/problem+json')
    }
    expect((await ask('POST', '/memory/search', { query: 'bike' })).status).toBe(200)
    await expect.poll(async () => (await ask('GET', '/health')).body.requests).toEqual({ running: 0, waiting: 0 })
  })

  test('two headers that name users are nobody; one with a comma in it is somebody', async () => {
    const { url } = await start()
    const { port, hostname } = new URL(url)
    const status = (lines: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(port), hostname, () =>
          socket.write(`GET /profile HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${lines}\r\n`),
        )
        let said = ''
        socket.on('data', (piece) => {
          said += piece
        })
        socket.on('error', reject).on('close', () => resolve(said))
      })
    const refused = await status('x-user-id: ana\r\nX-User-ID: bob\r\n')
    expect(refused).toMatch(/^HTTP\/1\.1 400 /)
    expect(refused).toContain('"field":"X-User-Id"')
    expect(await status('x-user-id: ana, bob\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })

  test.each([
    ['X-User-Id', '/profile', 'GET', ''],
    ['X-Conversation-Id', '/v1/chat/completions', 'POST', '{"messages":[{"role":"user","content":"Hi"}]}'],
  ])(
    'bytes in %s that are no UTF-8 are refused: read as Latin-1 they would name somebody else',
    async (name, path, method, body) => {
      const { url } = await start()
      const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
      const send = (value: Buffer) =>
        rawRequest(url, {
          method,
          path,
          headers: { ...headers, [name]: value.toString('latin1') },
          body: Buffer.from(body),
        })
      const { status, text } = await send(Buffer.from([0xff]))
      expect([status, JSON.parse(text)]).toMatchObject([400, { code: 'invalid_input' }])
      expect(text.toLowerCase()).toContain(`${name.toLowerCase()}: is not valid utf-8`)
      expect((await send(Buffer.from('ÿ 张伟'))).text).not.toContain('UTF-8')
    },
  )

  test('what is refused before it was read whole leaves the connection to the next request', async () => {
    const { url } = await start({ maxBodyBytes: 200_000 })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const send = (method: string, path: string, body?: string): Promise<readonly [number, Socket | undefined]> =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
        const sent = request(`${url}${path}`, { method, agent, ...(body === undefined ? {} : { headers }) }, (answer) =>
          answer.resume().on('end', () => resolve([answer.statusCode ?? 0, sent.socket ?? undefined])),
        )
        sent.on('error', reject).end(body)
      })
    const body = '['.repeat(600_000)
    for (const [path, status] of [
      ['/import', 400],
      ['/memory/search', 413],
      ['/mem0/search', 413],
    ] as const) {
      const [refused, first] = await send('POST', path, body)
      const [next, second] = await send('GET', '/stats')
      expect([path, refused, next, first === second]).toEqual([path, status, 200, true])
    }
  })

  test('background work that cannot be written is told by /health while it lasts', async () => {
    await using memory = await openMemory({ path: ':memory:' })
    let reason: string | null = 'The disk is full.'
    const maintenance = { ...memory.maintenance, unwritten: async () => reason }
    const { fetch } = createApp({ memory: { ...memory, maintenance } }, '0')
    const health = async () => (await (await fetch(new Request('http://localhost/health'))).json()) as Health
    expect(await health()).toMatchObject({ status: 'degraded', degraded: [expect.stringContaining('disk is full')] })
    reason = null
    expect(await health()).toMatchObject({ status: 'ok', degraded: [] })
  })

  test('a request id that is a secret goes back to the caller, and into no log', async () => {
    const lines: unknown[] = []
    const note = (...line: readonly unknown[]): void => void lines.push(line)
    const logger = { debug: note, info: note, warn: note, error: note }
    await using memory = await openMemory({ path: ':memory:' })
    const { fetch } = createApp({ memory, logger }, '0')
    const id = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
    const failing = { ...memory.profile, get: () => Promise.reject(new Error('broken')) }
    const broken = createApp({ memory: { ...memory, profile: failing }, logger }, '0')
    for (const app of [fetch, broken.fetch]) {
      const answer = await app(new Request('http://localhost/profile', { headers: { 'x-request-id': id } }))
      expect(answer.headers.get('x-request-id')).toBe(id)
    }
    expect(lines).toHaveLength(3)
    expect(JSON.stringify(lines)).toContain('ghp_…')
    expect(JSON.stringify(lines)).not.toContain(id)
  })

  test('an export keeps its place until it is read or given up', async () => {
    const memory = await openMemory({ path: ':memory:' })
    const turns = Array.from({ length: 50 }, (_, at) => ({
      role: 'user' as const,
      content: `Line ${at} of a long story.`,
    }))
    await memory.conversations.store({ conversationId: 'long', userId: 'local', turns })
    const { fetch } = createApp({ memory }, '0')
    const running = async (): Promise<number> => {
      const health = (await (await fetch(new Request('http://localhost/health'))).json()) as Health
      return health.requests.running
    }
    const sent = await fetch(new Request('http://localhost/export'))
    expect(await running()).toBe(1)
    await sent.body?.cancel()
    await expect.poll(running).toBe(0)
    const whole = await fetch(new Request('http://localhost/export'))
    expect(await whole.text()).toContain('Line 49 of a long story.')
    await expect.poll(running).toBe(0)
    await memory.close()
  })
})

describe('repeats', () => {
  /** A server whose memory adds only when it is told to; what it was told is done. */
  async function slowServer(path: string) {
    const memory = await openMemory({ path })
    const gate = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    const add: typeof memory.add = async (...given) => {
      began.resolve()
      await gate.promise
      return memory.add(...given)
    }
    const server = await serve({ memory: { ...memory, add }, port: 0, version: '0' })
    onTestFinished(async () => {
      await server.close(100)
      await memory.close()
    })
    const post = (signal: AbortSignal | null = null) =>
      fetch(`${server.url}/memory/long-term`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'one' },
        body: JSON.stringify({ text: 'The parrot is called Zanzibar-Kettle.' }),
        signal,
      })
    return { memory, gate, began, post }
  }

  test('who hangs up and asks again has it done once, and reads the answer', async () => {
    const { memory, gate, began, post } = await slowServer(':memory:')
    const controller = new AbortController()
    const first = post(controller.signal).catch(() => 'gone')
    await began.promise
    controller.abort()
    expect(await first).toBe('gone')
    expect((await post()).status).toBe(409)
    gate.resolve()
    await expect.poll(async () => (await post()).status).toBe(201)
    expect((await memory.getAll({ userId: 'local' })).total).toBe(1)
  })

  test('an answer that is made while something is deleted is not kept', async () => {
    const path = freshDatabase('while-deleting.db')
    const { memory, gate, began, post } = await slowServer(path)
    const other = await memory.add('The parrot eats figs.', { userId: 'local', infer: false })
    const first = post()
    await began.promise
    await memory.delete(other.results[0]!.id, { userId: 'local' })
    gate.resolve()
    expect((await first).status).toBe(201)
    expect((await post()).status).toBe(409)
    expect((await memory.getAll({ userId: 'local' })).total).toBe(1)
    const database = new DatabaseSync(path, { readOnly: true })
    expect(database.prepare('SELECT body FROM request_replies').all()).toEqual([{ body: null }])
    database.close()
  })

  test('answers to questions are not kept: they quote, and asking twice does nothing twice', async () => {
    const path = freshDatabase('questions.db')
    const { ask, memory } = await start({ path })
    await memory.profile.set({ userId: 'local', text: 'Plays the zanzibar-kettle.' })
    await ask('POST', '/context', { message: 'What do I play?' }, { 'idempotency-key': 'one' })
    await memory.profile.set({ userId: 'local', text: 'Plays the violin.' })
    const again = await ask('POST', '/context', { message: 'What do I play?' }, { 'idempotency-key': 'one' })
    expect(again.text).toContain('violin')
    await memory.close()
    expect(readFileSync(path).includes('zanzibar-kettle')).toBe(false)
  })
})

describe('what is no request', () => {
  /** The server's answer to these bytes until it hangs up. */
  const send = (url: string, bytes: string): Promise<string> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname, () => socket.write(bytes))
      let answer = ''
      socket.on('data', (piece) => {
        answer += piece
      })
      socket.on('error', () => undefined).on('close', () => resolve(answer))
    })
  const HOST = 'Host: 127.0.0.1'
  const CASES: readonly [string, string, number][] = [
    ['no HTTP', '你好\r\n\r\n', 400],
    ['two lengths', `POST /recall HTTP/1.1\r\n${HOST}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    [
      'a length and chunks, with another request inside',
      `POST /recall HTTP/1.1\r\n${HOST}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /settings HTTP/1.1\r\n${HOST}\r\n\r\n`,
      400,
    ],
    ['a chunk that is none', `POST /recall HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    ['a header with NUL', `GET /health HTTP/1.1\r\n${HOST}\r\nX: a\0b\r\n\r\n`, 400],
    ['headers without end', `GET /health HTTP/1.1\r\n${HOST}\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['no Host', 'GET /health HTTP/1.1\r\n\r\n', 400],
    ['an unknown expectation', `GET /health HTTP/1.1\r\n${HOST}\r\nExpect: nonsense\r\n\r\n`, 417],
    ['a Host that is none', 'GET /health HTTP/1.1\r\nHost: 127.0.0.1@evil.example\r\nConnection: close\r\n\r\n', 400],
  ]
  test.each(CASES)('%s is refused in the words of every other error, once', async (_, bytes, status) => {
    const { url } = await start()
    const answer = await send(url, bytes)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`])
    expect(answer.toLowerCase()).toContain('content-type: application/problem+json')
    expect(answer.toLowerCase()).toContain('connection: close')
    const problem = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))
    expect(problem).toMatchObject({ status, code: expect.any(String), remedy: expect.any(String) })
  })
})
