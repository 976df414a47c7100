import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../../../test/support/eventually.ts'
import { freshFolder } from '../../../test/support/folder.ts'
import { silentLogger } from '../../domain/logger.ts'
import { openMemory } from '../library/index.ts'
import { startTimedWork } from './timed-work.ts'

const NEVER = { expire: null, consolidate: null, digest: null, evict: null }
const EVERY_SECOND = '* * * * * *'

test('what lies beyond the configured number goes by the clock, of every user, the least certain first', async () => {
  await using memory = await openMemory({ path: ':memory:', evictionThreshold: 2 })
  for (const userId of ['ana', '小明'])
    for (const confidence of [0.9, 0.3, 0.8])
      await memory.add(`The cellar key, ${confidence}. 地窖的钥匙。`, { userId, infer: false, confidence })
  const stop = startTimedWork(memory, { ...NEVER, evict: EVERY_SECOND }, silentLogger, 'ana')
  const left = async (userId: string) => (await memory.getAll({ userId })).items.map(({ confidence }) => confidence)
  await eventually(async () => {
    for (const userId of ['ana', '小明']) expect((await left(userId)).sort()).toEqual([0.8, 0.9])
  })
  await stop()
})

test('the memory file of every user is digested by the clock', async () => {
  const folder = freshFolder()
  await using memory = await openMemory({
    path: join(folder, 'memory.db'),
    memoryFile: { path: join(folder, 'MEMORY.{user}.md') },
  })
  const said = {
    ana: 'Please remember that the cellar key hangs behind the door.',
    bea: '请记住：地窖的钥匙挂在门后。',
  }
  for (const [userId, content] of Object.entries(said)) {
    await memory.conversations.store({ userId, conversationId: userId, turns: [{ role: 'user', content }] })
    // The users with a file are known from the first look.
    await memory.memoryFile.digest({ userId, date: '2000-01-01' })
  }
  const stop = startTimedWork(memory, { ...NEVER, digest: EVERY_SECOND }, silentLogger, 'ana')
  const texts = async (userId: string) => (await memory.memoryFile.read({ userId })).entries.map(({ text }) => text)
  await eventually(async () => {
    expect((await texts('ana')).join()).toContain('cellar key')
    expect((await texts('bea')).join()).toContain('地窖的钥匙')
  })
  await stop()
}, 30_000)

describe('work whose time nobody was there for', () => {
  const NIGHTLY = { ...NEVER, digest: '55 23 * * *', consolidate: '30 3 * * *' }
  const MORNING = new Date(2026, 4, 8, 9)

  async function opened() {
    const path = join(freshFolder(), 'memory.db')
    const memory = await openMemory({ path, userId: 'ana', clock: () => MORNING })
    onTestFinished(() => memory.close())
    await memory.add('The cellar key hangs behind the door. 地窖的钥匙挂在门后。', { infer: false, importance: 2 })
    const entries = async () => (await memory.memoryFile.read()).entries.length
    const start = () => startTimedWork(memory, NIGHTLY, silentLogger, 'ana', { clock: () => MORNING, catchUpMs: 0 })
    return { memory, entries, start }
  }

  test('is made up for when a server starts, once', async () => {
    const { memory, entries, start } = await opened()
    const before = new Date(2026, 4, 7, 18)
    for (const name of ['digest', 'consolidate']) await memory.maintenance.noteRun(name, before)
    const stop = start()
    await eventually(async () => {
      expect(await entries()).toBe(1)
      for (const name of ['digest', 'consolidate']) expect(await memory.maintenance.lastRun(name)).toEqual(MORNING)
    })
    expect((await memory.maintenance.overview()).consolidated).toMatchObject({ processed: 0, skipped: 1 })
    await stop()
    await memory.add('Ana plays the cello.', { infer: false, importance: 2 })
    const again = start()
    await setTimeout(200)
    await again()
    expect(await entries()).toBe(1)
  })

  test('is not made up for when it was done since, and not by the first server of a database', async () => {
    const { memory, entries, start } = await opened()
    await memory.maintenance.noteRun('digest', new Date(2026, 4, 8, 0, 1))
    const stop = start()
    await eventually(async () => expect(await memory.maintenance.lastRun('consolidate')).toEqual(MORNING))
    await setTimeout(100)
    await stop()
    expect(await entries()).toBe(0)
    expect(await memory.maintenance.overview()).toMatchObject({ consolidatedAt: null, consolidated: null })
  })

  test('that a sleeping machine missed is done when it wakes', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: new Date(2026, 4, 7, 22) })
    onTestFinished(() => void vi.useRealTimers())
    const { entries, start } = await opened()
    const stop = start()
    await vi.advanceTimersByTimeAsync(60_000)
    vi.setSystemTime(MORNING)
    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()
    await eventually(async () => expect(await entries()).toBe(1))
    await stop()
  })
})

test('a pattern that is none is refused by its name', async () => {
  await using memory = await openMemory({ path: ':memory:' })
  expect(() => startTimedWork(memory, { ...NEVER, evict: 'now and then' }, silentLogger, 'ana')).toThrow(/evict/)
})
