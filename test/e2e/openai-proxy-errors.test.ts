/** Errors under /v1 at our side have the `error` object that OpenAI's clients read. */
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/domain/clock.ts'
import { freshDatabase } from '../support/folder.ts'
import { rawRequest } from '../support/rest-server.ts'
import { post, startChat, VENDOR_KEY } from './chat-server.ts'
import { clientOf, user } from './openai-client.ts'

const HI = { messages: [user('Hi')] }

/** Breaks a table of a server's memory. */
function drop(path: string, table: string): void {
  const breaker = new DatabaseSync(path)
  breaker.exec(`PRAGMA foreign_keys = OFF; DROP TABLE ${table}`)
  breaker.close()
}

describe('the error object is there', () => {
  test.each([
    ['an unknown path', 'POST', '/v1/responses', {}, 404, 'not_found'],
    ['another method', 'DELETE', '/v1/models', {}, 405, 'method_not_allowed'],
    ['a page of another site', 'POST', '/v1/chat/completions', { origin: 'https://evil.example' }, 403, 'forbidden'],
    ['headers that are too large', 'GET', '/v1/models', { 'x-user-id': 'a'.repeat(20_000) }, 431, 'too_large'],
    ['an error that nobody expects', 'GET', '/v1/models', {}, 500, 'internal'],
  ])('%s', async (_, method, path, headers, status, code) => {
    const chat = await startChat({ content: 'never' })
    if (status === 500) chat.memory.chat.models = () => Promise.reject(new TypeError('broken inside'))
    const answer = await rawRequest(chat.url, { method, path, headers })
    const { error, detail } = JSON.parse(answer.text) as { error: Record<string, unknown>; detail: string }
    expect([answer.status, error.code]).toEqual([status, code])
    expect(error.message).toContain(detail.replace(/\.$/, ''))
  })

  test('other paths are answered without it', async () => {
    const { url } = await startChat({ content: 'never' })
    expect(await (await fetch(`${url}/nowhere`)).json()).not.toHaveProperty('error')
  })
})

test.each([
  ['/chat', { message: 'Hi', stream: false }],
  ['/v1/chat/completions', HI],
])('a spent budget of the day tells the seconds to the next day: %s', async (path, body) => {
  const chat = await startChat({ content: 'Ok.' }, { llm: { dailyCalls: 1 } })
  await (await post(chat.url + path, body)).text()
  const refused = await post(chat.url + path, body)
  const now = Date.now()
  const secondsLeft = (Math.ceil(now / DAY_MS) * DAY_MS - now) / 1000
  expect(refused.status).toBe(429)
  expect(Math.abs(Number(refused.headers.get('retry-after')) - secondsLeft)).toBeLessThan(5)
})

describe('the keys of the server cannot be read', () => {
  test('where there were none, a chat without a key goes on; whoever shows one stays out', async () => {
    const path = freshDatabase()
    const chat = await startChat({ content: 'Ok.' }, { memory: { path } })
    expect((await post(`${chat.url}/v1/chat/completions`, HI)).status).toBe(200)
    drop(path, 'api_keys')
    expect((await post(`${chat.url}/v1/chat/completions`, HI)).status).toBe(200)
    expect((await post(`${chat.url}/chat`, { message: '你好', stream: false })).status).toBe(200)
    const shown = await post(`${chat.url}/v1/chat/completions`, HI, { authorization: 'Bearer some-key' })
    expect([shown.status, await shown.json()]).toEqual([
      503,
      expect.objectContaining({ error: expect.objectContaining({ code: 'database_damaged' }) }),
    ])
  })

  test('where nobody ever saw that there were none, or where there are some, nobody comes in', async () => {
    const [unseen, seen] = [freshDatabase(), freshDatabase()]
    const chat = await startChat({ content: 'never' }, { memory: { path: unseen } })
    drop(unseen, 'api_keys')
    expect((await post(`${chat.url}/chat`, { message: 'Hi' })).status).toBe(503)
    const guarded = await startChat({ content: 'never' }, { memory: { path: seen } })
    const { key } = await guarded.memory.keys.create({ name: '安娜', scope: 'admin' })
    expect((await fetch(`${guarded.url}/v1/models`)).status).toBe(401)
    drop(seen, 'api_keys')
    expect((await fetch(`${guarded.url}/v1/models`)).status).toBe(401)
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${guarded.url}/v1/models`, { headers })).status).toBe(503)
  })
})

test('a vendor that quotes the key which it refuses does not give it away', async () => {
  const message = `Incorrect API key provided: Bearer ${VENDOR_KEY}. 密钥不对。`
  const chat = await startChat({ status: 401, body: { error: { message, code: 'invalid_api_key' } } })
  const response = await post(`${chat.url}/v1/chat/completions`, HI)
  const { error } = (await response.json()) as { error: { message: string } }
  expect([response.status, error.message]).toEqual([401, message.replace(VENDOR_KEY, '***')])
})

test('a vendor that is silent about its models is told of as silent', async () => {
  const chat = await startChat({ hang: 'silent' }, { app: { timeoutMs: 100 } })
  await expect(clientOf(chat).models.list()).rejects.toMatchObject({
    status: 502,
    message: expect.stringContaining('did not answer in time'),
  })
})

test('a body that is packed is refused by what it is', async () => {
  const { url } = await startChat({ content: 'never' })
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync(JSON.stringify(HI)),
  })
  expect([response.status, await response.json()]).toEqual([
    415,
    expect.objectContaining({ detail: 'Content-Encoding: gzip is not taken.' }),
  ])
})
