import { expect, test } from 'vitest'
import { namedAt, refersBack } from './standing.ts'

test.each([
  'It keeps me awake at night.',
  'And honestly, they never call.',
  'No but thats a rumour',
  'I dont know he hardly talks',
  "I'm thankful for their patience, which got me through.",
  'I plan to try these recipes by inviting friends.',
  'I think it opens up new doors.',
  'Sharing these recipes takes time.',
  'I doubt he would win.',
  "It's something I always wanted to learn.",
  'I plan to share this with my cousin!',
  '而且它很安静。',
  '我希望这些故事能留下来，成为她的一部分。',
  '但是他不太爱说话。',
  '这次拍得很顺利。',
])('it is understood by what was said before: %s', (sentence) => {
  expect(refersBack(sentence)).toBe(true)
})

test.each([
  "It's hard to find a flat here.",
  'OK, pizza it is.',
  'This weekend I am off to Lisbon.',
  'There are two cellos in the hall.',
  'I told my sister that she should come.',
  'I prefer tablets for their weight.',
  "I'm worried that I will miss the train.",
  'I heard that in Tartu it rains a lot.',
  'I bought a kayak and it leaks.',
  '这周我要去苏州。',
  '我妈妈说她明天到。',
])('it is understood by itself: %s', (sentence) => {
  expect(refersBack(sentence)).toBe(false)
})

test('the nearest statement names what is meant, a question only where no statement does', () => {
  expect(namedAt(['I joined a choir.', 'Can you suggest some songs?', 'It meets on Mondays.'], 2, false)).toBe(0)
  expect(namedAt(['Do you know the choir downtown?', 'It changed my life.'], 1, false)).toBe(0)
  expect(namedAt(['我养了一只鹦鹉。', '它会说三句话。'], 1, false)).toBe(0)
  expect(namedAt(['Wow!', 'It meets on Mondays.'], 1, false)).toBe(-1)
})

test('a definite thing is named where it was told of', () => {
  const said = [
    'I accepted an offer from a bakery, a hard decision.',
    'I slept badly.',
    'I think my decision was right.',
  ]
  expect(namedAt(said, 2, true)).toBe(0)
  expect(namedAt(said, 2, false)).toBe(-1)
})
