import { expect, test } from 'vitest'
import { writeJudgement } from './linear-model.ts'
import { standingOf } from './standing.ts'

const stands = (text: string, heard = '') => standingOf(text, writeJudgement(text), heard)

test.each([
  ['My sister Ines moved to Utrecht in May to teach the cello.', 'Sure, that sounds like a good plan, I will try it.'],
  ['我妹妹五月搬到了乌得勒支，在那里教大提琴。', '明白了，这个思路很清晰，我会按你的建议去做。'],
])('a fact stands better than a reply that agrees: %s', (fact, reply) => {
  expect(stands(fact)).toBeGreaterThan(0)
  expect(stands(reply)).toBeLessThan(0)
})

test('what was just heard stands less well', () => {
  const text = 'The garden club plants tulips every autumn.'
  expect(stands(text, 'Garden clubs plant tulips every autumn.')).toBeLessThan(stands(text))
})

test('what points back stands less well than what names its matter', () => {
  expect(stands('It starts in Tartu on Friday.')).toBeLessThan(stands('Choir starts in Tartu on Friday.'))
})
