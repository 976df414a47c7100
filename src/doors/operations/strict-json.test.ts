import { expect, test } from 'vitest'
import { LIMITS } from '../../domain/limits.ts'
import { parseStrictJson, strictJson } from './read-input.ts'

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
  expect(JSON.stringify(parseStrictJson(text, { anyNumber: true }))).toBe(
    text.replaceAll(': ', ':').replaceAll(', ', ','),
  )
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

/** In how many pieces a text is read. */
function piecesOf(text: string): number {
  let pieces = 1
  for (const work = strictJson(text); !work.next().done; ) pieces += 1
  return pieces
}

test('a long text is checked in pieces, also where it is one text, one row of blanks, or all names', () => {
  const most = 10_000
  const names = `{${Array.from({ length: most }, (_, at) => `"${'k'.repeat(90)}${at}":1`).join()}}`
  const texts = [`"${'x'.repeat(999_998)}"`, `"${'\\n'.repeat(499_999)}"`, `${' '.repeat(999_998)}{}`, names]
  for (const text of texts) expect(piecesOf(text)).toBeGreaterThanOrEqual(Math.floor(text.length / 65_536))
  expect(piecesOf(JSON.stringify({ query: 'x'.repeat(60_000) }))).toBe(1)
})

test('10,000 turns with all fields are taken; more values or names than are bounded are refused before they are parsed', () => {
  const turn = {
    role: 'user',
    content: 'Lunch with Ana',
    speaker: 'Ana',
    created_at: '2026-05-07',
    external_id: 'a-1',
    metadata: { a: 1, b: [1, 2], c: { d: 'e' } },
    is_collected: false,
  }
  expect(parseStrictJson(JSON.stringify({ turns: Array.from({ length: 10_000 }, () => turn) }))).toBeTruthy()
  const most = LIMITS.valuesPerBody
  const reason = `body: has more than ${most} values`
  // What is cut off is refused for its size, so it was never parsed.
  expect(() => parseStrictJson(`[${'1,'.repeat(most + 1)}`)).toThrow(reason)
  expect(() => parseStrictJson(`[${'[],'.repeat(most / 2 + 1)}`)).toThrow(reason)
  const names = Array.from({ length: LIMITS.namesPerBody + 1 }, (_, at) => `{"k${at}":1}`).join()
  expect(() => parseStrictJson(`[${names}`)).toThrow(`body: has more than ${LIMITS.namesPerBody} different names`)
  expect(() => parseStrictJson(`{"${'k'.repeat(LIMITS.nameCharacters)}":1`)).toThrow('body: has a name of more than')
})
