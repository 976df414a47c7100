import { expect, test } from 'vitest'
import { turnText } from './write-vectors.ts'

test('a turn is embedded with the turn before it, each with its speaker', () => {
  const asked = { content: 'Where did the cello lessons lead?', speaker: 'Ines' }
  const answered = { content: 'To an orchestra in Porto.', speaker: 'Paul' }
  expect(turnText(answered, asked)).toBe('Ines: Where did the cello lessons lead?\nPaul: To an orchestra in Porto.')
  expect(turnText({ content: '在里斯本。', speaker: null }, null)).toBe('在里斯本。')
})

test('of a long turn before only the end counts, without half a character at its beginning', () => {
  const text = turnText(
    { content: 'Yes.', speaker: null },
    { content: `${'很'.repeat(500)}😀${'x'.repeat(399)}`, speaker: '林' },
  )
  expect(text.length).toBeLessThan(420)
  expect(text.isWellFormed()).toBe(true)
  expect(text.endsWith('x\nYes.')).toBe(true)
})
