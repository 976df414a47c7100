import { expect, test } from 'vitest'
import { subjectsOf } from '../../domain/memory.ts'
import { thinkByRules } from './think-by-rules.ts'

async function draftFrom(content: string) {
  const message = { role: 'user' as const, content, speaker: null, turnId: null, createdAt: 0 }
  const input = { userId: 'ann', conversationId: null, messages: [message], injected: [], now: 0, maxCharacters: 500 }
  return (await thinkByRules(input, false)).drafts[0]
}

test('what is over gives its attribute no value', async () => {
  const { key, value } = (await draftFrom("I don't work for Kettle Farm any more."))!.memory
  expect({ key, value }).toEqual({ key: 'employer', value: null })
})

test('tags name the facts of a memory, and what its words only touch on is no tag', async () => {
  const content = 'Before I met Dan I rented a flat in Peckham with mushrooms growing in the shower.'
  const draft = await draftFrom(content)
  expect(draft!.memory.tags).not.toContain('diet')
  expect(subjectsOf(draft!.memory)).toContain('home')
})
