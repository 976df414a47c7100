/** The other process of a test of durable jobs: stores turns, enqueues jobs and works them until it ends or is killed. */
import { setTimeout } from 'node:timers/promises'
import { systemClock } from '../../src/domain/clock.ts'
import { silentLogger } from '../../src/domain/logger.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-store.ts'
import { createJobWorker } from '../../src/usecases/upkeep/jobs/job-worker.ts'
import { memoryOf } from '../contracts/memory-store.ts'
import { thinkingHandlers } from './thinking-handlers.ts'

const [task = '', path = '', name = '0', ...words] = process.argv.slice(2)
const store = await openSqliteStore({ path, create: true, clock: systemClock, logger: silentLogger })

function told(message: unknown): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()))
}

function working(leaseMs: number) {
  const handlers = thinkingHandlers(store)
  return createJobWorker({ queue: store.jobs, clock: systemClock, logger: silentLogger, handlers, leaseMs, quietMs: 3 })
}

/** Stores turns and notes to add, and thinks about them, until it is killed. */
async function storeAndThink(): Promise<void> {
  const worker = working(Number(words[0]))
  worker.wake()
  for (let turn = 0; ; turn += 1) {
    const conversationId = `chat-${turn % 5}`
    const said = {
      role: 'user' as const,
      content: `Process ${name} says sentence ${turn}, 第${turn}句话。`,
      speaker: null,
      createdAt: Date.now(),
      externalId: `${name}-${turn}`,
      metadata: null,
      isCollected: false,
      symbols: [],
    }
    await store.log.append('one', [{ conversationId, projectRoot: '', turns: [said], think: true }], Date.now())
    process.send?.({ turn: said.externalId })
    if (turn % 7 === 0) {
      await store.jobs.enqueue('one', [{ kind: 'add', subject: said.externalId, payload: said.content }], Date.now())
      process.send?.({ note: said.externalId })
    }
    worker.wake()
    await setTimeout(turn % 3)
  }
}

/** Finds the same fact again and again, each time planning from what is stored. */
async function sameFact(): Promise<void> {
  const [times = '0'] = words
  let lost = 0
  for (let time = 0; time < Number(times); time += 1) {
    for (;;) {
      const revision = await store.memories.revision('one')
      const { items } = await store.memories.list('one', { limit: 100, offset: 0 })
      if (items.some(({ key }) => key === `drink-${time}`)) break
      const memory = memoryOf(`${name}-${time}`, '喝茶不加糖', { key: `drink-${time}` })
      const changes = { insert: [memory], update: [], remove: [], at: Date.now() }
      if (await store.memories.apply('one', revision, changes)) break
      lost += 1
    }
    await setTimeout(0)
  }
  await told({ lost })
}

/** Has work for later and a worker that waits for it, and nothing else to do: it must come to its end. */
async function end(): Promise<void> {
  const worker = working(30_000)
  await store.jobs.enqueue('one', [{ kind: 'add', subject: 'later', payload: 'x', dueAt: Date.now() + 600_000 }], 0)
  await worker.idle()
  worker.wake()
  await told('waiting')
}

const TASKS: Readonly<Record<string, () => Promise<void>>> = {
  'store-and-think': storeAndThink,
  'same-fact': sameFact,
  end,
}
await TASKS[task]?.()
process.disconnect?.()
