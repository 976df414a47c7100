import { expect, test } from 'vitest'
import { jobQueueContract } from '../../../../test/contracts/job-queue.ts'
import { memoryOf } from '../../../../test/contracts/memory-store.ts'
import { freshDatabase } from '../../../../test/support/folder.ts'
import type { ConversationBatch } from '../../../domain/contracts/conversation-log.ts'
import { openDatabase } from '../file/open-database.ts'
import { sqliteConversationLog } from '../log/conversation-log.ts'
import { sqliteMemoryStore } from '../memories/memory-store.ts'
import { sqliteJobQueue } from './job-queue.ts'

const START = Date.parse('2026-03-02T09:00:00Z')

jobQueueContract('SQLite', async (bound) => {
  const path = freshDatabase()
  const connections = [openDatabase(path, { create: true }), openDatabase(path, { create: true })]
  const [queue, other] = connections.map((connection) => sqliteJobQueue(connection, bound))
  return {
    queue: queue!,
    other: other!,
    close: async () => {
      for (const connection of connections) connection.close()
    },
  }
})

function open() {
  const connection = openDatabase(':memory:', { create: true })
  return {
    connection,
    queue: sqliteJobQueue(connection),
    log: sqliteConversationLog(connection),
    memories: sqliteMemoryStore(connection),
  }
}

function batchOf(conversationId: string, contents: readonly string[], think: boolean | undefined): ConversationBatch {
  const turns = contents.map((content) => ({
    role: 'user' as const,
    content,
    speaker: null,
    createdAt: START,
    externalId: content,
    metadata: null,
    isCollected: false,
    symbols: [],
  }))
  return { conversationId, projectRoot: '', turns, ...(think === undefined ? {} : { think }) }
}

test('turns that are to be thought about are stored together with one job for their conversation', async () => {
  const { queue, log } = open()
  await log.append('anna', [batchOf('chat', ['我下个月搬到成都。'], true), batchOf('other', ['Hello.'], true)], START)
  await log.append('anna', [batchOf('chat', ['The flat has two rooms.'], true)], START + 1)
  const { items } = await queue.list('anna', { limit: 10, offset: 0 })
  expect(items.map(({ kind, subject, dueAt }) => [kind, subject, dueAt])).toEqual([
    ['think', 'other', START],
    ['think', 'chat', START],
  ])
  expect(await log.thoughtTo('anna', 'chat')).toBe(0)
  expect(await log.thoughtTo('anna', 'nothing')).toBeNull()
  expect(await log.thoughtTo('bert', 'chat')).toBeNull()
})

test('a turn that was there already brings no job', async () => {
  const { queue, log } = open()
  await log.append('anna', [batchOf('chat', ['Once is enough.'], undefined)], START)
  await log.append('anna', [batchOf('chat', ['Once is enough.'], true)], START)
  expect((await queue.list('anna', { limit: 10, offset: 0 })).total).toBe(0)
})

test('a conversation that cannot be stored leaves no job behind', async () => {
  const { queue, log } = open()
  await log.append('anna', [batchOf('chat', ['One.'], undefined)], START)
  const clash = batchOf('chat', ['Two.'], true)
  const [turn] = clash.turns
  const batches = [batchOf('fine', ['Kept only with the other.'], true), { ...clash, turns: [{ ...turn!, turnId: 1 }] }]
  await expect(log.append('anna', batches, START)).rejects.toMatchObject({ code: 'conflict' })
  expect((await queue.list('anna', { limit: 10, offset: 0 })).total).toBe(0)
})

test('turns stored without thinking need none later, unless earlier ones wait for it', async () => {
  const { log } = open()
  await log.append('anna', [batchOf('chat', ['imported 1', 'imported 2'], undefined)], START)
  expect(await log.thoughtTo('anna', 'chat')).toBe(2)
  await log.append('anna', [batchOf('chat', ['said 3'], true)], START)
  expect(await log.thoughtTo('anna', 'chat')).toBe(2)
  await log.append('anna', [batchOf('chat', ['imported 4'], false)], START)
  expect(await log.thoughtTo('anna', 'chat')).toBe(2)
})

test('turns stored without thinking can be thought about after all, each once', async () => {
  const { queue, log } = open()
  await log.append('anna', [batchOf('old', ['我在里斯本住过三年。', 'I sold the piano.'], false)], START)
  await log.append('anna', [batchOf('chat', ['said 1'], true)], START)
  const [lease] = await queue.take(START, 30_000, 1)
  expect(lease?.subject).toBe('chat')
  await log.append('anna', [batchOf('chat', ['imported 2'], false)], START)
  await log.append('bert', [batchOf('his', ['imported'], false)], START)
  const all = { conversationId: null, limit: 10 }
  expect(await log.thinkAboutUnthought('anna', { conversationId: 'chat', limit: 10 }, START)).toEqual({
    conversations: 0,
    turns: 0,
  })
  expect(await log.thinkAboutUnthought('anna', all, START)).toEqual({ conversations: 1, turns: 2 })
  expect(await log.thoughtTo('anna', 'old')).toBe(0)
  expect((await queue.list('anna', { limit: 10, offset: 0 })).items.map(({ subject }) => subject)).toContain('old')
  expect(await log.thinkAboutUnthought('anna', all, START)).toEqual({ conversations: 0, turns: 0 })
  expect((await queue.list('bert', { limit: 10, offset: 0 })).total).toBe(0)
  expect(await log.thinkAboutUnthought('nobody', all, START)).toEqual({ conversations: 0, turns: 0 })
})

