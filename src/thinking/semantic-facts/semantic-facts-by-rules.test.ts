import { expect, test } from 'vitest'
import { DAY_MS } from '../../domain/clock.ts'
import { type Episode, semanticFactsByRules } from './semantic-facts-by-rules.ts'

const START = Date.parse('2026-04-06T09:00:00Z')

function episode(text: string, changes: Partial<Episode> = {}): Episode {
  return {
    id: 'e1',
    text,
    who: 'user',
    conversationId: 'chat-a',
    occurredAt: START,
    accessCount: 0,
    confidence: 0.95,
    ...changes,
  }
}

function facts(text: string, changes: Partial<Episode> = {}): readonly string[] {
  return semanticFactsByRules(episode(text, changes)).facts.map((fact) => fact.text)
}

test('002 R6.2: stable identity (major, job, location, research direction) is extracted as a semantic fact', () => {
  for (const text of [
    'My major is oceanography.',
    'I work as a piano tuner.',
    'I live in Ljubljana with my aunt.',
    'My research direction is coral bleaching.',
    'The user is a midwife at the county hospital.',
    '我的专业是海洋学。',
    '我在船厂做焊工。',
    '我住在泉州鲤城区。',
    '我的研究方向是珊瑚白化。',
    '用户来自呼和浩特。',
  ])
    expect(facts(text), text).toEqual([text])
})

test('002 R6.3: long-term interests or habits are extracted as a semantic fact', () => {
  for (const text of [
    'I swim in the harbour every morning.',
    'My hobby is restoring clocks.',
    'I prefer window seats.',
    'I have played the cello for ten years.',
    '我每天早上都在港口游泳。',
    '我的爱好是修钟表。',
    '我喜欢靠窗的座位。',
    '我坚持练大提琴十年了。',
  ])
    expect(facts(text), text).toEqual([text])
})

test('002 R6.3: a taste that is repeated on another day is extracted, one that showed once is not', () => {
  const first = episode('Loved the smoked eel at the quay.')
  const again = episode('The smoked eel was delicious again.', { id: 'e2', occurredAt: START + 6 * DAY_MS })
  expect(semanticFactsByRules(again, []).facts).toEqual([])
  expect(semanticFactsByRules(again, [{ ...first, occurredAt: again.occurredAt }]).facts).toEqual([])
  expect(semanticFactsByRules(again, [first]).facts).toMatchObject([{ ground: 'habit', sourceIds: ['e1', 'e2'] }])
  const chinese = [
    episode('码头的熏鳗鱼真好吃。'),
    episode('又吃了一次码头的熏鳗鱼，很好吃。', { id: 'e2', occurredAt: START + 6 * DAY_MS }),
  ] as const
  expect(semanticFactsByRules(chinese[1], [chinese[0]]).facts).toHaveLength(1)
})

test.each([
  'The user is waiting for the bus.',
  'The user has a meeting at three.',
  'The user has forgotten the keys.',
  '用户周五开车去了基尔。',
  '我想养只狗。',
])('002 R6.4: what is over soon is no stable attribute, however often it is used: %s', (text) => {
  expect(facts(text, { accessCount: 12 })).toEqual([])
})

test('002 R6.4: hit_count > 10 and a stable attribute of the user is extracted as a semantic fact', () => {
  for (const text of [
    'I have a sailing licence.',
    '我有一艘旧帆船。',
    'The user wears glasses.',
    "I can't swim.",
    '我恐高。',
  ]) {
    const grounds = (accessCount: number): readonly string[] =>
      semanticFactsByRules(episode(text, { accessCount })).facts.map(({ ground }) => ground)
    expect(grounds(10), text).not.toContain('often_used')
    expect(grounds(11), text).toEqual(['often_used'])
  }
  expect(facts('I have a headache today.', { accessCount: 50 })).toEqual([])
  expect(facts('The ferry sank in 1911.', { accessCount: 50 })).toEqual([])
})

test('what was told once is no pattern, and a sentence with a password no fact', () => {
  const { facts: once } = semanticFactsByRules(episode('我把吃素戒了哈哈，上周去吃了烤肉，真香'))
  expect(once.map(({ category }) => category)).not.toContain('pattern')
  const { facts: repeated } = semanticFactsByRules(episode('我每天早上都练一小时小提琴。'))
  expect(repeated.map(({ category }) => category)).toEqual(['pattern'])
  const secret = 'My password for the staff portal is Winter!Rose88, and they make us change it every month.'
  expect(facts(secret)).toEqual([])
})

