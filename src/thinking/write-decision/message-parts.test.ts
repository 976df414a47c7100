import { describe, expect, test } from 'vitest'
import { decideByRules } from './decide-by-rules.ts'
import { separateClauses } from './message-parts.ts'

function apart(text: string): readonly string[] {
  return separateClauses([{ text, semantic: true, category: 'fact', importance: 1 }]).map((part) => part.text)
}

test.each([
  [
    "I'm Anna, I moved to Ghent in May and I work as a locksmith.",
    ["I'm Anna", 'I moved to Ghent in May', 'I work as a locksmith.'],
  ],
  ['I live in Porto and work for a shipyard.', ['I live in Porto', 'I work for a shipyard.']],
  ["I've moved to Brno, and I no longer play the cello.", ["I've moved to Brno", 'I no longer play the cello.']],
  ['My wife is a nurse and my son goes to Elm Primary.', ['My wife is a nurse', 'my son goes to Elm Primary.']],
  [
    'Please keep your replies brief. oh and I have asthma, I use an inhaler',
    ['Please keep your replies brief.', 'oh and I have asthma, I use an inhaler'],
  ],
  [
    "I'm allergic to shellfish, and keep replies brief please",
    ["I'm allergic to shellfish", 'keep replies brief please'],
  ],
  ['回答请详细一点。对了，我对芒果过敏', ['回答请详细一点。', '对了，我对芒果过敏']],
  ['我叫韩磊，今年41岁，在大连做焊工，有一个儿子。', ['我叫韩磊', '我今年41岁', '我在大连做焊工', '我有一个儿子。']],
])('what is said of different things is taken apart: %s', (text, clauses) => {
  expect(apart(text)).toEqual(clauses)
})

test.each([
  ['what goes on about a thing', 'I have a dog, and I walk him in the park each morning.'],
  ['the same told twice', 'I live in Leeds and I love it there.'],
  ['two of a kind', 'I have a cat named Biscuit and a dog named Rex.'],
  ['a condition', 'If my dad visits, my niece Tova is allergic to kiwi.'],
  ['a reason', 'I bought a car, so I sold my bike.'],
  ['what was and what is', 'I used to live in Leeds but now live in York.'],
  ['what goes on about another person', 'My sister lives in Oslo and works as a nurse.'],
  ['those who were named right before', "I'm seeing someone, we met at the allotment."],
  ['the name of what one has', '我养了只狸花猫，叫年糕。'],
  ['what goes on about her', '我女朋友是护士，在上海工作。'],
  [
    'what a joined noun would lose its verb by',
    "I'm considering an advisor to help me with budgeting and investments.",
  ],
  ['what is asked beside a fact', "I'm a producer in Leeds, and I'm wondering how to write a good cover letter."],
  ['one thing with two objects', 'I play tennis on Mondays and the violin on Fridays.'],
])('%s stays together', (_, text) => {
  expect(apart(text)).toEqual([text])
})

