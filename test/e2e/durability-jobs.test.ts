/** Background work that several processes share and that any of them may be killed in: all of it is done, each once. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/domain/clock.ts'
import { silentLogger } from '../../src/domain/logger.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-store.ts'
import { createJobWorker } from '../../src/usecases/upkeep/jobs/job-worker.ts'
import { freshDatabase } from '../support/folder.ts'
import { seeded } from '../support/random.ts'
import { thinkingHandlers } from '../support/thinking-handlers.ts'

const LEASE_MS = 400
const KILLS = 12

function start(task: string, ...words: readonly (string | number)[]): ChildProcess {
  const child = fork(new URL('../support/jobs-process.ts', import.meta.url), [task, ...words.map(String)])
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  return child
}

const openStore = (path: string) => openSqliteStore({ path, create: true, clock: systemClock, logger: silentLogger })

test('processes killed at random moments while they store and think: every turn and note is thought about exactly once', async () => {
  const path = freshDatabase()
  const random = seeded(20_260_302)
  await (await openStore(path)).close()
  const turns = new Set<string>()
  const notes = new Set<string>()
  const run = async (name: number): Promise<void> => {
    const child = start('store-and-think', path, name, LEASE_MS)
    const exited = once(child, 'exit')
    child.on('message', (message: { turn?: string; note?: string }) => {
      if (message.turn !== undefined) turns.add(message.turn)
      if (message.note !== undefined) notes.add(message.note)
    })
    await once(child, 'message')
    await setTimeout(random() * 200)
    child.kill('SIGKILL')
    await exited
  }
  // Two at a time, so that each takes over what the other one left.
  for (let kill = 0; kill < KILLS; kill += 2) await Promise.all([run(kill), run(kill + 1)])
  expect(turns.size).toBeGreaterThan(KILLS * 3)
  expect(notes.size).toBeGreaterThan(KILLS / 2)

  const store = await openStore(path)
  const handlers = thinkingHandlers(store)
  const worker = createJobWorker({ queue: store.jobs, clock: systemClock, logger: silentLogger, handlers })
  for (let next = await store.jobs.nextDue(); next !== null; next = await store.jobs.nextDue()) {
    await worker.idle()
    await setTimeout(20)
  }
  await worker.close()
  expect(await store.jobs.list(null, { limit: 10, offset: 0 })).toEqual({ items: [], total: 0 })
  const stored: string[] = []
  for (const { conversationId } of (await store.log.conversations('one', { limit: 10, offset: 0 })).items) {
    const said = await store.log.turns('one', conversationId, {})
    expect(await store.log.thoughtTo('one', conversationId)).toBe(said.at(-1)!.turnId)
    stored.push(...said.map(({ externalId }) => String(externalId)))
  }
  const { items } = await store.memories.list('one', { limit: 10_000, offset: 0 })
  const kept = items.map(({ text }) => text)
  expect(kept.filter((text) => text.startsWith('turn ')).sort()).toEqual(stored.map((id) => `turn ${id}`).sort())
  expect([...turns].filter((id) => !stored.includes(id))).toEqual([])
  // A process may have died between enqueuing a note and saying so, so there may be more than was said.
  const keptNotes = kept.filter((text) => text.startsWith('note '))
  expect(new Set(keptNotes).size).toBe(keptNotes.length)
  expect([...notes].filter((id) => !keptNotes.includes(`note ${id}`))).toEqual([])
  expect((await store.check()).filter(({ ok }) => !ok)).toEqual([])
  await store.close()
})

test('the same twenty facts found by four processes at once become twenty memories', async () => {
  const path = freshDatabase()
  await (await openStore(path)).close()
  const children = Array.from({ length: 4 }, (_, name) => start('same-fact', path, name, 20))
  const reports = await Promise.all(children.map((child) => once(child, 'message')))
  expect(reports).toHaveLength(4)
  const store = await openStore(path)
  const { items } = await store.memories.list('one', { limit: 1000, offset: 0 })
  expect(items.map(({ key }) => key).sort()).toEqual(Array.from({ length: 20 }, (_, at) => `drink-${at}`).sort())
  await store.close()
})

test('a worker that waits for a job keeps no process alive', async () => {
  const child = start('end', freshDatabase())
  const exited = once(child, 'exit')
  expect(await once(child, 'message')).toEqual(['waiting', undefined])
  expect((await exited)[0]).toBe(0)
})
