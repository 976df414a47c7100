/** Somebody goes on writing in a conversation while it is deleted. */
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase } from '../support/folder.ts'

test('turns that are stored while their conversation is deleted go with it, or begin it anew', async () => {
  await using memory = await openMemory({ path: freshDatabase('deleted.db'), userId: 'ana' })
  const store = (content: string) =>
    memory.conversations.store({ conversationId: 'trip', turns: [{ role: 'user', content }] })
  for (let round = 0; round < 10; round += 1) {
    for (let turn = 0; turn < 5; turn += 1) await store(`Round ${round}, stop ${turn} of the ferry.`)
    let isDeleted = false
    const deleting = memory.conversations.delete({ conversationId: 'trip' }).finally(() => {
      isDeleted = true
    })
    while (!isDeleted) {
      await store('The ferry was late again.')
      await setImmediate()
    }
    expect(await deleting).toMatchObject({ conversationsDeleted: 1 })
  }
  const { total } = await memory.conversations.list()
  expect(total).toBeLessThanOrEqual(1)
  expect((await memory.maintenance.verify()).filter(({ ok }) => !ok)).toEqual([])
})
