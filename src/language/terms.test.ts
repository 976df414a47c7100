import { expect, test } from 'vitest'
import {
  indexTerms,
  isSymbolTerm,
  LONG_TEXT,
  MOST_DISTINCT_TERMS,
  queryTerms,
  stemTerm,
  symbolTerm,
  termCount,
  turnTerms,
} from './terms.ts'

const termsOf = (text: string) => [...indexTerms(text).keys()]

test('the inflected forms of a word share one term', () => {
  expect(termsOf('deploying')).toEqual(termsOf('deployed'))
  expect(termsOf('The meetings were cancelled')).toContain(termsOf('meeting')[0])
})

test('stop words of both languages are left out, words that contain their characters stay', () => {
  expect(termsOf('it was the one of them')).not.toContain('the')
  expect(termsOf('what is it about')).toEqual([])
  const chinese = termsOf('我的目的')
  expect(chinese).toContain('目的')
  expect(chinese).not.toContain('的')
})

test.each([
  ['processPayment', ['process', 'payment', 'processpay']],
  ['HTTPServerError', ['http', 'server', 'error']],
  ['user_account_id', ['user', 'account', 'id', 'useraccountid']],
  ['well-known', ['well', 'known', 'wellknown']],
  ['src/order/service.ts', ['src', 'order', 'servic', 'ts']],
  ['C:\\work\\invoice.cs', ['work', 'invoic', 'cs']],
  ['config.maxRetries', ['config', 'max']],
])('%s is found by its parts', (text, parts) => {
  expect(termsOf(text)).toEqual(expect.arrayContaining(parts))
})

test.each(['processPayment', 'process_payment', 'ProcessPayment', 'process-payment', 'process.payment'])(
  'the spaced words "process payment" find %s as one joined word',
  (identifier) => {
    const joined = queryTerms('where is process payment').filter((term) => /^processpay/.test(term))
    expect(joined.length).toBeGreaterThan(0)
    expect(termsOf(identifier)).toEqual(expect.arrayContaining(joined))
  },
)

test('a query joins over stop words that identifiers contain, never over punctuation or pronouns', () => {
  expect(queryTerms('get user by id')).toEqual(expect.arrayContaining(termsOf('getUserById')))
  expect(queryTerms('order, service')).not.toContain('orderservic')
  expect(queryTerms('tell my sister')).toEqual(termsOf('tell my sister'))
})

test('Han, kana and hangul become characters and pairs, and Latin words in between keep whole', () => {
  const terms = termsOf('修复processPayment函数')
  expect(terms).toEqual(expect.arrayContaining(['修', '复', '修复', '函数', 'payment']))
  expect(terms).not.toContain('复函')
  expect(termsOf('東京タワー')).toContain('タワ')
  expect(termsOf('한국어')).toContain('한국')
})

test('accents and full-width letters do not hide a word', () => {
  expect(termsOf('José visited the café')).toEqual(termsOf('Jose visited the cafe'))
  expect(termsOf('ＡＰＩ接口')).toContain('api')
})

test('numbers, versions and dates are kept apart', () => {
  expect(termsOf('port 6432')).toContain('6432')
  expect(termsOf('3.11')).not.toContain('311')
  expect(termsOf('Python 3.11')).toContain('3.11')
})

test("possessives and contractions are the word itself: Caroline's, didn't", () => {
  expect(termsOf("Caroline's")).toEqual(termsOf('Caroline'))
  expect(termsOf("I didn't")).toEqual([])
  expect(termsOf('Caroline’s painting')).toEqual(termsOf('Caroline painting'))
})

test('frequencies count repeats and stop at 255', () => {
  expect(indexTerms('cache cache caches').get('cach')).toBe(3)
  expect(indexTerms('cache '.repeat(1000)).get('cach')).toBe(255)
})

