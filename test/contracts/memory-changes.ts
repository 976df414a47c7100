/** The duties of every store of memories with plans: write them whole, or not at all when they are stale. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConversationLog } from '../../src/domain/contracts/conversation-log.ts'
import type { JobQueue, LeasedJob } from '../../src/domain/contracts/job-queue.ts'
import type { MemoryChanges, MemoryStore } from '../../src/domain/contracts/memory-store.ts'
import { memoryOf, termsOf } from './memory-store.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const NOTHING: MemoryChanges = { insert: [], update: [], remove: [], at: START }

/** The stores of one process. */
export interface PlanStores {
  readonly memories: MemoryStore
  readonly jobs: JobQueue
  readonly log: ConversationLog
}

/** Runs the suite; `one` and `other` are two openings of one store. */
export function memoryChangesContract(
  name: string,
  open: () => Promise<{ readonly one: PlanStores; readonly other: PlanStores; readonly close: () => Promise<void> }>,
): void {
  describe(`plans for memories: ${name}`, () => {
    let one: PlanStores
    let other: PlanStores
    let close: () => Promise<void>
    beforeEach(async () => {
      ;({ one, other, close } = await open())
    })
    afterEach(() => close())

    const apply = async (changes: Partial<MemoryChanges>, user = 'anna'): Promise<boolean> =>
      one.memories.apply(user, await one.memories.revision(user), { ...NOTHING, ...changes })
    const idsOf = async (user = 'anna', from = one): Promise<readonly string[]> => {
      const { items } = await from.memories.list(user, { limit: 100, offset: 0, filter: { includePast: true } })
      return items.map(({ id }) => id).sort()
    }
    const leased = async (subject: string): Promise<LeasedJob> => {
      await one.jobs.enqueue('anna', [{ kind: 'add', subject }], START)
      const [job] = await one.jobs.take(START, 30_000, 1)
      return job!
    }
    const storeTurns = (turns: number): Promise<unknown> =>
      one.log.append(
        'anna',
        [
          {
            conversationId: 'chat',
            projectRoot: '',
            think: true,
            turns: Array.from({ length: turns }, (_, at) => ({
              role: 'user' as const,
              content: `The ferry leaves at ${at} o'clock. 渡轮${at}点开。`,
              speaker: null,
              createdAt: START + at,
              externalId: null,
              metadata: null,
              isCollected: false,
              symbols: [],
            })),
          },
        ],
        START,
      )

    test('what is taken back leaves the history for good, from the moment on when it was said', async () => {
      const edit = (text: string, at: number, unsaid?: { since: number; text: string }) =>
        apply({
          at,
          update: [{ id: 'm', patch: { text }, event: 'UPDATE', ...(unsaid === undefined ? {} : { unsaid }) }],
        })
      const story = async () =>
        (await other.memories.history('anna', 'm')).map(({ event, previousText, newText }) => [
          event,
          previousText,
          newText,
        ])
      await one.memories.insert('anna', [memoryOf('m', 'The kiln is new.')])
      await edit('The kiln is old.', START + 10)
      await edit('The kiln is old. 窑裂了。', START + 20)
      await edit('The kiln is old. 窑裂了。 It was sold.', START + 30)
      await edit('The kiln is old.', START + 40, { since: START + 20, text: 'The kiln is old.' })
      const before = [
        ['ADD', null, 'The kiln is new.'],
        ['UPDATE', 'The kiln is new.', 'The kiln is old.'],
      ]
      expect(await story()).toEqual(before)
      expect((await one.memories.match('anna', termsOf('窑裂'), {}, 10)).matches).toEqual([])
      await edit('The kiln is old. It was sold.', START + 50, { since: START + 45, text: 'The kiln is old.' })
      expect(await story()).toEqual([...before, ['UPDATE', 'The kiln is old.', 'The kiln is old. It was sold.']])
    })

    test('a plan inserts, changes, supersedes and removes at once; history and search know of it', async () => {
      await one.memories.insert('anna', [
        memoryOf('old', 'Anna works at the harbour office', { key: 'employer', value: 'harbour office' }),
        memoryOf('typo', 'Anna is alergic to peanuts'),
        memoryOf('twin', 'Anna cannot eat peanuts'),
      ])
      const at = START + 5000
      const applied = await apply({
        at,
        insert: [memoryOf('new', '安娜现在在图书馆上班', { key: 'employer', value: '图书馆' })],
        update: [
          { id: 'old', patch: { validTo: at, supersededBy: 'new' }, event: 'SUPERSEDE' },
          { id: 'typo', patch: { text: 'Anna is allergic to peanuts' }, event: 'UPDATE' },
        ],
        remove: ['twin', 'never there'],
      })
      expect(applied).toBe(true)
      expect(await idsOf()).toEqual(['new', 'old', 'typo'])
      expect(await one.memories.get('anna', 'old')).toMatchObject({ validTo: at, supersededBy: 'new', updatedAt: at })
      expect((await one.memories.history('anna', 'old')).map(({ event, newText }) => [event, newText])).toEqual([
        ['ADD', 'Anna works at the harbour office'],
        ['SUPERSEDE', '安娜现在在图书馆上班'],
      ])
      expect((await one.memories.history('anna', 'typo')).at(-1)).toMatchObject({
        event: 'UPDATE',
        previousText: 'Anna is alergic to peanuts',
      })
      const { matches } = await one.memories.match('anna', termsOf('图书馆 peanuts'), {}, 10)
      expect(matches.map(({ memory }) => memory.id).sort()).toEqual(['new', 'typo'])
    })

    test('the history calls a change what the plan calls it', async () => {
      await one.memories.insert('anna', [memoryOf('m', 'The dog is called Rex')])
      await apply({ update: [{ id: 'm', patch: { validTo: START }, event: 'SUPERSEDE' }] })
      expect((await one.memories.history('anna', 'm')).at(-1)?.event).toBe('SUPERSEDE')
    })

    test('the revision tells every change of what memories say, and nothing else', async () => {
      const { memories } = one
      expect(await memories.revision('anna')).toBe(0)
      let last = 0
      const grows = async (work: () => Promise<unknown>): Promise<boolean> => {
        await work()
        const now = await other.memories.revision('anna')
        const grew = now > last
        last = now
        return grew
      }
      const change = (patch: Parameters<MemoryStore['update']>[2]) => () => memories.update('anna', 'm', patch, START)
      expect(await grows(() => memories.insert('anna', [memoryOf('m', 'One'), memoryOf('n', 'Two')]))).toBe(true)
      expect(await grows(change({ text: 'Another' }))).toBe(true)
      expect(await grows(change({ value: 'tea' }))).toBe(true)
      expect(await grows(change({ validTo: START }))).toBe(true)
      expect(await grows(change({ supersededBy: 'n' }))).toBe(true)
      expect(await grows(change({ suspect: { reason: 'it rests on what changed', since: START } }))).toBe(true)
      expect(await grows(change({ metadata: { mood: 'calm' } }))).toBe(true)
      expect(await grows(() => memories.touch('anna', ['m', 'n'], START + 1))).toBe(false)
      expect(await grows(change({ importance: 2 }))).toBe(false)
      expect(await grows(change({ text: 'Another' }))).toBe(false)
      expect(await grows(() => memories.insert('anna', [memoryOf('m', 'One')]))).toBe(false)
      expect(await grows(() => memories.insert('bert', [memoryOf('m', 'One')]))).toBe(false)
      expect(await grows(() => memories.remove('anna', ['n']))).toBe(true)
      expect(await grows(() => memories.removeAll('anna'))).toBe(true)
    })

    test('a plan made before another process wrote is refused and leaves nothing behind', async () => {
      await storeTurns(3)
      await one.memories.insert('anna', [memoryOf('m', 'The bakery opens at seven')])
      const seen = await one.memories.revision('anna')
      await other.memories.insert('anna', [memoryOf('meanwhile', 'The bakery opens at eight')])
      const applied = await one.memories.apply('anna', seen, {
        at: START,
        insert: [memoryOf('late', '面包店七点开门')],
        update: [{ id: 'm', patch: { text: 'changed' }, event: 'UPDATE' }],
        remove: ['meanwhile'],
        completes: { conversationId: 'chat', thoughtTo: 3 },
      })
      expect(applied).toBe(false)
      expect(await idsOf()).toEqual(['m', 'meanwhile'])
      expect(await one.memories.get('anna', 'm')).toMatchObject({ text: 'The bakery opens at seven' })
      expect(await one.log.thoughtTo('anna', 'chat')).toBe(0)
    })

    test('what another user writes does not make a plan stale', async () => {
      const seen = await one.memories.revision('anna')
      await other.memories.insert('bert', [memoryOf('m', 'Bert paints')])
      expect(await one.memories.apply('anna', seen, { ...NOTHING, insert: [memoryOf('m', 'Anna paints')] })).toBe(true)
    })

    test('a change of a memory that does not exist undoes the whole plan', async () => {
      const update = [{ id: 'gone', patch: { text: 'x' }, event: 'UPDATE' as const }]
      await expect(apply({ insert: [memoryOf('m', 'One')], update })).rejects.toMatchObject({ code: 'not_found' })
      expect(await idsOf()).toEqual([])
    })

    test('how far a conversation was thought about rises with the plan, never falls and never passes its end', async () => {
      await storeTurns(6)
      expect(await apply({ completes: { conversationId: 'chat', thoughtTo: 4 } })).toBe(true)
      expect(await other.log.thoughtTo('anna', 'chat')).toBe(4)
      expect(await apply({ completes: { conversationId: 'chat', thoughtTo: 2 } })).toBe(true)
      expect(await one.log.thoughtTo('anna', 'chat')).toBe(4)
      expect(await apply({ completes: { conversationId: 'chat', thoughtTo: 60 } })).toBe(true)
      expect(await one.log.thoughtTo('anna', 'chat')).toBe(6)
    })

    test('a plan of a process that lost its lease is refused', async () => {
      const job = await leased('note')
      await other.jobs.take(START + 60_000, 30_000, 1)
      expect(await apply({ insert: [memoryOf('m', 'Too late')], lease: job })).toBe(false)
      expect(await idsOf()).toEqual([])
    })

    test('a plan may finish its job in the same transaction, so that it is never done twice', async () => {
      const job = await leased('note')
      expect(await apply({ insert: [memoryOf('m', 'Once')], lease: job, finishes: true })).toBe(true)
      expect(await other.jobs.get(job.id)).toBeNull()
      expect(await apply({ insert: [memoryOf('again', 'Twice')], lease: job, finishes: true })).toBe(false)
      const kept = await leased('note')
      expect(await apply({ insert: [memoryOf('n', 'A part of it')], lease: kept })).toBe(true)
      expect(await one.jobs.complete(kept, START)).toBe(true)
    })

    test('the same fact found by two processes at once becomes one memory when each plans anew', async () => {
      const remember = async (stores: PlanStores, id: string): Promise<void> => {
        for (;;) {
          const revision = await stores.memories.revision('anna')
          const { items } = await stores.memories.list('anna', { limit: 100, offset: 0 })
          if (items.some(({ text }) => text === '奶奶住在三楼')) return
          const changes = { ...NOTHING, insert: [memoryOf(id, '奶奶住在三楼')] }
          if (await stores.memories.apply('anna', revision, changes)) return
        }
      }
      await Promise.all(
        Array.from({ length: 20 }, (_, at) => remember(at % 2 === 0 ? one : other, `grandmother-${at}`)),
      )
      expect(await idsOf()).toHaveLength(1)
    })
  })
}
