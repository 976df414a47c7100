import { expect, test } from 'vitest'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { errorText, exitCode } from './report-error.ts'

test('inputs are named by their flags, with the reason and the remedy', () => {
  expect(errorText(invalid('fromTurn', '9 comes after toTurn 2', 'Give the smaller number first.'))).toBe(
    'error: --from-turn: 9 comes after --to-turn 2\nremedy: Give the smaller number first.\n',
  )
  expect(errorText(invalid('limit', '0 is out of range', 'Pass a number from 1 to 10000.'))).toContain('--limit: 0 is')
})

test('what a caller said stays as it was said', () => {
  expect(errorText(invalid('role', '"userId" is not known', 'Use one of: user, assistant.'))).toContain('"userId"')
})

test('an error of the file names the flag that chooses the file', () => {
  const damaged = new MnemeError('database_damaged', 'm.db: The database file is damaged.', {
    remedy: 'Copy it aside.',
  })
  expect(errorText(damaged)).toBe('error: --db: m.db: The database file is damaged.\nremedy: Copy it aside.\n')
  expect(exitCode(damaged)).toBe(2)
})

test('what is not the fault of the input is 1, an interruption 130, everything else of ours 2', () => {
  const code = (name: ConstructorParameters<typeof MnemeError>[0]): number =>
    exitCode(new MnemeError(name, '', { remedy: '' }))
  expect(code('database_locked')).toBe(1)
  expect(code('conflict')).toBe(1)
  expect(code('aborted')).toBe(130)
  expect(code('invalid_input')).toBe(2)
  expect(code('not_found')).toBe(2)
  expect(exitCode(new TypeError('a fault'))).toBe(1)
})

test('a fault of our own shows its message and never a stack', () => {
  const text = errorText(new TypeError('x is not a function'))
  expect(text).toContain('x is not a function')
  expect(text).not.toContain('    at ')
})
