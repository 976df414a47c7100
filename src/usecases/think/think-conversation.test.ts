import { expect, test } from 'vitest'
import { allMemories, DAY, openThinking, START } from '../../../test/support/thinking-memory.ts'

const SAID = ['I am allergic to walnuts.', '我对核桃过敏。']

test.each(SAID)(
  'turns behind many that were removed before anybody thought about them are thought about: %s',
  async (said) => {
    const { memory } = await openThinking('rules', { background: false })
    const old = Array.from({ length: 150 }, (_, at) => ({
      role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `Old remark number ${at}.`,
      createdAt: new Date(START.getTime() - 40 * DAY + at),
    }))
    await memory.conversations.store({ conversationId: 'chat', turns: old })
    await memory.conversations.store({ conversationId: 'chat', turns: [{ role: 'user', content: said }] })
    await memory.conversations.delete({ olderThan: new Date(START.getTime() - DAY) })
    await memory.idle()
    expect((await allMemories(memory)).map(({ text }) => text)).toEqual([said])
  },
)

test('a thought that takes long is interrupted and taken up again, and nothing is thought about twice', async () => {
  let pass = (_milliseconds: number): void => {}
  let thought = 0
  const { memory, log, ...opened } = await openThinking('rules', {
    background: false,
    llm: {
      model: 'slow',
      ask: async () => {
        pass(4 * 60_000)
        thought += 1
        return {
          text: '{}',
          model: 'slow',
          usage: { promptTokens: 1, completionTokens: 1, cost: null },
          attempts: 1,
          latencyMs: 1,
        }
      },
      stream: () => {
        throw new Error('nobody listens')
      },
      close: async () => {},
    },
  })
  pass = opened.pass
  const turns = Array.from({ length: 12 }, (_, at) => ({
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: at % 2 === 0 ? `My locker at the pool is number ${40 + at}.` : 'Noted.',
  }))
  await memory.conversations.store({ conversationId: 'chat', turns })
  await memory.idle()
  expect(thought).toBe(6)
  expect(log.filter(({ message }) => message === 'thought about a round')).toHaveLength(6)
  const runs = log.filter(({ message, details }) => message === 'a job is done' && details.kind === 'think')
  expect(runs.length).toBeGreaterThan(1)
  expect(await memory.maintenance.jobs()).toMatchObject({ total: 0 })
})

test('a correction of the message before stands behind its words, and ends it', async () => {
  const { memory } = await openThinking('rules', { background: false })
  const say = (content: string, answer: string) =>
    memory.conversations.store({
      conversationId: 'chat',
      turns: [
        { role: 'user', content },
        { role: 'assistant', content: answer },
      ],
    })
  await say('My ferry leaves on 3 June', 'Noted.')
  await say('no wait, the 8th', 'Corrected.')
  await memory.idle()
  const { items } = await memory.getAll({ includePast: true })
  expect(items.map(({ text, validTo, occurredAt }) => [text, validTo === null, occurredAt.slice(5, 10)])).toEqual([
    ['“My ferry leaves on 3 June” no wait, the 8th', true, '06-08'],
    ['My ferry leaves on 3 June', false, '06-03'],
  ])
  await say('My locksmith is called Hartnall.', 'Noted.')
  await say('sorry typo, Hartnell', 'Corrected.')
  await memory.idle()
  const [name] = (await memory.getAll()).items
  expect(name).toMatchObject({ text: '“My locksmith is called Hartnall.” sorry typo, Hartnell' })
})

test('what is deleted while a model thinks about it comes back nowhere', async () => {
  const { memory } = await openThinking('rules', {
    background: false,
    llm: {
      model: 'slow',
      ask: async () => {
        await memory.conversations.delete({ conversationId: 'chat' })
        const profile = [{ section: 'background', text: 'Owns a wombat statue.' }]
        return {
          text: JSON.stringify({ profile, working_memory: { current_topic: 'wombat statue' }, title: 'Wombat statue' }),
          model: 'slow',
          usage: { promptTokens: 1, completionTokens: 1, cost: null },
          attempts: 1,
          latencyMs: 1,
        }
      },
      stream: () => {
        throw new Error('nobody listens')
      },
      close: async () => {},
    },
  })
  const turns = [
    { role: 'user' as const, content: 'I bought a wombat statue for my garden.' },
    { role: 'assistant' as const, content: 'Nice.' },
  ]
  await memory.conversations.store({ conversationId: 'chat', turns })
  await memory.idle()
  expect((await memory.profile.get()).text).toBe('')
  expect(await allMemories(memory)).toEqual([])
  expect((await memory.sessionSummaries.list()).total).toBe(0)
  expect(await memory.maintenance.jobs()).toMatchObject({ total: 0 })
})

test.each([
  ['My favourite colour is teal.', 'no wait, rust. I always mix those up.', '- My favourite colour is rust.'],
  ['我的生日是3月9号。', '打错了，是3月19号。', '- 我的生日是3月19号。'],
])('the profile has the right value where the turn behind puts it right: %s', async (wrong, right, line) => {
  const { memory } = await openThinking('rules', { background: false })
  for (const content of [wrong, right]) {
    await memory.conversations.store({ conversationId: 'chat', turns: [{ role: 'user', content }] })
    await memory.idle()
  }
  expect((await memory.profile.get()).text.split('\n').filter((row) => row.startsWith('- '))).toEqual([line])
})

test('a line that is over in part stands behind what took the place of that part', async () => {
  const { memory } = await openThinking('rules', { background: false })
  for (const content of ['I live in Leeds with my two cats.', 'We finally moved to Otley last weekend!']) {
    await memory.conversations.store({ conversationId: content.slice(0, 6), turns: [{ role: 'user', content }] })
    await memory.idle()
  }
  const { text } = await memory.profile.get()
  expect(text.indexOf('Otley')).toBeGreaterThan(0)
  expect(text.indexOf('Leeds')).toBeGreaterThan(text.indexOf('Otley'))
})
