/** The duties of every memory index, run by each backend. The oracle cuts the living memories into terms anew. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MemoryPatch } from '../../src/domain/contracts/memory-store.ts'
import type { Store } from '../../src/domain/contracts/store.ts'
import {
  MEMORY_DELETED,
  MEMORY_IN_DOUBT,
  MEMORY_SUPERSEDED,
  type MemoryView,
} from '../../src/domain/contracts/text-index.ts'
import { CATEGORIES, MEMORY_TYPES, type Memory } from '../../src/domain/memory.ts'
import { indexTerms } from '../../src/language/terms.ts'
import { oneOf, seeded, wholeNumber } from '../support/random.ts'
import { memoryOf } from './memory-store.ts'
import { newTurn } from './turn-index.ts'

const AT = Date.UTC(2026, 4, 7, 10)
const SENTENCES = [
  'Keeps bees behind the house since the spring',
  '在屋后养了两箱蜜蜂',
  'Sold the old boat to a neighbour from Lisbon',
  '把旧船卖给了里斯本的邻居',
  'Prefers short answers and a dark theme',
  '喜欢简短的回答和深色主题',
  'Works at a brewery near the harbour on Tuesdays',
  '每周二在港口边的啤酒厂上班',
]

/** Runs the suite; `open` gives a fresh store each time it is called. */
export function memoryIndexContract(name: string, open: () => Promise<Store>): void {
  describe(`memory index: ${name}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const isLive = (view: MemoryView, ordinal: number) => (view.columns.flags[ordinal]! & MEMORY_DELETED) === 0

    /** Ids of the memories that hold a term, by the index. */
    const holders = async (userId: string, term: string) => {
      const view = await store.memories.index.view(userId)
      const [list] = await view.postings([term])
      const rows = [...list!.documents].map((at) => view.columns.row[at]!)
      const memories = await store.memories.getRows(userId, rows, { includePast: true })
      return memories.map((memory) => memory?.id)
    }

    test('a user who has no memories has an empty view', async () => {
      const view = await store.memories.index.view('nobody')
      expect([view.size, view.live, view.averageLength]).toEqual([0, 0, 0])
      expect((await view.postings(['bees']))[0]!.documents.length).toBe(0)
      expect(store.memories.index.isReady('nobody')).toBe(true)
    })

    test('a memory is seen at once, with its columns', async () => {
      await store.log.append(
        'ann',
        [{ conversationId: 'c1', projectRoot: '/srv/app', turns: [newTurn('I keep bees')] }],
        AT,
      )
      await store.memories.insert('ann', [
        memoryOf('m1', SENTENCES[0]!, {
          memoryType: 'episodic',
          category: 'pattern',
          conversationId: 'c1',
          sourceTurnIds: [3, 1],
          createdAt: AT,
          occurredAt: Date.UTC(1956, 1, 3),
          validFrom: AT - 5000,
          suspect: { reason: 'the house was sold', since: AT },
        }),
      ])
      await store.memories.insert('ann', [memoryOf('m2', SENTENCES[1]!, { validTo: AT + 5000, supersededBy: 'm1' })])
      const { columns, conversations, ...view } = await store.memories.index.view('ann')
      expect([view.size, view.live]).toEqual([2, 2])
      expect(view.averageLength).toBe((columns.length[0]! + columns.length[1]!) / 2)
      expect(conversations[columns.conversation[0]!]).toMatchObject({ conversationId: 'c1', projectRoot: '/srv/app' })
      expect(conversations[columns.conversation[1]!]!.conversationId).toBe('')
      const first = {
        memoryType: MEMORY_TYPES[columns.memoryType[0]!],
        category: CATEGORIES[columns.category[0]!],
        turn: columns.turn[0],
        times: [columns.createdAt[0], columns.occurredAt[0], columns.validFrom[0], columns.validTo[0]],
        flags: [columns.flags[0], columns.flags[1]],
        validTo: columns.validTo[1],
      }
      expect(first).toEqual({
        memoryType: 'episodic',
        category: 'pattern',
        turn: 1,
        times: [AT, Date.UTC(1956, 1, 3), AT - 5000, Number.POSITIVE_INFINITY],
        flags: [MEMORY_IN_DOUBT, MEMORY_SUPERSEDED],
        validTo: AT + 5000,
      })
      const rows = [columns.row[1]!, columns.row[0]!, 4711]
      const ids = async (filter: object) =>
        (await store.memories.getRows('ann', rows, filter)).map((memory) => memory?.id)
      expect(await ids({ includePast: true })).toEqual(['m2', 'm1', undefined])
      expect(await ids({})).toEqual([undefined, 'm1', undefined])
      expect((await store.memories.getTexts('ann', rows)).map(({ row, id }) => [row, id])).toEqual([
        [rows[0], 'm2'],
        [rows[1], 'm1'],
      ])
      await store.memories.update('ann', 'm1', { buriedAt: AT }, AT)
      const left = await store.memories.getTexts('ann', rows)
      expect(left.map(({ id, text }) => [id, text])).toEqual([['m2', (await store.memories.get('ann', 'm2'))!.text]])
      // A row may be asked for twice, by what it was and by what it is.
      await store.memories.remove('ann', ['m1'])
      expect(await store.memories.getRows('ann', [rows[1]!, rows[1]!], {})).toEqual([null, null])
    })

    test('an edit leaves a hole and its new words are found; a removed memory is found by nothing', async () => {
      await store.memories.insert('ann', [memoryOf('m1', 'Works at a bakery'), memoryOf('m2', 'Sold the boat')])
      expect(await holders('ann', 'bakeri')).toEqual(['m1'])
      await store.memories.update('ann', 'm1', { text: 'Works at a brewery' }, AT)
      expect(await holders('ann', 'bakeri')).toEqual([])
      expect(await holders('ann', 'breweri')).toEqual(['m1'])
      const view = await store.memories.index.view('ann')
      expect([view.size, view.live]).toEqual([3, 2])
      await store.memories.remove('ann', ['m1'])
      expect(await holders('ann', 'breweri')).toEqual([])
      expect((await store.memories.index.view('ann')).live).toBe(1)
    })

    test('a view keeps its size while memories are added', async () => {
      await store.memories.insert('ann', [memoryOf('m1', 'the heron stands in the reeds')])
      const view = await store.memories.index.view('ann')
      await store.memories.insert('ann', [memoryOf('m2', 'another heron came')])
      expect([...(await view.postings(['heron']))[0]!.documents]).toEqual([0])
      expect(await holders('ann', 'heron')).toEqual(['m1', 'm2'])
    })

    test('users never see each other', async () => {
      const users = ["o'hara", 'a"b', '100%', '_', '用户', 'ann', 'Ann']
      for (const user of users) await store.memories.insert(user, [memoryOf('same', 'the secret heron of mine')])
      for (const user of users) expect(await holders(user, 'heron')).toEqual(['same'])
    })

    test('after many changes, flushes and merges every list is that of the living memories', async () => {
      const random = seeded(5)
      const living = new Map<string, Memory>()
      const fresh = (id: string) =>
        memoryOf(id, `${oneOf(random, SENTENCES)}. ${oneOf(random, SENTENCES)} n${wholeNumber(random, 0, 300)}`, {
          tags: random() < 0.2 ? ['home'] : [],
        })
      let next = 0
      for (let step = 0; step < 50; step += 1) {
        const added = Array.from({ length: wholeNumber(random, 1, 60) }, () => fresh(`m${next++}`))
        await store.memories.insert('ann', added)
        for (const memory of added) living.set(memory.id, memory)
        const some = [...living.keys()].filter(() => random() < 0.01)
        for (const id of some.slice(0, 4)) {
          const patch: MemoryPatch =
            random() < 0.5 ? { text: fresh(id).text } : random() < 0.5 ? { validTo: AT } : { supersededBy: 'm0' }
          living.set(id, { ...(await store.memories.update('ann', id, patch, AT + step))! })
        }
        if (step % 10 === 3) {
          await store.memories.remove('ann', some.slice(4, 12))
          for (const id of some.slice(4, 12)) living.delete(id)
        }
        if (step % 10 === 0) await store.idle()
        if (step % 16 === 7) await store.memories.index.view('ann')
      }
      await store.idle()
      expect((await store.check()).filter(({ ok }) => !ok)).toEqual([])
      const expected = new Map<string, string[]>()
      for (const memory of living.values())
        for (const [term, frequency] of indexTerms(`${memory.text}\n${memory.tags.join('\n')}`))
          expected.set(term, [...(expected.get(term) ?? []), `${memory.id} ${frequency}`])
      const check = async () => {
        const view = await store.memories.index.view('ann')
        expect(view.live).toBe(living.size)
        const rows = Array.from({ length: view.size }, (_, ordinal) => view.columns.row[ordinal]!)
        const memories = await store.memories.getRows('ann', rows, { includePast: true })
        const lists = await view.postings([...expected.keys()])
        for (const [at, [term, holding]] of [...expected].entries()) {
          const { documents, frequencies } = lists[at]!
          const found = [...documents].map((ordinal, place) => `${memories[ordinal]?.id} ${frequencies[place]}`)
          expect({ term, found: found.sort() }).toEqual({ term, found: holding.toSorted() })
        }
        for (let ordinal = 0; ordinal < view.size; ordinal += 1) {
          if (!isLive(view, ordinal)) continue
          const { validTo, supersededBy } = living.get(memories[ordinal]!.id)!
          expect(view.columns.validTo[ordinal]).toBe(validTo ?? Number.POSITIVE_INFINITY)
          expect(view.columns.flags[ordinal]).toBe(supersededBy === null ? 0 : MEMORY_SUPERSEDED)
        }
      }
      await check()
      await store.rebuild('ann')
      await check()
      await store.memories.removeAll('ann')
      expect((await store.memories.index.view('ann')).live).toBe(0)
    })
  })
}
