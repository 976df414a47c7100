/** How a server ends: what it accepted is finished or told, and what asks for nothing keeps nobody waiting. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serve } from '../../src/doors/cli/commands/serve.ts'
import type { ServeOptions } from '../../src/doors/http/serve.ts'
import { type OpenOptions, openMemory } from '../../src/doors/library/index.ts'
import { type Script, startModelServer } from '../support/model-server.ts'
import { eventsOf, post } from './chat-server.ts'

/** A server that the test itself closes. */
async function startToStop(options: Partial<ServeOptions> = {}, open: Partial<OpenOptions> = {}) {
  const memory = await openMemory({ path: ':memory:', thinking: false, ...open })
  const gate = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  const add: typeof memory.add = async (...given) => {
    began.resolve()
    await gate.promise
    return memory.add(...given)
  }
  const server = await serve({ memory: { ...memory, add }, port: 0, version: '0', ...options })
  onTestFinished(async () => {
    gate.resolve()
    await server.close(0)
    await memory.close()
  })
  return { ...server, memory, gate, began: began.promise }
}

/** A chat server with a model behind it, and the time of its first request. */
async function startChatToStop(script: Script) {
  const vendor = await startModelServer(script)
  onTestFinished(() => vendor.close())
  const llm = { provider: 'openai', baseUrl: vendor.url, model: 'm', apiKey: 'k', retries: 0 } as const
  return startToStop({}, { llm })
}

/** The answer to these bytes, which are sent at once with nothing after them. */
async function sent(port: number, bytes: string): Promise<{ readonly socket: Socket; readonly said: Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  if (bytes !== '') socket.write(bytes)
  return { socket, said: text(socket).catch((error: NodeJS.ErrnoException) => `${error.code}`) }
}

async function took(work: Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work
  return performance.now() - begun
}

const adding = (url: string): Promise<Response> => post(`${url}/memory/long-term`, { text: '船在三号码头。' })

describe('a server that is told to stop', () => {
  test('finishes a request within the limit that every request has', async () => {
    const { url, gate, began, close } = await startToStop({ timeoutMs: 15_000 })
    const answer = adding(url)
    await began
    const closing = close()
    setTimeout(() => gate.resolve(), 11_000)
    expect((await answer).status).toBe(201)
    expect((await answer).headers.get('connection')).toBe('close')
    await closing
  })

  test('answers what it has to break off by a 503 that says so', async () => {
    const { url, began, close } = await startToStop()
    const answer = adding(url)
    await began
    const closing = close(100)
    const { status, headers } = await answer
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    expect(await (await answer).json()).toMatchObject({ code: 'busy', detail: 'The server is stopping.' })
    await closing
  })

  test('ends a chat that streams by an error event, and keeps what was said', async () => {
    const delta = { choices: [{ index: 0, delta: { content: 'The ferry ' } }] }
    const { url, memory, close } = await startChatToStop({ events: [delta], afterwards: 'hang' })
    const response = await post(`${url}/chat`, { message: 'When does the ferry leave?', session_id: 's' })
    const events = eventsOf(response)
    await sleep(300)
    await close(100)
    expect((await events).map(({ kind }) => kind)).toEqual(['recalled', 'delta', 'error'])
    expect((await events).at(-1)?.data).toMatchObject({ code: 'aborted', status: 503, user_turn_id: 1 })
    const { items } = await memory.conversations.turns('s', { userId: 'local' })
    expect(items.map(({ content }) => content)).toEqual(['When does the ferry leave?', 'The ferry '])
  })

  test('ends a completion that streams by an error that clients of OpenAI’s interface read', async () => {
    const delta = { choices: [{ index: 0, delta: { content: 'The ferry ' } }] }
    const { url, close } = await startChatToStop({ events: [delta], afterwards: 'hang' })
    const messages = [{ role: 'user', content: 'When does the ferry leave?' }]
    const response = await post(`${url}/v1/chat/completions`, { model: 'm', stream: true, messages })
    const said = response.text()
    await sleep(300)
    await close(100)
    const last = (await said).trim().split('\n\n').at(-1) ?? ''
    expect(JSON.parse(last.replace(/^data: /, ''))).toMatchObject({
      error: { message: expect.stringContaining('stopping'), code: 'busy' },
    })
  })

  test('answers a chat in one piece and an import by a 503', async () => {
    const { url, port, close } = await startChatToStop({ hang: 'silent' })
    const chat = post(`${url}/chat`, { message: 'When does the ferry leave?', stream: false })
    const head = 'POST /import HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n'
    const { said } = await sent(port, `${head}3\r\n{"a\r\n`)
    await sleep(300)
    await close(100)
    expect((await chat).status).toBe(503)
    expect(await said).toMatch(/^HTTP\/1\.1 503 /)
  })

  test('lets go of connections on which nothing was asked at once, and of half a head after a second', async () => {
    const { port, close } = await startToStop()
    const silent = await sent(port, '')
    await sleep(50)
    expect(await took(close())).toBeLessThan(900)
    expect(await silent.said).toMatch(/^(ECONNRESET)?$/)

    const other = await startToStop()
    const half = await sent(other.port, 'GET /profile HTTP/1.1\r\nHost: 127.')
    await sleep(50)
    expect(await took(other.close())).toBeLessThan(3000)
    expect(await half.said).toMatch(/^HTTP\/1\.1 503 .*The server is stopping\./s)
  })

  test('gives a body that does not come its 408 in the usual time', async () => {
    const { port, close } = await startToStop({ timeoutMs: 500 })
    const head =
      'POST /recall HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{'
    const { said } = await sent(port, head)
    await sleep(100)
    expect(await took(close())).toBeLessThan(2000)
    expect(await said).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('is not kept alive by a client that goes on asking on a kept connection', async () => {
    const { url, close } = await startToStop()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const ask = (): Promise<number> =>
      new Promise((resolve) => {
        request(`${url}/profile`, { agent }, (answer) => answer.resume().on('end', () => resolve(1)))
          .on('error', () => resolve(0))
          .end()
      })
    let answered = 1
    const asking = (async () => {
      while (answered > 0) answered = await ask()
    })()
    await sleep(100)
    expect(await took(close())).toBeLessThan(2000)
    await asking
  })
})
