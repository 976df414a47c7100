/** A buried memory is kept, but no model sees it: whatever it might come back by is asked here. */
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { startForTest } from '../support/rest-server.ts'

async function opened() {
  const memory = await openMemory({ path: ':memory:', userId: 'ann' })
  onTestFinished(() => memory.close())
  return memory
}

test('what is buried is found by nothing, listed only where it is asked for, and comes back whole', async () => {
  const memory = await opened()
  const { results } = await memory.add('My locker at the pool is number 214.', { infer: false })
  await memory.add('My bicycle is green.', { infer: false })
  const { id } = results[0]!
  expect((await memory.search('Which locker is mine at the pool?')).results[0]?.id).toBe(id)
  const buried = await memory.bury(id)
  expect(buried.buriedAt).toMatch(/^\d{4}-/)
  const texts = async (): Promise<string> =>
    JSON.stringify([
      (await memory.search('Which locker is mine at the pool?')).results,
      (await memory.search('locker', { ranking: 'long-term', includePast: true })).results,
      (await memory.search('locker', { ranking: 'associative', asOf: new Date() })).results,
      (await memory.recall('Which locker is mine at the pool?')).results,
      (await memory.context.build('Which locker is mine at the pool, now or before?')).messages.slice(0, -1),
      (await memory.getAll()).items,
      (await memory.getAll({ includePast: true })).items,
    ])
  expect(await texts()).not.toContain('214')
  expect((await memory.getAll()).total).toBe(1)
  expect((await memory.getAll({ includePast: true })).total).toBe(1)
  expect((await memory.getAll({ includeBuried: true })).total).toBe(2)
  expect((await memory.getAll({ includeBuried: true, filters: { buriedAt: { ne: null } } })).items[0]?.id).toBe(id)
  expect((await memory.get(id)).text).toContain('214')
  await memory.unbury(id)
  expect(await texts()).toContain('214')
  expect((await memory.getAll()).total).toBe(2)
  await expect(memory.bury('nothing')).rejects.toMatchObject({ code: 'not_found' })
})

test('what was said in a chat and is buried leaves the profile, and comes back to it', async () => {
  const memory = await opened()
  const turns = [{ role: 'user' as const, content: '以后请用中文回答我。' }]
  await memory.conversations.store({ conversationId: 'c', turns })
  await memory.idle()
  const [one] = (await memory.getAll()).items
  const { text } = await memory.profile.get({})
  expect(text).not.toBe('')
  await memory.bury(one!.id)
  expect((await memory.profile.get({})).text).toBe('')
  await memory.unbury(one!.id)
  expect((await memory.profile.get({})).text).toBe(text)
})

test('a buried memory travels in an export, goes with its conversation, and is deleted like any other', async () => {
  const memory = await opened()
  await memory.conversations.store({
    conversationId: 'c',
    turns: [{ role: 'user', content: 'My dentist is Dr. Kwan on Mill Road.' }],
  })
  await memory.idle()
  const [one] = (await memory.getAll()).items
  await memory.bury(one!.id)
  await memory.conversations.mute('c')
  let lines = ''
  for await (const piece of memory.conversations.export({})) lines += piece
  const other = await openMemory({ path: ':memory:', userId: 'ann' })
  onTestFinished(() => other.close())
  await other.conversations.import(new Blob([lines]).stream())
  expect((await other.get(one!.id)).buriedAt).not.toBeNull()
  expect((await other.getAll()).total).toBe(0)
  expect((await other.conversations.get('c')).isMuted).toBe(true)
  await other.maintenance.undo({ conversationId: 'c' })
  expect((await other.getAll({ includeBuried: true })).total).toBe(0)
  await memory.deleteAll({ filters: { conversationId: 'c' } })
  expect((await memory.getAll({ includeBuried: true, includePast: true })).total).toBe(0)
})

test('from a muted conversation no model is shown anything, neither what was said nor what was remembered', async () => {
  const memory = await opened()
  await memory.conversations.store({
    conversationId: 'c',
    turns: [{ role: 'user', content: 'My locker at the pool is number 214.' }],
  })
  await memory.idle()
  const seen = async (): Promise<string> =>
    JSON.stringify([
      (await memory.recall('Which locker is mine at the pool?')).results,
      (await memory.context.build('Which locker is mine at the pool?')).messages.slice(0, -1),
    ])
  expect(await seen()).toContain('214')
  expect((await memory.conversations.mute('c')).isMuted).toBe(true)
  expect(await seen()).not.toContain('214')
  expect((await memory.getAll()).items.map(({ text }) => text).join()).toContain('214')
  expect((await memory.conversations.recall('locker')).results).toHaveLength(1)
  expect((await memory.conversations.unmute('c')).isMuted).toBeUndefined()
  expect(await seen()).toContain('214')
  const told = 'I live in Porto with my parrot.'
  for (const [conversationId, content] of Object.entries({ d: `${told} I am a dentist.`, e: told }))
    await memory.conversations.store({ conversationId, turns: [{ role: 'user', content }] })
  await memory.idle()
  const lines = async (): Promise<string> => (await memory.context.build('Hello', { conversationId: 'z' })).text
  expect(await lines()).toMatch(/Porto.*dentist|dentist.*Porto/s)
  await memory.conversations.mute('d')
  expect(await lines()).toContain('Porto')
  expect(await lines()).not.toContain('dentist')
  await memory.conversations.mute('e')
  expect(await lines()).not.toContain('Porto')
  expect((await memory.profile.get()).text).toMatch(/Porto.*dentist|dentist.*Porto/s)
  await expect(memory.conversations.mute('nothing')).rejects.toMatchObject({ code: 'not_found' })
})

test('consolidation leaves what is buried alone, and a later memory like it stands by itself', async () => {
  const memory = await opened()
  const episode = { infer: false, memoryType: 'episodic' } as const
  const { results } = await memory.add('Ann fixed the leaking kitchen tap with a new washer.', episode)
  await memory.bury(results[0]!.id)
  await memory.add('Ann fixed the leaking kitchen tap with a new washer yesterday.', episode)
  await memory.maintenance.consolidate()
  expect((await memory.get(results[0]!.id)).text).toBe('Ann fixed the leaking kitchen tap with a new washer.')
  expect((await memory.getAll({ filters: { memoryType: 'episodic' } })).items).toHaveLength(1)
  expect((await memory.getAll({ includeBuried: true, filters: { memoryType: 'episodic' } })).items).toHaveLength(2)
})

test('REST buries and takes out again', async () => {
  const { ask, memory } = await startForTest({ open: { userId: 'local' } })
  const { results } = await memory.add('The boat is called Petrel.', { infer: false })
  const path = `/memory/long-term/${results[0]!.id}/bury`
  expect((await ask('POST', path)).body.buried_at).toMatch(/Z$/)
  expect((await ask('GET', '/memory/long-term')).body.total).toBe(0)
  expect((await ask('GET', '/memory/long-term?include_buried=true')).body.total).toBe(1)
  expect((await ask('DELETE', path)).body.buried_at).toBeNull()
  expect((await ask('GET', '/memory/long-term')).body.total).toBe(1)
})
