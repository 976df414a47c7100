/** The duties of every turn index, run by each backend. The oracle is the in-memory index over the same turns. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/domain/contracts/store.ts'
import type { NewTurn } from '../../src/domain/turn.ts'
import { extractSymbols } from '../../src/language/symbols/symbols.ts'
import { turnTerms } from '../../src/language/terms.ts'
import { inMemorySources } from '../support/in-memory-view.ts'

/** A turn with only what a test says of it. */
export function newTurn(content: string, more: Partial<NewTurn> = {}): NewTurn {
  return {
    role: 'user',
    content,
    speaker: null,
    createdAt: Date.UTC(2026, 4, 7, 10),
    externalId: null,
    metadata: null,
    isCollected: false,
    symbols: extractSymbols(content),
    ...more,
  }
}

const SENTENCES = [
  'We moved the payment queue from Redis to SQLite last night.',
  '支付队列昨晚从 Redis 换成了 SQLite。',
  'processPayment throws a TimeoutError when the queue is full',
  '缓存过期以后 CacheManager 会重新读取配置文件 src/cache/manager.ts',
  'Could you remind me what we decided about retries?',
  '重试机制最后是怎么决定的？',
  'My sister visits from Lisbon in May, so no deploy that week.',
  '我更喜欢深色主题，也喜欢简短的回答。',
  'The deploy script lives in scripts/deploy.sh and needs user_id and api_key.',
  '测试环境的数据库密码上周改过了',
]

/** Runs the suite; `open` gives a fresh store each time it is called. */
export function turnIndexContract(name: string, open: () => Promise<Store>): void {
  describe(`turn index: ${name}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const add = (userId: string, conversationId: string, ...turns: NewTurn[]) =>
      store.log.append(userId, [{ conversationId, projectRoot: '', turns }], Date.UTC(2026, 4, 7, 10))

    /** The turns that hold a term, as conversation#number, by the index. */
    const holders = async (userId: string, term: string) => {
      const view = await store.index.view(userId)
      const [list] = await view.postings([term])
      return [...list!.documents].map((ordinal, at) => ({
        turn: `${view.conversations[view.columns.conversation[ordinal]!]!.conversationId}#${view.columns.number[ordinal]}`,
        frequency: list!.frequencies[at],
      }))
    }

    test('a user who stored nothing has an empty view', async () => {
      const view = await store.index.view('nobody')
      expect([view.size, view.live, view.averageLength]).toEqual([0, 0, 0])
      const [list] = await view.postings(['queue'])
      expect(list!.documents.length).toBe(0)
    })

    test('a stored turn is seen at once, with its columns', async () => {
      await add('ann', 'c1', newTurn(SENTENCES[2]!, { role: 'assistant', speaker: 'Mneme' }))
      const view = await store.index.view('ann')
      expect(view.size).toBe(1)
      expect(view.conversations[view.columns.conversation[0]!]).toMatchObject({
        conversationId: 'c1',
        projectRoot: '',
        summarizedTo: 0,
      })
      expect(view.speakers[view.columns.speaker[0]!]).toBe('Mneme')
      expect(view.columns.createdAt[0]).toBe(Date.UTC(2026, 4, 7, 10))
      expect([view.columns.previous[0], view.columns.next[0]]).toEqual([-1, -1])
    })

    test('a view keeps its size while turns are added', async () => {
      await add('ann', 'c1', newTurn('the heron stands in the reeds'))
      const view = await store.index.view('ann')
      await add('ann', 'c1', newTurn('another heron came'))
      const [list] = await view.postings(['heron'])
      expect([...list!.documents]).toEqual([0])
      expect(await holders('ann', 'heron')).toHaveLength(2)
    })

    test('neighbours are those of the same conversation, however the conversations interleave', async () => {
      for (let index = 0; index < 9; index += 1) await add('ann', `c${index % 3}`, newTurn(`turn ${index}`))
      const { columns } = await store.index.view('ann')
      expect([...columns.previous.slice(0, 9)]).toEqual([-1, -1, -1, 0, 1, 2, 3, 4, 5])
      expect([...columns.next.slice(0, 9)]).toEqual([3, 4, 5, 6, 7, 8, -1, -1, -1])
    })

    test('users never see each other, whatever their ids', async () => {
      const users = ["o'hara", 'a"b', '100%', '_', 'line\nbreak', '用户', 'x'.repeat(500), '\u001f', 'ann', 'Ann']
      for (const user of users) await add(user, 'same', newTurn(`secret of mine heron`))
      for (const user of users) {
        const view = await store.index.view(user)
        expect(view.live).toBe(1)
        expect(await holders(user, 'heron')).toHaveLength(1)
      }
    })

    test('after thousands of turns, removals and reopened views every list is that of a fresh index', async () => {
      let state = 42
      const random = (below: number) => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0
        return Math.floor((state / 2 ** 32) * below)
      }
      const kept = new Map<string, string[]>()
      for (let step = 0; step < 220; step += 1) {
        const conversationId = `c${random(40)}`
        if (step % 31 === 30) {
          await store.log.remove('ann', { kind: 'conversation', conversationId })
          kept.delete(conversationId)
          continue
        }
        const turns = Array.from(
          { length: 1 + random(30) },
          () => `${SENTENCES[random(10)]} ${SENTENCES[random(10)]} n${random(500)}`,
        )
        kept.set(conversationId, [...(kept.get(conversationId) ?? []), ...turns])
        await add('ann', conversationId, ...turns.map((content) => newTurn(content)))
        if (step % 50 === 0) await store.idle()
      }
      await store.idle()
      const plain = [...kept].flatMap(([conversationId, contents]) =>
        contents.map((content) => ({ conversationId, content, createdAt: 0 })),
      )
      const oracle = inMemorySources(plain).view
      const terms = [
        ...new Set([
          ...SENTENCES.flatMap((text) => [...turnTerms(text, extractSymbols(text)).keys()]),
          ...Array.from({ length: 500 }, (_, n) => `n${n}`),
        ]),
      ]
      const view = await store.index.view('ann')
      expect(view.live).toBe(plain.length)
      expect(view.averageLength).toBeCloseTo(oracle.averageLength, 6)
      const expected = await oracle.postings(terms)
      const found = await view.postings(terms)
      const counts = (source: typeof view, list: (typeof found)[number]) =>
        [...list.documents]
          .map((ordinal, at) => {
            const { conversationId } = source.conversations[source.columns.conversation[ordinal]!]!
            return `${conversationId} ${list.frequencies[at]}`
          })
          .sort()
      for (const [at, term] of terms.entries())
        expect({ term, lists: counts(view, found[at]!) }).toEqual({ term, lists: counts(oracle, expected[at]!) })
    })

    test('a rebuild finds the same turns', async () => {
      for (let index = 0; index < 700; index += 1)
        await add('ann', `c${index % 7}`, newTurn(`${SENTENCES[index % 10]} n${index}`))
      await store.idle()
      const before = await holders('ann', '缓存')
      await store.rebuild('ann')
      expect(await holders('ann', '缓存')).toEqual(before)
      expect(before).toHaveLength(70)
    })
  })
}
