import { expect, onTestFinished, test } from 'vitest'
import { inMemoryUsageLedger } from '../../../test/support/in-memory-usage-ledger.ts'
import { type Script, startModelServer, streamed } from '../../../test/support/model-server.ts'
import type { GatewayReply } from '../../domain/contracts/models.ts'
import type { LanguageModelOptions } from './model-client.ts'
import { openLanguageModel } from './open-language-model.ts'

const KEY = 'sk-vendor-0123456789abcdef'

async function start(script: Script, options: Partial<LanguageModelOptions> = {}) {
  const server = await startModelServer(script)
  const ledger = inMemoryUsageLedger()
  const common = { provider: 'openai', baseUrl: server.url, apiKey: KEY, model: 'm', ledger } as const
  const model = openLanguageModel({ ...common, ...options })
  onTestFinished(async () => {
    await model.close()
    await server.close()
  })
  const complete = (
    body: string,
    signal = new AbortController().signal,
    path = '/chat/completions',
  ): Promise<GatewayReply> =>
    model.gateway!.complete({ userId: '安娜', path, body, words: ['你好，', 'how are you?'], signal })
  return { server, ledger, model, complete }
}

async function textOf(reply: GatewayReply): Promise<string> {
  let text = ''
  for await (const piece of reply.body) text += Buffer.from(piece).toString()
  return text
}

test('bytes go out and come back as they are, with our key, and what was said in them is heard', async () => {
  const { server, complete } = await start({ events: streamed(['你', '好']) })
  const reply = await complete('{"a":1.0,\n"stream":true}')
  const text = await textOf(reply)
  expect(server.requests[0]).toMatchObject({ text: '{"a":1.0,\n"stream":true}', path: '/v1/chat/completions' })
  expect(server.requests[0]!.headers.authorization).toBe(`Bearer ${KEY}`)
  expect(text).toBe(
    streamed(['你', '好'])
      .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
      .join(''),
  )
  expect(reply.said()).toEqual({
    text: '你好',
    model: 'scripted-model',
    usage: { promptTokens: 20, completionTokens: 5, cost: null },
    choices: 1,
    finished: true,
  })
})

test('of several choices the first is heard', async () => {
  const choice = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] })
  const { complete } = await start({ events: [choice(0, 'a'), choice(1, 'x'), choice(0, 'b'), '[DONE]'] })
  const reply = await complete('{}')
  await textOf(reply)
  expect(reply.said()).toMatchObject({ text: 'ab', finished: true })
})

