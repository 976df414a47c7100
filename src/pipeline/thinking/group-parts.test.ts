import { expect, test } from 'vitest'
import type { KeptPart } from '../../domain/thought.ts'
import { groupParts } from './group-parts.ts'

const part = (text: string, semantic = false, importance = 0): KeptPart => ({
  text,
  semantic,
  category: 'fact',
  importance,
})
const texts = (...parts: readonly KeptPart[]) => groupParts(parts, Date.UTC(2026, 4, 1)).map(({ text }) => text)

test('a sentence that says nothing alone stays with the one that it belongs to', () => {
  expect(texts(part('We moved house last week!'), part('Bristol, at last.'))).toEqual([
    'We moved house last week! Bristol, at last.',
  ])
  expect(texts(part('我们搬家了。', true), part('终于。'))).toEqual(['我们搬家了。终于。'])
})

test('what speaks of something else is a memory of its own', () => {
  expect(texts(part('My dog is called Bruno.', true), part('We deploy with Ansible.', true))).toHaveLength(2)
})

test('a group is lasting when one of its sentences is, and as important as the most important one', () => {
  const [group] = groupParts([part('I am allergic to nuts.', true, 1), part('Badly.', false, 3)], 0)
  expect(group).toMatchObject({ semantic: true, importance: 3 })
})

test('no memory grows beyond four sentences', () => {
  const many = Array.from({ length: 9 }, (_, n) => part(`Then came number ${n}.`))
  expect(texts(...many).every((text) => text.split('.').length <= 5)).toBe(true)
})

test('to name a relative beside it begins nothing new', () => {
  expect(texts(part('The new phone arrived.'), part('My brother gets the old one.'))).toHaveLength(1)
})

test('an outcry stays with the sentence that explains it', () => {
  expect(texts(part('Got the promotion!!'), part('Account manager from the first of the month.'))).toHaveLength(1)
  expect(texts(part('提车了！'), part('我住的小区终于装充电桩了。'))).toHaveLength(1)
})
