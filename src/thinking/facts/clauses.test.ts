import { expect, test } from 'vitest'
import { clausesOf } from './clauses.ts'

test('marks end a clause, joining words only before somebody who does something', () => {
  expect(clausesOf('I row, and my sister sails.')).toEqual(['I row', 'and my sister sails.'])
  expect(clausesOf('I eat bread and butter but we share it.')).toEqual(['I eat bread and butter', 'we share it.'])
  expect(clausesOf('我住在无锡，养了一只猫。')).toEqual(['我住在无锡', '养了一只猫。'])
})

test('what does not stand alone stays with the clause before', () => {
  expect(clausesOf('I moved to Ghent, finally, I like it.', (next) => next.startsWith('I'))).toEqual([
    'I moved to Ghent, finally',
    'I like it.',
  ])
})
