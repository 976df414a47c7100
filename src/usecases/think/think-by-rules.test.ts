import { expect, test } from 'vitest'
import { subjectsOf } from '../../domain/memory.ts'
import { thinkByRules } from './think-by-rules.ts'

test('tags name the facts of a memory, and what its words only touch on is no tag', async () => {
  const content = 'Before I met Dan I rented a flat in Peckham with mushrooms growing in the shower.'
  const message = { role: 'user' as const, content, speaker: null, turnId: null, createdAt: 0 }
  const input = { userId: 'ann', conversationId: null, messages: [message], injected: [], now: 0, maxCharacters: 500 }
  const [draft] = (await thinkByRules(input, false)).drafts
  expect(draft!.memory.tags).not.toContain('diet')
  expect(subjectsOf(draft!.memory)).toContain('home')
})
