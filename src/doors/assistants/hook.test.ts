import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshFolder } from '../../../test/support/folder.ts'
import { openMemory } from '../library/index.ts'
import type { HookEvent } from './event.ts'
import { handleEvent } from './hook.ts'

/** A session of Claude Code whose transcript grows, and what is stored of it after an answer. */
async function session() {
  const folder = freshFolder()
  const transcript = join(folder, 's1.jsonl')
  writeFileSync(transcript, '')
  const memory = await openMemory({ path: ':memory:', userId: 'lena' })
  onTestFinished(() => memory.close())
  const event: HookEvent = { kind: 'answered', name: 'Stop', sessionId: 's1', folder, turn: '', transcript }
  let second = 0
  return {
    memory,
    say: async (...contents: readonly string[]) => {
      for (const content of contents) {
        second += 1
        const timestamp = new Date(Date.UTC(2026, 9, 5, 9, 0, second)).toISOString()
        const line = { type: 'user', uuid: `u${second}`, sessionId: 's1', cwd: folder, timestamp }
        appendFileSync(transcript, `${JSON.stringify({ ...line, message: { role: 'user', content } })}\n`)
      }
      await handleEvent('claude', event, { database: ':memory:', memory: async () => memory, think: () => {}, now: 0 })
      return (await memory.conversations.turns('s1')).items.map(({ content }) => content)
    },
  }
}

test('a deleted conversation stays away when its session goes on; what is said from then on is stored', async () => {
  const { memory, say } = await session()
  await say('My badge number is 4471.', 'The gate opens at nine.')
  await memory.conversations.delete({ conversationId: 's1' })
  expect(await say('The canteen moved upstairs.')).toEqual(['The canteen moved upstairs.'])
  expect(await say('Lunch is at noon.')).toEqual(['The canteen moved upstairs.', 'Lunch is at noon.'])
  await memory.conversations.delete({ all: true })
  expect(await say('The lift is broken.')).toEqual(['The lift is broken.'])
})

test('the newest turn stays away when it was deleted by itself', async () => {
  const { memory, say } = await session()
  await say('The gate opens at nine.', 'My badge number is 4471.')
  await memory.conversations.deleteTurn({ conversationId: 's1', turnId: 2 })
  expect(await say('Lunch is at noon.')).toEqual(['The gate opens at nine.', 'Lunch is at noon.'])
})
