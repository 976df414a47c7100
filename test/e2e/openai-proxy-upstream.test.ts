/** Between client and vendor through the proxy: answers, errors, headers, streams that end badly. */
import type OpenAI from 'openai'
import { BadRequestError, RateLimitError } from 'openai'
import { describe, expect, test } from 'vitest'
import { streamed } from '../support/model-server.ts'
import { post, said, startChat, VENDOR_KEY } from './chat-server.ts'
import { ask, clientOf, heard, type Message, turnsOf, user } from './openai-client.ts'

describe('tools passed through untouched', () => {
  test('tools, tool_choice, response_format, images and unknown fields arrive as they were said, numbers as they were written', async () => {
    const chat = await startChat({ content: 'Ok.' })
    await chat.memory.add('The user likes cats.', { userId: 'local', infer: false })
    const rest =
      '"tools":[{"type":"function","function":{"name":"f","parameters":{"properties":{"b":{"maximum":1.0e2},"a":{}}}}}],"tool_choice":"auto","response_format":{"type":"json_object"},"seed":12345678901234567890,"x_unknown":{"温度":1.50,"b":[]},"temperature":0.70'
    const image =
      '{"role":"user","content":[{"type":"text","text":"Is this one of the cats that I like?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA/=="}}]}'
    const response = await post(`${chat.url}/v1/chat/completions`, `{ "model":"m",\n"messages":[${image}], ${rest}}`)
    expect(response.status).toBe(200)
    const { text } = chat.vendor.requests[0]!
    for (const written of [image, rest]) expect(text).toContain(written)
    expect(text).toContain('likes cats')
    expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(JSON.parse(`{"model":1,"messages":1,${rest}}`)))
    const { items } = await chat.memory.conversations.turns(response.headers.get('x-conversation-id')!, {
      userId: 'local',
    })
    expect(items[0]).toMatchObject({
      content: 'Is this one of the cats that I like?',
      metadata: { attachments: ['image_url'] },
    })
  })

  test('where nothing is known of the user, the request arrives as it was sent', async () => {
    const chat = await startChat({ content: 'Ok.' })
    const sent = '{ "model" : "m",\n\t"messages":[{"content":"Hi","role":"user"}],"n":1 }'
    await post(`${chat.url}/v1/chat/completions`, sent)
    expect(chat.vendor.requests[0]!.text).toBe(sent)
    expect(chat.vendor.requests[0]!.headers.authorization).toBe(`Bearer ${VENDOR_KEY}`)
  })

  test('calls of tools come back as the vendor sends them, and the answer after the tool is the one remembered', async () => {
    const call = {
      index: 0,
      id: 'call_1',
      type: 'function',
      function: { name: 'weather', arguments: '{"city":"波尔图"}' },
    }
    const delta = { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] }
    const chat = await startChat([{ events: [delta, '[DONE]'] }, { events: streamed(['It rains.']) }])
    const client = clientOf(chat)
    const stream = await client.chat.completions.create({ model: 'm', messages: [user('Does it rain?')], stream: true })
    const pieces: OpenAI.ChatCompletionChunk[] = []
    for await (const piece of stream) pieces.push(piece)
    expect(pieces[0]!.choices[0]!.delta.tool_calls).toEqual([call])
    const { index: _, ...made } = call
    const messages = [
      user('Does it rain?'),
      { role: 'assistant', tool_calls: [made] } as unknown as Message,
      { role: 'tool', tool_call_id: 'call_1', content: '{"rain": true}' } as Message,
    ]
    expect(await ask(client, messages)).toBe('It rains.')
    expect(heard(chat, 1)).toEqual(messages)
    await expect
      .poll(() => said(chat.memory))
      .toEqual([['user: Does it rain?', 'tool: {"rain": true}', 'assistant: It rains.']])
  })

  test('the model is the one of the request, else the configured one', async () => {
    const chat = await startChat({ content: 'Ok.' })
    await ask(clientOf(chat), [user('Hi')], { model: 'vendor/other' })
    await post(`${chat.url}/v1/chat/completions`, { messages: [user('Hi')] })
    expect(chat.vendor.requests.map(({ body }) => body.model)).toEqual(['vendor/other', 'configured-model'])
  })
})

