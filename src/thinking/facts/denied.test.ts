import { expect, test } from 'vitest'
import { clausesOf } from './clauses.ts'
import { extractFacts } from './extract-facts.ts'
import { denies } from './stance-cues.ts'

const facts = (text: string) =>
  extractFacts(text, { who: 'user', now: 0 }).map(({ key, value, standing }) => `${key}=${value} ${standing}`)

test('what is denied is over, and what holds instead holds', () => {
  expect(facts("I don't live in Graz anymore, I live in Linz now.")).toEqual(['home=Graz ended', 'home=Linz holds'])
  expect(facts('我不住在苏州了，现在住在无锡。')).toEqual(['home=苏州 ended', 'home=无锡 holds'])
})

test('a denial may be the value itself', () => {
  expect(facts("I don't eat meat.").every((fact) => !fact.endsWith('ended'))).toBe(true)
})

test('clauses are judged one by one', () => {
  expect(clausesOf('I no longer sail, but I still row.').map(denies)).toEqual([true, false])
})
