/** Which messages of a chat the proxy stores, in which conversation, each once. */
import { describe, expect, test } from 'vitest'
import { streamed } from '../support/model-server.ts'
import { post, said, startChat } from './chat-server.ts'
import { ask, assistant, clientOf, type Message, turnsOf, user } from './openai-client.ts'

describe('successive requests of one chat land in one conversation, and only new messages are stored, once', () => {
  test('the whole chat comes again with every request; the same words later in it are new', async () => {
    const chat = await startChat([{ content: 'One.' }, { content: 'Two.' }, { content: 'Three.' }])
    const client = clientOf(chat)
    const system: Message = { role: 'system', content: 'It is 10:31.' }
    const messages = [user('继续'), assistant(' One.\n'), user('继续'), assistant('Two.'), user('And?')]
    for (const length of [1, 3, 5]) await ask(client, [system, ...messages.slice(0, length)])
    await expect
      .poll(() => said(chat.memory))
      .toEqual([['user: 继续', 'assistant: One.', 'user: 继续', 'assistant: Two.', 'user: And?', 'assistant: Three.']])
  })

  test.each([300, 10_101])('a first request with %i messages is stored whole, in order, once', async (count) => {
    const chat = await startChat({ content: 'Noted.' }, { app: { requestsPerMinute: 100_000 } })
    const client = clientOf(chat)
    const history = Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? user(`第${index}条：记得给小猫买罐头`) : assistant(`Noted, number ${index}.`),
    )
    const messages = count % 2 === 0 ? [...history, user('What did I say first?')] : history
    const whole = messages.map(({ role, content }) => `${role}: ${content}`)
    // A busy machine answers before all is stored.
    await client.chat.completions.create({ model: 'm', messages })
    await expect.poll(() => turnsOf(chat)).toEqual([...whole, 'assistant: Noted.'])
    const goesOn = [...messages, assistant('Noted.'), user('And then? 然后呢？')]
    await client.chat.completions.create({ model: 'm', messages: goesOn })
    const all = [...whole, 'assistant: Noted.', 'user: And then? 然后呢？', 'assistant: Noted.']
    await expect.poll(() => turnsOf(chat)).toEqual(all)
  })

  test('a regenerated answer does not repeat the question; another answer is kept beside the first, marked', async () => {
    const chat = await startChat([{ content: 'Red.' }, { content: 'Red.' }, { content: 'Blue.' }, { content: 'Sea.' }])
    const client = clientOf(chat)
    for (let time = 0; time < 3; time += 1) await ask(client, [user('A colour?')])
    await ask(client, [user('A colour?'), assistant('Blue.'), user('Why?')])
    await expect
      .poll(() => said(chat.memory))
      .toEqual([['user: A colour?', 'assistant: Red.', 'assistant: Blue.', 'user: Why?', 'assistant: Sea.']])
    const [conversation] = (await chat.memory.conversations.list({ userId: 'local' })).items
    const { items } = await chat.memory.conversations.turns(conversation!.conversationId, { userId: 'local' })
    expect(items[2]!.metadata).toMatchObject({ replaces_turn: 2 })
  })

  test('a question that was edited is new, and what stood before it is not stored again', async () => {
    const chat = await startChat({ content: 'Ok.' })
    const client = clientOf(chat)
    await ask(client, [user('Hi')])
    await ask(client, [user('Hi'), assistant('Ok.'), user('Tea or coffe?')])
    await ask(client, [user('Hi'), assistant('Ok.'), user('Tea or coffee?')])
    expect((await said(chat.memory))[0]!.filter((turn) => turn.startsWith('user'))).toEqual([
      'user: Hi',
      'user: Tea or coffe?',
      'user: Tea or coffee?',
    ])
  })

  test.each([
    ['a header', {}, { 'x-conversation-id': Buffer.from('聊天').toString('latin1') }],
    ['a header, percent-encoded', {}, { 'x-conversation-id': encodeURIComponent('聊天') }],
    ['metadata', { metadata: { conversation_id: '聊天' } }, {}],
    ['session_id', { session_id: '聊天' }, {}],
  ])('%s names the conversation, also for a client that sends the newest messages only', async (_, more, headers) => {
    const chat = await startChat({ content: 'Ok.' })
    for (const messages of [[user('a')], [user('b')], [user('b'), assistant('Ok.'), user('c')], [user('a')]])
      await (await post(`${chat.url}/v1/chat/completions`, { messages, ...more }, headers)).text()
    const { items } = await chat.memory.conversations.turns('聊天', { userId: 'local' })
    expect(items.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual(['a', 'b', 'c', 'a'])
    expect(chat.vendor.requests[0]!.body).not.toHaveProperty('session_id')
  })

  test.each(['聊天 🌍', '100% sûr', '50%25', 'plain/name', ' a\n'])(
    'the name %j comes back so that it can be sent again',
    async (name) => {
      const chat = await startChat({ content: 'Ok.' })
      const url = `${chat.url}/v1/chat/completions`
      const first = await post(url, { messages: [user('a')], session_id: name })
      const told = first.headers.get('x-conversation-id') ?? ''
      const second = await post(url, { messages: [user('b')] }, { 'x-conversation-id': told })
      expect([told, second.headers.get('x-conversation-id')]).toEqual([expect.stringMatching(/^[ -~]+$/), told])
      const { items } = await chat.memory.conversations.turns(name, { userId: 'local' })
      expect(items.map(({ content }) => content)).toEqual(['a', 'Ok.', 'b', 'Ok.'])
    },
  )

  test('the same request twice at once stores its message once', async () => {
    const chat = await startChat({ content: 'Ok.' })
    await Promise.all([1, 2, 3].map(() => ask(clientOf(chat), [user('Are you there?')])))
    expect(await said(chat.memory)).toEqual([['user: Are you there?', 'assistant: Ok.']])
  })

  test('two answers to one question at the same time are told apart: the later one takes the place of the earlier', async () => {
    let number = 0
    const chat = await startChat(() => ({ content: `Answer ${++number}.` }))
    await Promise.all([1, 2].map(() => ask(clientOf(chat), [user('Are you there?')])))
    const [conversation] = (await chat.memory.conversations.list({ userId: 'local' })).items
    const { items } = await chat.memory.conversations.turns(conversation!.conversationId, { userId: 'local' })
    expect(items.map(({ metadata }) => metadata?.replaces_turn)).toEqual([undefined, undefined, 2])
  })

  test('an answer is stored as it was given, white space at both ends included, and known again without it', async () => {
    const code = '    if x:\n        y()\n'
    const chat = await startChat([{ content: code }, { content: `<think>hm</think>\n\n${code}` }])
    const client = clientOf(chat)
    await ask(client, [user('写一段代码')])
    await ask(client, [user('写一段代码'), assistant(code.trim()), user('Again')])
    expect(await said(chat.memory)).toEqual([
      ['user: 写一段代码', `assistant: ${code}`, 'user: Again', `assistant: ${code.trimStart()}`],
    ])
  })

  test.each([true, false])('a refusal is an answer, and known again (stream: %s)', async (stream) => {
    const refusal = 'I cannot do that.'
    const events = [{ choices: [{ delta: { content: null, refusal } }] }, ...streamed([]).slice(-2)]
    const body = JSON.stringify({ choices: [{ message: { content: null, refusal }, finish_reason: 'stop' }] })
    const chat = await startChat([stream ? { events } : { body }, { content: 'Fine.' }])
    const shown = { role: 'assistant', content: null, refusal }
    for (const messages of [[user('帮我撬锁')], [user('帮我撬锁'), shown, user('Tea then')]])
      await (await post(`${chat.url}/v1/chat/completions`, { messages, stream })).text()
    expect(await turnsOf(chat)).toEqual([
      'user: 帮我撬锁',
      `assistant: ${refusal}`,
      'user: Tea then',
      'assistant: Fine.',
    ])
  })

  test('the answer to what no log can hold is stored, once', async () => {
    const chat = await startChat([{ content: 'Long indeed.' }, { content: 'Yes.' }])
    const client = clientOf(chat)
    const long = user('长'.repeat(400_000))
    await ask(client, [long])
    expect(await said(chat.memory)).toEqual([['assistant: Long indeed.']])
    await ask(client, [long, assistant('Long indeed.'), user('Was it?')])
    expect(await said(chat.memory)).toEqual([['assistant: Long indeed.', 'user: Was it?', 'assistant: Yes.']])
  })

  test('of several answers to choose from the first is stored, and the one that the client goes on with', async () => {
    const choices = ['Red.', 'Blue.'].map((content, index) => ({ index, message: { content }, finish_reason: 'stop' }))
    const chat = await startChat([{ body: JSON.stringify({ choices }) }, { content: 'Sea.' }])
    const client = clientOf(chat)
    await ask(client, [user('A colour?')], { n: 2, stream: false }).catch(() => undefined)
    await ask(client, [user('A colour?'), assistant('Blue.'), user('Why?')])
    expect(await turnsOf(chat)).toEqual([
      'user: A colour?',
      'assistant: Red.',
      'assistant: Blue.',
      'user: Why?',
      'assistant: Sea.',
    ])
  })
})
