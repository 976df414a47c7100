import { expect, test } from 'vitest'
import { truncateUtf8, utf8Length } from './utf8.ts'

test.each(['', 'plain', 'héllo', '你好，世界', '😀👨‍👩‍👧', '\ud800x', 'x\udc00', '𠮷'])(
  'counts the bytes of %j as an encoder does',
  (text) => {
    expect(utf8Length(text)).toBe(Buffer.byteLength(text, 'utf8'))
  },
)

test('a text that fits is returned as it is', () => {
  expect(truncateUtf8('你好', 6)).toBe('你好')
})

test('a cut keeps within the bytes, ellipsis included', () => {
  for (const text of ['你好世界，今天天气不错', 'naïve café déjà vu', '👨‍👩‍👧 family 👩🏽‍💻 coder 🇨🇳🇩🇪']) {
    for (let bytes = 0; bytes < 30; bytes++) expect(utf8Length(truncateUtf8(text, bytes))).toBeLessThanOrEqual(bytes)
  }
})

test('a family, a flag and an accent are never cut in two', () => {
  expect(truncateUtf8('👨‍👩‍👧👨‍👩‍👧', 24, '')).toBe('👨‍👩‍👧')
  expect(truncateUtf8('🇨🇳🇩🇪', 12, '')).toBe('🇨🇳')
  expect(truncateUtf8('e\u0301e\u0301', 4, '')).toBe('e\u0301')
})

test('where not even the ellipsis fits, nothing is said', () => {
  expect(truncateUtf8('你好', 2)).toBe('')
  expect(truncateUtf8('abc', 2)).toBe('ab')
})
