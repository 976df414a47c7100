import { expect, test } from 'vitest'
import { relatedQuery } from './dependents.ts'

const said = (text: string) => ({ text, who: 'user', occurredAt: 0, key: null, value: null })

test('older memories are looked up by topics, names and content words', () => {
  const query = relatedQuery(said('Mr Ito hands his piano pupils to Ruth.'))
  expect(query).toContain('instrument')
  expect(query).toContain('ruth')
  expect(query).toContain('pupil')
})

test('a change also looks for what rests on it, a plain statement does not', () => {
  expect(relatedQuery(said('我搬到珠海了'))).toContain('gym')
  expect(relatedQuery(said('我住在珠海'))).not.toContain('gym')
})

test('terms are those of the index', () => {
  const text = 'We dropped goose for another database.'
  expect(relatedQuery(said(text))).toEqual(expect.arrayContaining(['goos', 'databas']))
})

test('a query stays small', () => {
  expect(
    relatedQuery(said('We moved house, changed schools, sold the car and got a dog. '.repeat(40))).length,
  ).toBeLessThanOrEqual(48)
})
