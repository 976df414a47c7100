/** The server around the operations: who may come in, what is too much, what comes twice, and how it ends. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Embedder } from '../../src/domain/contracts/models.ts'
import { serve } from '../../src/doors/cli/commands/serve.ts'
import { openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase } from '../support/folder.ts'
import { startModelServer } from '../support/model-server.ts'
import { bearer, rawRequest, startForTest as start, startRestServer } from '../support/rest-server.ts'

describe('keys', () => {
  test('with MNEME_API_KEY set, a request without it or with another one is a 401, and one with it needs a user', async () => {
    const { ask } = await start({ apiKey: 'secret-key-of-the-operator' })
    expect((await ask('GET', '/profile')).status).toBe(401)
    expect((await ask('GET', '/profile', undefined, bearer('secret-key-of-the-operatos'))).status).toBe(401)
    const missing = await ask('GET', '/profile', undefined, bearer('secret-key-of-the-operator'))
    expect([missing.status, missing.body.field]).toEqual([400, 'user_id'])
    const headers = { 'x-api-key': 'secret-key-of-the-operator', 'x-user-id': 'ana' }
    expect((await ask('GET', '/profile', undefined, headers)).status).toBe(200)
    expect((await ask('GET', '/health')).status).toBe(200)
  })

  test('several keys with a user and a scope each (read, write, admin)', async () => {
    const { ask, memory } = await start()
    const reader = await memory.keys.create({ name: 'dashboard', scope: 'read', userId: 'ana' })
    const writer = await memory.keys.create({ name: 'chat', scope: 'write', userId: 'ana' })
    const admin = await memory.keys.create({ name: 'operator', scope: 'admin' })
    const text = { text: 'Ana collects stamps.' }
    expect((await ask('POST', '/memory/long-term', text, bearer(reader.key))).status).toBe(403)
    expect((await ask('POST', '/memory/long-term', text, bearer(writer.key))).status).toBe(201)
    expect((await ask('GET', '/memory/long-term', undefined, bearer(reader.key))).body.total).toBe(1)
    expect((await ask('PATCH', '/settings', { context_limit: 10 }, bearer(writer.key))).status).toBe(403)
    const settings = await ask(
      'PATCH',
      '/settings',
      { context_limit: 10 },
      { ...bearer(admin.key), 'x-user-id': 'ana' },
    )
    expect(settings.body.context_limit).toEqual({ value: 10, source: 'database' })
    const foreign = await ask('GET', '/memory/long-term', undefined, { ...bearer(reader.key), 'x-user-id': 'bob' })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'forbidden'])
    await memory.keys.revoke(writer.id)
    expect((await ask('GET', '/profile', undefined, bearer(writer.key))).status).toBe(401)
  })

  test('keys are stored hashed: the key is nowhere in the file', async () => {
    const path = freshDatabase('keys.db')
    const { memory, ask } = await start({ path })
    const made = await memory.keys.create({ name: 'one', userId: 'ana' })
    await ask('GET', '/profile', undefined, bearer(made.key))
    await memory.close()
    const { readFileSync } = await import('node:fs')
    expect(readFileSync(path).includes(made.key)).toBe(false)
  })

  test('it refuses to listen beyond loopback without an API key', async () => {
    const memory = await openMemory({ path: ':memory:' })
    const refused = serve({ memory, host: '0.0.0.0', port: 0, version: '0' })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input', field: 'host' })
    await memory.close()
  })
})

describe('other sites', () => {
  test('DNS-rebinding guard: Host and Origin are checked', async () => {
    const { url, ask } = await start()
    const rebound = await rawRequest(url, { path: '/profile', headers: { host: 'attacker.example:7077' } })
    expect(rebound.status).toBe(403)
    expect((await ask('GET', '/profile', undefined, { origin: 'https://attacker.example' })).status).toBe(403)
    expect((await ask('GET', '/profile', undefined, { origin: 'null' })).status).toBe(403)
    expect((await ask('GET', '/profile', undefined, { origin: url })).status).toBe(200)
  })

  test('CORS is off unless configured', async () => {
    const closed = await start()
    const answer = await closed.ask('GET', '/profile')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const opened = await start({ allowedOrigins: ['https://app.example'] })
    const allowed = await opened.ask('GET', '/profile', undefined, { origin: 'https://app.example' })
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example'])
    const preflight = await opened.ask('OPTIONS', '/profile', undefined, {
      origin: 'https://app.example',
      'access-control-request-method': 'PUT',
    })
    expect(preflight.status).toBe(204)
  })
})

test.each(['*', 'not-a-url', 'null', 'https://app.example/', 'https://*.example', 'https://App.example'])(
  '%s is no origin that could be allowed: the server does not start',
  async (origin) => {
    const memory = await openMemory({ path: ':memory:' })
    const refused = serve({ memory, port: 0, version: '0', allowedOrigins: ['https://app.example', origin] })
    const remedy = expect.stringContaining('such as https://example.org')
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input', field: 'allowedOrigins', remedy })
    await memory.close()
  },
)

describe('bodies', () => {
  const post = (url: string, body: Buffer, type = 'application/json') =>
    rawRequest(url, { method: 'POST', path: '/memory/long-term', headers: { 'content-type': type }, body })

  test.each([
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x74, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), 400, 'UTF-8'],
    ['100-level JSON', Buffer.from(`{"metadata":${'{"a":'.repeat(100)}1${'}'.repeat(100)},"text":"a"}`), 400, 'deep'],
    ['duplicate keys', Buffer.from('{"text":"one","text":"two"}'), 400, 'text: is given twice'],
    ['a number too large for any', Buffer.from('{"text":"a","metadata":{"m":1e999}}'), 400, 'metadata.m: 1e999'],
    ['a whole number that would change', Buffer.from('{"text":"a","value":9007199254740993}'), 400, 'value: 9007'],
    ['cut JSON', Buffer.from('{"text":"one"'), 400, 'not JSON'],
    ['a list', Buffer.from('["text"]'), 400, 'must be a JSON object'],
    ['a number', Buffer.from('7'), 400, 'must be a JSON object'],
    ['__proto__', Buffer.from('{"text":"a","__proto__":{"infer":true}}'), 400, '__proto__'],
  ])('%s is refused, and nothing is stored', async (_, body, status, words) => {
    const { url, memory } = await start()
    const answer = await post(url, body)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.text).detail).toContain(words)
    expect((await memory.maintenance.stats({ allUsers: true })).memories).toBe(0)
  })

  test('a body that is not said to be JSON is a 415; one that is too large is a 413 before it is read', async () => {
    const { url } = await start({ maxBodyBytes: 1000 })
    expect((await post(url, Buffer.from('{"text":"a"}'), 'text/plain')).status).toBe(415)
    expect((await post(url, Buffer.from(`{"text":"${'a'.repeat(2000)}"}`))).status).toBe(413)
  })

  test('a path or a query that is no UTF-8 is a 400, and never a 500', async () => {
    const { url } = await start()
    for (const path of ['/memory/long-term/%ff', '/memory/long-term?key=%E4%B8', '/conversations/%00/turns'])
      expect((await rawRequest(url, { path })).status).toBe(400)
  })

  test('ids with slashes, quotes, spaces, plus signs and Chinese are found again', async () => {
    const { ask } = await start()
    for (const id of ['a/b', 'a "b"', 'a+b', '会话 一', "x' OR '1'='1", '%25', '..']) {
      const turns = [{ role: 'user', content: `Said in ${id}` }]
      const path = `/conversations/${encodeURIComponent(id)}/turns`
      // A URL cannot hold the segment "..": every client takes it away.
      if (id === '..') continue
      expect((await ask('POST', path, { turns })).status).toBe(201)
      expect((await ask('GET', path)).body.items[0].content).toBe(`Said in ${id}`)
    }
  })

  test('the method that a path does not take is a 405 with Allow', async () => {
    const { ask } = await start()
    const answer = await ask('PUT', '/memory/search', {})
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await ask('GET', '/no/such/path')).body.code).toBe('not_found')
  })
})

describe('idempotency keys on POST', () => {
  const text = { text: '我下周三去大阪。' }
  const headers = { 'idempotency-key': 'request-1' }

  test('the same key with the same request is done once and answered alike, also after a restart', async () => {
    const path = freshDatabase('once.db')
    const first = await startRestServer({ path })
    const one = await first.ask('POST', '/memory/long-term', text, headers)
    const two = await first.ask('POST', '/memory/long-term', text, headers)
    await first.close()
    const second = await start({ path })
    const three = await second.ask('POST', '/memory/long-term', text, headers)
    expect([two.text, three.text]).toEqual([one.text, one.text])
    expect([one, two, three].map((answer) => answer.headers.get('idempotency-replayed'))).toEqual([
      null,
      'true',
      'true',
    ])
    expect((await second.ask('GET', '/memory/long-term')).body.total).toBe(1)
  })

  test('at once from many connections it is done once', async () => {
    const { ask } = await start()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        ask('POST', '/conversations', { turns: [{ role: 'user', content: 'Hi there' }] }, headers),
      ),
    )
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect((await ask('GET', '/conversations')).body.total).toBe(1)
  })

  test('the same key for another request is a 409; for another user it is another key; a failed request may be tried again', async () => {
    const { ask } = await start()
    expect((await ask('POST', '/memory/long-term', text, headers)).status).toBe(201)
    expect((await ask('POST', '/memory/long-term', { text: 'Another.' }, headers)).status).toBe(409)
    expect(
      (await ask('POST', '/memory/long-term', { text: 'Another.' }, { ...headers, 'x-user-id': 'bob' })).status,
    ).toBe(201)
    const failing = { 'idempotency-key': 'request-2' }
    const span = { from_turn: 1, to_turn: 2 }
    expect((await ask('POST', '/conversations/c/summarize', span, failing)).status).toBe(404)
    const turns = ['First.', 'Second.'].map((content) => ({ role: 'user', content }))
    await ask('POST', '/conversations/c/turns', { turns })
    expect((await ask('POST', '/conversations/c/summarize', span, failing)).status).toBe(200)
  })

  test('what was answered goes with what is deleted', async () => {
    const path = freshDatabase('erased.db')
    const { ask, close } = await startRestServer({ path })
    const { body } = await ask('POST', '/memory/long-term', { text: 'The code word is zanzibar-kettle.' }, headers)
    await ask('DELETE', `/memory/long-term/${body.results[0].id}`)
    const again = await ask('POST', '/memory/long-term', { text: 'The code word is zanzibar-kettle.' }, headers)
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    await close()
    const { readFileSync } = await import('node:fs')
    expect(readFileSync(path).includes('zanzibar-kettle')).toBe(false)
  })
})

describe('too much', () => {
  test('rate limit per key: a 429 with Retry-After, and another key goes on', async () => {
    const { ask, memory } = await start({ requestsPerMinute: 3 })
    const [one, two] = [
      await memory.keys.create({ name: 'one', userId: 'ana' }),
      await memory.keys.create({ name: 'two', userId: 'bob' }),
    ]
    const statuses: number[] = []
    for (let at = 0; at < 5; at += 1) statuses.push((await ask('GET', '/profile', undefined, bearer(one.key))).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const refused = await ask('GET', '/profile', undefined, bearer(one.key))
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask('GET', '/profile', undefined, bearer(two.key))).status).toBe(200)
  })

  test('1,000 connections at once: each is answered by 200 or by 503 with Retry-After, and then all is well', async () => {
    const { url, ask } = await start({ concurrency: 4, queueLength: 100 })
    const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
    const statuses = await Promise.all(
      Array.from(
        { length: 1000 },
        () =>
          new Promise<number>((resolve, reject) => {
            const sent = request(
              `${url}/memory/search`,
              { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
              (response) => {
                response.resume().on('end', () => {
                  if (response.statusCode === 503 && response.headers['retry-after'] === undefined)
                    reject(new Error('no Retry-After'))
                  resolve(response.statusCode ?? 0)
                })
              },
            )
            sent.on('error', reject)
            sent.end('{"query":"anything"}')
          }),
      ),
    )
    agent.destroy()
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(100)
    expect((await ask('GET', '/health')).body).toMatchObject({ status: 'ok', requests: { running: 0, waiting: 0 } })
  })
})

test('an addition that a slow model is waited for is answered as pending in time, with its job, and is done later', async () => {
  const gate = Promise.withResolvers<void>()
  const vendor = await startModelServer({ content: '-', after: gate.promise })
  onTestFinished(() => vendor.close())
  const llm = { provider: 'openai', baseUrl: vendor.url, apiKey: 'k', retries: 0, model: 'slow' } as const
  const { ask, memory } = await start({ timeoutMs: 1500, open: { llm } })
  const given = { text: 'My boat is moored in Ghent.', infer: true, wait: true }
  const { status, body } = await ask('POST', '/memory/long-term', given)
  expect([status, body]).toMatchObject([201, { results: [{ event: 'PENDING', memory: given.text }] }])
  expect((await memory.maintenance.jobs({ userId: 'local' })).items.map(({ id }) => id)).toEqual([body.job_id])
  gate.resolve()
  await memory.idle()
  expect((await memory.maintenance.jobs({ userId: 'local' })).total).toBe(0)
})

test('upkeep is not refused for taking longer than a request may, and holds no place of the others meanwhile', async () => {
  const memory = await openMemory({ path: ':memory:', userId: 'local' })
  const gate = Promise.withResolvers<void>()
  const consolidate: typeof memory.maintenance.consolidate = async (asked) => {
    await gate.promise
    return memory.maintenance.consolidate(asked)
  }
  const slow = { ...memory, maintenance: { ...memory.maintenance, consolidate } }
  const server = await serve({ memory: slow, port: 0, version: '0.0.0', timeoutMs: 300, concurrency: 1 })
  onTestFinished(async () => {
    await server.close(100)
    await memory.close()
  })
  const ask = (method: string, path: string) => fetch(server.url + path, { method })
  const consolidated = ask('POST', '/maintenance/consolidate')
  await pause(600)
  expect((await ask('GET', '/conversations')).status).toBe(200)
  gate.resolve()
  expect((await consolidated).status).toBe(200)
})

describe('export and import', () => {
  const turns = [
    { role: 'user', content: '把测试数据库的端口改成 5433。' },
    { role: 'assistant', content: 'Done: 5433.' },
  ]

  test('what GET /export gives, POST /import takes, and a second time nothing is added', async () => {
    const from = await start()
    await from.ask('POST', '/conversations/c1/turns', { turns })
    await from.ask('POST', '/memory/long-term', { text: 'The port is 5433.' })
    await from.memory.idle()
    const exported = await from.ask('GET', '/export')
    expect(exported.status).toBe(200)
    const to = await start()
    const first = await to.ask('POST', '/import', exported.text)
    expect(first.body).toMatchObject({ conversations: 1, turns_added: 2, complete: true, refused: [] })
    const second = await to.ask('POST', '/import', exported.text)
    expect(second.body).toMatchObject({ turns_added: 0, turns_existing: 2, memories_added: 0 })
    expect(
      (await to.ask('GET', '/conversations/c1/turns')).body.items.map((turn: { content: string }) => turn.content),
    ).toEqual(turns.map(({ content }) => content))
  })

  test('chats of another program come in by POST /import/chats, counted with what was refused', async () => {
    const { ask } = await start()
    const log = '{"role":"user","content":"The kiln is fixed."}\n{"role":"mime","content":"…"}\n'
    const look = await ask('POST', '/import/chats?name=log.jsonl&dry_run=true', log)
    expect(look.body).toMatchObject({ turns_added: 0, files: [{ file: 'log.jsonl', turns: 1, refused: 1 }] })
    const first = await ask('POST', '/import/chats?name=log.jsonl', log)
    expect(first.body).toMatchObject({ turns_added: 1, files: [{ format: 'mneme-lines', refusals: [{ line: 2 }] }] })
    expect((await ask('POST', '/import/chats?name=log.jsonl', log)).body).toMatchObject({ turns_existing: 1 })
    expect((await ask('POST', '/import/chats', log)).body.field).toBe('name')
    expect((await ask('POST', '/import/chats?name=a.zip', log)).body.code).toBe('import_failed')
  })

  test('an unknown format, parameter or conversation is refused before anything is sent', async () => {
    const { ask } = await start()
    expect((await ask('GET', '/export?format=xml')).status).toBe(400)
    expect((await ask('GET', '/export?colour=red')).body.field).toBe('colour')
    expect((await ask('GET', '/export?conversation_id=none')).status).toBe(404)
    expect((await ask('POST', '/import', 'this is no export')).status).toBe(400)
  })
})

describe('the server itself', () => {
  test('/health tells what is degraded', async () => {
    const { ask } = await start()
    expect((await ask('GET', '/health')).body).toMatchObject({
      status: 'ok',
      degraded: [],
      jobs: { waiting: 0, dead: 0 },
    })
  })

  test('/health names the model that is left alone, until it answers again', async () => {
    const vendor = await startModelServer({ status: 500, body: 'broken' })
    onTestFinished(() => vendor.close())
    let now = Date.parse('2026-05-07T10:00:00Z')
    const embedding: Embedder = {
      model: 'embedder',
      dimension: async () => 2,
      embed: async (texts) => texts.map(() => new Float32Array([1, 0])),
      isLeftAlone: () => now < Date.parse('2026-05-07T10:01:00Z'),
      close: async () => {},
    }
    const llm = { provider: 'openai', baseUrl: vendor.url, apiKey: 'k', retries: 0, model: 'talker' } as const
    const { ask } = await start({ open: { thinking: false, clock: () => new Date(now), llm, embedding } })
    const chat = () => ask('POST', '/chat', { message: 'Hi', stream: false })
    for (let call = 0; call < 6; call += 1) expect((await chat()).status).toBe(502)
    expect((await ask('GET', '/health')).body).toMatchObject({
      status: 'degraded',
      degraded: ['talker', 'embedder'].map((model) => expect.stringContaining(`The model ${model} failed lately`)),
    })
    vendor.play({ content: 'Hello.' })
    now += 60_000
    expect((await chat()).status).toBe(200)
    expect((await ask('GET', '/health')).body).toMatchObject({ status: 'ok', degraded: [] })
  })

  test('/metrics is Prometheus text with routes instead of ids', async () => {
    const { ask } = await start()
    await ask('GET', '/memory/long-term/some-id-that-is-none')
    const { text, headers } = await ask('GET', '/metrics')
    expect(headers.get('content-type')).toContain('text/plain')
    expect(text).toContain('mneme_http_requests_total{method="GET",route="/memory/long-term/:id",status="404"} 1')
    expect(text).not.toContain('some-id-that-is-none')
    expect(text).toMatch(/^mneme_memories 0$/m)
  })

  test.each(['/health', '/metrics', '/openapi.json'])('%s takes no parameters, and says so', async (path) => {
    const { ask } = await start()
    expect((await ask('GET', path)).status).toBe(200)
    const { status, body } = await ask('GET', `${path}?colour=red`)
    expect({ status, field: body.field }).toEqual({ status: 400, field: 'colour' })
  })

  test('a number above every bound is told the bound of its field', async () => {
    const { ask } = await start()
    for (const limit of ['10001', '99999999999999999999'])
      expect((await ask('GET', `/memory/long-term?limit=${limit}`)).body).toMatchObject({
        status: 400,
        field: 'limit',
        remedy: 'Pass at most 10000.',
      })
  })

  test('every answer carries a request id, the caller’s own where it is a decent one', async () => {
    const { ask } = await start()
    expect((await ask('GET', '/health', undefined, { 'x-request-id': 'abc-1' })).headers.get('x-request-id')).toBe(
      'abc-1',
    )
    const made = await ask('GET', '/nothing', undefined, { 'x-request-id': 'a b' })
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(made.body.request_id).toBe(made.headers.get('x-request-id'))
  })

  test('graceful shutdown finishes what was accepted', async () => {
    const memory = await openMemory({ path: ':memory:' })
    const listening = await serve({ memory, port: 0, version: '0' })
    const turns = Array.from({ length: 400 }, (_, at) => ({ role: 'user', content: `Line ${at} of a long story.` }))
    const body = JSON.stringify({ turns })
    const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const asked = request(`${listening.url}/conversations/long/turns`, {
      method: 'POST',
      headers: { ...length, expect: '100-continue' },
    })
    const answer = once(asked, 'response')
    asked.flushHeaders()
    // It says so once it has taken the request in; its body comes later.
    await once(asked, 'continue')
    asked.write(body.slice(0, 100))
    // Sent before the server is told to stop, read by it afterwards.
    const late = connect(listening.port, '127.0.0.1')
    await once(late, 'connect')
    late.write('GET /profile HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    const closing = listening.close()
    asked.end(body.slice(100))
    expect((await answer)[0].statusCode).toBe(201)
    expect(await text(late)).toContain('HTTP/1.1 200')
    await closing
    expect((await memory.conversations.get('long', { userId: 'local' })).turnCount).toBe(400)
    await expect(fetch(`${listening.url}/health`)).rejects.toThrow()
    await memory.close()
  })

  test('a client that hangs up leaves nothing running', async () => {
    const { url, ask } = await start()
    const controller = new AbortController()
    const turns = Array.from({ length: 2000 }, (_, at) => ({ role: 'user', content: `Sentence number ${at}.` }))
    const sent = fetch(`${url}/conversations/gone/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ turns }),
      signal: controller.signal,
    }).catch(() => 'gone')
    setTimeout(() => controller.abort(), 2)
    await sent
    await expect.poll(async () => (await ask('GET', '/health')).body.requests.running).toBe(0)
    const stored = await ask('GET', '/conversations/gone')
    // All or nothing.
    expect([404, 200]).toContain(stored.status)
    if (stored.status === 200) expect(stored.body.turn_count).toBe(2000)
  })
})
