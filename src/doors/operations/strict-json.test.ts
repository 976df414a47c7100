import { expect, test } from 'vitest'
import { parseStrictJson } from './read-input.ts'

test('what is JSON is read as JSON.parse reads it', () => {
  const text = '{"名": "a \\"b\\": {[", "list": [1, "x:", {"a": {}, "b": null}], "": true, "e\\u0301": 1e3}'
  expect(parseStrictJson(text)).toEqual(JSON.parse(text))
  expect(parseStrictJson('"a: b"')).toBe('a: b')
})

test.each([
  ['{"a": 1, "b": {"a": 1, "a": 2}}', 'a: is given twice'],
  ['{"a": 1, "\\u0061": 2}', 'a: is given twice'],
  ['[{"x": ["}"], "x": 1}]', 'x: is given twice'],
  ['{"filters": {"__proto__": 1}}', '__proto__: is not known here'],
  ['{"\\u005f_proto__": 1}', '__proto__: is not known here'],
])('%s is refused: %s', (text, reason) => {
  expect(() => parseStrictJson(text)).toThrow(reason)
})

test.each([
  ['{"m": 1e999}', 'm: 1e999 cannot be kept exactly'],
  ['{"metadata": {"ids": [1, 9007199254740993]}}', 'metadata.ids[1]: 9007199254740993 cannot be kept exactly'],
  ['[{"a": [], "深": -12345678901234567890}]', '[0].深: -12345678901234567890 cannot be kept exactly'],
  ['-1e400', 'body: -1e400 cannot be kept exactly'],
])('a number that would be changed is refused: %s', (text, reason) => {
  expect(() => parseStrictJson(text)).toThrow(reason)
  expect(parseStrictJson(text, { anyNumber: true })).toEqual(JSON.parse(text))
})

test('numbers that are kept, or rounded as everybody rounds them, are taken', () => {
  const text = '[9007199254740991, -9007199254740991, 1e300, 0.12345678901234567890, 3.0, -0, "9007199254740993", 1E2]'
  expect(parseStrictJson(text)).toEqual(JSON.parse(text))
})

test('the same name in two objects is no name twice', () => {
  expect(parseStrictJson('[{"a": 1}, {"a": 2}, {"b": {"a": 3}, "a": 4}]')).toHaveLength(3)
})

test('64 levels are taken, 65 are not, whatever stands in quotes', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  expect(parseStrictJson(nested(64))).toHaveLength(1)
  expect(() => parseStrictJson(nested(65))).toThrow('nested more than 64 deep')
  expect(parseStrictJson(`["${'['.repeat(100)}"]`)).toHaveLength(1)
})

test.each(['{"a" 1}', '{"a": 1', '{"a":1}x', '"', '"\\', '{"\\x": 1}', '{:1}', '', '-', '1.2.3', '[1 2]'])(
  '%j is no JSON',
  (text) => {
    expect(() => parseStrictJson(text)).toThrow(SyntaxError)
  },
)
