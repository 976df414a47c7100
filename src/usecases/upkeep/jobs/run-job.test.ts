import { expect, test } from 'vitest'
import { MnemeError } from '../../../domain/errors.ts'
import { failureReason, judgeFailure, MOST_ATTEMPTS, retryDelay } from './job-worker.ts'

const error = (code: ConstructorParameters<typeof MnemeError>[0]) =>
  new MnemeError(code, 'so it is', { remedy: 'Wait.' })

test('the wait grows fourfold with each attempt and is a quarter more or less by chance', () => {
  expect([1, 2, 3, 4].map((attempt) => retryDelay(attempt, 0.5))).toEqual([1000, 4000, 16_000, 64_000])
  expect(retryDelay(1, 0)).toBe(750)
  expect(retryDelay(2, 1)).toBe(5000)
})

test('what a model or a lock did wrong is tried again, up to the last attempt', () => {
  for (const failure of [error('model_failed'), error('database_locked'), new Error('no idea'), 'a string'])
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1)
      expect(judgeFailure(failure, attempt, 0.5).kind).toBe(attempt < MOST_ATTEMPTS ? 'retry' : 'dead')
})

test('what would only be refused again is not tried again', () => {
  for (const code of ['model_refused', 'invalid_input'] as const)
    expect(judgeFailure(error(code), 1, 0.5)).toEqual({ kind: 'dead' })
})

test('a job is not blamed for a spent budget, however often it meets it', () => {
  expect(judgeFailure(error('budget_spent'), MOST_ATTEMPTS, 0.5).kind).toBe('postpone')
})

test('a reason is one short line of well-formed text', () => {
  expect(failureReason(error('model_failed'))).toBe('model_failed: so it is')
  const long = failureReason(new Error(`first\n  second ${'𠮷'.repeat(400)}`))
  expect(long).toContain('first second')
  expect(long.length).toBeLessThanOrEqual(500)
  expect(long.isWellFormed()).toBe(true)
})
