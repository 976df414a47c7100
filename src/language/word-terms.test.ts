import { expect, test } from 'vitest'
import { stemTerm } from './tokens.ts'

test.each([
  ['news', 'new'],
  ['university', 'universe'],
  ['university', 'universal'],
  ['organization', 'organ'],
  ['important', 'import'],
  ['business', 'busy'],
  ['paste', 'past'],
  ['international', 'internal'],
  ['general', 'generate'],
  ['experiment', 'experience'],
  ['authorization', 'author'],
  ['added', 'ads'],
  ['wedding', 'wed'],
])('%s and %s are two words', (first, second) => {
  expect(stemTerm(first)).not.toBe(stemTerm(second))
})

test.each([
  ['universities', 'university'],
  ['organizing', 'organization'],
  ['added', 'add'],
  ['indices', 'index'],
  ['generated', 'generating'],
  ['businesses', 'business'],
  ['meetings', 'meet'],
  ['positions', 'position'],
])('%s and %s are one word', (first, second) => {
  expect(stemTerm(first)).toBe(stemTerm(second))
})