describe('the upstream’s errors handed on unchanged', () => {
  test('status, body and when to try again are the vendor’s', async () => {
    const body =
      '{"error": {"message": "Slow down, 朋友", "type": "requests", "code": "rate_limit_exceeded", "param": null}}'
    const chat = await startChat({
      status: 429,
      body,
      headers: { 'retry-after': '7', 'x-ratelimit-remaining-requests': '0' },
    })
    const response = await post(`${chat.url}/v1/chat/completions`, { model: 'm', messages: [user('Hi')] })
    expect([response.status, await response.text(), response.headers.get('retry-after')]).toEqual([429, body, '7'])
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    await expect(ask(clientOf(chat), [user('Hi')])).rejects.toBeInstanceOf(RateLimitError)
    expect(await said(chat.memory)).toEqual([['user: Hi']])
  })

  test.each([
    ['an error', { status: 401, body: { error: { message: 'No such key.', code: 'invalid_api_key' } } }],
    ['an answer', { content: 'Ok.' }],
    ['a stream', { events: streamed(['好', '。']) }],
  ])('%s comes with the vendor’s headers that a client can use, and with no others', async (_, reply) => {
    const useful = {
      'www-authenticate': 'Bearer realm="vendor"',
      'x-request-id': 'req_of_the_vendor',
      'retry-after-ms': '20',
      'openai-processing-ms': '12',
      'x-ratelimit-limit-requests': '60',
    }
    const origin = 'https://chat.example'
    const headers = { ...useful, 'set-cookie': 'a=b', 'x-powered-by': 'vendor' }
    const chat = await startChat({ ...reply, headers }, { app: { allowedOrigins: [origin] } })
    const body = { messages: [user('Hi')], stream: 'events' in reply }
    const response = await post(`${chat.url}/v1/chat/completions`, body, { origin, 'x-request-id': 'mine-1' })
    expect(Object.fromEntries(response.headers)).toMatchObject({ ...useful, 'x-mneme-request-id': 'mine-1' })
    expect(response.headers.get('set-cookie') ?? response.headers.get('x-powered-by')).toBeNull()
    await response.text()
  })

  test('OpenAI’s client tells the vendor’s request id, and ours where the vendor gives none', async () => {
    const chat = await startChat([{ content: 'Ok.', headers: { 'x-request-id': 'req_8c1f' } }, { content: 'Ok.' }])
    const client = clientOf(chat)
    const asked = { model: 'm', messages: [user('你好')] }
    expect((await client.chat.completions.create(asked))._request_id).toBe('req_8c1f')
    const { request_id, response } = await client.chat.completions.create(asked).withResponse()
    expect(request_id).toMatch(/^[\da-f-]{36}$/)
    expect(response.headers.get('x-mneme-request-id')).toBe(request_id)
  })

  test('what the vendor finds wrong with a request, the client reads', async () => {
    const chat = await startChat({ status: 400, body: { error: { message: 'No such tool.', param: 'tools' } } })
    const refused = ask(clientOf(chat), [user('Hi')], { tools: [] })
    await expect(refused).rejects.toBeInstanceOf(BadRequestError)
    await expect(refused).rejects.toMatchObject({ param: 'tools' })
  })

  test('a stream with an error in the middle is no whole answer, even where the vendor ends it in order', async () => {
    const [half] = streamed(['Half'])
    const overloaded = { error: { message: 'Overloaded', code: 529 } }
    const chat = await startChat({ events: [half as object, overloaded, '[DONE]'] })
    const response = await post(`${chat.url}/v1/chat/completions`, { stream: true, messages: [user('Speak!')] })
    expect(await response.text()).toContain('Overloaded')
    await expect.poll(async () => (await said(chat.memory))[0]).toEqual(['user: Speak!', 'assistant: Half'])
    const { items } = await chat.memory.conversations.list({ userId: 'local' })
    const { items: turns } = await chat.memory.conversations.turns(items[0]?.conversationId ?? '', { userId: 'local' })
    expect(turns[1]?.metadata).toMatchObject({ cut: true })
  })

  test.each(['text/plain', 'application/octet-stream'])('a stream that is said to be %s is heard', async (type) => {
    const body = `: keep\r\n\r\ndata:${JSON.stringify(streamed(['All of it'])[0])}\r\n\r\ndata:[DONE]\r\n\r\n`
    const chat = await startChat({ body, headers: { 'content-type': type } })
    const response = await post(`${chat.url}/v1/chat/completions`, { stream: true, messages: [user('Speak!')] })
    expect(await response.text()).toBe(body)
    await expect.poll(async () => (await said(chat.memory))[0]).toEqual(['user: Speak!', 'assistant: All of it'])
  })

  test('a stream whose last event no blank line ends is heard to its end', async () => {
    const [words, end] = streamed(['All of it']).map((event) => `data: ${JSON.stringify(event)}`)
    const body = `${words}\n\n${end}`
    const chat = await startChat({ body, headers: { 'content-type': 'text/event-stream' } })
    const response = await post(`${chat.url}/v1/chat/completions`, { stream: true, messages: [user('Speak!')] })
    expect(await response.text()).toBe(body)
    await expect.poll(() => turnsOf(chat)).toHaveLength(2)
    const { items } = await chat.memory.conversations.list({ userId: 'local' })
    const { items: turns } = await chat.memory.conversations.turns(items[0]?.conversationId ?? '', { userId: 'local' })
    expect(turns[1]).toMatchObject({ content: 'All of it', metadata: { model: 'scripted-model' } })
    expect(turns[1]?.metadata).not.toHaveProperty('cut')
  })

  test('a stream that breaks off breaks off here, and what was said by then is stored as cut', async () => {
    const chat = await startChat({ events: [...streamed(['Half', ' a word']).slice(0, 2), 50], afterwards: 'cut' })
    await expect(ask(clientOf(chat), [user('Speak!')])).rejects.toThrow()
    await expect.poll(async () => (await said(chat.memory))[0]).toEqual(['user: Speak!', 'assistant: Half a word'])
  })
})

