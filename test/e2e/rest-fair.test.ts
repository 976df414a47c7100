/** One caller that asks for much keeps no other waiting: what is long is done in pieces, others in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startForTest } from '../support/rest-server.ts'

/** How often others got their turn until the work was done. */
async function turnsOfOthersDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  void work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await nextTurn()
    turns += 1
  }
  return turns
}

const TURNS = Array.from({ length: 10_000 }, (_, at) => ({
  role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: `Line ${at} about the harbour. 第 ${at} 行说的是码头。`,
}))

describe('other callers get their turn', () => {
  test('while ten thousand turns are stored, and while their summaries are written', async () => {
    const { memory } = await startForTest({ open: { thinking: false } })
    const turns = { conversationId: 'long', userId: 'local', turns: TURNS }
    // 200 turns are checked at a time, 256 are taken into the index.
    expect(await turnsOfOthersDuring(memory.conversations.store(turns))).toBeGreaterThan(60)
    // 500 turns are summarised at a time.
    const asked = memory.conversations.summaries('long', { userId: 'local' })
    expect(await turnsOfOthersDuring(asked)).toBeGreaterThan(15)
    expect((await asked).length).toBeGreaterThan(400)
    expect((await memory.conversations.recall('第 9876 行', { userId: 'local' })).results[0]?.content).toContain('9876')
  })
})
