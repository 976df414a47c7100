import { expect, test } from 'vitest'
import { memoryOf } from '../../../test/contracts/memory-store.ts'
import type { MemoryStore } from '../../domain/contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import { openDatabase } from './file/open-database.ts'
import { sqliteMemoryStore } from './memories/memory-store.ts'

const AT = Date.parse('2026-02-01T00:00:00Z')

function store(): MemoryStore {
  const connection = openDatabase(':memory:', { create: true })
  return sqliteMemoryStore(connection)
}

function memory(id: string, text = `Note ${id} about the loom.`): Memory {
  const times = { occurredAt: AT, createdAt: AT, updatedAt: AT, validFrom: AT }
  return memoryOf(id, text, { memoryType: 'episodic', who: 'user', ...times })
}

const ids = (memories: readonly Memory[]): readonly string[] => memories.map(({ id }) => id)

test('the feed gives each memory once, in the order of its latest change, in pieces', async () => {
  const memories = store()
  await memories.insert(
    'ana',
    ['a', 'b', 'c'].map((id) => memory(id)),
  )
  const first = await memories.changedSince('ana', 0, 2)
  expect(ids(first.memories)).toEqual(['a', 'b'])
  await memories.update('ana', 'a', { text: 'The loom was sold.' }, AT + 1)
  const second = await memories.changedSince('ana', first.mark, 10)
  expect(ids(second.memories)).toEqual(['c', 'a'])
  expect(await memories.changedSince('ana', second.mark, 10)).toEqual({ memories: [], mark: second.mark })
})

test('a memory comes again when it was changed or its use rises above 10, and not for any other use', async () => {
  const memories = store()
  await memories.insert('ana', [memory('a')])
  const changes: readonly (readonly [() => Promise<unknown>, boolean])[] = [
    [() => memories.update('ana', 'a', { text: 'The loom broke.' }, AT + 1), true],
    [() => memories.update('ana', 'a', { importance: 2 }, AT + 2), true],
    [() => memories.update('ana', 'a', { tags: ['craft'], metadata: { place: 'attic' } }, AT + 3), true],
    [() => memories.update('ana', 'a', { who: 'Ivo' }, AT + 4), true],
    [() => memories.update('ana', 'a', { memoryType: 'semantic' }, AT + 5), true],
    [() => memories.update('ana', 'a', { validTo: AT }, AT + 6), true],
    [() => Promise.all(Array.from({ length: 10 }, () => memories.touch('ana', ['a'], AT))), false],
    [() => memories.touch('ana', ['a'], AT), true],
    [() => memories.touch('ana', ['a'], AT), false],
  ]
  let { mark } = await memories.changedSince('ana', 0, 10)
  for (const [at, [change, comes]] of changes.entries()) {
    await change()
    const changed = await memories.changedSince('ana', mark, 10)
    expect(changed.memories.length, `change ${at}`).toBe(comes ? 1 : 0)
    mark = changed.mark
  }
})

test('removed memories leave the feed, and nothing crosses users', async () => {
  const memories = store()
  await memories.insert('ana', [memory('a'), memory('b')])
  await memories.insert('ben', [memory('c')])
  await memories.remove('ana', ['a'])
  expect(ids((await memories.changedSince('ana', 0, 10)).memories)).toEqual(['b'])
  expect(ids((await memories.changedSince('ben', 0, 10)).memories)).toEqual(['c'])
  expect(await memories.changedSince('nobody', 0, 10)).toEqual({ memories: [], mark: 0 })
})

test('a mark is kept for each user, never goes back, and tells whose changes are still to be read', async () => {
  const memories = store()
  await memories.insert('ana', [memory('a')])
  await memories.insert('ben', [memory('b')])
  expect(await memories.changedUsers(10)).toEqual(['ana', 'ben'])
  expect(await memories.changedUsers(10, 'ana')).toEqual(['ben'])
  const { mark } = await memories.changedSince('ana', 0, 10)
  await memories.setMark('ana', mark)
  await memories.setMark('ana', 0)
  expect(await memories.readMark('ana')).toBe(mark)
  expect(await memories.readMark('ben')).toBe(0)
  expect(await memories.changedUsers(10)).toEqual(['ben'])
})
