import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { invalid, notFound } from './errors.ts'

test('an error as text says what to do, however it is turned into text', () => {
  const error = invalid('limit', '0 is out of range', 'Pass a number from 1 to 10.')
  expect(String(error)).toBe('MnemeError: limit: 0 is out of range; remedy: Pass a number from 1 to 10.')
  expect(`${notFound('conversation', '茶', 'Look it up.')}`).toBe(
    'MnemeError: No conversation "茶" exists for this user; remedy: Look it up.',
  )
  expect(error.message).toBe('limit: 0 is out of range')
  // Node writes this when nobody catches it.
  expect(inspect(error)).toContain("remedy: 'Pass a number from 1 to 10.'")
})