describe('what is told beside a question or an order', () => {
  test.each([
    ['I moved to Ghent, where do I register my bike?', 'I moved to Ghent'],
    ['what can I cook tonight, my son is allergic to sesame', 'my son is allergic to sesame'],
    ['Write a short bio for me because I work as a vet', 'I work as a vet'],
    ['服务器迁到阿里云了，怎么配安全组？', '服务器迁到阿里云了'],
    ['给我推荐几道菜，我对虾过敏', '我对虾过敏'],
    ['车祸以后我不能提重物，这几个动作哪些不能做？', '车祸以后我不能提重物'],
    ['我上周换了新牙医，他建议拔智齿，有没有必要？', '我上周换了新牙医，他建议拔智齿'],
    ['我爸下周三要做心脏搭桥然后我得回老家陪着你说我请几天假够不够', '我爸下周三要做心脏搭桥然后我得回老家陪着'],
    ['我妈膝盖做过手术 住院费四万三 帮我写个报销申请 不要太长', '我妈膝盖做过手术 住院费四万三'],
    [
      "We're getting married on May 9 in Bath and I'm wondering if that's a good idea",
      "We're getting married on May 9 in Bath",
    ],
    ['我们下月搬去厦门，除了学校和房租，还要打听什么？', '我们下月搬去厦门'],
  ])('%s', (message, told) => {
    expect(decideByRules({ content: message }).parts.map(({ text }) => text)).toEqual([told])
  })

  test.each([
    'If I move to Ghent, where do I register my bike?',
    'I work at the town hall, right?',
    'I want the report on the budget, which is 1,500 euros, can you find it?',
    'always give me the weights in grams, I own no cups',
    '等我搬到成都以后，社保怎么转？',
    '我住在成都，对吧？',
    '我养了两只猫，像这样天天掉毛的？',
    '我该去成都，还是去昆明？',
  ])('stays whole or is refused: %s', (message) => {
    const { parts } = decideByRules({ content: message })
    expect(parts.map(({ text }) => text).filter((text) => text !== message)).toEqual([])
  })
})

test.each([
  ['你好，我昨天把仓库的门锁换成了密码锁，怎么设置临时密码呢？', '你好，我昨天把仓库的门锁换成了密码锁'],
  [
    "I've kept bees on my roof for four years, how can I get them through a wet winter, without opening the hive?",
    "I've kept bees on my roof for four years",
  ],
  [
    'My nephew Tom is allergic to kiwi, what snacks could I pack, given that he hates nuts?',
    'My nephew Tom is allergic to kiwi',
  ],
])('a question behind a fact comes off, whatever greets before it or goes on behind it: %s', (content, fact) => {
  expect(decideByRules({ content }).parts.map(({ text }) => text)).toEqual([fact])
})

test('an appointment keeps the day that a calendar wrote behind it', () => {
  const content = '日程 陶艺课：晚上七点在老街工作室，带围裙。 2026-03-09 19:00:00 2026-03-09 21:00:00'
  expect(decideByRules({ content }).parts.map(({ text }) => text)).toEqual([
    '日程 陶艺课：晚上七点在老街工作室，带围裙。（2026-03-09）',
  ])
})

test('a request between two sentences of one matter is no part of it', () => {
  const content = 'My dog Biscuit has had a limp since Sunday. What could it be? He is nine and a bit overweight.'
  expect(decideByRules({ content }).parts.map(({ text }) => text)).toEqual([
    'My dog Biscuit has had a limp since Sunday. He is nine and a bit overweight.',
  ])
})

test('001: content is a few whole sentences, four at most, and what goes on after them is kept as well', () => {
  const told = [
    'My uncle Ilko runs a print shop in Szeged.',
    'It opens at four in the morning.',
    'It has two presses from 1931.',
    'It burned down once in 1974.',
    'It belongs to me since last year.',
  ]
  const parts = decideByRules({ content: told.join(' ') }).parts.map(({ text }) => text)
  expect(parts[0]).toBe(told.slice(0, 4).join(' '))
  expect(parts.slice(1).join(' ')).toContain(told[4])
})

test('what goes on behind four sentences keeps the one that names its thing, and repeats none of the others', () => {
  const english = 'Remember: my locker is number 47. It is upstairs. It has a blue door. It jams in winter.'
  const chinese = '记住：我的仓库在河东路19号。它有两扇铁门。它的钥匙在老韩那里。它冬天会进水。'
  const texts = (content: string): readonly string[] => decideByRules({ content }).parts.map(({ text }) => text)
  expect(texts(`${english} It opens with the key from the desk. It was painted in May.`)[1]).toBe(
    'my locker is number 47. It opens with the key from the desk. It was painted in May.',
  )
  expect(texts(`${chinese}它的租期到九月。它没有窗户。`)[1]).toBe('我的仓库在河东路19号。它的租期到九月。它没有窗户。')
})
