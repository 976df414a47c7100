import { expect, onTestFinished, test } from 'vitest'
import { memoryOf } from '../../test/contracts/memory-store.ts'
import { hashedVector } from '../../test/support/embedding-server.ts'
import { systemClock } from '../domain/clock.ts'
import { silentLogger } from '../domain/logger.ts'
import { type OpenMemory, openMemory } from '../doors/library/index.ts'
import { openSqliteStore } from '../store/sqlite/open-store.ts'
import { type EvidenceRequest, findEvidence } from './find-evidence.ts'

const QUESTION: Omit<EvidenceRequest, 'query'> = {
  userId: 'ana',
  projectRoot: null,
  kinds: ['turn', 'memory'],
  now: Date.UTC(2026, 6),
  asOf: null,
  since: null,
  until: null,
  explain: false,
  tokens: 1000,
  limit: 10,
  besides: new Set(),
}

async function opened(): Promise<OpenMemory> {
  const memory = await openMemory({ path: ':memory:', userId: 'ana' })
  onTestFinished(() => memory.close())
  return memory
}

/** Each in a conversation of its own, a week apart. */
async function said(memory: OpenMemory, ...contents: readonly string[]): Promise<void> {
  for (const [week, content] of contents.entries()) {
    const createdAt = new Date(Date.UTC(2026, 2, 2 + 7 * week))
    await memory.conversations.store({
      conversationId: `week-${week}`,
      turns: [{ role: 'user', content, createdAt }],
    })
  }
  await memory.maintenance.think()
}

async function textsFor(memory: OpenMemory, question: string, conversationId?: string): Promise<readonly string[]> {
  const { results } = await memory.recall(question, { conversationId })
  return results.map(({ text }) => text)
}

test('who asks how things were is shown what a memory took the place of, and who asks by the old words what holds now', async () => {
  const options = { path: ':memory:', create: true, clock: systemClock, logger: silentLogger }
  const store = await openSqliteStore(options)
  onTestFinished(() => store.close())
  await store.memories.insert('ana', [memoryOf('new', 'We moved into Prinsengracht 40.')])
  const past = { validTo: Date.UTC(2026, 1), supersededBy: 'new' }
  await store.memories.insert('ana', [memoryOf('old', 'Our desks stood at Keizersgracht 12.', past)])
  const shownFor = async (query: string): Promise<readonly string[]> => {
    const { pieces } = await findEvidence({ store }, { ...QUESTION, query })
    return pieces.flatMap(({ memories }) => memories.map(({ id }) => id))
  }
  expect(new Set(await shownFor('Where were we before Prinsengracht?'))).toEqual(new Set(['new', 'old']))
  expect(await shownFor('Is it far to Prinsengracht?')).toEqual(['new'])
  expect(await shownFor('Is it far to Keizersgracht?')).toEqual(['new'])
})

test('a memory that shares no word with the question is found by a model of meaning', async () => {
  const store = await openSqliteStore({ path: ':memory:', create: true, clock: systemClock, logger: silentLogger })
  onTestFinished(() => store.close())
  const texts = { paint: 'Houseboats need new paint.', potter: 'Petra is a potter.' }
  const memories = Object.entries(texts).map(([id, text]) => memoryOf(id, text))
  await store.memories.insert('ana', memories)
  await store.vectors.begin({ model: 'n-grams', dimension: 64 })
  const about = { kind: 'semantic', conversationId: null, who: null, time: 0 } as const
  const vectors = memories.map(({ id, text }) => ({ ...about, id, vector: hashedVector(text, 64) }))
  await store.vectors.add('ana', vectors)
  const request = { ...QUESTION, query: 'Was the boathouse near Petra?', explain: true }
  const embedQuery = async (query: string) => ({ vector: hashedVector(query, 64), warning: null })
  const byWords = await findEvidence({ store }, request)
  expect(byWords.pieces.map(({ memories }) => memories[0]?.id)).toEqual(['potter'])
  const { pieces } = await findEvidence({ store, embedQuery }, request)
  expect(pieces.map(({ memories }) => memories[0]?.id).sort()).toEqual(['paint', 'potter'])
  expect(pieces[0]?.explanation?.features.map(({ feature }) => feature)).toContain('similarity')
})

test.each([
  ['What was it before?', 'My deposit is 800 euros.', 'How high is my deposit?'],
  ['原来是什么？', '我的押金是八百块。', '我的押金是多少？'],
])('%s goes on about what the user said last', async (question, fact, before) => {
  const memory = await opened()
  await said(memory, 'The tram was late again.', fact, 'We painted the kitchen green.')
  await memory.conversations.store({ conversationId: 'now', turns: [{ role: 'user', content: before }] })
  expect((await textsFor(memory, question, 'now'))[0]).toBe(fact)
  expect(await textsFor(memory, question)).not.toContain(fact)
})

test('a question with words of its own is about them', async () => {
  const memory = await opened()
  await said(memory, 'My deposit is 800 euros.', 'The kitchen is green.')
  await memory.conversations.store({
    conversationId: 'now',
    turns: [{ role: 'user', content: 'How high is my deposit?' }],
  })
  expect(await textsFor(memory, 'Which colour has the kitchen?', 'now')).toEqual(['The kitchen is green.'])
})

