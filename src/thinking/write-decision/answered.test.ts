import { expect, test } from 'vitest'
import { decideByRules } from './rules.ts'
import { answerKind } from './standing.ts'

test.each([
  ['Porto', 'Nice to meet you! Where do you live?', 'identity', true],
  ['two girls and a boy', 'How many children do you have?', 'identity', true],
  ['杭州', '你住在哪个城市？', 'identity', true],
  ['早上六点', '你平时几点起床？', 'identity', true],
  ['Earl Grey', 'Which tea do you like best?', 'preference', true],
  ['Postgres 16', 'Which database do you use?', 'identity', true],
])('%s answers "%s" and is kept', (content, previous, reason, semantic) => {
  expect(answerKind(content, previous)).toEqual({ reason, semantic })
  const decision = decideByRules({ content }, { previous })
  expect(decision.store).toBe(true)
  expect(decision.parts[0]).toMatchObject({ text: content })
  expect(decision.parts.some((part) => part.semantic)).toBe(true)
})

test.each([
  ['French', 'Which language should I write it in for you?'],
  ['the second', 'Which one do you like?'],
  ['yes', 'Where do you live?'],
  ['no idea', 'What is your blood type?'],
  ['正式一点', '你想要什么语气？'],
  ['why do you ask?', 'Where do you live?'],
  ['Porto', 'Porto is in Portugal.'],
  ['Lisbon', 'What is the capital of Portugal?'],
])('%s after "%s" says nothing about the user', (content, previous) => {
  expect(answerKind(content, previous)).toBeNull()
})

test('the same word without a question before it is a fragment and not kept', () => {
  expect(decideByRules({ content: 'Porto' }).store).toBe(false)
})

test('what the user has just done or is doing is no lasting fact', () => {
  expect(answerKind('restarting the router', 'What have you tried so far?')).toMatchObject({ semantic: false })
  expect(answerKind('a cake', 'What are you baking?')).toMatchObject({ reason: 'state', semantic: false })
  expect(answerKind('1961 in Turku', 'When and where were you born?')).toMatchObject({ semantic: true })
  expect(answerKind('Node 22', 'Which runtime are you using?')).toMatchObject({ semantic: true })
})

test('an answer about what is planned is kept and is not lasting', () => {
  const decision = decideByRules({ content: 'Crete' }, { previous: 'Where will you go next summer?' })
  expect(decision).toMatchObject({ store: true, reason: 'plan' })
  expect(decision.parts.every(({ semantic }) => !semantic)).toBe(true)
})
