/** The duties of every store of long-term memories. A backend runs it with a function that opens an empty store. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MemoryStore } from '../../src/domain/contracts/memory-store.ts'
import type { Memory } from '../../src/domain/memory.ts'
import { queryTerms } from '../../src/language/terms.ts'
import { matchMemories } from '../../src/search/match-memories.ts'

const DAY = 86_400_000
const START = Date.parse('2026-03-02T09:00:00Z')

/** A memory with this text; what is not said has a plain value. */
export function memoryOf(id: string, text: string, said: Partial<Memory> = {}): Memory {
  return {
    id,
    text,
    memoryType: 'semantic',
    category: 'fact',
    key: null,
    value: null,
    tags: [],
    conversationId: null,
    who: null,
    occurredAt: START,
    createdAt: START,
    updatedAt: START,
    confidence: 0.9,
    source: 'user_stated',
    importance: 1,
    accessCount: 0,
    lastAccessed: null,
    validFrom: START,
    validTo: null,
    projectRoot: null,
    supersededBy: null,
    suspect: null,
    sourceTurnIds: [],
    externalId: null,
    metadata: null,
    ...said,
  }
}

/** Ids that would break out of a query or a path that is put together from text. */
export const NASTY_USERS: readonly string[] = [
  'anna',
  "anna' OR '1'='1",
  'anna"; DROP TABLE memories; --',
  '%',
  '_',
  'anna\nbert',
  '用户一',
  '👩‍💻',
  '__proto__',
  '*',
  'x'.repeat(500),
  'x'.repeat(501),
]

/** The terms of a question, as the pipeline asks for them. */
export function termsOf(question: string): readonly string[] {
  return queryTerms(question)
}

