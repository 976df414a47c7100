/** The chat of the REST door, over HTTP, with a scripted vendor. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../support/folder.ts'
import { streamed } from '../support/model-server.ts'
import { eventsOf, post, said, startChat, VENDOR_KEY } from './chat-server.ts'

describe('POST /chat (server-sent events: what was recalled, the words, the end)', () => {
  test('what was recalled comes first, then the words, then the end with the turns, the session and the usage', async () => {
    const { url, memory, vendor } = await startChat({ events: streamed(['你住在', '波尔图。']) })
    await memory.add('用户住在波尔图', { userId: 'local', infer: false })
    const response = await post(`${url}/chat`, { message: '我住在波尔图吗？', session_id: '聊天一' })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = await eventsOf(response)
    expect(events.map(({ kind }) => kind)).toEqual(['recalled', 'delta', 'delta', 'done'])
    expect(events[0]!.data).toMatchObject({
      session_id: '聊天一',
      turn_id: 1,
      recalled: [{ kind: 'memory', text: '用户住在波尔图' }],
      warnings: [],
    })
    expect(events[1]!.data).toEqual({ text: '你住在' })
    expect(events[3]!.data).toMatchObject({
      session_id: '聊天一',
      user_turn_id: 1,
      assistant_turn_id: 2,
      answer: '你住在波尔图。',
      model: 'scripted-model',
      usage: { prompt_tokens: 20, completion_tokens: 5 },
    })
    expect(await said(memory)).toEqual([['user: 我住在波尔图吗？', 'assistant: 你住在波尔图。']])
    const shown = vendor.requests[0]!.body.messages!
    expect(shown.at(-1)).toEqual({ role: 'user', content: '我住在波尔图吗？' })
    expect(JSON.stringify(shown)).toContain('用户住在波尔图')
  })

  test.each([
    ['in Chinese', '港口的起重机今天又坏了，'.repeat(7000)],
    ['with a character of two halves where the question is cut', `x${'🦀'.repeat(40_000)}`],
  ])('a message of many pages, %s, is answered with what is remembered, and stored whole', async (_, pages) => {
    const { url, memory } = await startChat({ events: streamed(['好的。']) })
    await memory.add('起重机由老周维修。', { userId: 'local', infer: false })
    const message = `起重机谁来维修？${pages}`
    const answer = await (await post(`${url}/chat`, { message, stream: false })).json()
    expect(answer).toMatchObject({ answer: '好的。', warnings: [], recalled: [{ text: '起重机由老周维修。' }] })
    expect(await said(memory)).toEqual([[`user: ${message}`, 'assistant: 好的。']])
  })

  test('`stream: false` for one JSON answer', async () => {
    const { url } = await startChat({ events: streamed(['Hello, ', 'Ana.']) })
    const response = await post(`${url}/chat`, { message: 'Hello!', stream: false })
    expect(response.status).toBe(200)
    const answer = (await response.json()) as Record<string, unknown>
    expect(answer).toMatchObject({ answer: 'Hello, Ana.', user_turn_id: 1, assistant_turn_id: 2, recalled: [] })
    expect(answer.session_id).toBe(answer.conversation_id)
  })

  test('the next message of the session is answered with what was said before', async () => {
    const { url, vendor } = await startChat({ events: streamed(['Noted.']) })
    await post(`${url}/chat`, { message: 'My train leaves at nine.', session_id: 's', stream: false })
    await post(`${url}/chat`, { message: 'When should I get up?', session_id: 's', stream: false })
    const roles = vendor.requests[1]!.body.messages!.filter(({ role }) => role !== 'system')
    expect(roles.map(({ content }) => content)).toEqual(['My train leaves at nine.', 'Noted.', 'When should I get up?'])
  })

  test('what was said is thought about by a job, and found in another session', async () => {
    const { url, memory } = await startChat(
      ({ body }) => (body.stream === true ? { content: 'Nice.' } : { body: '-' }),
      {
        memory: { thinking: true },
      },
    )
    await post(`${url}/chat`, { message: 'I moved to Porto last week.', session_id: 'one', stream: false })
    await memory.idle()
    const other = await post(`${url}/chat`, { message: 'Which city do I live in?', session_id: 'two' })
    const [first] = await eventsOf(other)
    expect(JSON.stringify(first!.data.recalled)).toContain('Porto')
  })

  test.each(['/chat', '/v1/chat/completions'])(
    'an answer to what was deleted meanwhile is not stored: %s',
    async (path) => {
      const chat = await startChat(() => ({
        content: 'Your wombat is in the garden.',
        after: chat.memory.conversations.delete({ conversationId: 's', userId: 'local' }),
      }))
      const question = 'Where is my wombat?'
      const asked = path === '/chat' ? { message: question } : { messages: [{ role: 'user', content: question }] }
      const answer = await post(chat.url + path, { ...asked, session_id: 's', stream: false })
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('in the garden')])
      expect(await said(chat.memory)).toEqual([])
    },
  )

  test('an idempotency key with a stream is refused: nothing would be done once', async () => {
    const { url, vendor } = await startChat({ events: streamed(['Noted.']) })
    const refused = await post(`${url}/chat`, { message: 'Hi' }, { 'idempotency-key': 'k' })
    const { field, remedy } = (await refused.json()) as Record<string, string>
    expect([refused.status, field]).toEqual([400, 'Idempotency-Key'])
    expect(remedy).toContain('stream: false')
    expect(vendor.requests).toEqual([])
  })

  test('an idempotency key asks the model once, and a failure is not kept', async () => {
    const { url, vendor, memory } = await startChat([{ status: 500, body: 'broken' }, { content: 'Once.' }])
    const ask = () => post(`${url}/chat`, { message: 'Hi', session_id: 's', stream: false }, { 'idempotency-key': 'k' })
    expect((await ask()).status).toBe(502)
    const [first, second] = [await ask(), await ask()]
    expect(await first.text()).toBe(await second.text())
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(vendor.requests).toHaveLength(2)
    expect(await said(memory)).toEqual([['user: Hi', 'assistant: Once.']])
  })
})

describe('Without a model configured /chat answers with what it would have shown a model, and says so', () => {
  test.each([true, false])('stream: %s', async (stream) => {
    const { url, memory } = await startChat({}, { memory: { llm: undefined } })
    await memory.add('The cat is called Miso.', { userId: 'local', infer: false })
    const response = await post(`${url}/chat`, { message: 'What is the name of my cat?', session_id: 's', stream })
    expect(response.status).toBe(200)
    const answer = stream
      ? (await eventsOf(response)).at(-1)!.data
      : ((await response.json()) as Record<string, unknown>)
    expect(answer).toMatchObject({ model: null, answer: null, user_turn_id: 1, assistant_turn_id: null })
    expect(JSON.stringify(answer.would_have_shown)).toContain('Miso')
    expect(JSON.stringify(answer.warnings)).toContain('No model is configured')
    expect(await said(memory)).toEqual([['user: What is the name of my cat?']])
  })
})

describe('a dead model never loses the message', () => {
  test('the error says what to do, and names the session and the turn that is stored', async () => {
    const { url, memory } = await startChat({ status: 503, body: { error: { message: 'overloaded' } } })
    const response = await post(`${url}/chat`, { message: '记得买牛奶', session_id: 's', stream: false })
    expect(response.status).toBe(502)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    const problem = (await response.json()) as Record<string, unknown>
    expect(problem).toMatchObject({ code: 'model_failed', session_id: 's', user_turn_id: 1, assistant_turn_id: null })
    expect(String(problem.detail)).toContain('overloaded')
    expect(String(problem.remedy)).not.toBe('')
    expect(await said(memory)).toEqual([['user: 记得买牛奶']])
  })

  test('in a stream it is an event, and asking again stores nothing twice', async () => {
    const { url, memory, vendor } = await startChat({ status: 401, body: { error: { message: `no ${VENDOR_KEY}` } } })
    const ask = async () => eventsOf(await post(`${url}/chat`, { message: 'Buy milk', session_id: 's' }))
    const events = await ask()
    expect(events.map(({ kind }) => kind)).toEqual(['recalled', 'error'])
    expect(events[1]!.data).toMatchObject({ status: 502, code: 'model_refused', user_turn_id: 1 })
    expect(JSON.stringify(events)).not.toContain(VENDOR_KEY)
    vendor.play({ content: 'Done.' })
    await ask()
    expect(await said(memory)).toEqual([['user: Buy milk', 'assistant: Done.']])
  })

  test('words that came before it died are kept and marked as cut', async () => {
    const { url, memory } = await startChat({
      events: [...streamed(['Half a', ' sentence']).slice(0, 2), 50],
      afterwards: 'cut',
    })
    const events = await eventsOf(await post(`${url}/chat`, { message: 'Tell me', session_id: 's' }))
    expect(events.at(-1)).toMatchObject({ kind: 'error', data: { assistant_turn_id: 2 } })
    const { items } = await memory.conversations.turns('s', { userId: 'local' })
    expect(items[1]).toMatchObject({ content: 'Half a sentence', metadata: { cut: true } })
  })
})

describe('the same message again after an answer that broke off', () => {
  test('is not stored again, and the answer takes the place of what was said by then', async () => {
    const broken = { events: [...streamed(['Half a', ' sentence']).slice(0, 2), 50], afterwards: 'cut' } as const
    const { url, memory } = await startChat([
      broken,
      { ...broken, events: [...streamed(['Half']).slice(0, 1), 50] },
      { content: 'All of it.' },
    ])
    for (let time = 0; time < 3; time += 1)
      await eventsOf(await post(`${url}/chat`, { message: '讲个故事', session_id: 's' }))
    const { items } = await memory.conversations.turns('s', { userId: 'local' })
    expect(items.map(({ content }) => content)).toEqual(['讲个故事', 'Half a sentence', 'Half', 'All of it.'])
    expect(items[3]!.metadata).toMatchObject({ replaces_turn: 3 })
    await eventsOf(await post(`${url}/chat`, { message: '讲个故事', session_id: 's' }))
    expect((await said(memory))[0]).toHaveLength(6)
  })
})

test('the same message several times at once is stored once, and each answer takes the place of the one before', async () => {
  const { url, memory } = await startChat({ content: '在。', delayMs: 200 })
  const ask = () => post(`${url}/chat`, { message: '在吗？', session_id: 's', stream: false })
  await Promise.all([ask(), ask(), ask()])
  const { items } = await memory.conversations.turns('s', { userId: 'local' })
  expect(items.map(({ metadata }) => metadata?.replaces_turn)).toEqual([undefined, undefined, 2, 3])
})

describe('what the model says is shown and stored as it comes', () => {
  const code = '    if x:\n        y()\n'
  const text = `: keep\n\ndata:${JSON.stringify(streamed([code])[0])}\n\ndata:[DONE]\n\n`
  test.each([
    ['words in events', { events: streamed([code]) }, code],
    ['words in one piece', { content: code }, code],
    ['events that are said to be text', { body: text, headers: { 'content-type': 'text/plain' } }, code],
    ['one piece that is said to be text', { content: code, headers: { 'content-type': 'text/plain' } }, code],
    ['one piece that is said to be events', { content: code, headers: { 'content-type': 'text/event-stream' } }, code],
    ['one piece of no type', { content: code, headers: { 'content-type': '' } }, code],
    ['events that are said to be JSON', { body: text, headers: { 'content-type': 'application/json' } }, code],
    ['a refusal', { events: [{ choices: [{ delta: { refusal: '我不能。' } }] }, '[DONE]'] }, '我不能。'],
  ])('%s', async (_, reply, answer) => {
    const { url, memory } = await startChat(reply)
    const response = await post(`${url}/chat`, { message: '写代码', session_id: 's', stream: false })
    expect(await response.json()).toMatchObject({ answer, assistant_turn_id: 2 })
    expect(await said(memory)).toEqual([['user: 写代码', `assistant: ${answer}`]])
  })
})

describe('a dead memory never breaks the chat', () => {
  test('the model answers without memory, and a warning says so', async () => {
    const path = freshDatabase()
    const { url, vendor } = await startChat({ events: streamed(['Hello.']) }, { memory: { path } })
    const breaker = new DatabaseSync(path)
    breaker.exec('PRAGMA foreign_keys = OFF; DROP TABLE turns')
    breaker.close()
    const events = await eventsOf(await post(`${url}/chat`, { message: 'Are you there?', session_id: 's' }))
    expect(events.map(({ kind }) => kind)).toEqual(['recalled', 'delta', 'done'])
    expect(events.at(-1)!.data).toMatchObject({ answer: 'Hello.', user_turn_id: null, assistant_turn_id: null })
    expect(JSON.stringify(events[0]!.data.warnings)).toContain('The message was not stored')
    expect(vendor.requests[0]!.body.messages!.at(-1)).toEqual({ role: 'user', content: 'Are you there?' })
  })

  test.each([
    ['turns', 'was not stored'],
    ['request_replies', 'not kept under its Idempotency-Key'],
  ])('with an Idempotency-Key the answer is given, too (without %s)', async (table, warned) => {
    const path = freshDatabase()
    const { url, vendor } = await startChat({ content: '在。' }, { memory: { path } })
    const breaker = new DatabaseSync(path)
    breaker.exec(`PRAGMA foreign_keys = OFF; DROP TABLE ${table}`)
    breaker.close()
    const asked = { message: '在吗？', session_id: 's', stream: false }
    const response = await post(`${url}/chat`, asked, { 'idempotency-key': 'k' })
    expect(response.status).toBe(200)
    const { answer, warnings } = (await response.json()) as { answer: string; warnings: readonly string[] }
    expect(answer).toBe('在。')
    expect(warnings.join()).toContain(warned)
    expect(vendor.requests).toHaveLength(1)
  })
})

describe('a client that hangs up in mid-stream', () => {
  test('the model is stopped, and what it said so far is stored as cut', async () => {
    const { url, memory, vendor } = await startChat({ events: streamed(['Once upon']).slice(0, 1), afterwards: 'hang' })
    const leaving = new AbortController()
    const response = await post(`${url}/chat`, { message: 'A story!', session_id: 's' }, {}, leaving.signal)
    const reader = response.body!.getReader()
    let seen = ''
    while (!seen.includes('Once upon')) seen += new TextDecoder().decode((await reader.read()).value)
    leaving.abort()
    await vendor.requests[0]!.hungUp
    await expect
      .poll(async () => (await memory.conversations.turns('s', { userId: 'local' })).items[1])
      .toMatchObject({ role: 'assistant', content: 'Once upon', metadata: { cut: true } })
  })
})

describe('an answer that goes on', () => {
  const asked = { message: 'A story!', session_id: 's', go_on: true }
  const leaveAfter = async (url: string, words: string): Promise<void> => {
    const leaving = new AbortController()
    const reader = (await post(`${url}/chat`, asked, {}, leaving.signal)).body!.getReader()
    for (let seen = ''; !seen.includes(words); ) seen += new TextDecoder().decode((await reader.read()).value)
    leaving.abort()
  }

  test('is heard from its beginning by whoever comes back, stored whole, and names what the model was shown', async () => {
    const [once, upon] = streamed(['Once', ' upon a time'])
    const { url, memory } = await startChat({ events: [once!, 400, upon!, ...streamed([]).slice(0)] })
    const { results } = await memory.add('I like a story about the sea.', { userId: 'local', infer: false })
    await leaveAfter(url, 'Once')
    const events = await eventsOf(await fetch(`${url}/chat/s`))
    expect(events.map(({ kind }) => kind)).toEqual(['recalled', 'delta', 'delta', 'done'])
    expect(events.at(-1)!.data).toMatchObject({ answer: 'Once upon a time', assistant_turn_id: 2 })
    const { items } = await memory.conversations.turns('s', { userId: 'local' })
    expect(items[1]!.content).toBe('Once upon a time')
    expect(items[1]!.metadata).toMatchObject({ recalled: { items: [{ id: results[0]!.id }] } })
    // Its words would outlive the memory.
    expect(JSON.stringify(items[1]!.metadata)).not.toContain('sea')
    expect(await eventsOf(await fetch(`${url}/chat/s`))).toEqual([])
  })

  test('is stopped by whoever asks for it, by nobody else, and when the memory closes: what was said is stored', async () => {
    const script = { events: streamed(['Once upon']).slice(0, 1), afterwards: 'hang' } as const
    const { url, memory, vendor } = await startChat([script, script])
    await leaveAfter(url, 'Once upon')
    const stop = async (user: string) =>
      (await fetch(`${url}/chat/s`, { method: 'DELETE', headers: { 'x-user-id': user } })).json()
    expect(await stop('ben')).toMatchObject({ code: 'not_found' })
    expect((await fetch(`${url}/chat/s`, { headers: { 'x-user-id': 'ben' } })).status).toBe(404)
    expect(await stop('local')).toEqual({ stopped: true })
    expect(await stop('local')).toEqual({ stopped: false })
    await vendor.requests[0]!.hungUp
    const { items } = await memory.conversations.turns('s', { userId: 'local' })
    expect(items[1]).toMatchObject({ content: 'Once upon', metadata: { cut: true } })
    await leaveAfter(url, 'Once upon')
    await memory.close()
    await vendor.requests[1]!.hungUp
  })
})

describe('Bad input', () => {
  test.each([
    ['missing', {}, 'message'],
    ['empty', { message: '  ' }, 'message'],
    ['of the wrong type', { message: ['hi'] }, 'message'],
    ['with an unknown field', { message: 'hi', mesage: 'hi' }, 'mesage'],
    ['with an empty session', { message: 'hi', session_id: '' }, 'session_id'],
    ['with two sessions', { message: 'hi', session_id: 'a', conversation_id: 'b' }, 'session_id'],
    ['too long', { message: '长'.repeat(400_000) }, 'message'],
    ['with half a character', '{"message": "\\ud83d"}', 'message'],
    ['twice', '{"message": "a", "message": "b"}', 'message'],
  ])('a message that is %s is refused and nothing is stored', async (_, body, field) => {
    const { url, memory, vendor } = await startChat({ content: 'never' })
    const response = await post(`${url}/chat`, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'invalid_input', field })
    expect(vendor.requests).toEqual([])
    expect(await said(memory)).toEqual([])
  })

  test('nobody sees another user’s memory or conversation', async () => {
    const { url, memory, vendor } = await startChat({ events: streamed(['Hm.']) })
    await memory.add('安娜的银行卡放在抽屉里', { userId: 'ana', infer: false })
    await post(`${url}/chat`, { message: '银行卡放在哪里？', session_id: 's', stream: false, user_id: 'ana' })
    const response = await post(`${url}/chat`, { message: '银行卡放在哪里？', session_id: 's' }, { 'x-user-id': 'ben' })
    await response.text()
    expect(vendor.requests[0]!.text).toContain('抽屉')
    expect(vendor.requests[1]!.text).not.toContain('抽屉')
    expect((await said(memory, 'ben'))[0]).toHaveLength(2)
  })
})
