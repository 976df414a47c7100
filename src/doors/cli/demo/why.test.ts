import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { why } from '../commands/demo.ts'

const part = (feature: string, contribution: number) => ({ feature, value: 1, weight: contribution, contribution })
const explanation = (features: ReturnType<typeof part>[]) => ({
  ranking: 'hybrid' as const,
  arms: ['full-text'],
  features,
  multipliers: [],
  score: 0.5,
  matched: [],
})

test('the bar is as long as the score and the largest parts are named with their share', () => {
  const line = stripVTControlCharacters(
    why(explanation([part('recency', 0.1), part('words', 0.4), part('date', 0)]), 0.5, 60),
  )
  expect(line.match(/━/g)).toHaveLength(10)
  expect(line).toMatch(/its words 80 % · recent 20 %$/)
  expect(line).not.toContain('date')
})

test('names that do not fit are left out', () => {
  const line = stripVTControlCharacters(why(explanation([part('words', 0.4), part('context', 0.2)]), 0.5, 40))
  expect(line).toMatch(/its words 67 %$/)
})

test('a score of nothing still draws a bar', () => {
  expect(stripVTControlCharacters(why(explanation([part('words', 0)]), 0, 60)).match(/╌/g)).toHaveLength(19)
})
