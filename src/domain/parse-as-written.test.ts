import { expect, test } from 'vitest'
import { parseAsWritten } from './parse-as-written.ts'

test('every number goes on as it came, however JavaScript would write it', () => {
  const whole = ['0', '-0', '7', '-30', '1000000', '123456789012345', '9007199254740993', '5'.repeat(40)]
  const parts = ['', '.0', '.5', '.50', '.000001', '.0000001', '.00000012', `.${'0'.repeat(21)}1`, `.${'3'.repeat(14)}`]
  const powers = ['', 'e0', 'E5', 'e+21', 'e-7', 'e-400']
  for (const number of whole.flatMap((one) => parts.flatMap((part) => powers.map((power) => one + part + power)))) {
    const text = `{"a":[${number}]}`
    expect(JSON.stringify(parseAsWritten(text))).toBe(text)
  }
})

test('a text is parsed once, a long one too, and what is no JSON fails each time', () => {
  for (const length of [10, 100_000]) {
    const text = JSON.stringify({ a: 'x'.repeat(length), n: 1 })
    expect(parseAsWritten(text)).toBe(parseAsWritten(text))
    expect(parseAsWritten(text)).toEqual(JSON.parse(text))
  }
  for (const _ of [1, 2]) expect(() => parseAsWritten('{"a":01}')).toThrow(SyntaxError)
})
