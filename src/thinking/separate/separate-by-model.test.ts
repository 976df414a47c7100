import { afterEach, expect, test } from 'vitest'
import { episode, type ScriptedModel, scriptedModel } from '../../../test/support/scripted-model.ts'
import { separateByModel } from './separate-by-model.ts'

let scripted: ScriptedModel
afterEach(() => scripted.close())

const FIRST = episode('The user went to the dentist and got a filling.', { id: 'a' })
const SECOND = episode('The user went to the dentist, who found nothing.', {
  id: 'b',
  occurredAt: Date.parse('2026-06-11T08:00:00Z'),
})
const GOOD = {
  first: {
    text: 'On Monday, 4 May 2026, the user went to the dentist and got a filling.',
    context: 'dentist',
    thing: 'filling',
  },
  second: {
    text: 'On 11 June 2026 the user went to the dentist, who found nothing.',
    context: 'dentist',
    thing: 'nothing found',
  },
}

test('each record gets words of its own in front', async () => {
  scripted = await scriptedModel(GOOD)
  expect(await separateByModel(FIRST, SECOND, scripted.ask)).toEqual(GOOD)
})

test.each([
  ['both the same', { first: GOOD.first, second: { ...GOOD.second, text: GOOD.first.text } }],
  ['one missing', { first: GOOD.first }],
  [
    'what only the other says',
    {
      ...GOOD,
      first: { ...GOOD.first, text: 'The user went to the dentist, got a filling, and the dentist found nothing.' },
    },
  ],
  ['a statement lost', { ...GOOD, first: { ...GOOD.first, text: 'Monday, 4 May 2026.' } }],
])('of no use is %s', async (_case, answer) => {
  scripted = await scriptedModel(answer)
  expect(await separateByModel(FIRST, SECOND, scripted.ask)).toBeNull()
  expect(scripted.errors).toHaveLength(1)
})
