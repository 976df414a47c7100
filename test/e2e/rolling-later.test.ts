/** Who stores does not wait for rolling summaries; who asks does. */
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
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
