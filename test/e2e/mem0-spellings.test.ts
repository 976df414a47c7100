/**
 * Both spellings are taken by every method of `Memory`: by the types, which `npm run types` checks here, and when they are
 * called.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { Memory } from '../../src/doors/mem0/index.ts'

let memory: Memory
let close: () => Promise<void>
beforeAll(async () => {
  const open = await openMemory({ path: ':memory:' })
  close = () => open.close()
  memory = new Memory(open)
})
afterAll(() => close())

test('Memory takes snake_case as it takes camelCase', async () => {
  const idOf = async (text: string, more: object = {}): Promise<string> =>
    (await memory.add(text, { user_id: 'anna', infer: false, ...more })).results[0]?.id ?? ''
  const id = await idOf('Tea at four.', { expiration_date: '2090-01-01' })
  await memory.update(id, { text: '四点喝茶。', expiration_date: '2091-01-01', user_id: 'anna' })
  expect(await memory.get(id, { user_id: 'anna' })).toMatchObject({
    memory: '四点喝茶。',
    expirationDate: '2091-01-01',
  })
  expect(await memory.history(id, { user_id: 'anna' })).toHaveLength(2)
  await memory.update(id, { data: 'Tea at five.', text: 'Tea at five.', userId: 'anna', expirationDate: null })
  expect(await memory.get(id, { userId: 'anna' })).toMatchObject({ memory: 'Tea at five.', expirationDate: null })
  const found = await memory.search('tea', { user_id: 'anna', top_k: 3, show_expired: true })
  expect(found.results).toHaveLength(1)
  expect((await memory.getAll({ user_id: 'anna', page_size: 3 })).results).toHaveLength(1)
  await memory.delete(id, { user_id: 'anna' })
  await memory.delete(await idOf('Tea at six.'), { userId: 'anna' })
  await idOf('Tea at seven.', { agent_id: 'cook' })
  expect(await memory.deleteAll({ user_id: 'anna', agent_id: 'cook' })).toMatchObject({ deleted: 1 })
})

test('the types know how options are spelt', () => {
  const never = async (): Promise<void> => {
    // @ts-expect-error no such option
    await memory.delete('id', { delete_linked: true })
    // @ts-expect-error no such option
    await memory.update('id', { text: 'a', expirationDay: '2090-01-01' })
    // @ts-expect-error a day is text
    await memory.add('a', { user_id: 'anna', expiration_date: 5 })
  }
  expect(never).toBeTypeOf('function')
})