describe('a client that hangs up in mid-stream', () => {
  test('the vendor is told to stop, and what was said so far is stored as cut', async () => {
    const chat = await startChat({ events: streamed(['从前有座山']).slice(0, 1), afterwards: 'hang' })
    const messages = [user('讲个故事')]
    const stream = await clientOf(chat).chat.completions.create({ model: 'm', messages, stream: true })
    for await (const _ of stream) break
    stream.controller.abort()
    await chat.vendor.requests[0]!.hungUp
    const stored = async () => {
      const [conversation] = (await chat.memory.conversations.list({ userId: 'local' })).items
      return (await chat.memory.conversations.turns(conversation!.conversationId, { userId: 'local' })).items[1]
    }
    await expect.poll(stored).toMatchObject({ content: '从前有座山', metadata: { cut: true } })
  })

  test('one that leaves before the first word leaves nothing running', async () => {
    const chat = await startChat({ hang: 'silent' }, { app: { concurrency: 1 } })
    const leaving = new AbortController()
    const request = post(`${chat.url}/v1/chat/completions`, { messages: [user('Hi')] }, {}, leaving.signal)
    await expect.poll(() => chat.vendor.requests.length).toBe(1)
    leaving.abort()
    await expect(request).rejects.toThrow()
    await chat.vendor.requests[0]!.hungUp
    chat.vendor.play({ events: streamed(['Free again.']) })
    expect(await ask(clientOf(chat), [user('Hi')])).toBe('Free again.')
  })
})

describe('models listed at /v1/models', () => {
  test('the vendor’s list comes as it is', async () => {
    const body = { object: 'list', data: [{ id: 'vendor/large', object: 'model', created: 1, owned_by: 'vendor' }] }
    const chat = await startChat({ body })
    expect((await clientOf(chat).models.list()).data).toEqual(body.data)
    expect(chat.vendor.requests[0]).toMatchObject({ method: 'GET', path: '/v1/models' })
  })

  test('a vendor without a list has the configured model', async () => {
    const chat = await startChat({ status: 404, body: 'nothing here' })
    expect((await clientOf(chat).models.list()).data).toMatchObject([{ id: 'configured-model' }])
  })
})
