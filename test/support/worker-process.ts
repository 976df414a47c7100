/** The other process of a test: does one task on a memory through the library and reports to its parent. */

import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { MnemeError, openMemory } from '../../src/doors/library/index.ts'
import { openDatabase } from '../../src/store/sqlite/file/open-database.ts'

const [task = '', path = '', ...words] = process.argv.slice(2)
const failures: string[] = []
let done = 0

/** Counts a success, notes a failure and goes on. */
async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
    done += 1
  } catch (error) {
    failures.push(error instanceof MnemeError ? `${error.code}: ${error.message}` : `raw: ${String(error)}`)
  }
}

function told(message: unknown): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()))
}

async function write(): Promise<void> {
  const [name = '0', writes = '0', conversationId = 'shared'] = words
  await using memory = await openMemory({ path, userId: 'one' })
  for (let turn = 0; turn < Number(writes); turn += 1)
    await attempt(() =>
      memory.conversations.store({
        conversationId,
        turns: [
          {
            role: turn % 2 === 0 ? 'user' : 'assistant',
            content: `Writer ${name} notes sentence ${turn} about reserveStock${turn % 40} 以及第${turn}条库存记录`,
            externalId: `${name}-${turn}`,
          },
        ],
      }),
    )
}

/** Stores until it is killed; the parent learns of every turn after it was acknowledged. */
async function acknowledge(): Promise<void> {
  const [name = '0'] = words
  const memory = await openMemory({ path, userId: 'one' })
  for (let turn = 0; ; turn += 1) {
    const externalId = `${name}-${turn}`
    const content = `Run ${name} stores sentence ${turn} about settleInvoice${turn % 90}. ${'x'.repeat((turn % 7) * 300)}`
    await memory.conversations.store({ conversationId: 'chat', turns: [{ role: 'user', content, externalId }] })
    process.send?.(externalId)
    if (turn % 4 === 0) await setTimeout(0)
  }
}

async function recall(): Promise<void> {
  const [times = '0'] = words
  await using memory = await openMemory({ path, userId: 'one' })
  for (let time = 0; time < Number(times); time += 1) {
    await attempt(() => memory.conversations.recall(`库存记录 reserveStock${time % 40}`, { limit: 10 }))
    await setTimeout(2)
  }
}

async function clean(): Promise<void> {
  const [times = '0'] = words
  await using memory = await openMemory({ path, userId: 'one' })
  for (let time = 0; time < Number(times); time += 1) {
    await attempt(() => memory.conversations.delete({ conversationId: `old-${time}` }))
    await setTimeout(20)
  }
}

/** Opens the memory, reads from it, and keeps it open until it is told to close. */
async function holdOpen(): Promise<void> {
  const memory = await openMemory({ path, userId: 'one' })
  await memory.conversations.recall('anything at all')
  await told('open')
  await once(process, 'message')
  await memory.close()
}

/** Opens one file after the other, each at a moment that other processes are told of too. */
async function open(): Promise<void> {
  const [files = '0', start = '0', gapMs = '0'] = words
  for (let file = 0; file < Number(files); file += 1) {
    const moment = Number(start) + file * Number(gapMs)
    await setTimeout(Math.max(0, moment - Date.now() - 2))
    while (Date.now() < moment);
    await attempt(async () => openDatabase(`${path}/${file}.db`, { create: true }).close())
  }
}

/** Holds the write lock for so many milliseconds. */
async function holdLock(): Promise<void> {
  const [milliseconds = '0'] = words
  const database = new DatabaseSync(path)
  database.exec('BEGIN IMMEDIATE')
  await told('locked')
  await setTimeout(Number(milliseconds))
  database.exec('ROLLBACK')
  database.close()
}

/** Exports everything to a file, imports it into a second memory, and reports the most memory it took. */
const TASKS: Readonly<Record<string, () => Promise<void>>> = {
  write,
  acknowledge,
  recall,
  clean,
  open,
  'hold-open': holdOpen,
  'hold-lock': holdLock,
}
await TASKS[task]?.()
await told({ done, failures })
process.disconnect?.()
