import { expect, test } from 'vitest'
import { MnemeError } from '../../domain/errors.ts'
import { errorText, exitCode } from './report-error.ts'

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
