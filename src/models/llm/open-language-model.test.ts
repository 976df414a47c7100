import { inspect } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { type InMemoryUsageLedger, inMemoryUsageLedger } from '../../../test/support/in-memory-usage-ledger.ts'
import {
  completion,
  type ModelServer,
  type Reply,
  type Script,
  startModelServer,
  streamed,
} from '../../../test/support/model-server.ts'
import type { ModelAnswer, ModelPiece, ModelRequest } from '../../domain/contracts/models.ts'
import { MnemeError } from '../../domain/errors.ts'
import type { LanguageModelOptions } from './model-client.ts'
import { openLanguageModel } from './open-language-model.ts'

const KEY = 'sk-test-9f8e7d6c5b4a39281706'
const NOON = new Date('2026-05-07T12:00:00Z')
const QUESTION: ModelRequest = {
  step: 'exchange',
  userId: 'wei',
  messages: [
    { role: 'system', content: 'Answer with one JSON object.' },
    { role: 'user', content: '我下个月搬到成都去。' },
  ],
}

let server: ModelServer
let ledger: InMemoryUsageLedger
const logged: string[] = []
const log = (message: string, details?: Record<string, unknown>): void => {
  logged.push(message + JSON.stringify(details))
}

async function start(script: Script, options: Partial<LanguageModelOptions> = {}) {
  server = await startModelServer(script)
  ledger = inMemoryUsageLedger()
  logged.length = 0
  return openLanguageModel({
    provider: 'openai',
    baseUrl: server.url,
    apiKey: KEY,
    model: 'small-model',
    ledger,
    clock: () => NOON,
    random: () => 0,
    logger: { debug: log, info: log, warn: log, error: log },
    ...options,
  })
}

afterEach(async () => {
  await server.close()
})

async function failure(promise: Promise<unknown>): Promise<MnemeError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof MnemeError)) throw new Error(`Expected a MnemeError, got ${inspect(error)}`)
  return error
}

async function collect(pieces: AsyncIterable<ModelPiece>): Promise<{ text: string; answer: ModelAnswer | undefined }> {
  let text = ''
  let answer: ModelAnswer | undefined
  for await (const piece of pieces) {
    text += piece.text
    answer = piece.answer ?? answer
  }
  return { text, answer }
}

