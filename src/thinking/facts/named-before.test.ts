import { expect, test } from 'vitest'
import { extractFacts } from './extract-facts.ts'
import { withPersonNamed } from './named-before.ts'

test.each([
  ['She keeps kosher.', 'My cousin Dalia is staying with us.', 'My cousin Dalia keeps kosher.'],
  ['His birthday is on 4 May.', 'I had lunch with my uncle.', 'My uncle’s birthday is on 4 May.'],
  ['他对青霉素过敏。', '我表弟叫志远，刚上大学。', '我表弟志远对青霉素过敏。'],
  ['她不吃牛肉。', '我婆婆下周来。', '我婆婆不吃牛肉。'],
])('%s means the one person of whom was spoken: %s', (sentence, before, named) => {
  expect(withPersonNamed(sentence, before)).toBe(named)
})

test.each([
  ['He snores.', 'My brother and my uncle share a room.'],
  ['She snores.', 'My uncle has a room of his own.'],
  ['He snores.', 'Tell Petra that Magnus came.'],
  ['She snores.', 'My colleague’s mother has moved in.'],
  ['他打呼噜。', '今天降温了。'],
])('%s means nobody who is sure: %s', (sentence, before) => {
  expect(withPersonNamed(sentence, before)).toBe(sentence)
})

test('what is told of "her" is a fact about the person before', () => {
  const facts = extractFacts('My cousin Dalia is staying with us. She is allergic to cashews.')
  expect(facts.map(({ about, key, value }) => [about, key, value])).toContainEqual(['dalia', 'allergy', 'cashews'])
})