/** Runs the suite. */
export function memoryStoreContract(
  name: string,
  open: () => Promise<{ readonly store: MemoryStore; readonly close: () => Promise<void> }>,
): void {
  describe(`memory store: ${name}`, () => {
    let store: MemoryStore
    let close: () => Promise<void>
    beforeEach(async () => {
      ;({ store, close } = await open())
    })
    afterEach(() => close())

    test('memories are found by the turns that told them or added to them, and by the memories they point to', async () => {
      const told = { conversationId: 'chat', sourceTurnIds: [1, 2] }
      const odd = { sources: ['x', 3, { conversation_id: 7 }], updates: 'none', doubted_by: ['told'], derived_from: 1 }
      await store.insert('anna', [
        memoryOf('told', 'Rows on Sundays', told),
        memoryOf('added', 'A kitchen was built', {
          metadata: { updates: [{ chat_id: 'chat', turn_id: 9, update: 'of oak' }], doubted_by: 'told' },
        }),
        memoryOf('also', 'Sings bass', {
          ...told,
          sourceTurnIds: [],
          metadata: { sources: [{ conversation_id: 'other', turn_ids: [1] }], derived_from: 'told' },
        }),
        memoryOf('odd', 'Sings alto', { metadata: odd }),
        memoryOf('old', 'Rowed on Mondays', { supersededBy: 'told' }),
      ])
      await store.insert('bert', [memoryOf('told', 'Rows on Sundays', told)])
      const from = async (conversationId: string, ...turns: readonly number[]) =>
        (
          await store.madeFrom('anna', {
            turns: new Map([[conversationId, new Set(turns)]]),
            whole: new Set(turns.length === 0 ? [conversationId] : []),
          })
        ).toSorted()
      expect(await from('chat', 2)).toEqual(['told'])
      expect(await from('chat', 9)).toEqual(['added'])
      expect(await from('chat')).toEqual(['added', 'also', 'told'])
      expect(await from('other', 1)).toEqual(['also'])
      expect((await store.pointingTo('anna', ['told'])).toSorted()).toEqual(['added', 'old'])
      await store.update('anna', 'told', { sourceTurnIds: [2] }, START)
      await store.update('anna', 'added', { metadata: null }, START)
      expect([await from('chat', 1), await from('chat', 2), await from('chat', 9)]).toEqual([[], ['told'], []])
      await store.remove('anna', ['told', 'also'])
      expect([await from('chat'), await from('other'), await store.pointingTo('anna', ['told'])]).toEqual([[], [], []])
      expect(await store.madeFrom('bert', { turns: new Map(), whole: new Set(['chat']) })).toEqual(['told'])
    })

    const found = async (question: string, user = 'anna'): Promise<readonly string[]> =>
      (await store.match(user, termsOf(question), {}, 10)).matches.map(({ memory }) => memory.id)

    test('a memory comes back with every field as it was', async () => {
      const memory = memoryOf('m1', '她下周三要去杭州看牙医', {
        memoryType: 'episodic',
        category: 'pattern',
        key: 'dentist',
        value: { city: '杭州', visits: [1, 2], open: true },
        tags: ['health', '旅行'],
        conversationId: 'chat-7',
        who: 'Mei',
        occurredAt: START + DAY,
        confidence: 0.35,
        source: 'inferred',
        importance: 3,
        accessCount: 4,
        lastAccessed: START + 2,
        validTo: START + 9 * DAY,
        supersededBy: 'm0',
        suspect: { reason: 'the appointment moved', since: START + 5 },
        sourceTurnIds: [3, 4],
        externalId: 'calendar-1',
        metadata: { nested: { list: ['a', null] } },
        projectRoot: '/srv/打卡',
      })
      expect(await store.insert('anna', [memory])).toEqual([{ memory, existed: false }])
      expect(await store.get('anna', 'm1')).toEqual(memory)
    })

    test('a project holds what is said of it and what is said of none, whoever asks and however', async () => {
      const inShop = memoryOf('shop', 'The harbour gate opens at four', { projectRoot: '/shop' })
      const inBlog = memoryOf('blog', 'The harbour gate opens at nine', { projectRoot: '/blog' })
      const everywhere = memoryOf('user', 'Lives by the harbour gate')
      await store.insert('anna', [inShop, inBlog, everywhere])
      const ids = (memories: readonly (Memory | null)[]) => memories.flatMap((one) => one?.id ?? []).sort()
      for (const [projectRoot, expected] of [
        ['/shop', ['shop', 'user']],
        ['/blog', ['blog', 'user']],
        ['/shop/', ['user']],
        ['', ['user']],
        ["/shop' OR '1'='1", ['user']],
      ] as const) {
        const filter = { projectRoot }
        expect(ids((await store.list('anna', { limit: 10, offset: 0, filter })).items)).toEqual(expected)
        expect(ids(await store.getMany('anna', ['shop', 'blog', 'user'], filter))).toEqual(expected)
        const { matches } = await store.match('anna', termsOf('harbour gate'), filter, 10)
        expect(ids(matches.map(({ memory }) => memory))).toEqual(expected)
        const best = await matchMemories(store, 'anna', termsOf('harbour gate'), filter, 10)
        expect(ids(best.matches.map(({ memory }) => memory))).toEqual(expected)
      }
      const before = await store.revision('anna')
      expect(await store.update('anna', 'blog', { projectRoot: null }, START + 1)).toMatchObject({ projectRoot: null })
      expect(await store.update('anna', 'user', { projectRoot: '/blog' }, START + 1)).toMatchObject({
        projectRoot: '/blog',
      })
      expect(await store.update('anna', 'shop', { text: 'The gate is shut' }, START + 1)).toMatchObject({
        projectRoot: '/shop',
      })
      expect(await store.revision('anna')).toBeGreaterThan(before)
      const filter = { projectRoot: '/shop' }
      const best = await matchMemories(store, 'anna', termsOf('harbour gate'), filter, 10)
      expect(ids(best.matches.map(({ memory }) => memory))).toEqual(['blog', 'shop'])
    })

    test('the same external id is stored once for a user, also within one call', async () => {
      const first = memoryOf('m1', 'Plays the cello on Sundays', { externalId: 'note-1' })
      const again = memoryOf('m2', 'Plays the cello on Mondays', { externalId: 'note-1' })
      expect((await store.insert('anna', [first, again])).map(({ existed }) => existed)).toEqual([false, true])
      expect(await store.insert('anna', [again])).toEqual([{ memory: first, existed: true }])
      expect((await store.insert('bert', [again]))[0]?.existed).toBe(false)
      expect((await store.list('anna', { limit: 10, offset: 0 })).total).toBe(1)
    })

    test('a list is paged, last changed first, with the total of the whole list', async () => {
      await store.insert(
        'anna',
        Array.from({ length: 25 }, (_, index) => memoryOf(`m${index}`, `Note ${index}`, { updatedAt: START + index })),
      )
      const page = await store.list('anna', { limit: 10, offset: 20 })
      expect(page.total).toBe(25)
      expect(page.items.map(({ id }) => id)).toEqual(['m4', 'm3', 'm2', 'm1', 'm0'])
      expect(await store.list('anna', { limit: 10, offset: 99 })).toEqual({ items: [], total: 25 })
    })

    test('a list keeps to its filter', async () => {
      await store.insert('anna', [
        memoryOf('tea', 'Drinks green tea', { category: 'preference', tags: ['drink'], key: 'tea', who: 'Anna' }),
        memoryOf('cat', 'Has a grey cat', { conversationId: 'chat-1', source: 'inferred' }),
        memoryOf('run', 'Ran a marathon', { memoryType: 'episodic' }),
      ])
      const listed = async (filter: object): Promise<readonly string[]> =>
        (await store.list('anna', { limit: 10, offset: 0, filter })).items.map(({ id }) => id)
      expect(await listed({ category: 'preference' })).toEqual(['tea'])
      expect(await listed({ tag: 'drink' })).toEqual(['tea'])
      expect(await listed({ tag: 'dri' })).toEqual([])
      expect(await listed({ key: 'tea', who: 'Anna' })).toEqual(['tea'])
      expect(await listed({ conversationId: 'chat-1' })).toEqual(['cat'])
      expect(await listed({ source: 'inferred' })).toEqual(['cat'])
      expect(await listed({ memoryType: 'episodic' })).toEqual(['run'])
      expect(await listed({ memoryType: 'episodic', category: 'preference' })).toEqual([])
    })

    test('what was superseded or has ended is left out unless it is asked for, or held at the moment asked', async () => {
      await store.insert('anna', [
        memoryOf('old', 'Lives in Bremen', { validTo: START + 10 * DAY, supersededBy: 'new' }),
        memoryOf('new', 'Lives in Kiel', { validFrom: START + 10 * DAY }),
        memoryOf('cast', 'Lives with a cast on the left arm', { validTo: START + 3 * DAY }),
      ])
      const listed = async (filter: object): Promise<readonly string[]> =>
        (await store.list('anna', { limit: 10, offset: 0, filter })).items.map(({ id }) => id).sort()
      expect(await listed({})).toEqual(['new'])
      expect(await listed({ includePast: true })).toEqual(['cast', 'new', 'old'])
      expect(await listed({ asOf: START + DAY })).toEqual(['cast', 'old'])
      expect(await listed({ asOf: START + 10 * DAY })).toEqual(['new'])
      expect((await store.list('anna', { limit: 1, offset: 0 })).total).toBe(1)
      expect(await found('who lives where?')).toEqual(['new'])
      const then = await store.match('anna', termsOf('lives'), { asOf: START + 5 * DAY }, 10)
      expect(then.matches.map(({ memory }) => memory.id)).toEqual(['old'])
    })

    test('an edit changes what it names, the search, and leaves a line of history', async () => {
      await store.insert('anna', [memoryOf('m1', 'Works at a bakery', { tags: ['job'] })])
      const edited = await store.update('anna', 'm1', { text: 'Works at a brewery', importance: 2 }, START + DAY)
      expect(edited).toMatchObject({ text: 'Works at a brewery', importance: 2, tags: ['job'], updatedAt: START + DAY })
      expect(await store.get('anna', 'm1')).toEqual(edited)
      expect(await found('bakery')).toEqual([])
      expect(await found('brewery')).toEqual(['m1'])
      await store.update('anna', 'm1', { confidence: 0.5 }, START + 2 * DAY)
      expect(await store.history('anna', 'm1')).toEqual([
        { memoryId: 'm1', event: 'ADD', previousText: null, newText: 'Works at a bakery', createdAt: START },
        {
          memoryId: 'm1',
          event: 'UPDATE',
          previousText: 'Works at a bakery',
          newText: 'Works at a brewery',
          createdAt: START + DAY,
        },
        {
          memoryId: 'm1',
          event: 'UPDATE',
          previousText: 'Works at a brewery',
          newText: 'Works at a brewery',
          createdAt: START + 2 * DAY,
        },
      ])
      expect(await store.update('anna', 'unknown', { text: 'Nobody' }, START)).toBeNull()
      expect(await store.history('anna', 'unknown')).toEqual([])
    })

    test('the story of a superseded memory names what took its place, until that is deleted', async () => {
      await store.insert('anna', [memoryOf('old', '住在成都'), memoryOf('new', '住在苏州')])
      await store.update('anna', 'old', { supersededBy: 'new', validTo: START + DAY }, START + DAY)
      expect((await store.history('anna', 'old')).at(-1)).toMatchObject({
        event: 'SUPERSEDE',
        previousText: '住在成都',
        newText: '住在苏州',
      })
      await store.remove('anna', ['new'])
      expect((await store.history('anna', 'old')).at(-1)?.newText).toBeNull()
      expect((await store.get('anna', 'old'))?.supersededBy).toBeNull()
    })

    test('a removed memory is gone from every answer, and doubts about others no longer quote it', async () => {
      await store.insert('anna', [
        memoryOf('boss', 'Her manager is called Ulrike'),
        memoryOf('team', 'Her team meets on Tuesdays', {
          suspect: { reason: 'Her manager is called Ulrike: no longer true', since: START },
        }),
      ])
      await store.update('anna', 'boss', { text: 'Her manager was called Ulrike' }, START)
      expect(await store.remove('anna', ['boss', 'unknown'])).toBe(1)
      expect(await store.get('anna', 'boss')).toBeNull()
      expect(await store.history('anna', 'boss')).toEqual([])
      expect(await found('manager Ulrike')).toEqual([])
      await store.insert('anna', [memoryOf('boss', 'Reports to Tom')])
      expect(await store.history('anna', 'boss')).toHaveLength(1)
    })

    test('removing all of a user leaves the others alone', async () => {
      await store.insert('anna', [memoryOf('m1', 'Swims'), memoryOf('m2', 'Dives')])
      await store.insert('bert', [memoryOf('m1', 'Swims')])
      expect(await store.removeAll('anna')).toBe(2)
      expect(await store.removeAll('anna')).toBe(0)
      expect((await store.list('anna', { limit: 10, offset: 0 })).total).toBe(0)
      expect(await found('swims', 'bert')).toEqual(['m1'])
    })

    test('an access is counted for each memory touched, and for no other', async () => {
      await store.insert('anna', [memoryOf('m1', 'Skis'), memoryOf('m2', 'Skates')])
      await store.touch('anna', ['m1', 'unknown'], START + DAY)
      await store.touch('anna', ['m1'], START + 2 * DAY)
      expect(await store.get('anna', 'm1')).toMatchObject({ accessCount: 2, lastAccessed: START + 2 * DAY })
      expect(await store.get('anna', 'm2')).toMatchObject({ accessCount: 0, lastAccessed: null })
      expect((await store.get('anna', 'm1'))?.updatedAt).toBe(START)
    })

    test('matches are ordered by BM25: rare words count more, and every matched term is named', async () => {
      await store.insert('anna', [
        memoryOf('both', 'The printer in the office jams'),
        memoryOf('one', 'The office has a garden'),
        memoryOf('other', 'The office opens at eight'),
        memoryOf('none', 'Likes long walks'),
      ])
      const { matches, method } = await store.match('anna', termsOf('office printer'), {}, 10)
      expect(method).toBe('fts')
      expect(matches.map(({ memory }) => memory.id)[0]).toBe('both')
      expect(matches.map(({ memory }) => memory.id)).not.toContain('none')
      expect(matches[0]?.bm25).toBeGreaterThan(matches[1]?.bm25 ?? 0)
      expect(matches.at(-1)?.bm25).toBeGreaterThan(0)
      const printer = termsOf('office printer').findIndex((term) => term.startsWith('printer'))
      expect(matches[0]?.matchedTerms).toContain(printer)
      expect(matches[1]?.matchedTerms).not.toContain(printer)
    })

    test('words with a beginning, the most frequent first, in any case, of one user alone', async () => {
      await store.insert('anna', [
        memoryOf('m1', '我喜欢用 Python 写代码'),
        memoryOf('m2', 'Programming bores her, the pythons do not'),
        memoryOf('m3', 'Python again, which José wrote; python twice'),
      ])
      await store.insert('bert', [memoryOf('m4', 'Pythagoras')])
      expect(await store.wordsBeginning('anna', 'pyth')).toEqual(['python', 'pythons'])
      expect(await store.wordsBeginning('anna', 'programm')).toEqual(['programming'])
      expect(await store.wordsBeginning('anna', 'jose')).toEqual(['jose'])
      // Stop words are no entries.
      expect(await store.wordsBeginning('anna', 'whi')).toEqual([])
      expect(await store.wordsBeginning('anna', '" OR "')).toEqual([])
      expect(await store.wordsBeginning('nobody', 'pyth')).toEqual([])
    })

    test('keys, tags, values and names are found like the text', async () => {
      await store.insert('anna', [
        memoryOf('m1', 'Said so at lunch', {
          key: 'favouriteDrink',
          value: { drink: '乌龙茶' },
          tags: ['breakfast'],
          who: 'Caroline',
        }),
      ])
      for (const question of ['favourite drink', '乌龙茶', 'breakfast', 'Caroline'])
        expect(await found(question)).toEqual(['m1'])
    })

    test('operators, quotes and wildcards in terms are ordinary text', async () => {
      await store.insert('anna', [memoryOf('m1', 'Owns a red bicycle')])
      for (const term of [
        '"',
        '" OR "a',
        '*',
        '%',
        '_',
        '(',
        'NEAR(',
        'terms:red',
        '-',
        "'",
        '\0',
        '\\',
        'NOT',
        '^red',
        '{',
      ])
        expect((await store.match('anna', [term], {}, 10)).matches).toEqual([])
      const hit = await store.match('anna', ['"', 'red'], {}, 10)
      expect(hit.matches.map(({ matchedTerms }) => matchedTerms)).toEqual([[1]])
    })

    test('a memory of one megabyte is stored, found and removed', async () => {
      const text = `${'The harbour was quiet that night. '.repeat(30_000)}Only the lighthouse keeper, Ebenezer, was awake.`
      await store.insert('anna', [memoryOf('m1', text)])
      expect((await store.get('anna', 'm1'))?.text).toBe(text)
      expect(await found('Ebenezer')).toEqual(['m1'])
      expect(await store.remove('anna', ['m1'])).toBe(1)
    })

    test('enough matches are found behind many that the filter rejects', async () => {
      await store.insert(
        'anna',
        Array.from({ length: 1500 }, (_, index) => memoryOf(`p${index}`, `Visited museum number ${index} in May`)),
      )
      await store.insert('anna', [memoryOf('wanted', 'Visited museum and archive in May', { category: 'pattern' })])
      const { matches } = await store.match('anna', termsOf('visited museum may'), { category: 'pattern' }, 5)
      expect(matches.map(({ memory }) => memory.id)).toEqual(['wanted'])
      expect((await store.match('anna', termsOf('visited museum may'), {}, 700)).matches).toHaveLength(700)
    })

    test('the least certain memories are evicted first, then those accessed longest ago', async () => {
      await store.insert('anna', [
        memoryOf('sure', 'Born in Lübeck', { confidence: 1 }),
        memoryOf('used', 'Drinks cocoa', { confidence: 0.4, lastAccessed: START + 5 * DAY }),
        memoryOf('stale', 'Drinks cider', { confidence: 0.4, lastAccessed: START + DAY }),
        memoryOf('never', 'Drinks mead', { confidence: 0.4, createdAt: START + 3 * DAY }),
        memoryOf('guess', 'Might like jazz', { confidence: 0.1, lastAccessed: START + 9 * DAY }),
      ])
      await store.insert('bert', [memoryOf('other', 'Drinks milk', { confidence: 0 })])
      expect(await store.evict('anna', 5)).toEqual([])
      expect(await store.evict('anna', 2)).toEqual(['guess', 'stale', 'never'])
      expect((await store.list('anna', { limit: 9, offset: 0 })).total).toBe(2)
      expect(await store.get('bert', 'other')).not.toBeNull()
    })

    test('no user sees, changes or removes a memory of another, whatever they are called', async () => {
      for (const [index, user] of NASTY_USERS.entries())
        await store.insert(user, [memoryOf('same', `The secret of person ${index} is plum jam`, { externalId: 'e' })])
      for (const [index, user] of NASTY_USERS.entries()) {
        const text = `The secret of person ${index} is plum jam`
        expect((await store.get(user, 'same'))?.text).toBe(text)
        expect((await store.list(user, { limit: 100, offset: 0 })).items.map((memory) => memory.text)).toEqual([text])
        const { matches } = await store.match(user, termsOf('secret plum jam'), {}, 100)
        expect(matches.map(({ memory }) => memory.text)).toEqual([text])
      }
      await store.update('%', 'same', { text: 'Changed by the second' }, START)
      await store.touch('_', ['same'], START)
      await store.removeAll('anna')
      for (const [index, user] of NASTY_USERS.entries()) {
        if (user === 'anna' || user === '%') continue
        const memory = await store.get(user, 'same')
        expect(memory?.text).toBe(`The secret of person ${index} is plum jam`)
        expect(memory?.accessCount).toBe(user === '_' ? 1 : 0)
      }
      expect(await store.get('a stranger', 'same')).toBeNull()
      expect((await store.match('a stranger', termsOf('secret'), {}, 9)).matches).toEqual([])
      expect(await store.remove('a stranger', ['same'])).toBe(0)
      expect(await store.history('a stranger', 'same')).toEqual([])
    })

    test('who has memories is told by name and number, and who has the memory of an id', async () => {
      await store.insert('anna', [memoryOf('m1', 'Tea'), memoryOf('m2', 'Coffee', { updatedAt: START + DAY })])
      await store.insert('用户一', [memoryOf('m1', '茶')])
      await store.insert('ben', [memoryOf('m3', 'Cocoa')])
      await store.removeAll('ben')
      expect(await store.ownersOf('m1')).toEqual(['anna', '用户一'])
      expect(await store.ownersOf('m3')).toEqual([])
      const anna = { userId: 'anna', memories: 2, createdAt: START, updatedAt: START + DAY }
      expect(await store.owners({ limit: 1, offset: 0 })).toEqual({ items: [anna], total: 2 })
      expect((await store.owners({ limit: 9, offset: 1 })).items.map(({ userId }) => userId)).toEqual(['用户一'])
    })
  })
}
