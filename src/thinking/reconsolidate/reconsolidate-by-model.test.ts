import { afterEach, expect, test } from 'vitest'
import { episode, type ScriptedModel, scriptedModel } from '../../../test/support/scripted-model.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import { reconsolidateByModel } from './reconsolidate-by-model.ts'

let scripted: ScriptedModel
afterEach(() => scripted.close())

const NOW = Date.parse('2026-05-20T10:00:00Z')
const MEMORY = episode('The user applied for a pilot licence course in Augsburg.')

function context(...turns: readonly (readonly ['user' | 'assistant', string])[]) {
  const messages = turns.map(([role, content], index): ThinkMessage => {
    return { role, content, speaker: null, turnId: index + 1, createdAt: NOW + index }
  })
  return { conversationId: 'chat-2', turns: messages, now: NOW }
}

const TOLD = context(
  ['assistant', 'How did the application go?'],
  ['user', 'They accepted me, the course starts on 1 July.'],
)
const GOOD = { changed: true, update: 'Accepted; the course starts on 1 July.' }

test('what the user tells anew is added to what was known', async () => {
  scripted = await scriptedModel(GOOD)
  expect(await reconsolidateByModel(MEMORY, TOLD, scripted.ask)).toEqual({ update: GOOD.update })
})

test('nothing new changes nothing, also when the model calls the same words new', async () => {
  scripted = await scriptedModel({ changed: false }, { ...GOOD, update: MEMORY.text })
  expect(await reconsolidateByModel(MEMORY, TOLD, scripted.ask)).toEqual({ update: null })
  expect(await reconsolidateByModel(MEMORY, TOLD, scripted.ask)).toEqual({ update: null })
  expect(scripted.errors).toEqual([])
})

test('where the user says nothing, nobody is asked', async () => {
  scripted = await scriptedModel(GOOD)
  expect(await reconsolidateByModel(MEMORY, context(['assistant', 'The course costs a lot.']), scripted.ask)).toEqual({
    update: null,
  })
  expect(scripted.server.requests).toHaveLength(0)
})

test.each([
  ['the update was not told by the user', { ...GOOD, update: 'Failed the medical examination in Munich.' }],
  ['nothing is told', { changed: true }],
  ['cut', JSON.stringify(GOOD).slice(0, 40)],
])('of no use is an answer where %s', async (_case, answer) => {
  scripted = await scriptedModel(answer)
  expect(await reconsolidateByModel(MEMORY, TOLD, scripted.ask)).toBeNull()
  expect(scripted.errors).toHaveLength(1)
})