test('a question goes to chat/completions with the key, and the answer comes back with its usage', async () => {
  const model = await start({ content: 'Noted: a move to Chengdu.' })
  const answer = await model.ask({ ...QUESTION, json: true, maxTokens: 300, temperature: 0 })
  expect(answer).toMatchObject({
    text: 'Noted: a move to Chengdu.',
    model: 'scripted-model',
    usage: { promptTokens: 20, completionTokens: 5, cost: null },
    attempts: 1,
  })
  expect(server.requests[0]).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${KEY}` },
    body: {
      model: 'small-model',
      messages: QUESTION.messages,
      response_format: { type: 'json_object' },
      max_tokens: 300,
      temperature: 0,
    },
  })
  expect(await ledger.summary('wei')).toEqual([
    {
      userId: 'wei',
      step: 'exchange',
      model: 'small-model',
      calls: 1,
      promptTokens: 20,
      completionTokens: 5,
      cost: null,
      lastAt: NOON.getTime(),
    },
  ])
})

test('OpenRouter is asked for the cost, and its default model is that of specification 002', async () => {
  server = await startModelServer({
    body: completion('Yes.', { prompt_tokens: 9, completion_tokens: 1, cost: 0.00042 }),
  })
  ledger = inMemoryUsageLedger()
  const model = openLanguageModel({ provider: 'openrouter', baseUrl: `${server.url}/`, apiKey: KEY, ledger })
  expect(model.model).toBe('x-ai/grok-4.1-fast:free')
  expect((await model.ask(QUESTION)).usage.cost).toBe(0.00042)
  expect(server.requests[0]?.body).toMatchObject({ usage: { include: true } })
})

test.each([408, 425, 429, 500, 502, 503])('status %i is tried again until it is answered', async (status) => {
  const model = await start([{ status, body: 'busy' }, { status, body: 'busy' }, { content: 'At last.' }])
  expect(await model.ask(QUESTION)).toMatchObject({ text: 'At last.', attempts: 3 })
  expect(ledger.records.map(({ calls }) => calls)).toEqual([3])
})

test('after three retries the call fails finally', async () => {
  const model = await start({ status: 500, body: { error: { message: 'The database of the vendor is on fire.' } } })
  const error = await failure(model.ask(QUESTION))
  expect(error.code).toBe('model_failed')
  expect(error.message).toContain('after 4 requests')
  expect(error.message).toContain('HTTP 500')
  expect(error.said).toContain('on fire')
  expect(server.requests).toHaveLength(4)
  expect(ledger.records).toMatchObject([{ calls: 4, promptTokens: 0, completionTokens: 0 }])
})

test.each([400, 401, 402, 403, 404, 422])('status %i is a refusal and never sent again', async (status) => {
  const model = await start({ status, body: { error: { message: 'no' } } })
  const error = await failure(model.ask(QUESTION))
  expect(error.code).toBe('model_refused')
  expect(error.remedy).not.toBe('')
  expect(server.requests).toHaveLength(1)
})

test('a redirection is not followed', async () => {
  const model = await start({ status: 307, headers: { location: 'http://127.0.0.1:9/elsewhere' }, body: '' })
  expect((await failure(model.ask(QUESTION))).code).toBe('model_refused')
  expect(server.requests).toHaveLength(1)
})

test('Retry-After longer than a call may wait fails at once, and the server is left alone as long as it asked', async () => {
  let now = NOON.getTime()
  const model = await start(
    [{ status: 429, headers: { 'retry-after': '600' }, body: 'slow down' }, { content: 'Hello.' }],
    {
      clock: () => new Date(now),
    },
  )
  expect((await failure(model.ask(QUESTION))).code).toBe('model_failed')
  now += 599_000
  const held = await failure(model.ask(QUESTION))
  expect(held).toMatchObject({ code: 'model_failed', remedy: expect.stringContaining('1 s') })
  expect(server.requests).toHaveLength(1)
  now += 1_000
  expect((await model.ask(QUESTION)).text).toBe('Hello.')
})

test('a short Retry-After is waited for inside the call', async () => {
  const model = await start([{ status: 429, headers: { 'retry-after-ms': '30' }, body: '' }, { content: '好的。' }])
  expect((await model.ask(QUESTION)).attempts).toBe(2)
  expect(logged.some((line) => line.includes('"waitMs":30'))).toBe(true)
})

test.each(['silent', 'mid-body'] as const)(
  'a server that accepts and hangs (%s) costs the time limit, no more',
  async (hang) => {
    const model = await start({ hang }, { timeoutMs: 900 })
    const error = await failure(model.ask(QUESTION))
    expect(error).toMatchObject({ code: 'model_failed', message: expect.stringContaining('900 ms') })
    expect(server.requests).toHaveLength(1)
  },
)

test('a server that is not there is a failure that names the address', async () => {
  const model = await start({ content: '' })
  await server.close()
  const error = await failure(model.ask(QUESTION))
  expect(error.code).toBe('model_failed')
  expect(error.message).toContain('127.0.0.1')
  expect(error.message).toContain('ECONNREFUSED')
  server = await startModelServer({ content: '' })
})

test('a body that is cut, no JSON or no completion is tried again', async () => {
  const model = await start([
    { content: 'A long answer that never arrives in full.', cutAt: 60 },
    { body: '<html>Bad gateway</html>' },
    { body: { choices: [] } },
    { content: 'Here.' },
  ])
  expect(await model.ask(QUESTION)).toMatchObject({ text: 'Here.', attempts: 4 })
})

test('a body beyond the bound is not read to its end and not asked for again', async () => {
  const model = await start({ body: `{"choices": "${'x'.repeat(2_000_000)}"}` })
  expect((await failure(model.ask(QUESTION))).message).toContain('larger than')
  expect(server.requests).toHaveLength(1)
})

test('an error inside a body with status 200 counts by its own code', async () => {
  const model = await start([
    { body: { error: { code: 502, message: 'upstream' } } },
    { body: { error: { code: 401, message: 'who?' } } },
  ])
  expect((await failure(model.ask(QUESTION))).code).toBe('model_refused')
  expect(server.requests).toHaveLength(2)
})

test('a parameter that the server refuses by name is left out, and the server is not asked again with it', async () => {
  const model = await start(({ body }) =>
    'response_format' in body
      ? { status: 400, body: { error: { message: "'response_format' of type json_object is not supported" } } }
      : { content: '{}' },
  )
  expect((await model.ask({ ...QUESTION, json: true })).attempts).toBe(2)
  expect((await model.ask({ ...QUESTION, json: true })).attempts).toBe(1)
  expect(server.requests).toHaveLength(3)
})

test('a model that wants max_completion_tokens gets it', async () => {
  const model = await start(({ body }) =>
    'max_tokens' in body
      ? {
          status: 400,
          body: { error: { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." } },
        }
      : { content: 'fine' },
  )
  await model.ask({ ...QUESTION, maxTokens: 50 })
  expect(server.requests[1]?.body).toMatchObject({ max_completion_tokens: 50 })
})

test('reasoning is no part of an answer, wherever the server puts it', async () => {
  const model = await start([
    { content: '<think>The user moves. {"a": 1}</think>\n\n{"write_episodic": true}' },
    { body: { choices: [{ message: { content: 'Yes.', reasoning: 'hm', reasoning_content: 'hm' } }] } },
    {
      body: {
        choices: [
          {
            message: {
              content: [
                { type: 'thinking', text: 'hm' },
                { type: 'text', text: 'No.' },
              ],
            },
          },
        ],
      },
    },
  ])
  expect((await model.ask(QUESTION)).text).toBe('{"write_episodic": true}')
  expect((await model.ask(QUESTION)).text).toBe('Yes.')
  expect((await model.ask(QUESTION)).text).toBe('No.')
})

test('usage that a server does not state is estimated, so that a budget of tokens still ends', async () => {
  const model = await start({ body: completion('好的，记住了。', null) }, { dailyTokens: 30 })
  const { usage } = await model.ask(QUESTION)
  expect(usage.promptTokens).toBeGreaterThanOrEqual(10)
  expect(usage.completionTokens).toBeGreaterThanOrEqual(6)
  await model.ask(QUESTION)
  expect((await failure(model.ask(QUESTION))).code).toBe('budget_spent')
})

test('the budget of calls holds for calls at once and begins anew on the next day', async () => {
  let now = NOON.getTime()
  const model = await start({ content: 'ok', delayMs: 20 }, { dailyCalls: 3, clock: () => new Date(now) })
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => model.ask(QUESTION)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(server.requests).toHaveLength(3)
  const error = await failure(model.ask(QUESTION))
  expect(error).toMatchObject({ code: 'budget_spent', field: 'llm.dailyCalls' })
  now += 12 * 3_600_000
  expect((await model.ask(QUESTION)).text).toBe('ok')
})

test('retries are paid from the budget of calls', async () => {
  const model = await start({ status: 503, body: '' }, { dailyCalls: 2 })
  expect((await failure(model.ask(QUESTION))).code).toBe('budget_spent')
  expect(server.requests).toHaveLength(2)
})

test('after five final failures nothing is sent for a while; then one call tries for all', async () => {
  let now = NOON.getTime()
  const model = await start({ status: 500, body: '' }, { retries: 0, clock: () => new Date(now) })
  for (let call = 0; call < 5; call++) await failure(model.ask(QUESTION))
  const error = await failure(model.ask(QUESTION))
  expect(error.remedy).toContain('30 s')
  expect(server.requests).toHaveLength(5)
  now += 30_000
  server.play({ content: 'Back again.', delayMs: 20 })
  const [first, second] = await Promise.allSettled([model.ask(QUESTION), model.ask(QUESTION)])
  expect([first.status, second.status]).toEqual(['fulfilled', 'rejected'])
  expect((await model.ask(QUESTION)).text).toBe('Back again.')
})

test('a caller can stop a call, also while it waits for the next try', async () => {
  const controller = new AbortController()
  const model = await start({ status: 429, headers: { 'retry-after': '10' }, body: '' })
  const asked = failure(model.ask({ ...QUESTION, signal: controller.signal }))
  setTimeout(() => controller.abort(), 50)
  expect((await asked).code).toBe('aborted')
  expect((await failure(model.ask({ ...QUESTION, signal: controller.signal }))).code).toBe('aborted')
})

test('closing ends calls under way and refuses those to come', async () => {
  const model = await start({ hang: 'silent' })
  const asked = failure(model.ask(QUESTION))
  setTimeout(() => void model.close(), 30)
  expect((await asked).code).toBe('closed')
  expect((await failure(model.ask(QUESTION))).code).toBe('closed')
})

test('a stream gives pieces, then the answer with usage', async () => {
  const model = await start({ events: streamed(['You ', 'are ', 'moving.']) })
  expect(await collect(model.stream(QUESTION))).toMatchObject({
    text: 'You are moving.',
    answer: { text: 'You are moving.', usage: { promptTokens: 20, completionTokens: 5 }, attempts: 1 },
  })
  expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
})

test('a stream without usage is estimated, one without reasoning tags in its pieces is shown from its first words', async () => {
  const model = await start({ events: streamed(['<th', 'ink>he moves', '</think>', '\n搬到', '成都'], null) })
  const { text, answer } = await collect(model.stream(QUESTION))
  expect(text).toBe('搬到成都')
  expect(answer?.usage.completionTokens).toBe(4)
})

test('a server that answers a stream with one body is understood', async () => {
  const model = await start({ content: 'In one piece.' })
  expect(await collect(model.stream(QUESTION))).toMatchObject({ text: 'In one piece.', answer: { attempts: 1 } })
})

test('a stream is tried again before its first words and never after them', async () => {
  const model = await start([
    { status: 503, body: '' },
    { events: [{ error: { code: 429, message: 'busy' } }] },
    { events: streamed(['Good ', 'morning.']) },
  ])
  expect((await collect(model.stream(QUESTION))).answer?.attempts).toBe(3)

  server.play({ events: streamed(['Good ', 'mor']).slice(0, 2) })
  const seen: string[] = []
  const error = await failure(
    (async () => {
      for await (const { text } of model.stream(QUESTION)) seen.push(text)
    })(),
  )
  expect(seen.join('')).toBe('Good mor')
  expect(error).toMatchObject({ code: 'model_failed', message: expect.stringContaining('cut') })
  expect(server.requests).toHaveLength(4)
})

test('a stream that falls silent ends after the time limit; comments do not keep it alive', async () => {
  const model = await start({ hang: 'mid-body', events: [] }, { timeoutMs: 80 })
  expect((await failure(collect(model.stream(QUESTION)))).message).toContain('80 ms')
  server.play({ events: [...streamed(['One ']).slice(0, 1), 400, '[DONE]'] })
  expect((await failure(collect(model.stream(QUESTION)))).message).toContain('80 ms')
})

test('a slow listener does not run out of the time of the server', async () => {
  const model = await start({ events: streamed(['a', 'b', 'c']) }, { timeoutMs: 60 })
  let text = ''
  for await (const piece of model.stream(QUESTION)) {
    text += piece.text
    await new Promise((resolve) => setTimeout(resolve, 80))
  }
  expect(text).toBe('abc')
})

test('a listener that stops early is counted and leaves the line usable', async () => {
  const model = await start({ events: [...streamed(['One ', 'two ']).slice(0, 2), 5_000] })
  for await (const { text } of model.stream(QUESTION)) if (text !== '') break
  expect(ledger.records).toMatchObject([{ calls: 1, completionTokens: 1 }])
  server.play({ content: 'ok' })
  expect((await model.ask(QUESTION)).text).toBe('ok')
})

const echo =
  (status: number) =>
  (request: { readonly headers: object }): Reply => ({
    status,
    body: `You sent ${JSON.stringify({ authorization: `Bearer ${KEY}`, ...request.headers })}`,
  })

test.each<[string, Script]>([
  ['an error that echoes the headers', echo(401)],
  ['a failure that echoes the headers', echo(503)],
  ['a body that is no JSON', echo(200)],
  ['a stated reason', { status: 400, body: { error: { message: `The key ${KEY} is not known.` } } }],
  ['an error with status 200', { body: { error: { code: 403, message: `Not for ${KEY}` } } }],
  ['an event with an error', { events: [{ error: { code: 400, message: `Authorization: Bearer ${KEY}` } }] }],
  ['an event that is no JSON', { events: [`no JSON but ${KEY}`] }],
  ['a body that is cut in the middle of the key', { status: 400, body: `You sent ${KEY.slice(0, 15)}` }],
  ['a quotation that is cut in the middle of the key', { status: 400, body: `${'-'.repeat(290)}${KEY}` }],
  ['a connection that is cut', { content: KEY, cutAt: 20 }],
  ['a server that hangs', { hang: 'silent' }],
])('the key stands in no error, no log line and no view of the model after %s', async (_case, script) => {
  const model = await start(script, { retries: 1, timeoutMs: 200 })
  const errors = [await failure(model.ask(QUESTION)), await failure(collect(model.stream(QUESTION)))]
  expect(server.requests.length).toBeGreaterThanOrEqual(2)
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  const everything = [
    ...errors.flatMap((error) => [inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error), error.stack]),
    ...logged,
    JSON.stringify(model),
    inspect(model, { depth: 20, showHidden: true }),
    JSON.stringify(ledger.records),
  ].join('\n')
  expect(everything).not.toContain(KEY.slice(0, 9))
})

test.each([
  [{ baseUrl: 'chat.example' }, 'llm.baseUrl'],
  [{ baseUrl: `https://user:${KEY}@chat.example/v1` }, 'llm.baseUrl'],
  [{ baseUrl: 'file:///etc/passwd' }, 'llm.baseUrl'],
  [{ apiKey: `${KEY}\nX-Other: 1` }, 'llm.apiKey'],
  [{ apiKey: `密钥${KEY}` }, 'llm.apiKey'],
  [{ baseUrl: undefined, apiKey: '' }, 'llm.apiKey'],
  [{ retries: 4 }, 'llm.retries'],
  [{ timeoutMs: 0 }, 'llm.timeoutMs'],
  [{ model: ' ' }, 'llm.model'],
] as const)('options that cannot be are refused before anything is sent: %o', async (wrong, field) => {
  server = await startModelServer({ content: '' })
  const options = {
    provider: 'openai',
    ledger: inMemoryUsageLedger(),
    baseUrl: server.url,
    ...wrong,
  } as LanguageModelOptions
  if (options.baseUrl === undefined) delete (options as { baseUrl?: string }).baseUrl
  let error: unknown
  try {
    openLanguageModel(options)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toMatchObject({ code: 'invalid_input', field })
  expect(inspect(error)).not.toContain(KEY)
})