test('002 R6.5: temporary states, short-term plans, style preferences and speculation are NOT extracted', () => {
  const refused: readonly (readonly [string, string])[] = [
    ['I am exhausted right now.', 'temporary_state'],
    ['I feel sick today.', 'temporary_state'],
    ['我今天头疼，心情不好。', 'temporary_state'],
    ['I am going to move to Split next month.', 'short_term_plan'],
    ['I will start as a tuner tomorrow.', 'short_term_plan'],
    ['我打算明天去面试焊工。', 'short_term_plan'],
    ['I prefer short answers, please reply in bullet points.', 'style_preference'],
    ['以后回答用表格，简短一点。', 'style_preference'],
    ['I might become a baker.', 'speculation'],
    ['Maybe I work too much.', 'speculation'],
    ['我可能会搬到泉州。', 'speculation'],
    ['如果我是焊工就好了。', 'speculation'],
  ]
  for (const [text, refusal] of refused) {
    const answer = semanticFactsByRules(episode(text, { accessCount: 20 }))
    expect(answer, text).toEqual({ facts: [], refusal })
  }
})

test('a clause that lasts is taken out of a sentence that goes on with what passes', () => {
  expect(facts('I work as a piano tuner, and this week is hectic.')).toEqual(['I work as a piano tuner'])
  expect(facts('Yesterday the kiln arrived, because I make pots every weekend.')).toEqual([
    'I make pots every weekend.',
  ])
  // A clause that says nothing by itself is no fact, however often it was used.
  const piece = 'Today I signed for the studio in Turku, where I teach.'
  expect(facts(piece, { accessCount: 20 })).toEqual([])
  expect(facts('昨天去了陶艺室，那是我每周四去的地方。')).toEqual([])
  expect(facts('我在一家物流公司做调度，这周排班很乱。')).toEqual(['我在一家物流公司做调度'])
  expect(facts('I work as a crane operator and the wind was terrible yesterday.')).toEqual([
    'I work as a crane operator',
  ])
  expect(facts('The power was out last night, I live on the top floor.')).toEqual(['I live on the top floor.'])
  expect(facts('我每周三都去攀岩，今天手破了。')).toEqual(['我每周三都去攀岩'])
  expect(facts('我家在汕尾，昨天台风来了。')).toEqual(['我家在汕尾'])
  for (const passing of [
    'I work in sales and marketing right now.',
    '昨天朋友来了，他住在泉州。',
    '我这周在医院上班。',
  ])
    expect(facts(passing), passing).toEqual([])
})

test('what holds for somebody else, and a question, are no facts about the user', () => {
  for (const text of [
    'My sister works as a piano tuner.',
    '我妈妈住在泉州。',
    'Do I live in Ljubljana?',
    '我是做什么工作的？',
  ])
    expect(facts(text), text).toEqual([])
  expect(facts('I work as a piano tuner.', { who: 'Marek' })).toEqual([])
})

test.each([
  ['On Monday I told my boss that I work as a beekeeper in Graz.', ['identity']],
  ['I work as a welder in Linz.', ['identity']],
  ['Yesterday I told Ben that I work as a welder in Linz.', []],
  ['Yesterday I worked as a welder in Linz.', []],
  ['I told Ben that I keep two horses.', []],
  ['用户说他住在成都。', ['often_used']],
])(
  'a report is as much of a fact as the same said plainly, but use alone makes none of one in the past: %s',
  (text, grounds) => {
    const { facts } = semanticFactsByRules(episode(text, { accessCount: 20 }))
    expect(facts.map(({ ground }) => ground)).toEqual(grounds)
  },
)

test('002 R6.6: a fact carries fact, source_chatid and first_seen, and which episodes it came from', () => {
  expect(semanticFactsByRules(episode('It rained. I work as a piano tuner. We will eat late.')).facts).toMatchObject([
    {
      text: 'I work as a piano tuner.',
      category: 'fact',
      key: 'job',
      value: 'piano tuner',
      confidence: 0.9,
      ground: 'identity',
      metadata: { fact: 'I work as a piano tuner.', source_chatid: 'chat-a', first_seen: '2026-04-06T09:00:00.000Z' },
      sourceIds: ['e1'],
    },
  ])
})

test('a dream, a figure of a story or quoted words give no fact about the user', () => {
  for (const text of [
    'I dreamed that I live in Oslo.',
    "My character says 'I live in Oslo'.",
    'My neighbour told me "I work as a pilot".',
    '我梦见我住在奥斯陆。',
    '男主说“我住在奥斯陆”。',
  ])
    expect(facts(text), text).toEqual([])
})
