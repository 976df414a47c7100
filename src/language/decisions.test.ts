import { expect, test } from 'vitest'
import { findDecisions } from './decisions.ts'

test.each([
  [
    'After lunch we decided to use Redis for sessions because Postgres was slow.',
    ['we decided to use Redis for sessions'],
  ],
  ["Let's go with option B.", ["Let's go with option B"]],
  [
    'The leak was fixed by closing the pool in a finally block.',
    ['The leak was fixed by closing the pool in a finally block'],
  ],
  ['I read it all. We switched to pnpm.', ['We switched to pnpm']],
  ['经过讨论，我们决定使用互斥锁保护关键区域并添加重试机制。', ['使用互斥锁保护关键区域', '添加重试机制']],
  ['最后改用 JWT 做鉴权', ['改用 JWT 做鉴权']],
  ['已修复登录页的超时问题，原因是连接池太小。', ['已修复登录页的超时问题']],
  ['方案：用消息队列削峰', ['方案：用消息队列削峰']],
  ['Mariadb. Final answer.', ['Mariadb']],
  ['Settled: the demo moves to Thursday.', ['Settled: the demo moves to Thursday']],
  ['We will not keep passwords in plain text.', ['We will not keep passwords in plain text']],
  ['OK going with Tailwind then', ['OK going with Tailwind then']],
  ["Let's scrap the wizard for now.", ["Let's scrap the wizard for now"]],
  ['Option D it is.', ['Option D it is']],
  ['就按第三个方案来', ['就按第三个方案来']],
  ['那就用 Redis 吧', ['用 Redis 吧']],
  ['不用 Jenkins 了，改 GitHub Actions', ['不用 Jenkins 了', '改 GitHub Actions']],
  ['定了，走海底专线', ['走海底专线']],
  ['我们不再支持 IE', ['我们不再支持 IE']],
  ['我决定了，明年不做出口了，太折腾', ['明年不做出口了']],
  ['还是用 SQLite 吧', ['还是用 SQLite 吧']],
])('%s', (text, expected) => {
  expect(findDecisions(text)).toEqual(expected)
})

test.each([
  'Should we use Redis?',
  'Maybe we should switch to pnpm.',
  'It is not fixed yet.',
  '要不要改用 PostgreSQL？',
  '如果采用 Redis 会更快',
  '使用 Python 时报错了',
  '这个问题还没解决',
  'I like tea.',
  '今天天气不错',
  'We will not know before Sunday.',
  'We will be late.',
  'I am going with my sister.',
  'It is what it is.',
  'Here it is.',
  'I love how simple it is.',
  'Agreed',
  'I settled into the new flat.',
  '不用了，谢谢',
  '那就用不着担心',
  '他不再年轻',
  '还是用户体验重要',
  '改天再聊',
  '老师让他改右手，我不同意',
])('decides nothing: %s', (text) => {
  expect(findDecisions(text)).toEqual([])
})

test('code is no decision, repeats count once, and a long clause is cut', () => {
  expect(findDecisions('```\n// we decided to use Redis\n```')).toEqual([])
  expect(findDecisions('We switched to pnpm. We switched to pnpm.')).toHaveLength(1)
  expect(findDecisions(`We decided to ${'really '.repeat(100)}go`)[0]!.length).toBeLessThanOrEqual(160)
})

test('a sentence as long as a book decides nothing, and takes no time', () => {
  expect(findDecisions('lorem ipsum '.repeat(250_000))).toEqual([])
})
