import { expect, test } from 'vitest'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { InputRefusal } from '../operations/read-input.ts'
import { DoorError, problemOf } from './problem.ts'

test('no path of this machine and nothing of the inside of an unexpected error is told', () => {
  const place = '/home/ana/notes/memory.db'
  const locked = new MnemeError('database_locked', `${place}: Another process writes.`, { remedy: 'Wait.', place })
  expect(problemOf(locked).problem.detail).toBe('Another process writes.')
  const file = new MnemeError('storage_read_only', `${place} may not be written.`, { remedy: 'Wait.', place })
  expect(problemOf(file).problem.detail).toBe('the file may not be written.')
  expect(JSON.stringify(problemOf(new Error(`no such table: turns in ${place}`)))).not.toMatch(/turns|ana/)
})

test('a field has the door’s name; one that a caller wrote stays as it is', () => {
  expect(problemOf(invalid('turns[2].externalId', 'is empty', 'Pass an externalId.')).problem).toMatchObject({
    detail: 'turns[2].external_id: is empty',
    field: 'turns[2].external_id',
  })
  expect(problemOf(new InputRefusal('asOf', 'is not known here', 'Use as_of.')).problem.field).toBe('asOf')
  expect(problemOf(invalid('Idempotency-Key', 'is empty', 'Pass one.')).problem.field).toBe('Idempotency-Key')
  expect(problemOf(invalid('filters.AND', 'is empty', 'Encode it with encodeURIComponent.')).problem).toMatchObject({
    field: 'filters.AND',
    remedy: 'Encode it with encodeURIComponent.',
  })
})

test('a name of a million characters is not sent back whole', () => {
  const { problem } = problemOf(new InputRefusal('名'.repeat(1_000_000), 'is not known here', 'Leave it out.'))
  expect(JSON.stringify(problem).length).toBeLessThan(5000)
  expect(problemOf(new DoorError(503, 'x'.repeat(5000), 'Wait.')).problem.detail.length).toBeLessThan(2000)
})
