/** Storing does not wait for rolling summaries; asking does. */
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase } from '../support/folder.ts'

const TURNS = Array.from({ length: 10 }, (_, at) => ({
  role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: `Stop ${at} of the ferry is Harbour ${at}.`,
}))

function summariesIn(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return Number(database.prepare('SELECT count(*) AS n FROM summaries').get()?.n)
  } finally {
    database.close()
  }
}

test('turns are acknowledged before the summaries that became due are written, and the next question sees them', async () => {
  const path = freshDatabase('rolling.db')
  await using memory = await openMemory({ path, userId: 'ana', thinking: false })
  await memory.conversations.store({ conversationId: 'trip', turns: TURNS })
  expect(summariesIn(path)).toBe(0)
  expect(await memory.conversations.summaries('trip')).toHaveLength(1)
  expect(summariesIn(path)).toBe(1)
})

test('whoever closes right after storing leaves nothing due', async () => {
  const path = freshDatabase('rolling.db')
  const memory = await openMemory({ path, userId: 'ana', thinking: false })
  for (const turn of TURNS) await memory.conversations.store({ conversationId: 'trip', turns: [turn] })
  await memory.close()
  expect(summariesIn(path)).toBe(1)
})

const asked: readonly (readonly [string, (memory: OpenMemory) => Promise<unknown>])[] = [
  ['its summaries', (memory) => memory.conversations.summaries('trip')],
  ['the conversation', (memory) => memory.conversations.get('trip')],
  ['a context in it', (memory) => memory.context.build('Where do we stop?', { conversationId: 'trip' })],
  [
    'an export',
    async (memory) => {
      for await (const piece of memory.conversations.export()) if (piece === '') break
    },
  ],
  ['an answer from it', (memory) => memory.conversations.recall('Harbour 3', { ranking: 'conversation' })],
  [
    'thinking about it',
    async (memory) => {
      await memory.maintenance.think()
      await memory.idle()
    },
  ],
]

test.each(asked)('a restored conversation is summarised for %s', async (_, ask) => {
  const path = freshDatabase('rolling.db')
  await using memory = await openMemory({ path, userId: 'ana' })
  await memory.conversations.restore({ conversationId: 'trip', turns: TURNS })
  await memory.conversations.restore({ conversationId: 'other', turns: TURNS.slice(0, 9) })
  await memory.idle()
  expect(summariesIn(path)).toBe(0)
  await ask(memory)
  expect(summariesIn(path)).toBe(1)
  expect(await memory.conversations.get('trip')).toMatchObject({ summary: expect.stringContaining('Harbour') })
})

test('a recall shows the summary of turns that were imported just now, and writes none of a very long conversation', async () => {
  const path = freshDatabase('rolling.db')
  await using memory = await openMemory({ path, userId: 'ana', thinking: false })
  await memory.conversations.restore({ conversationId: 'trip', turns: TURNS })
  const { results } = await memory.conversations.recall('Harbour 3', { ranking: 'conversation' })
  expect(results).toContainEqual(expect.objectContaining({ isSummary: true, span: { from: 1, to: 5 } }))
  const turns = Array.from({ length: 600 }, (_, at) => ({ role: 'user' as const, content: `Lighthouse ${at}.` }))
  await memory.conversations.restore({ conversationId: 'long', turns })
  await memory.conversations.recall('Lighthouse', { ranking: 'conversation' })
  expect(summariesIn(path)).toBe(1)
})

test('an answer that shows turns alone waits for no summary', async () => {
  const path = freshDatabase('rolling.db')
  await using memory = await openMemory({ path, userId: 'ana', thinking: false })
  await memory.conversations.restore({ conversationId: 'trip', turns: TURNS })
  await memory.conversations.recall('Harbour 3')
  expect(summariesIn(path)).toBe(0)
  await memory.conversations.recall('Harbour 3', { ranking: 'conversation' })
  expect(summariesIn(path)).toBe(1)
})
