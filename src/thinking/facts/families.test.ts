import { expect, test } from 'vitest'
import { wordTable } from '../../language/word-lists.ts'
import { relativesOf, slotNamed } from './topics.ts'

test('the relatives of an attribute are known attributes, and never itself', () => {
  const relatives = relativesOf(['bank'])
  expect(relatives).toContain('savings')
  expect(relatives).not.toContain('bank')
  for (const name of relativesOf(['employer', 'database', 'school', 'wake_time', 'hosting', 'medication', 'book']))
    expect(slotNamed(name), name).toBeDefined()
})

test('what has no relatives has none', () => {
  expect(relativesOf(['blood_type'])).toEqual([])
})

test('a relation in 我 and more is not taken for the shorter one: 我姐夫 is no 我姐', () => {
  const words = wordTable('relations').flatMap((line) => line.split('|')[3]!.split(' '))
  const cut = words.filter((word) => [...word].some((_, at) => at > 0 && words.includes(`我${word.slice(0, at)}`)))
  expect(cut.filter((word) => !words.includes(`我${word}`))).toEqual([])
})