test('only what follows the first turn that was left out is thought about again', async () => {
  const { connection, log } = open()
  await log.append('anna', [batchOf('chat', ['said 1', 'said 2'], true)], START)
  connection.run('UPDATE conversations SET thought_to = 2')
  await log.append('anna', [batchOf('chat', ['imported 3'], false)], START)
  await log.append('anna', [batchOf('chat', ['said 4'], true)], START)
  expect(await log.thinkAboutUnthought('anna', { conversationId: null, limit: 10 }, START)).toEqual({
    conversations: 1,
    turns: 2,
  })
  expect(await log.thoughtTo('anna', 'chat')).toBe(2)
})

test('a waiting job costs a stored turn no further write to the queue', async () => {
  const { connection, log } = open()
  await log.append('anna', [batchOf('chat', ['first'], true)], START)
  const before = connection.get('SELECT * FROM jobs')
  await log.append('anna', [batchOf('chat', ['second'], true)], START + 5000)
  expect(connection.get('SELECT * FROM jobs')).toEqual(before)
})

test('deleting a conversation removes its jobs, and work on it writes nothing more', async () => {
  const { queue, log, memories } = open()
  await log.append('anna', [batchOf('chat', ['I sold the bicycle.'], true)], START)
  await queue.enqueue(
    'anna',
    [{ kind: 'reconsolidate', subject: 'm', payload: { conversationId: 'chat', message: 'sold' } }],
    START,
  )
  const [lease] = await queue.take(START, 30_000, 1)
  await log.remove('anna', { kind: 'conversation', conversationId: 'chat' })
  expect((await queue.list('anna', { limit: 10, offset: 0 })).total).toBe(0)
  const insert = [memoryOf('m', 'The bicycle was sold.')]
  expect(await memories.apply('anna', 0, { insert, update: [], remove: [], at: START, lease: lease! })).toBe(false)
  const completes = { conversationId: 'chat', thoughtTo: 1 }
  expect(await memories.apply('anna', 0, { insert, update: [], remove: [], at: START, completes })).toBe(false)
  expect(await memories.get('anna', 'm')).toBeNull()
})

test('removing a memory removes the jobs about each of its uses, and those of no other memory', async () => {
  const { queue, memories } = open()
  await memories.insert(
    'anna',
    ['m', 'm2'].map((id) => memoryOf(id, 'The bicycle was sold.')),
  )
  const jobs = ['m', 'm#3fa9', 'm#77c1', 'm2#3fa9'].map((subject) => ({
    kind: 'reconsolidate' as const,
    subject,
    payload: { conversationId: 'chat', message: 'sold', memoryId: subject.split('#')[0] },
  }))
  await queue.enqueue('anna', jobs, START)
  await queue.enqueue('anna', [{ kind: 'add', subject: 'm#3fa9' }], START)
  expect(await memories.remove('anna', ['m'])).toBe(1)
  const { items } = await queue.list('anna', { limit: 10, offset: 0 })
  expect(items.map(({ kind, subject }) => `${kind} ${subject}`).sort()).toEqual(['add m#3fa9', 'reconsolidate m2#3fa9'])
})

test('a job that a newer version enqueued is left to it: neither taken nor shown, and still there', async () => {
  const { connection, queue } = open()
  const [known] = await queue.enqueue('lin', [{ kind: 'think', subject: 'c1' }], START + 10)
  connection.write(() =>
    connection.run(
      `INSERT INTO jobs (user_no, kind, subject, created_at, due_at)
         SELECT user_no, 'dream', 'c2', created_at, '2026-03-01T00:00:00.000Z' FROM jobs`,
    ),
  )
  expect(await queue.nextDue()).toBe(START + 10)
  expect(await queue.list('lin', { limit: 10, offset: 0 })).toMatchObject({ total: 1, items: [{ id: known }] })
  const taken = await queue.take(START + 20, 1000, 10)
  expect(taken.map(({ id }) => id)).toEqual([known])
  expect(await queue.complete(taken[0]!, START + 30)).toBe(true)
  expect(await queue.nextDue()).toBeNull()
  expect(connection.get("SELECT count(*) AS n FROM jobs WHERE kind = 'dream' AND state = 'waiting'")).toMatchObject({
    n: 1,
  })
})