test('what a message of Anthropic’s interface says is heard, in a stream and in one piece, and counted with its cache', async () => {
  const usage = { input_tokens: 7, cache_read_input_tokens: 90, cache_creation_input_tokens: 3, output_tokens: 1 }
  const message = {
    type: 'message',
    model: 'c',
    content: [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Hi.' },
    ],
  }
  const { complete, server } = await start([
    {
      events: [
        { type: 'message_start', message: { ...message, content: [], usage } },
        { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
        { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hi.' } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 12 } },
      ],
    },
    { body: { ...message, stop_reason: 'end_turn', usage: { ...usage, output_tokens: 12 } } },
  ])
  for (let number = 0; number < 2; number += 1) {
    const reply = await complete('{}', undefined, '/messages')
    await textOf(reply)
    expect(reply.said()).toMatchObject({
      text: 'Hi.',
      model: 'c',
      finished: true,
      usage: { promptTokens: 100, completionTokens: 12 },
    })
  }
  expect(server.requests[0]!.headers).toMatchObject({ 'x-api-key': KEY, authorization: `Bearer ${KEY}` })
})

test.each([
  ['a line', '\n'],
  ['nothing', ''],
  ['a carriage return', '\r'],
])('a last event that only %s ends is heard', async (_, end) => {
  const [first, last] = streamed(['好的', '，记住了。'], null).map((event) => `data: ${JSON.stringify(event)}`)
  const { complete } = await start({
    body: `${first}\n\n${last}${end}`,
    headers: { 'content-type': 'text/event-stream' },
  })
  const reply = await complete('{}')
  await textOf(reply)
  expect(reply.said()).toMatchObject({ text: '好的，记住了。', finished: false })
})

test('a last [DONE] without a blank line behind it is an end; half of an event is none', async () => {
  const [words] = streamed(['Noted.'])
  const headers = { 'content-type': 'text/event-stream' }
  const begun = `data: ${JSON.stringify(words)}\n\n`
  const { complete } = await start([
    { body: `${begun}data: [DONE]`, headers },
    { body: `${begun}${begun.slice(0, -9)}`, headers },
  ])
  for (const finished of [true, false]) {
    const reply = await complete('{}')
    await textOf(reply)
    expect(reply.said()).toMatchObject({ text: 'Noted.', finished })
  }
})

test('of the headers those come back that a client can use, on answers and on errors', async () => {
  const useful = {
    'content-type': 'application/json',
    'www-authenticate': 'Bearer realm="vendor"',
    'retry-after': '7',
    'retry-after-ms': '7000',
    'x-request-id': 'req_8c1f',
    'x-ratelimit-remaining-tokens': '12',
    'openai-processing-ms': '34',
    'anthropic-ratelimit-requests-reset': '2026-11-22T10:00:00Z',
  }
  const headers = {
    ...useful,
    'set-cookie': 'session=vendor',
    connection: 'close',
    'keep-alive': 'timeout=5',
    'content-length': '2',
    'strict-transport-security': 'max-age=1',
    'access-control-allow-origin': '*',
  }
  const { complete } = await start([
    { body: '{}', headers },
    { status: 401, body: '{}', headers },
  ])
  for (const status of [200, 401]) {
    const reply = await complete('{}')
    await textOf(reply)
    expect({ status: reply.status, headers: reply.headers }).toEqual({ status, headers: useful })
  }
})

test('every answer is written into the ledger once, estimated where the vendor does not say', async () => {
  const { ledger, complete } = await start([
    { content: 'Hi' },
    { events: streamed(['Hello!'], null) },
    { status: 500, body: 'broken' },
  ])
  for (let time = 0; time < 3; time += 1) await textOf(await complete('{}'))
  expect(ledger.records.map(({ userId, step, calls }) => [userId, step, calls])).toEqual(
    Array(3).fill(['安娜', 'proxy', 1]),
  )
  expect(ledger.records.map(({ promptTokens, completionTokens }) => [promptTokens, completionTokens])).toEqual([
    [20, 5],
    [6, 2],
    [0, 0],
  ])
})

test('a spent budget is told before anything is sent', async () => {
  const { server, complete } = await start({ content: 'Hi' }, { dailyCalls: 1 })
  await textOf(await complete('{}'))
  await expect(complete('{}')).rejects.toMatchObject({ code: 'budget_spent' })
  expect(server.requests).toHaveLength(1)
})

test('what a conversation says goes to the configured address and nowhere else', async () => {
  const { complete } = await start({ status: 307, headers: { location: 'http://127.0.0.1:9/' } })
  await expect(complete('{}')).rejects.toMatchObject({ code: 'model_failed' })
})

test('a vendor that is not there, a caller that gives up and a closed model are told apart', async () => {
  const { server, model, complete } = await start({ hang: 'silent' })
  const leaving = new AbortController()
  const left = complete('{}', leaving.signal)
  setTimeout(() => leaving.abort(), 20)
  await expect(left).rejects.toMatchObject({ code: 'aborted' })
  await server.close()
  await expect(complete('{}')).rejects.toMatchObject({ code: 'model_failed' })
  await model.close()
  await expect(complete('{}')).rejects.toMatchObject({ code: 'closed' })
})

test('models are asked for beside the completions', async () => {
  const { server, model } = await start({ body: { data: [] } })
  expect(await textOf(await model.gateway!.models(new AbortController().signal))).toBe('{"data":[]}')
  expect(server.requests[0]).toMatchObject({ method: 'GET', path: '/v1/models' })
})
