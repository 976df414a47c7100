import { expect, test } from 'vitest'
import { isGenericTerm, queryTerms } from './terms.ts'

const meaningful = (query: string) => queryTerms(query).filter((term) => !isGenericTerm(term))

test.each([
  '函数的问题解决了吗',
  '之前讨论的代码',
  '那个方法报错了',
  'what problem did that function have',
  'the bug, the error, the code',
])('nothing in "%s" finds a turn by itself', (query) => {
  expect(meaningful(query)).toEqual([])
})

test('what is looked for stays', () => {
  expect(meaningful('之前 processPayment 的问题解决了吗')).toEqual(queryTerms('processPayment'))
  expect(meaningful('继续昨天的缓存实现')).toContain('缓存')
  expect(meaningful('数据库')).toEqual(expect.arrayContaining(['数据', '据库']))
  expect(meaningful('what was the payment problem')).toContain('payment')
})
