import { afterEach, expect, test } from 'vitest'
import { episode, type ScriptedModel, scriptedModel } from '../../../test/support/scripted-model.ts'
import { MnemeError } from '../../domain/errors.ts'
import { judgeSuspectsByModel, MOST_SUSPECTS } from './model.ts'

let scripted: ScriptedModel
afterEach(() => scripted.close())

const CHANGE = { before: 'The user lives in Graz.', now: 'The user lives in Linz.' }
const GYM = episode('The user trains at the gym by the Mur every Tuesday.', { id: 'gym' })
const NUTS = episode('The user is allergic to hazelnuts.', { id: 'nuts' })
const CHOIR = episode('The user sings in a choir.', { id: 'choir' })

test('a doubt is confirmed, dropped, or stays as it is', async () => {
  scripted = await scriptedModel({
    verdicts: [
      { number: 1, verdict: 'doubtful', reason: 'that gym is in Graz' },
      { number: '2', verdict: 'holds' },
      { number: 3, verdict: 'perhaps' },
      { number: 9, verdict: 'holds' },
      { number: 1, verdict: 'holds' },
    ],
  })
  expect(await judgeSuspectsByModel([GYM, NUTS, CHOIR], CHANGE, scripted.ask)).toEqual([
    { id: 'gym', verdict: 'confirmed', reason: 'that gym is in Graz' },
    { id: 'nuts', verdict: 'dropped', reason: null },
  ])
  expect(scripted.data(0)).toMatchObject({ change: CHANGE, memories: [{ number: 1 }, { number: 2 }, { number: 3 }] })
})

test('one call asks about a bounded number, and nothing asks nobody', async () => {
  scripted = await scriptedModel({ verdicts: [{ number: 1, verdict: 'holds' }] })
  const many = Array.from({ length: 100 }, (_, number) => ({ ...NUTS, id: `nuts-${number}` }))
  await judgeSuspectsByModel(many, { ...CHANGE, now: null }, scripted.ask)
  expect((scripted.data(0) as { memories: unknown[] }).memories).toHaveLength(MOST_SUSPECTS)
  expect(await judgeSuspectsByModel([], CHANGE, scripted.ask)).toEqual([])
  expect(scripted.server.requests).toHaveLength(1)
})

test.each([
  ['prose', 'Both hold.'],
  ['numbers of no memory', { verdicts: [{ number: 7, verdict: 'holds' }] }],
])('of no use is %s: every doubt stays', async (_case, answer) => {
  scripted = await scriptedModel(answer)
  expect(await judgeSuspectsByModel([GYM], CHANGE, scripted.ask)).toBeNull()
  expect(scripted.errors).toHaveLength(1)
})

test('a model that refuses is no invalid answer: the call rejects', async () => {
  scripted = await scriptedModel('')
  scripted.server.play({ status: 401, body: { error: { message: 'no such key' } } })
  const error = await judgeSuspectsByModel([GYM], CHANGE, scripted.ask).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(MnemeError)
  expect(error).toMatchObject({ code: 'model_refused' })
})
