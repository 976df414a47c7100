import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenMemory, openMemory } from '../library/index.ts'
import { MnemeStore } from './langgraph.ts'

let memory: OpenMemory
let store: MnemeStore
beforeEach(async () => {
  memory = await openMemory({ path: ':memory:', userId: 'ann' })
  store = new MnemeStore(memory)
})
afterEach(() => memory.close())

test('an item is put, found again, replaced and deleted; it keeps the day on which it was made', async () => {
  await store.put(['users', 'ann'], 'tea', { text: 'Ann drinks oolong.', cups: 3 })
  const first = await store.get(['users', 'ann'], 'tea')
  expect(first?.value).toEqual({ text: 'Ann drinks oolong.', cups: 3 })
  await store.put(['users', 'ann'], 'tea', { text: 'Ann drinks sencha.', cups: 2 })
  const second = await store.get(['users', 'ann'], 'tea')
  expect(second).toMatchObject({ value: { text: 'Ann drinks sencha.' }, createdAt: first?.createdAt })
  expect((await memory.getAll()).total).toBe(1)
  await store.delete(['users', 'ann'], 'tea')
  expect(await store.get(['users', 'ann'], 'tea')).toBeNull()
})

test('a search finds by words below its namespace only, in both languages', async () => {
  await store.put(['food'], 'a', { text: '我对花生过敏' })
  await store.put(['food', 'likes'], 'b', { text: 'She likes mango.' })
  await store.put(['foodies'], 'c', { text: 'mango lovers' })
  expect((await store.search(['food'], { query: 'mango' })).map(({ key }) => key)).toEqual(['b'])
  expect((await store.search(['food'], { query: '花生' })).map(({ key }) => key)).toEqual(['a'])
  expect((await store.search(['food'])).map(({ key }) => key).sort()).toEqual(['a', 'b'])
})

test('labels and keys may be any text', async () => {
  await store.batch([{ namespace: ['a%b', 'c/d', '店'], key: 'x"y', value: { n: 1 } }])
  expect((await store.search(['a%b', 'c/d'])).map(({ namespace, key }) => [namespace, key])).toEqual([
    [['a%b', 'c/d', '店'], 'x"y'],
  ])
  expect(await store.search(['a'])).toEqual([])
})

test.each([
  [{ cups: 3 }, ['b']],
  [{ cups: { $gte: 2, $lt: 3 } }, ['a']],
  [{ kind: { $in: ['tea', 'wine'] } }, ['a', 'c']],
  [{ kind: { $ne: 'tea' } }, ['b', 'c']],
  [{ cups: { $exists: false } }, ['c']],
])('the filter %j passes %j', async (filter, keys) => {
  await store.put(['d'], 'a', { kind: 'tea', cups: 2 })
  await store.put(['d'], 'b', { kind: 'coffee', cups: 3 })
  await store.put(['d'], 'c', { kind: 'wine' })
  expect((await store.search(['d'], { filter })).map(({ key }) => key).sort()).toEqual(keys)
})

test('an operator that is not known is an error, not an empty answer', async () => {
  await store.put(['d'], 'a', { n: 1 })
  await expect(store.search(['d'], { filter: { n: { $near: 1 } } })).rejects.toThrow('$near')
})
