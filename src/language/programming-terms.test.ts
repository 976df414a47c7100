import { expect, test } from 'vitest'
import { expandTerms } from './programming-terms.ts'
import { indexTerms, queryTerms } from './terms.ts'

test.each([
  ['继续昨天的缓存实现', 'CacheManager evicts too early'],
  ['payment', '支付回调超时'],
  ['数据库连接', 'the database is locked'],
  ['how does login work', '登录页改好了'],
  ['并发问题', 'a concurrency bug'],
  ['refactoring', '重构完成'],
  ['部署失败', 'the deployment failed'],
  ['我的生日', 'Her birthday is in May'],
])('%s also finds "%s"', (query, text) => {
  const terms = indexTerms(text)
  expect(expandTerms(query).some((term) => terms.has(term))).toBe(true)
})

test('the longest word counts: 数据库 is a database, not also data', () => {
  expect(expandTerms('数据库')).toEqual(expect.arrayContaining([...queryTerms('database')]))
  expect(expandTerms('数据库')).not.toContain('data')
})

test('a word of one character counts only when it stands alone', () => {
  expect(expandTerms('表')).toContain('tabl')
  expect(expandTerms('代表')).not.toContain('tabl')
})

test('nothing of the query itself comes back, and unknown words bring nothing', () => {
  expect(expandTerms('缓存 cache')).not.toContain('cach')
  expect(expandTerms('zebra 斑马')).toEqual([])
})
