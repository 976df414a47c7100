import { expect, test } from 'vitest'
import { extractFacts } from './extract-facts.ts'
import { type Kind, valueOfKind } from './kinds.ts'

test.each<[Kind, string, string | null]>([
  ['place', 'your advice', null],
  ['place', 'Ghent was quite cold', null],
  ['place', 'Ghent with my aunt', 'Ghent'],
  ['place', 'a flat in Ghent', 'Ghent'],
  ['place', '象山路', '象山路'],
  ['person', 'the', null],
  ['person', 'Dr. O. Varga', 'Dr. O. Varga'],
  ['organisation', 'both of us', null],
  ['organisation', 'Monday', null],
  ['organisation', 'a law firm', 'a law firm'],
  ['job', 'expected', null],
  ['job', 'best cook', null],
  ['job', 'seeing a therapist', null],
  ['job', 'inviting 10 local artists', null],
  ['job', 'ferry pilot in Bergen', 'ferry pilot'],
  ['age', '8', '8'],
  ['age', '2024', null],
  ['food', 'confirm', 'confirm'],
  ['food', 'what they gave me', null],
])('as a %s, "%s" is %s', (kind, said, value) => {
  expect(valueOfKind(kind, said)).toBe(value)
})

test.each([
  'The plan is based on your advice.',
  'I am leaning on reasons rather than moods.',
  'Seeing the sun go down was lovely.',
  'I joined the walk on April 5.',
  'Use it as expected.',
  'A tool for guides to steer with.',
  'Drink plenty of water.',
  'Always confirm allergy details when I ask about menus.',
  'My hard work is paying off.',
  '我有两个女儿，大的九岁',
  '特别是秋天的风',
  '心里还是有点没底',
])('no attribute is read from "%s"', (text) => {
  expect(extractFacts(text, { who: 'user', now: 0 })).toEqual([])
})
