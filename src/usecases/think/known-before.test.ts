import { expect, test } from 'vitest'
import {
  askedData,
  byPhrase,
  exchangeReply,
  MINUTE,
  openThinking,
  shownId,
} from '../../../test/support/thinking-memory.ts'

test('what a context block brought back into a turn is not stored again, in either way of thinking', async () => {
  for (const thinker of ['rules', 'model'] as const) {
    const reply = exchangeReply({
      records: [{ text: 'Lives on a houseboat called Heron in Utrecht.', importance: 1 }],
      items: [{ category: 'fact', key: 'home', value: 'houseboat Heron', source: 'user_stated', confidence: 0.95 }],
    })
    const { memory } = await openThinking(thinker, { script: reply })
    await memory.add('Lives on a houseboat called Heron in Utrecht.', { infer: false })
    const question = 'Does the houseboat Heron in Utrecht need a new mooring?'
    const built = await memory.context.build(question, { conversationId: 'chat' })
    expect(built.recalled).toHaveLength(1)
    const turns = [
      { role: 'user' as const, content: `${built.layers[3]!.text}\n\n${question}` },
      {
        role: 'assistant' as const,
        content: 'You live on a houseboat called Heron in Utrecht, so ask the harbour office.',
      },
    ]
    await memory.conversations.store({ conversationId: 'chat', turns })
    await memory.idle()
    const { items } = await memory.getAll()
    expect(items.filter(({ text }) => text.includes('called Heron'))).toHaveLength(1)
  }
})

test('the model is told what had been recalled for the answer, and what of it the assistant says again', async () => {
  const { memory, requests } = await openThinking('model', { script: byPhrase({}) })
  await memory.add('用户对花生过敏。', { infer: false })
  await memory.add('用户每周四去打羽毛球。', { infer: false })
  await memory.context.build('花生酱面包可以吃吗？', { conversationId: 'chat' })
  const turns = [
    { role: 'user' as const, content: '花生酱面包可以吃吗？' },
    { role: 'assistant' as const, content: '不行，您对花生过敏。' },
  ]
  await memory.conversations.store({ conversationId: 'chat', turns })
  await memory.idle()
  const asked = JSON.stringify(requests.at(-1)!.body)
  expect(asked).toContain('用户对花生过敏')
  expect(asked).not.toContain('羽毛球')
})

test('a model takes back a doubt that the exchange settles, in the one call of the exchange', async () => {
  const { memory, requests, pass, play } = await openThinking('model')
  await memory.add('I live in York.', { infer: false, key: 'home', value: 'York' })
  await memory.add('My gym is round the corner from home in York.', { infer: false })
  pass(MINUTE)
  const tell = async (conversationId: string, content: string): Promise<void> => {
    const turns = [
      { role: 'user' as const, content },
      { role: 'assistant' as const, content: 'I see.' },
    ]
    await memory.conversations.store({ conversationId, turns })
    await memory.idle()
    pass(MINUTE)
  }
  play((request) =>
    exchangeReply({
      items: [{ category: 'fact', key: 'home', value: 'Leeds', source: 'user_stated', confidence: 0.95 }],
      doubts: [{ id: shownId(request, 'My gym'), why: 'it is in York' }],
    }),
  )
  await tell('one', 'I moved from York to Leeds in March.')
  const doubted = (await memory.getAll()).items.filter(({ suspect }) => suspect !== null)
  expect(doubted.map(({ text }) => text)).toEqual(['My gym is round the corner from home in York.'])
  const calls = requests.length
  play((request) => exchangeReply({ confirms: [shownId(request, 'My gym')] }))
  await tell('two', 'I still go to my gym in York, round the corner from my old home.')
  expect(requests.length).toBe(calls + 1)
  expect(askedData(requests.at(-1)!)).toContain('still go')
  expect((await memory.getAll()).items.filter(({ suspect }) => suspect !== null)).toEqual([])
})

test('the title of a conversation comes with the one call about its first exchange', async () => {
  const { memory, requests } = await openThinking('model', {
    script: byPhrase({
      heat: {
        content: JSON.stringify({
          statements: [],
          title: { title: 'Heat pump for the terrace', snippet: 'Which heat pump fits a terraced house.' },
        }),
      },
    }),
  })
  const turns = [
    { role: 'user' as const, content: 'Which heat pump fits my terraced house?' },
    { role: 'assistant' as const, content: 'A small one.' },
  ]
  await memory.conversations.store({ conversationId: 'c1', turns })
  await memory.idle()
  expect(requests).toHaveLength(1)
  expect(await memory.sessionSummaries.get({ conversationId: 'c1' })).toMatchObject({
    title: 'Heat pump for the terrace',
  })
  await memory.conversations.store({
    conversationId: 'c1',
    turns: [{ ...turns[0]!, content: 'And the heat in winter?' }, turns[1]!],
  })
  await memory.idle()
  expect(requests).toHaveLength(2)
  expect(JSON.stringify(requests[1]!.body)).not.toContain('\\"untitled\\"')
})

test('a title that rules gave gives way at the eighth turn where the talk turned to something else, a model’s stays', async () => {
  const turn = (content: string, role: 'user' | 'assistant') => ({ role, content })
  const script = byPhrase({
    lighthouse: {
      content: JSON.stringify({ statements: [], title: { title: 'A dream by the sea', snippet: 'A dream was told.' } }),
    },
  })
  for (const [thinker, first, then] of [
    ['rules', /lighthouse/i, /apple tree/i],
    ['model', /^A dream by the sea$/, /^A dream by the sea$/],
  ] as const) {
    const { memory } = await openThinking(thinker, { script })
    const store = async (...turns: readonly ReturnType<typeof turn>[]): Promise<string> => {
      await memory.conversations.store({ conversationId: 'c1', turns })
      await memory.idle()
      return (await memory.sessionSummaries.get({ conversationId: 'c1' })).title
    }
    const answer = turn('In winter.', 'assistant')
    expect(await store(turn('I had a strange dream about a lighthouse.', 'user'), answer)).toMatch(first)
    const title = await store(
      turn('How do I prune an old apple tree?', 'user'),
      answer,
      turn('How much of the apple tree may I prune at once?', 'user'),
      answer,
      turn('When does the apple tree bear again?', 'user'),
      answer,
    )
    expect(title).toMatch(then)
  }
})

test('an episode recalled a question before learns from the next message, though the clock stands still', async () => {
  const { memory } = await openThinking('rules', {})
  const { id } = (await memory.add('我们在顺义租了一块菜地。', { conversationId: 'earlier' })).results[0]!
  const asked = '顺义的菜地种什么好？'
  await memory.conversations.store({ conversationId: 'chat', turns: [{ role: 'user', content: asked }] })
  await memory.context.build(asked, { conversationId: 'chat' })
  const turns = ['种白菜。', '顺义的菜地被大水淹了。', '太可惜了。'].map((content, at) => ({
    role: at % 2 === 0 ? ('assistant' as const) : ('user' as const),
    content,
  }))
  await memory.conversations.store({ conversationId: 'chat', turns })
  await memory.idle()
  expect((await memory.get(id))?.text).toContain('淹了')
})