test('symbols get terms that no text can have, weighted by relevance, and a path its file name', () => {
  const terms = turnTerms('see #orderservice', [
    { symbol: 'OrderService', relevance: 1 },
    { symbol: 'src/order.ts', relevance: 0.5 },
    { symbol: 'tiny', relevance: 0 },
  ])
  expect(terms.get(symbolTerm('orderSERVICE'))).toBe(255)
  expect(terms.get(symbolTerm('order.ts'))).toBe(128)
  expect(terms.get(symbolTerm('tiny'))).toBe(1)
  expect(termsOf('#orderservice #tiny').some(isSymbolTerm)).toBe(false)
  expect(termCount(terms)).toBe(termCount(indexTerms('see #orderservice')))
})

test.each([
  ['a lone high surrogate', '\ud83d before'],
  ['a lone low surrogate', '\ude00before'],
  ['NUL bytes', 'before\0after'],
  ['emoji', '👨‍👩‍👧before🎉'],
])('%s only separates', (_, text) => {
  expect(termsOf(`x1 ${text}`)).toContain('x1')
  expect(() => queryTerms(text)).not.toThrow()
})

test('rare Han outside the basic plane is indexed whole', () => {
  expect(termsOf('𠮷野家')).toEqual(expect.arrayContaining(['𠮷', '𠮷野']))
})

test('a megabyte without a space is cut to a short term, and distinct terms are bounded', () => {
  const long = termsOf('x'.repeat(1_000_000))
  expect(long).toHaveLength(1)
  expect(long[0]!.length).toBeLessThanOrEqual(64)
  const many = Array.from({ length: 40_000 }, (_, index) => `word${index}x`).join(' ')
  expect(indexTerms(many).size).toBe(MOST_DISTINCT_TERMS)
  // What comes behind them is not read.
  expect(indexTerms(`lantern ${many} lantern`).get('lantern')).toBe(1)
})

test('words after an over-long one are still found', () => {
  expect(termsOf(`${'ab'.repeat(5000)} lantern`)).toContain('lantern')
})

test('what looks like a query language is taken as words', () => {
  expect(queryTerms('cache" OR "x NEAR(disk) * %')).toEqual(expect.arrayContaining(['cach', 'near', 'disk']))
})

test.each([
  ['news', 'new'],
  ['university', 'universe'],
  ['university', 'universal'],
  ['organization', 'organ'],
  ['important', 'import'],
  ['business', 'busy'],
  ['paste', 'past'],
  ['international', 'internal'],
  ['general', 'generate'],
  ['experiment', 'experience'],
  ['authorization', 'author'],
  ['added', 'ads'],
  ['wedding', 'wed'],
])('%s and %s are two words', (first, second) => {
  expect(stemTerm(first)).not.toBe(stemTerm(second))
})

test.each([
  ['universities', 'university'],
  ['organizing', 'organization'],
  ['added', 'add'],
  ['indices', 'index'],
  ['generated', 'generating'],
  ['businesses', 'business'],
  ['meetings', 'meet'],
  ['positions', 'position'],
])('%s and %s are one word', (first, second) => {
  expect(stemTerm(first)).toBe(stemTerm(second))
})

test('a long text has the terms of its lines, wherever it is cut', () => {
  const lines = Array.from(
    { length: 9000 },
    (_, at) => `heron_${at % 700} 数据库${'里𠮷野家'.repeat(at % 5)} node.js${at % 50}`,
  )
  const sums = new Map<string, number>()
  for (const line of lines)
    for (const [term, frequency] of indexTerms(line)) sums.set(term, Math.min(255, (sums.get(term) ?? 0) + frequency))
  const long = lines.join('\n')
  expect(long.length).toBeGreaterThan(4 * LONG_TEXT)
  expect(indexTerms(long)).toEqual(sums)
})

test('a query of very many words is joined to no more terms than a text has', () => {
  const query = Array.from({ length: 30_000 }, (_, at) => `heron${at}`).join(' ')
  expect(queryTerms(query)).toHaveLength(MOST_DISTINCT_TERMS)
})