test.each([
  [
    'Which class did I join, and from when?',
    ['I joined the pottery class of Marlene.', 'Marlene begins on Thursday at seven.'],
  ],
  ['我报了什么课，到什么时候？', ['我报了玛琳老师的陶艺课。', '玛琳那边五月底结束。']],
])('a part without words of its own goes on about the answer to the one before: %s', async (question, facts) => {
  const memory = await opened()
  await said(memory, facts[0]!, 'The tram was late again.', '自行车的链条坏了。', facts[1]!)
  expect((await textsFor(memory, question)).slice(0, 2)).toEqual(facts)
})

const MONTHS = [
  '我们把卧室刷成了墨绿色。',
  '太暗了，我们又把卧室改刷成奶油色。',
  '房租一个月三千五，还行。',
  '我们搬了新家，房租现在是四千八。',
  '去看了牙医，补了一颗牙。',
  '补的牙掉了，我又去看了牙医。',
  '兽医说团子要减两公斤。',
  '我妹妹小雨六月在苏州结婚。',
]

test.each([
  ['卧室最初是什么颜色？', ['墨绿']],
  ['搬家之前房租是多少？', ['三千五']],
  ['我看了几次牙医？', ['补了一颗', '又去看']],
  ['我上次看牙医是什么时候？', ['又去看']],
  ['小雨什么时候结婚，我们房租多少？', ['六月', '四千八']],
])(
  'the words of a short Chinese question are enough before anything was thought about: %s',
  async (question, wanted) => {
    const memory = await openMemory({ path: ':memory:', userId: 'ana', thinking: false })
    onTestFinished(() => memory.close())
    for (const [month, content] of MONTHS.entries())
      await memory.conversations.store({
        conversationId: `month-${month}`,
        turns: [
          { role: 'user', content, createdAt: new Date(Date.UTC(2026, month)) },
          { role: 'assistant', content: '谢谢告诉我，听起来变化不小。', createdAt: new Date(Date.UTC(2026, month)) },
        ],
      })
    const shown = (await textsFor(memory, question)).join('\n')
    for (const words of wanted) expect(shown).toContain(words)
    expect(await textsFor(memory, '法国的首都是哪里？')).toEqual([])
  },
)

const YEAR = [
  'We painted the bedroom dark green.',
  'Too gloomy, we painted the bedroom cream instead.',
  'Swam forty lengths this morning, a record.',
  'Swimming again tonight, the pool was empty.',
  'The vet says Biscuit needs to lose two kilos.',
  'Hannah is getting married in June in Whitby.',
]

test.each([
  ['What colour was the bedroom originally?', ['dark green']],
  ['How often did I go swimming?', ['forty', 'tonight']],
  ['When does Hannah get married, and what does the vet say?', ['June', 'two kilos']],
])('each part of a question, each time and what was before come from the turns alone: %s', async (question, wanted) => {
  const memory = await openMemory({ path: ':memory:', userId: 'ana', thinking: false })
  onTestFinished(() => memory.close())
  for (const [month, content] of YEAR.entries())
    await memory.conversations.store({
      conversationId: `month-${month}`,
      turns: [{ role: 'user', content, createdAt: new Date(Date.UTC(2026, month)) }],
    })
  const shown = (await textsFor(memory, question)).join('\n')
  for (const words of wanted) expect(shown).toContain(words)
})

test.each([
  ['数据库用的是哪个？', 'The database is Postgres 16.'],
  ['日志在哪个端口？', 'Logs go to port 7001.'],
])('words of programming answer a question in the other language: %s', async (question, fact) => {
  const memory = await opened()
  await said(memory, fact, 'My bike is green.', '我在学陶艺。')
  expect((await textsFor(memory, question))[0]).toBe(fact)
  expect(await textsFor(memory, 'What is a marsupial?')).toEqual([])
  expect(await textsFor(memory, '袋鼠吃什么？')).toEqual([])
})

const TALK = [
  'Do otters live in rivers or in lakes, and where do they sleep?',
  'Where do storks live in the winter, and how do they find it?',
  'Can a hedgehog live in a garden, and where would it hide?',
  'Where did people live in the Stone Age, and what did they eat?',
]

test('a value that is asked for needs nothing about it at its time, as talk of one week in the same words has', async () => {
  const memory = await opened()
  const answer = 'That depends on the place, and on the time of the year.'
  const home = 'Finally moved in with Callum, I live in Ghent now.'
  for (const [day, content] of TALK.entries()) {
    const createdAt = new Date(Date.UTC(2026, 0, day + 1))
    await memory.conversations.store({
      conversationId: `talk-${day}`,
      turns: [
        { role: 'user', content, createdAt },
        { role: 'assistant', content: answer.repeat(3), createdAt },
      ],
    })
  }
  await said(memory, home)
  await memory.idle()
  const { results } = await memory.recall('Where do I live?', { explain: true })
  const { features } = results.find(({ text }) => text === home)!.explanation!
  expect(features.find(({ feature }) => feature === 'nearby')?.value).toBe(1)
})

