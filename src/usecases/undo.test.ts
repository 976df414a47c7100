import { expect, onTestFinished, test } from 'vitest'
import { freshMemory } from '../domain/memory.ts'
import { openMemory } from '../doors/library/index.ts'
import { openCore } from './open.ts'
import { takeBack } from './undo.ts'

const DAY = 86_400_000

/** A memory whose clock runs a day with every message of a chat. */
async function rig() {
  let now = Date.UTC(2026, 2, 2, 9)
  const memory = await openMemory({ path: ':memory:', userId: 'kim', clock: () => new Date(now) })
  onTestFinished(() => memory.close())
  return {
    memory,
    say: async (conversationId: string, ...contents: readonly string[]) => {
      for (const content of contents) {
        now += DAY
        await memory.conversations.store({ conversationId, turns: [{ role: 'user', content }] })
        await memory.idle()
      }
    },
    all: async () => (await memory.getAll({ includePast: true })).items,
  }
}

test('what another turn says in other words keeps its source when one of them is removed', async () => {
  const { memory, say, all } = await rig()
  await say('chat', 'I am allergic to walnuts.', 'The weather is lovely.', 'Remember that I am allergic to walnuts.')
  expect((await all()).filter(({ text }) => text.includes('walnuts'))).toHaveLength(1)
  expect((await all()).find(({ text }) => text.includes('walnuts'))?.sourceTurnIds).toEqual([1, 3])
  await memory.maintenance.undo({ conversationId: 'chat', turnId: 1 })
  const left = (await all()).filter(({ text }) => text.includes('walnuts'))
  expect(left).toHaveLength(1)
  expect(left[0]?.sourceTurnIds).toEqual([3])
})

test('what was in doubt because a part of it changed holds again when that is undone', async () => {
  const { memory, say, all } = await rig()
  await say('chat', '我住在洛阳老城，在那里养了一只鹦鹉。', '我搬到珠海了。')
  expect((await all()).find(({ text }) => text.includes('鹦鹉'))?.suspect).not.toBeNull()
  await memory.maintenance.undo({ conversationId: 'chat', turnId: 2 })
  const left = await all()
  expect(left.map(({ text }) => text)).toEqual(['我住在洛阳老城，在那里养了一只鹦鹉。'])
  expect(left[0]).toMatchObject({ validTo: null, suspect: null })
})

test('many memories of a source go, and doubts that they cast are lifted', async () => {
  const { memory, say, all } = await rig()
  await say('old', 'I live in Ghent.', 'I swim at the pool near my flat in Ghent on Tuesdays.')
  await say(
    'new',
    'I moved to Lima.',
    ...Array.from({ length: 60 }, (_, n) => `My cousin number ${n + 10} is called Ana${n}x.`),
  )
  expect((await all()).length).toBeGreaterThan(50)
  await memory.maintenance.undo({ conversationId: 'new' })
  const left = await all()
  expect(left.every(({ validTo, suspect }) => validTo === null && suspect === null)).toBe(true)
  expect(left.map(({ text }) => text).toSorted()).toEqual([
    'I live in Ghent.',
    'I swim at the pool near my flat in Ghent on Tuesdays.',
  ])
})

test.each([
  ['Our tram stops at nine.', 'By the way, our tram stops at nine.'],
  ['我们的电车九点停运。', '我们的电车九点停运！'],
])(
  'a memory that was told elsewhere first stays the same memory, and only loses the source: %s',
  async (first, again) => {
    const { memory, say, all } = await rig()
    const { id } = (await memory.add(first, { infer: false, conversationId: 'notes' })).results[0]!
    await say('chat', again)
    expect(JSON.stringify((await memory.get(id)).metadata)).toContain('chat')
    await memory.maintenance.undo({ conversationId: 'chat' })
    expect((await all()).map((one) => [one.id, one.text, one.validTo])).toEqual([[id, first, null]])
    expect(JSON.stringify((await memory.get(id)).metadata)).not.toContain('chat')
  },
)

test('a row of memories that took the place of one another is followed once, however long it is', async () => {
  const core = await openCore({ path: ':memory:' })
  onTestFinished(() => core.close())
  const count = 200
  const row = Array.from({ length: count }, (_, at) => ({
    ...freshMemory({ createdAt: at * DAY, conversationId: 'chat', sourceTurnIds: [at + 1], validTo: (at + 1) * DAY }),
    ...{ id: `m${at}`, text: `I live in town number ${at}.` },
  }))
  await core.store.memories.insert('kim', row)
  for (const { id } of row.slice(0, -1))
    await core.store.memories.update('kim', id, { supersededBy: `m${Number(id.slice(1)) + 1}` }, DAY)
  let looks = 0
  const memories = new Proxy(core.store.memories, {
    get: (own, name) => {
      const method: unknown = Reflect.get(own, name)
      if (name === 'get') looks += 1
      return typeof method === 'function' ? method.bind(own) : method
    },
  })
  const watched = { ...core, store: { ...core.store, memories } }
  const { removed } = await takeBack(watched, 'kim', { turns: new Map(), whole: new Set(['chat']) })
  expect(removed).toBe(count)
  // Once for each piece of fifty; each by itself they would be looked at 20,000 times.
  expect(looks).toBeLessThan(4 * count)
})

test('who takes back a turn that is not there is told so', async () => {
  const { memory, say } = await rig()
  await say('chat', 'The weather is lovely.')
  expect(await memory.maintenance.undo({ conversationId: 'chat', turnId: 1 })).toMatchObject({ removed: 0 })
  await expect(memory.maintenance.undo({ conversationId: 'chat', turnId: 9 })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(memory.maintenance.undo({ conversationId: 'talk' })).rejects.toMatchObject({ code: 'not_found' })
})
