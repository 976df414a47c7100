import { expect, test } from 'vitest'
import { activityNotes } from './activity.ts'

test('what was recalled and thought is told by user, questions without an answer once each and newest first', () => {
  const notes = activityNotes(() => 5)
  for (const ms of [1, 2, 3, 4, 100]) notes.recalled('ann', 'Where is my bicycle?', 2, ms)
  notes.recalled('ann', 'What is her name?', 0, 2)
  notes.recalled('ann', '她住在哪里？', 0, 2)
  notes.recalled('ann', 'What is her name?', 0, 2)
  notes.thought('ann', 3, ['chitchat', 'chitchat', 'question'])
  expect(notes.of('ann')).toEqual({
    recalls: 8,
    recallMs: { median: 2, p95: 4 },
    unanswered: [
      { question: 'What is her name?', askedAt: 5 },
      { question: '她住在哪里？', askedAt: 5 },
    ],
    kept: 3,
    refused: { chitchat: 2, question: 1 },
  })
  expect(notes.of('bob')).toEqual({ recalls: 0, recallMs: null, unanswered: [], kept: 0, refused: {} })
  notes.forget('ann')
  expect(notes.of('ann')).toMatchObject({ unanswered: [], recalls: 8, kept: 3, refused: { chitchat: 2 } })
})
