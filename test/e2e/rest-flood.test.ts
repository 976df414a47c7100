/** "A client that hangs up in mid-stream, 1,000 connections at once": places are given back, and nothing is half written. */
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { Health } from '../../src/doors/http/server-routes.ts'
import { openMemory } from '../../src/doors/library/index.ts'
import { startForTest as start } from '../support/rest-server.ts'
import { post, said, startChat } from './chat-server.ts'

const ENDLESS = { events: [{ choices: [{ delta: { content: 'Well, ' } }] }], afterwards: 'hang' } as const

interface Flooded {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly type: string | undefined
}

/** One request on a connection of its own. */
function sendOn(agent: Agent, url: string, body: object): Promise<Flooded> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      const { 'retry-after': retryAfter, 'content-type': type } = response.headers
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, retryAfter, type }))
    })
    sent.on('error', reject).end(JSON.stringify(body))
  })
}

async function health(url: string) {
  return (await (await fetch(`${url}/health`)).json()) as Health
}

test('1,000 connections that write at once: each is answered by 201 or 503, and what was refused left nothing', async () => {
  const { url, memory, ask } = await start({ concurrency: 4, queueLength: 100 })
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  const turns = [
    { role: 'user', content: 'Which key opens the shed?' },
    { role: 'assistant', content: 'The brass one.' },
  ]
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, at) => sendOn(agent, `${url}/conversations/c${at}/turns`, { turns })),
  )
  agent.destroy()
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused.filter(({ status }) => status !== 503)).toEqual([])
  for (const one of refused) expect(one).toMatchObject({ retryAfter: '1', type: 'application/problem+json' })
  const { items, total } = await memory.conversations.list({ userId: 'local', limit: 1000 })
  expect(total).toBe(answers.length - refused.length)
  expect(items.filter(({ turnCount }) => turnCount !== 2)).toEqual([])
  expect((await ask('GET', '/health')).body).toMatchObject({ status: 'ok', requests: { running: 0, waiting: 0 } })
})

