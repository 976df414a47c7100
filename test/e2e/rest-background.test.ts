/** A server with a thread that writes and thinks answers as one without does. */
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import type { Logger } from '../../src/domain/logger.ts'
import { type Background, createBackground } from '../../src/doors/http/background-thread.ts'
import { freshDatabase } from '../support/folder.ts'
import { type RestServer, startRestServer } from '../support/rest-server.ts'

interface Server extends RestServer {
  readonly background: Background
  readonly lines: string[]
}

/** A server whose thread is ready; `lines` is its log. */
async function startWithBackground(): Promise<Server> {
  const path = freshDatabase('background.db')
  const lines: string[] = []
  const note = (message: string): void => void lines.push(message)
  const logger: Logger = { debug: note, info: note, warn: note, error: note }
  const background = createBackground({ path }, logger, 0)
  const server = await startRestServer({ path, background, requestsPerMinute: 1_000_000 })
  onTestFinished(async () => {
    await background.close()
    await server.close()
  })
  const started = { ...server, background, lines }
  await untilThere(started)
  return started
}

async function untilThere({ background, ask }: Server): Promise<void> {
  for (const before = background.done; background.done === before; ) await ask('POST', '/maintenance/expire', {})
}

const turns = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    role: (from + at) % 2 === 0 ? 'user' : 'assistant',
    content: `Berth ${from + at} belongs to the harbour office. 第 ${from + at} 号泊位归港务处。`,
  }))

test('what the thread wrote is in the next answer: turns, their summaries, memories, and what was deleted', async () => {
  const { ask, background } = await startWithBackground()
  const before = background.done
  expect((await ask('POST', '/conversations/a/turns', { turns: turns(0, 40) })).status).toBe(201)
  const { body: summaries } = await ask('GET', '/conversations/a/summaries')
  expect(summaries.items.length).toBeGreaterThan(5)
  const { body: added } = await ask('POST', '/memory/long-term', { text: 'My sister Ines repairs clocks in Porto.' })
  const [{ id }] = added.results
  const { body: found } = await ask('POST', '/memory/search', { query: 'Who repairs clocks?' })
  expect(found.results.map((one: { id: string }) => one.id)).toEqual([id])
  expect((await ask('DELETE', `/memory/long-term/${id}`)).status).toBe(200)
  expect((await ask('GET', `/memory/long-term/${id}`)).status).toBe(404)
  expect(background.done - before).toBeGreaterThanOrEqual(3)
})

test('what was stored is thought about there, and the overview counts what both have done', async () => {
  const { ask, memory } = await startWithBackground()
  const content = 'I am allergic to sesame, and my flat is in Leipzig.'
  await ask('POST', '/conversations/a/turns', { turns: [{ role: 'user', content }] })
  await memory.idle()
  const { body: found } = await ask('POST', '/memory/search', { query: 'sesame' })
  expect(found.results).not.toEqual([])
  await memory.recall('Where is the zeppelin?', { userId: 'local' })
  expect(await memory.maintenance.overview({ userId: 'local' })).toMatchObject({
    recalls: 1,
    kept: expect.any(Number),
    unanswered: [{ question: 'Where is the zeppelin?' }],
  })
})

test('an import streams through, work can be stopped, and what is wrong is said in the same words', async () => {
  const { ask, memory, url } = await startWithBackground()
  await ask('POST', '/conversations/a/turns', { turns: turns(0, 30) })
  const exported = await (await fetch(`${url}/export`)).text()
  const headers = { 'x-user-id': 'other', 'content-type': 'application/x-ndjson' }
  const taken = await ask('POST', '/import', exported, headers)
  expect(taken).toMatchObject({ status: 200, body: { turns_added: 30, complete: true } })
  const broken = new Error('the source broke off')
  async function* source(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(exported.slice(0, 500))
    throw broken
  }
  await expect(memory.conversations.import(source(), { userId: 'third' })).rejects.toBe(broken)
  await ask('POST', '/conversations/b/turns', { turns: turns(0, 3000) })
  const over = new AbortController()
  const work = { signal: over.signal, onProgress: () => over.abort() }
  await expect(memory.maintenance.reindex({ userId: 'local' }, work)).rejects.toMatchObject({ code: 'aborted' })
  const unknown = await ask('PATCH', '/memory/long-term/nobody', { text: 'It is.' })
  expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('a thread that dies refuses what it did not finish; the server writes on, and another takes its place', async () => {
  const threads: Worker[] = []
  const note = (thread: Worker): void => void threads.push(thread)
  process.on('worker', note)
  onTestFinished(() => void process.off('worker', note))
  const server = await startWithBackground()
  const { ask } = server
  const asked = ask('POST', '/conversations/a/turns', { turns: turns(0, 5000) })
  await threads[0]?.terminate()
  expect([201, 500]).toContain((await asked).status)
  expect((await ask('POST', '/conversations/b/turns', { turns: turns(0, 5) })).status).toBe(201)
  await untilThere(server)
  expect((await ask('GET', '/conversations/b/turns')).body.total).toBe(5)
  expect(threads).toHaveLength(2)
})

test('the file is looked at in a thread of its own, which ends, and here where that thread breaks down', async () => {
  const { ask, background, memory } = await startWithBackground()
  const threads: Worker[] = []
  const note = (thread: Worker): void => void threads.push(thread)
  process.on('worker', note)
  onTestFinished(() => void process.off('worker', note))
  const looks = memory.maintenance.verify()
  await nextTurn()
  expect(threads).toHaveLength(1)
  const ended = once(threads[0]!, 'exit')
  const before = background.done
  await ask('POST', '/conversations/a/turns', { turns: turns(0, 2) })
  expect(background.done).toBeGreaterThan(before)
  expect((await looks).filter(({ ok }) => !ok)).toEqual([])
  await ended
  const again = memory.maintenance.verify()
  await nextTurn()
  await threads[1]?.terminate()
  expect((await again).map(({ check }) => check)).toContain('file')
})

test('a value that cannot be sent to the thread fails its own call, not what is asked beside it', async () => {
  const { memory, background } = await startWithBackground()
  const store = (conversationId: string, metadata: Record<string, unknown>) =>
    memory.conversations.store({
      userId: 'local',
      conversationId,
      turns: [{ role: 'user', content: 'Berth 3 is free.', metadata }],
    })
  const before = background.done
  await expect(
    Promise.allSettled([store('a', { berth: 3 }), store('b', { berth: () => 3 }), store('c', { berth: 3 })]),
  ).resolves.toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { name: 'DataCloneError' } },
    { status: 'fulfilled' },
  ])
  expect(background.done - before).toBeGreaterThanOrEqual(3)
})
