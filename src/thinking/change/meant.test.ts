import { expect, test } from 'vitest'
import { meantBy, orderChanged } from './meant.ts'
import type { Statement } from './statement.ts'

const DAY = 86_400_000
const said = (text: string, day: number): Statement => ({
  text,
  who: 'user',
  occurredAt: day * DAY,
  key: null,
})

test('a correction that denies a number means the statement that has it', () => {
  const olders = [said('The lease ends after 18 months.', 1), said('Lunch was noisy.', 2)]
  expect(meantBy(said('Not 18, I checked the papers, it is 24.', 3), olders)).toMatchObject({ at: 0, plainly: true })
})

test('a correction means the last statement with a value of the same type', () => {
  const olders = [said('Gate code is kiwi-4471.', 1), said('Aunt Rosa was born in 1948.', 2)]
  expect(meantBy(said('I typed it wrong, kiwi-4417.', 3), olders)).toMatchObject({ at: 0, plainly: true })
  expect(
    meantBy(said('发错了，是 kiwi-4417', 3), [said('门禁密码 kiwi-4471', 1), said('晚饭吃了面', 2)]),
  ).toMatchObject({ at: 0, plainly: true })
})

test('a short correction without a subject means what was said last', () => {
  expect(meantBy(said('我又记错了，是阿珍', 3), [said('晚饭吃了面', 1), said('舞蹈老师叫阿真', 2)])).toMatchObject({
    at: 1,
  })
})

test('nothing is meant long after, or by what corrects nothing', () => {
  expect(meantBy(said('Not 18, it is 24.', 60), [said('The lease ends after 18 months.', 1)])).toBeNull()
  expect(meantBy(said('The soup was great.', 3), [said('The lease ends after 18 months.', 1)])).toBeNull()
})

test('a name written a little differently, or another bare number, puts right what was said last', () => {
  expect(
    meantBy(said('Wrong spelling, it is Marchetti, with two t.', 2), [said('The baker is Mr Marcheti.', 1)]),
  ).toMatchObject({ at: 0, plainly: true })
  expect(meantBy(said('Ignore that, the manual says 450.', 2), [said('It takes 45 sheets.', 1)])).toMatchObject({
    at: 0,
    plainly: true,
  })
  expect(
    meantBy(said('Ignore that, the manual says 450.', 2), [said('The baker is Mr Marcheti.', 1)])?.plainly ?? false,
  ).toBe(false)
})

test('a correction names another matter only where an earlier statement is of it', () => {
  const correction = 'My husband saw me type that. It is the 12th, he laughed.'
  const last = said('Our anniversary is the 21st of September.', 2)
  expect(meantBy(said(correction, 3), [said('Lunch was noisy.', 1), last])).toMatchObject({ at: 1 })
  const ofHusband = said('Ignore that, my husband eats no fish.', 3)
  expect(meantBy(ofHusband, [said('My husband eats no meat.', 1), said('The baker is Mr Marcheti.', 2)])).toBeNull()
})

test.each([
  ['From now on I want long, detailed replies', 'keep your replies brief', 'supersedes'],
  ['Always give distances in imperial units', 'Always give distances in metric units', 'supersedes'],
  ['以后讲解详细一点', '讲解尽量简洁', 'supersedes'],
  ['Always give lengths in centimetres', 'Always give distances in metric units', null],
  ['I would like a long holiday from now on', 'I like short walks', null],
  ['Keep your replies friendly', 'keep your replies brief', null],
  ['My brother keeps his replies long', 'keep your replies brief', null],
  ['讲解别太长', '以后讲解详细一点', 'supersedes'],
  ['emojis are fine again', 'Never use emojis when you reply.', 'ends'],
  ['Please reply in English from now on', 'Always answer in Portuguese.', 'supersedes'],
  ['回复可以稍微长一点了，但还是不要emoji', '以后回复我简短点，别用emoji', 'supersedes'],
  ['Longer answers are fine from now on', 'Keep your answers short, like two lines each', 'supersedes'],
  ['go back to English please', 'answer me in Polish', 'supersedes'],
  ['answer me in Danish', 'explain Polish grammar in simple words please', null],
])('an order at the other end of a scale of manners takes its place: %s', (newer, older, relation) => {
  expect(orderChanged(newer, older)).toBe(relation)
})
