/** A request that comes again after a crash, and through the doors besides REST: nothing is done twice. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase } from '../support/folder.ts'
import { startForTest as start } from '../support/rest-server.ts'
import { post, said, startChat } from './chat-server.ts'

const REPLY_PROCESS = join(import.meta.dirname, '../support/reply-process.ts')

async function dieDoing(path: string, key: string, dies: 'before' | 'after'): Promise<void> {
  const child = spawn(process.execPath, [REPLY_PROCESS, path, key, dies], { stdio: 'inherit' })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
}

/** Asks again in a process that looks so many seconds later. */
async function askAgain(path: string, key: string, secondsLater: number) {
  const clock = () => new Date(Date.now() + secondsLater * 1000)
  const memory = await openMemory({ path, clock, userId: 'local' })
  try {
    const work = async () => {
      await memory.add('The parrot is called Kettle.', { infer: false })
      return { status: 201, body: 'added' }
    }
    const answer = await memory.answerOnce({ userId: 'local', key, asked: 'add' }, work).catch((error: Error) => error)
    return { answer, total: (await memory.getAll()).total }
  } finally {
    await memory.close()
  }
}

test('a server that was killed after it had written and before it answered does not do it again', async () => {
  const path = freshDatabase('killed-after.db')
  await dieDoing(path, 'one', 'after')
  const soon = await askAgain(path, 'one', 0)
  expect(soon.answer).toMatchObject({ code: 'conflict', message: 'This request is being worked on.' })
  const later = await askAgain(path, 'one', 31)
  expect(later.answer).toMatchObject({ code: 'conflict', remedy: expect.stringContaining('new key') })
  expect(String(later.answer)).toContain('ended before it could answer')
  expect(later.total).toBe(1)
  expect((await askAgain(path, 'two', 31)).answer).toMatchObject({ status: 201 })
})

test('a server that was killed before it had written anything leaves the key as it was', async () => {
  const path = freshDatabase('killed-before.db')
  await dieDoing(path, 'one', 'before')
  const later = await askAgain(path, 'one', 31)
  expect(later).toMatchObject({ answer: { status: 201, body: 'added', repeated: false }, total: 1 })
  expect(await askAgain(path, 'one', 31)).toMatchObject({ answer: { repeated: true }, total: 1 })
})

test('what takes long keeps its key as long as it takes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let now = Date.now()
  const memory = await openMemory({ path: ':memory:', clock: () => new Date(now) })
  const gate = Promise.withResolvers<void>()
  const request = { userId: 'local', key: 'long', asked: 'long' }
  const first = memory.answerOnce(request, async () => {
    await gate.promise
    return { status: 200, body: '{}' }
  })
  for (let at = 0; at < 10; at += 1) {
    now += 10_000
    await vi.advanceTimersByTimeAsync(10_000)
  }
  await expect(memory.answerOnce(request, async () => ({ status: 200, body: 'twice' }))).rejects.toThrow('worked on')
  gate.resolve()
  expect(await first).toMatchObject({ status: 200, repeated: false })
  vi.useRealTimers()
  await memory.close()
})

test.each(['/mem0/memories', '/mem0/v3/memories/add'])('POST %s is done once for a key', async (path) => {
  const { ask, memory } = await start()
  const body = { messages: [{ role: 'user', content: '我每周五下棋。' }], user_id: 'anna', infer: false }
  const once = { 'idempotency-key': 'chess' }
  const first = await ask('POST', path, body, once)
  const second = await ask('POST', path, body, once)
  expect([first.status, second.status]).toEqual([200, 200])
  expect([second.text, second.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
  expect((await memory.getAll({ userId: 'anna' })).total).toBe(1)
  const other = await ask('POST', path, { ...body, user_id: 'bob' }, once)
  expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([200, null])
  const changed = await ask('POST', path, { ...body, infer: true }, once)
  expect([changed.status, changed.body.code]).toEqual([409, 'conflict'])
})

test('a completion that is asked for again is the vendor’s again, and what was said is stored once, with a key or without', async () => {
  const { url, memory, vendor } = await startChat({ content: 'Sure.' })
  const body = { messages: [{ role: 'user', content: 'Book the ferry.' }] }
  for (const headers of [{ 'idempotency-key': 'ferry' }, { 'idempotency-key': 'ferry' }, {}])
    expect((await post(`${url}/v1/chat/completions`, body, headers)).status).toBe(200)
  expect(vendor.requests).toHaveLength(3)
  await expect.poll(() => said(memory)).toEqual([['user: Book the ferry.', 'assistant: Sure.']])
})
