import { afterEach, expect, test } from 'vitest'
import { type ScriptedModel, scriptedModel } from '../../../test/support/scripted-model.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import { sessionSummaryByModel } from './model.ts'

let scripted: ScriptedModel
afterEach(() => scripted.close())

const turn = (role: 'user' | 'assistant', content: string): ThinkMessage => {
  return { role, content, speaker: null, turnId: 1, createdAt: Date.parse('2026-05-07T09:00:00Z') }
}
const ENGLISH = [
  turn('user', 'My sourdough starter smells of acetone, is it dead?'),
  turn('assistant', 'No, it is hungry: feed it twice a day for three days.'),
]
const CHINESE = [turn('user', '阳台上的柠檬树叶子发黄，怎么办？'), turn('assistant', '可能缺铁，试试硫酸亚铁。')]

test('a title and a snippet in the language of the user', async () => {
  const english = {
    title: 'Sourdough starter smells of acetone',
    snippet: 'Not dead but hungry: feed it twice a day for three days.',
  }
  const chinese = { title: '柠檬树叶子发黄', snippet: '可能缺铁，建议用硫酸亚铁。' }
  scripted = await scriptedModel(english, chinese)
  expect(await sessionSummaryByModel(ENGLISH, scripted.ask)).toEqual(english)
  expect(await sessionSummaryByModel(CHINESE, scripted.ask)).toEqual(chinese)
})

test('both are cut to their lengths, as a person counts characters', async () => {
  scripted = await scriptedModel({
    title: 'Sourdough starter '.repeat(20),
    snippet: '👩‍🍳 starter, acetone, '.repeat(60),
  })
  const summary = await sessionSummaryByModel(ENGLISH, scripted.ask)
  const count = (text: string): number => [...new Intl.Segmenter().segment(text)].length
  expect(count(summary!.title)).toBeLessThanOrEqual(60)
  expect(summary!.title).toMatch(/(?:Sourdough|starter)…$/)
  expect(count(summary!.snippet)).toBeLessThanOrEqual(200)
})

test.each([
  ['another language', { title: 'Yellow leaves', snippet: 'The lemon tree lacks iron.' }],
  ['another matter', { title: '量子计算入门', snippet: '介绍了量子比特与叠加态。' }],
  ['an empty title', { title: '', snippet: '柠檬树' }],
  ['nonsense', 'x'.repeat(50_000)],
])('of no use is %s', async (_case, answer) => {
  scripted = await scriptedModel(answer)
  expect(await sessionSummaryByModel(CHINESE, scripted.ask)).toBeNull()
  expect(scripted.errors).toHaveLength(1)
})
