/** Anthropic's interface with memory, asked by Anthropic's own client, over HTTP, with a scripted vendor. */
import Anthropic, { APIError } from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import type { Script } from '../support/model-server.ts'
import { post, said, startChat, VENDOR_KEY } from './chat-server.ts'

type Message = Anthropic.MessageParam
type Block = { readonly type: string; readonly [name: string]: unknown }

const clientOf = ({ url }: { readonly url: string }): Anthropic =>
  new Anthropic({ baseURL: url, apiKey: 'a-key-of-the-client', maxRetries: 0 })

const MARK = { type: 'ephemeral' } as const
const USAGE = { input_tokens: 7, cache_read_input_tokens: 90, cache_creation_input_tokens: 3, output_tokens: 5 }

function answer(...content: readonly Block[]): object {
  const about = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted-model' }
  return { ...about, content, stop_reason: 'end_turn', stop_sequence: null, usage: USAGE }
}

/** The events of an answer that thinks, speaks these pieces and calls a tool. */
function streamed(...pieces: readonly string[]): readonly string[] {
  const event = (data: Block): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}`
  const delta = (index: number, part: Block): Block => ({ type: 'content_block_delta', index, delta: part })
  const start = (index: number, block: Block): Block => ({ type: 'content_block_start', index, content_block: block })
  return [
    { type: 'message_start', message: { ...answer(), stop_reason: null, usage: { ...USAGE, output_tokens: 1 } } },
    start(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'They ask where.' }),
    delta(0, { type: 'signature_delta', signature: 'c2ln' }),
    { type: 'content_block_stop', index: 0 },
    { type: 'ping' },
    start(1, { type: 'text', text: '' }),
    ...pieces.map((text) => delta(1, { type: 'text_delta', text })),
    { type: 'content_block_stop', index: 1 },
    start(2, { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }),
    delta(2, { type: 'input_json_delta', partial_json: '{"at": 1.0}' }),
    { type: 'content_block_stop', index: 2 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 12 } },
    { type: 'message_stop' },
  ].map(event)
}

/** A vendor whose events have names: the scripted server puts `data: ` before each. */
const events = (...pieces: readonly string[]): Script => ({
  headers: { 'content-type': 'text/event-stream' },
  body: `${streamed(...pieces).join('\n\n')}\n\n`,
})

async function startKnowing(script: Script, ...facts: readonly string[]) {
  const chat = await startChat(script)
  for (const fact of facts) await chat.memory.add(fact, { userId: 'local', infer: false })
  return chat
}

const create = (client: Anthropic, messages: readonly Message[], more: object = {}): Promise<Anthropic.Message> =>
  client.messages.create({ model: 'm', max_tokens: 100, messages: [...messages], ...more })

describe('recall before, remember after', () => {
  test('a stream with thinking and a tool comes through as it is, and its words are remembered', async () => {
    const chat = await startKnowing(events('You live', ' in Porto.'), 'The user moved to Porto last month.')
    const stream = clientOf(chat).messages.stream({
      model: 'm',
      max_tokens: 100,
      system: 'Be short.',
      messages: [{ role: 'user', content: 'Where did I move to?' }],
    })
    const { content, usage } = await stream.finalMessage()
    expect(content).toMatchObject([
      { type: 'thinking', thinking: 'They ask where.', signature: 'c2ln' },
      { type: 'text', text: 'You live in Porto.' },
      { type: 'tool_use', input: { at: 1 } },
    ])
    expect(usage.output_tokens).toBe(12)
    const { headers, body, path } = chat.vendor.requests[0]!
    expect(path).toBe('/v1/messages')
    expect(headers).toMatchObject({ 'x-api-key': VENDOR_KEY, 'anthropic-version': expect.stringMatching(/^20\d\d-/) })
    expect(JSON.stringify(headers)).not.toContain('a-key-of-the-client')
    expect(body.system).toBe('Be short.')
    const [own, added] = body.messages![0]!.content as unknown as Block[]
    expect(own).toEqual({ type: 'text', text: 'Where did I move to?' })
    expect(added!.text).toContain('Porto')
    await expect
      .poll(() => said(chat.memory))
      .toEqual([['user: Where did I move to?', 'assistant: You live in Porto.']])
  })

  test('a chat with tools, thinking, pictures and reminders is stored once, in the words of those who said them', async () => {
    const chat = await startChat({ body: answer({ type: 'text', text: 'It rains in Porto.' }) })
    const client = clientOf(chat)
    const asked: Message = {
      role: 'user',
      content: [
        { type: 'text', text: '<system-reminder>The user likes the colour of mud.</system-reminder>' },
        { type: 'text', text: 'How is the weather at home?', cache_control: MARK },
      ],
    }
    const called: Message = {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Look.', signature: 'c2ln' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} },
      ],
    }
    const result: Message = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'rain, 12 degrees' }] }],
    }
    await create(client, [asked, called, result])
    await create(client, [asked, called, result])
    const image = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } as const
    const next = [asked, called, result, { role: 'assistant', content: 'It rains in Porto.' }] as Message[]
    await create(client, [...next, { role: 'user', content: [{ type: 'image', source: image }] }])
    expect(await said(chat.memory)).toEqual([
      [
        'user: How is the weather at home?',
        'assistant: I look.',
        'tool: rain, 12 degrees',
        'assistant: It rains in Porto.',
        'user: [image]',
        'assistant: It rains in Porto.',
      ],
    ])
  })

  test('one session of a client is one conversation, whatever its instructions say this time', async () => {
    const chat = await startChat({ body: answer({ type: 'text', text: 'Ok.' }) })
    const first: Message = { role: 'user', content: 'Plan the launch.' }
    const more = (system: string) => ({ system, metadata: { user_id: 'user_1_session_2' } })
    await create(clientOf(chat), [first], more('billing: ab12'))
    const next: Message[] = [first, { role: 'assistant', content: 'Ok.' }, { role: 'user', content: 'And the party?' }]
    await create(clientOf(chat), next, more('billing: cd34'))
    expect(await said(chat.memory)).toHaveLength(1)
  })
})

describe('what a cache holds stays as it is', () => {
  test('all that the client said stands before what was recalled, in the same words and order', async () => {
    const chat = await startKnowing({ body: answer({ type: 'text', text: 'Oolong.' }) }, 'The user drinks oolong tea.')
    const tools = '[{"name": "a", "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral"}}]'
    const system = '[{"type": "text", "text": "Be  short.", "cache_control": {"type": "ephemeral", "ttl": "1h"}}]'
    const before =
      '{"role": "user", "content": "Hi"}, {"role": "assistant", "content": [{"type": "thinking", "thinking": "", "signature": "s"}, {"type": "text", "text": "Hi!"}]}'
    const last = '{"type": "text", "text": "Which tea do I drink?", "cache_control": {"type": "ephemeral"}}'
    const body = `{"model": "m", "max_tokens": 1.0e2, "thinking": {"type": "enabled", "budget_tokens": 1024}, "tools": ${tools}, "system": ${system}, "messages": [${before}, {"role": "user", "content": [${last}]}]}`
    expect((await post(`${chat.url}/v1/messages?beta=true`, body, { 'anthropic-beta': 'x-2026' })).status).toBe(200)
    const { text, headers, path } = chat.vendor.requests[0]!
    const [own, added] = text.split(',{"type":"text","text":"Long-term')
    expect(own).toBe(`${JSON.stringify(JSON.parse(body)).slice(0, -4).replace('100', '1.0e2')}`)
    expect(added).toMatch(/oolong.*"\}\]\}\]\}$/)
    expect([path, headers['anthropic-beta']]).toEqual(['/v1/messages?beta=true', 'x-2026'])
  })

  test('one mark for the whole request goes to the client’s last block, not behind what was recalled', async () => {
    const chat = await startKnowing({ body: answer({ type: 'text', text: 'Oolong.' }) }, 'The user drinks oolong tea.')
    await create(clientOf(chat), [{ role: 'user', content: 'Which tea do I drink?' }], { cache_control: MARK })
    const { body } = chat.vendor.requests[0]!
    const [own, added] = body.messages![0]!.content as unknown as Block[]
    expect(own).toEqual({ type: 'text', text: 'Which tea do I drink?', cache_control: MARK })
    expect(added).not.toHaveProperty('cache_control')
    expect(body).not.toHaveProperty('cache_control')
  })

  test('an answer of a tool keeps its place at the front of its message', async () => {
    const chat = await startKnowing({ body: answer({ type: 'text', text: 'Ok.' }) }, 'The user drinks oolong tea.')
    const use = { type: 'tool_use', id: 'toolu_1', name: 'shop', input: {} } as const
    await create(clientOf(chat), [
      { role: 'user', content: 'Buy the tea that I drink.' },
      { role: 'assistant', content: [use] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Which tea?' }] },
    ])
    const [first, second] = chat.vendor.requests[0]!.body.messages!.at(-1)!.content as unknown as Block[]
    expect([first!.type, second!.type]).toEqual(['tool_result', 'text'])
    expect(second!.text).toContain('oolong')
  })

  test('nothing recalled, nothing changed', async () => {
    const chat = await startChat({ body: answer({ type: 'text', text: 'Ok.' }) })
    const body =
      '{"model": "m",  "max_tokens": 5, "cache_control": {"type": "ephemeral"}, "messages": [{"role": "user", "content": "Hi"}]}'
    await post(`${chat.url}/v1/messages`, body)
    expect(chat.vendor.requests[0]!.text).toBe(body)
  })
})

describe('what came back from us', () => {
  test('a request that holds what was recalled stores none of it as the user’s', async () => {
    const chat = await startKnowing({ body: answer({ type: 'text', text: 'Ok.' }) }, 'The user plays the violin.')
    await create(clientOf(chat), [{ role: 'user', content: 'What do I play, the violin?' }])
    await create(clientOf(chat), chat.vendor.requests[0]!.body.messages as unknown as Message[])
    expect((await said(chat.memory)).flat()).toEqual(['user: What do I play, the violin?', 'assistant: Ok.'])
  })
})

describe('besides', () => {
  test('tokens are counted by the vendor, and nothing is remembered of it', async () => {
    const chat = await startChat({ body: { input_tokens: 14 } })
    const counted = await clientOf(chat).messages.countTokens({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
    })
    expect(counted.input_tokens).toBe(14)
    expect(chat.vendor.requests[0]!.path).toBe('/v1/messages/count_tokens')
    expect(await said(chat.memory)).toEqual([])
  })

  test('the vendor’s errors come back as they are, in a stream too', async () => {
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const chat = await startChat([
      { status: 529, body: overloaded, headers: { 'request-id': 'req_7' } },
      {
        headers: { 'content-type': 'text/event-stream' },
        body: `event: error\ndata: ${JSON.stringify(overloaded)}\n\n`,
      },
    ])
    const messages: Message[] = [{ role: 'user', content: 'Hi' }]
    await expect(create(clientOf(chat), messages)).rejects.toMatchObject({ status: 529, requestID: 'req_7' })
    const stream = clientOf(chat).messages.stream({ model: 'm', max_tokens: 5, messages })
    await expect(stream.finalMessage()).rejects.toThrow(/Overloaded/)
    expect(await said(chat.memory)).toEqual([['user: Hi']])
  })

  test('errors of ours are read by the client', async () => {
    const chat = await startChat({ body: answer() }, { app: { apiKey: 'ours' } })
    const refused = create(clientOf(chat), [{ role: 'user', content: 'Hi' }])
    await expect(refused).rejects.toMatchObject({ status: 401, error: { type: 'error' } })
    await expect(refused).rejects.toBeInstanceOf(APIError)
    const known = new Anthropic({
      baseURL: chat.url,
      apiKey: 'ours',
      maxRetries: 0,
      defaultHeaders: { 'x-user-id': 'ana' },
    })
    await expect(create(known, [])).rejects.toThrow(/messages: is empty/)
  })
})