test('memories make a log larger also where none shares a word with the message', async () => {
  const store = await openSqliteStore({ path: ':memory:', create: true, clock: systemClock, logger: silentLogger })
  onTestFinished(() => store.close())
  const turn = { role: 'user', content: '天气很好，我们去爬山。', speaker: null, createdAt: QUESTION.now } as const
  const turns = [{ ...turn, externalId: null, metadata: null, isCollected: false, symbols: [] }]
  await store.log.append('ana', [{ conversationId: 'c', projectRoot: '', turns }], QUESTION.now)
  const roomFor = async (query: string) => (await findEvidence({ store }, { ...QUESTION, query })).room
  expect(await roomFor('天气预报哪家公司做得准？')).toBeGreaterThan(0)
  const memories = Array.from({ length: 2000 }, (_, at) => memoryOf(`m${at}`, `Number ${at} of the potter.`))
  await store.memories.insert('ana', memories)
  expect(await roomFor('天气预报哪家公司做得准？')).toBe(0)
})

test('who asks for a time alone is shown what takes place in it, or was said in it, and nothing of other times', async () => {
  const memory = await opened()
  await said(memory, 'My thesis defence is on 3 April.', '4月2号去体检', 'I bought a red kayak.')
  await memory.idle()
  const shown = async (question: string): Promise<readonly string[]> => {
    const { results } = await memory.recall(question, { now: '2026-03-25T10:00:00Z' })
    return results.map(({ text }) => text).sort()
  }
  for (const plans of [
    'What do I have coming up next week?',
    'What do I have in the coming weeks?',
    "What's happening in April?",
    '接下来两周有什么安排？',
  ])
    expect(await shown(plans)).toEqual(['4月2号去体检', 'My thesis defence is on 3 April.'])
  expect(await shown('What did I tell you last week?')).toEqual(['I bought a red kayak.'])
  for (const nothing of [
    '我昨天说了什么',
    'Any plans for tomorrow?',
    'what usually happens in April?',
    '5月有什么安排？',
  ])
    expect(await shown(nothing)).toEqual([])
})

test('who asks for plans by a weekday, a date, or without a day is shown those that lie ahead', async () => {
  const memory = await opened()
  await said(memory, 'My thesis defence is on Friday 3 April.', 'Postgres 19 has upcoming features.')
  await memory.idle()
  const finds = async (question: string): Promise<boolean> => {
    const { results } = await memory.recall(question, { now: '2026-03-28T10:00:00Z' })
    return results.some(({ text }) => text.includes('defence'))
  }
  for (const plans of [
    'Any appointments on Friday?',
    'What do I have on 3 April?',
    'What have I got on in April?',
    "What's coming up?",
    'What is on my calendar?',
    '接下来有哪些日程？',
  ])
    expect([plans, await finds(plans)]).toEqual([plans, true])
  for (const other of ['What did I do on Friday?', 'What are upcoming features of Postgres?', '接下来做什么？'])
    expect([other, await finds(other)]).toEqual([other, false])
})

test('who asks for several things at once is shown the best answers to each', async () => {
  const memory = await opened()
  const facts = [
    "Anna's birthday is on 3 March",
    'Ben was born on 14 June',
    'Clara has her birthday on 9 October',
    'Anna is allergic to nuts',
    "Ben can't eat shellfish",
    'Clara gets a rash from strawberries',
    'Anna wears shoe size 34',
    "Ben's shoes are 38 now",
    'Clara needs size 31 shoes',
  ]
  const others = [
    'Anna had a good day at school',
    'Ben plays football on Tuesdays',
    'Clara lost a tooth',
    'we took Anna and Ben to the zoo',
    'Clara started swimming',
    'Ben wants a drum kit',
    'Anna reads a lot',
    'the shoes shop on Main Street closed',
    'what can I cook for the birthday party?',
    'Clara is afraid of dogs',
    'Ben broke his glasses',
    'Anna and Clara share a room',
    'the nut bread was great',
    'Ben has a test on Friday',
    'Clara sings all day',
  ]
  const told = others.flatMap((other, at) => [other, ...facts.slice(at, at + 1)])
  for (const [at, content] of told.entries()) {
    const createdAt = new Date(Date.UTC(2026, 9, 1, 5 * at))
    const answer = facts.includes(content) ? `Noted: ${content}` : 'OK.'
    await memory.conversations.store({
      conversationId: `six ${Math.floor(at / 6)}`,
      turns: [
        { role: 'user', content, createdAt },
        { role: 'assistant', content: answer, createdAt },
      ],
    })
  }
  await memory.maintenance.think()
  await memory.idle()
  const asked = "What are the kids' birthdays, allergies and shoe sizes?"
  const { text } = await memory.context.build(asked, { now: '2026-11-27T08:00:00Z' })
  expect(facts.filter((fact) => !text.includes(fact))).toEqual([])
})
