/** One caller that asks for much keeps no other waiting: what is long is done in pieces, others in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../src/doors/http/app.ts'
import { openMemory } from '../../src/doors/library/index.ts'
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

  test('while many exports are sent: one piece of one of them at a time', async () => {
    const memory = await openMemory({ path: ':memory:', thinking: false })
    onTestFinished(() => memory.close())
    let pieces = 0
    async function* counted(source: AsyncIterable<string>): AsyncGenerator<string> {
      for await (const piece of source) {
        pieces += 1
        yield piece
      }
    }
    const given = memory.conversations
    await given.store({ conversationId: 'long', userId: 'local', turns: TURNS.slice(0, 2000) })
    const conversations = { ...given, export: (input: object) => counted(given.export(input)) }
    const app = createApp({ memory: { ...memory, conversations } as typeof memory }, '0')
    const sent = Array.from({ length: 20 }, async () =>
      (await app.fetch(new Request('http://localhost/export'))).text(),
    )
    let most = 0
    for (let isDone = false, before = 0; !isDone; before = pieces) {
      isDone = await Promise.race([Promise.all(sent).then(() => true), nextTurn(false)])
      most = Math.max(most, pieces - before)
    }
    expect(pieces).toBeGreaterThan(100)
    expect(most).toBe(1)
    expect(new Set((await Promise.all(sent)).map((text) => text.replace(/"exported_at":"[^"]+"/, ''))).size).toBe(1)
  })

  test('while one user sends fifty requests: that of another is among the first three', async () => {
    const memory = await openMemory({ path: ':memory:', thinking: false })
    onTestFinished(() => memory.close())
    const app = createApp({ memory }, '0')
    const answered: string[] = []
    const send = async (user: string, path: string, body: object): Promise<void> => {
      const headers = { 'content-type': 'application/json', 'x-user-id': user }
      const request = new Request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      const answer = await app.fetch(request)
      expect(answer.ok).toBe(true)
      answered.push(user)
    }
    const search = (): Promise<void> => send('quiet', '/memory/search', { query: 'harbour' })
    await search()
    const flood = Array.from({ length: 50 }, (_, at) =>
      send('flood', `/conversations/c${at}/turns`, { turns: TURNS.slice(0, 5) }),
    )
    await Promise.all([...flood, search()])
    expect(answered).toHaveLength(52)
    expect(answered.slice(1, 4)).toContain('quiet')
  })

  test('while another waits for a summary: only the user of that waits for it', async () => {
    const memory = await openMemory({ path: ':memory:', thinking: false })
    onTestFinished(() => memory.close())
    const { conversations } = memory
    await conversations.store({ conversationId: 'long', userId: 'flood', turns: TURNS.slice(0, 2000) })
    const order: string[] = []
    await Promise.all([
      conversations.summaries('long', { userId: 'flood' }).then(() => order.push('flood')),
      memory.keys.exist().then(() => order.push('keys')),
      memory.search('harbour', { userId: 'quiet' }).then(() => order.push('quiet')),
    ])
    expect(order.at(-1)).toBe('flood')
  })
})