test('a connection that asks on and on without waiting for its answers ends, and takes nobody the place', async () => {
  const { url, ask } = await start({ concurrency: 1, queueLength: 4 })
  const { host, hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const ended = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve))
  socket.resume().write(`GET /conversations HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(4000))
  await ended
  await expect.poll(async () => (await ask('GET', '/conversations')).status).toBe(200)
  expect((await ask('GET', '/health')).body).toMatchObject({ status: 'ok', requests: { running: 0, waiting: 0 } })
})

test.each(['/memory/long-term', '/import'])(
  'a body in crumbs to %s is refused, and its connection ends',
  async (path) => {
    const { url, ask } = await start()
    const { host, hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let answer = ''
    const ended = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve))
    socket.setEncoding('utf8').on('data', (data) => {
      answer += data
    })
    const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    socket.write(head + '1\r\n \r\n'.repeat(20_000))
    await ended
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*"The body comes in more than 4096 pieces of less than 32 bytes\."/s)
    expect((await ask('GET', '/health')).body).toMatchObject({ status: 'ok', requests: { running: 0, waiting: 0 } })
  },
)

test('chats that go on and on keep nobody else waiting; one too many is told when to come back', async () => {
  const { url, memory, vendor } = await startChat(ENDLESS, { app: { streams: 3, concurrency: 1, queueLength: 0 } })
  const gone = new AbortController()
  const bodies = [
    ['/chat', { message: 'Tell me a story.' }],
    ['/chat', { message: 'And another one.', stream: false }],
    ['/v1/chat/completions', { stream: true, messages: [{ role: 'user', content: 'A third.' }] }],
  ] as const
  const streams = bodies.map(([path, body]) => post(url + path, body, {}, gone.signal).catch(() => null))
  await expect.poll(async () => (await health(url)).requests.running).toBe(3)
  await expect.poll(() => vendor.requests.length).toBe(3)
  expect((await post(`${url}/memory/search`, { query: 'story' })).status).toBe(200)
  for (const path of ['/chat', '/v1/chat/completions']) {
    const refused = await post(url + path, { message: 'One too many.', messages: [{ role: 'user', content: 'No' }] })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  }
  expect(await said(memory)).toHaveLength(3)
  gone.abort()
  await Promise.all(streams)
  await expect.poll(async () => (await health(url)).requests.running).toBe(0)
  // A partial answer was seen, so it is kept.
  await expect.poll(async () => (await said(memory)).flat().filter((line) => line.includes('Well,')).length).toBe(3)
})

test('who reads nothing of what was asked for loses the connection, and the place is free again', async () => {
  const { url, memory } = await startChat([], { app: { timeoutMs: 1500, streams: 1 } })
  const running = async () => (await health(url)).requests.running
  // Nothing in it is a word: it is stored in no time, and is more than the buffers of a socket hold.
  const content = '~ '.repeat(48_000)
  const turns = Array.from({ length: 300 }, () => ({ role: 'user' as const, content }))
  for (let at = 0; at < 300; at += 100)
    await memory.conversations.store({ conversationId: 'tide', userId: 'local', turns: turns.slice(at, at + 100) })
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  const closed = new Promise<void>((resolve) => socket.on('error', () => undefined).once('close', () => resolve()))
  socket.write('GET /export HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await expect.poll(running).toBe(1)
  expect((await fetch(`${url}/export`)).status).toBe(503)
  await expect.poll(running).toBe(0)
  expect((await fetch(`${url}/export?conversation_id=tide`)).status).toBe(200)
  socket.resume()
  await closed
})

test('an import whose sender hangs up leaves whole conversations or none, and its place', async () => {
  const { url, ask, memory } = await start({ streams: 1 })
  const other = await openMemory({ path: ':memory:', userId: 'local' })
  for (const conversationId of ['one', 'two', 'three'])
    await other.conversations.store({
      conversationId,
      turns: Array.from({ length: 50 }, (_, at) => ({
        role: 'user' as const,
        content: `Line ${at} of ${conversationId}.`,
      })),
    })
  let text = ''
  for await (const piece of other.conversations.export()) text += piece
  await other.close()
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const half = text.slice(0, Math.floor(text.length * 0.6))
  const head = `POST /import HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n`
  await new Promise<void>((resolve) => socket.write(head + half, () => resolve()))
  await expect.poll(async () => (await ask('GET', '/health')).body.requests.running).toBe(1)
  socket.destroy()
  await expect.poll(async () => (await ask('GET', '/health')).body.requests.running).toBe(0)
  const { items } = await memory.conversations.list({ userId: 'local' })
  expect(items.filter(({ turnCount }) => turnCount !== 50)).toEqual([])
  expect((await ask('POST', '/import', text)).body).toMatchObject({ complete: true, conversations: 3 })
})

test('bodies that do not come take no place from others, nor do imports that stand still', async () => {
  const { url, ask } = await start({ concurrency: 1, queueLength: 0, streams: 1 })
  const { hostname, port } = new URL(url)
  const begun = (path: string, type: string): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), hostname)
      const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-length: 5000\r\n\r\n{`
      socket.on('error', () => undefined).write(head, () => resolve(socket))
    })
  const idle = await Promise.all(Array.from({ length: 20 }, () => begun('/memory/search', 'application/json')))
  const slow = await Promise.all(Array.from({ length: 12 }, () => begun('/import', 'application/x-ndjson')))
  // The places of imports are taken, and no other.
  await expect.poll(async () => (await ask('GET', '/health')).body.requests.running).toBe(8)
  expect((await ask('POST', '/memory/search', { query: 'shed' })).status).toBe(200)
  expect((await ask('GET', '/export')).status).toBe(200)
  for (const socket of [...idle, ...slow]) socket.destroy()
  await expect.poll(async () => (await ask('GET', '/health')).body.requests.running).toBe(0)
})

test('an import that brings next to nothing is told so, and leaves its place', async () => {
  const { url, ask } = await start({ timeoutMs: 1000 })
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
  const head =
    'POST /import HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n'
  socket.on('error', () => undefined).write(head)
  const drip = setInterval(() => socket.write(' '), 100)
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /)
  clearInterval(drip)
  socket.destroy()
  await expect.poll(async () => (await ask('GET', '/health')).body.requests.running).toBe(0)
})
