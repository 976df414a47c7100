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
])('decides nothing: %s', (text) => {
  expect(findDecisions(text)).toEqual([])
})

test('code is no decision, repeats count once, and a long clause is cut', () => {
  expect(findDecisions('```\n// we decided to use Redis\n```')).toEqual([])
  expect(findDecisions('We switched to pnpm. We switched to pnpm.')).toHaveLength(1)
  expect(findDecisions(`We decided to ${'really '.repeat(100)}go`)[0]!.length).toBeLessThanOrEqual(160)
})
