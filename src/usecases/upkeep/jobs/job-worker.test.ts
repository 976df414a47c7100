import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../../../test/support/eventually.ts'
import type { JobKind, JobQueue, LeasedJob } from '../../../domain/contracts/job-queue.ts'
import { MnemeError } from '../../../domain/errors.ts'
import { silentLogger } from '../../../domain/logger.ts'
import { openDatabase } from '../../../store/sqlite/file/open-database.ts'
import { sqliteJobQueue } from '../../../store/sqlite/small-stores/job-queue.ts'
import { createJobWorker, type JobHandler, type JobWorker, type JobWorkerOptions } from './job-worker.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const PAGE = { limit: 100, offset: 0 }

/** A queue and a clock that stands still until it is moved. */
interface Bench {
  readonly queue: JobQueue
  readonly move: (milliseconds: number) => void
  readonly now: () => number
  /** Enqueues a thought about each of these conversations. */
  readonly think: (...subjects: readonly string[]) => Promise<readonly string[]>
  readonly worker: (handler: JobHandler, options?: Partial<JobWorkerOptions>) => JobWorker
}

function bench(): Bench {
  const connection = openDatabase(':memory:', { create: true })
  onTestFinished(() => connection.close())
  const queue = sqliteJobQueue(connection)
  let at = START
  return {
    queue,
    move: (milliseconds) => {
      at += milliseconds
    },
    now: () => at,
    think: (...subjects) =>
      queue.enqueue(
        'anna',
        subjects.map((subject) => ({ kind: 'think' as const, subject })),
        at,
      ),
    worker: (handler, options = {}) => {
      const worker = createJobWorker({
        queue,
        clock: () => new Date(at),
        logger: silentLogger,
        handlers: handlersOf(handler),
        random: () => 0.5,
        ...options,
      })
      onTestFinished(() => worker.close())
      return worker
    },
  }
}

function handlersOf(handler: JobHandler): Readonly<Record<JobKind, JobHandler>> {
  return { think: handler, add: handler, embed: handler, reconsolidate: handler }
}

/** Resolves when the signal says so, as a handler that listens does. */
async function untilAborted(signal: AbortSignal): Promise<never> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  throw new Error('told to stop')
}

test('idle does everything that is due, the longest due first, each by the handler of its kind', async () => {
  const { queue, worker, think } = bench()
  const done: string[] = []
  const named =
    (name: string): JobHandler =>
    async ({ subject }) => {
      done.push(`${name} ${subject}`)
    }
  await think('晨会', 'lunch')
  await queue.enqueue('bert', [{ kind: 'embed', subject: 'm1' }], START)
  await queue.enqueue('bert', [{ kind: 'add', subject: 'later', dueAt: START + 1 }], START)
  const handlers = { ...handlersOf(named('?')), think: named('think'), embed: named('embed') }
  await worker(named('?'), { handlers }).idle()
  expect(done).toEqual(['think 晨会', 'think lunch', 'embed m1'])
  expect((await queue.list(null, PAGE)).items.map(({ subject }) => subject)).toEqual(['later'])
})

test('what is enqueued while a job runs is done before idle resolves', async () => {
  const { think, worker, queue } = bench()
  await think('chat')
  let runs = 0
  await worker(async () => {
    runs += 1
    if (runs < 3) await think('chat', 'another')
  }).idle()
  expect(runs).toBe(4)
  expect((await queue.list(null, PAGE)).total).toBe(0)
})

test('idle also does what was enqueued when the worker had just looked for the last time', async () => {
  const { think, worker } = bench()
  const done: string[] = []
  const working = worker(async ({ subject }) => {
    done.push(subject)
  })
  for (let round = 0; round < 50; round += 1) {
    await think(`before ${round}`)
    const first = working.idle()
    for (let step = 0; step < round % 12; step += 1) await null
    await think(`meanwhile ${round}`)
    await working.idle()
    expect(done.splice(0)).toEqual([`before ${round}`, `meanwhile ${round}`])
    await first
  }
})

test('a wake is answered in the background, and many wakes one after the other put it off no longer than said', async () => {
  const { think, worker } = bench()
  const done: string[] = []
  const working = worker(
    async ({ subject }) => {
      done.push(subject)
    },
    { quietMs: 20, longestWaitMs: 60 },
  )
  await think('one')
  expect(done).toEqual([])
  working.wake()
  await eventually(() => expect(done).toEqual(['one']))
  await think('two')
  await eventually(() => {
    working.wake()
    expect(done).toEqual(['one', 'two'])
  })
})

test('a failure is tried again later and later, does not hold idle up, and is dead after the fifth', async () => {
  const { think, worker, queue, move, now } = bench()
  const [id] = await think('chat')
  let attempts = 0
  const working = worker(async () => {
    attempts += 1
    throw new MnemeError('model_failed', `no answer ${attempts}`, { remedy: 'Wait.' })
  })
  for (const wait of [1000, 4000, 16_000, 64_000]) {
    await working.idle()
    const job = await queue.get(id!)
    expect(job).toMatchObject({ state: 'waiting', attempts, dueAt: now() + wait })
    move(wait - 1)
    await working.idle()
    expect((await queue.get(id!))?.attempts).toBe(attempts)
    move(1)
  }
  await working.idle()
  expect(await queue.get(id!)).toMatchObject({ state: 'dead', attempts: 5, lastError: 'model_failed: no answer 5' })
  expect(attempts).toBe(5)
})

test.for(['in its work', 'in the queue'])('a full disk %s is told until a job is done', async (where) => {
  const { move, queue, think, worker } = bench()
  await think('晨会')
  let isFull = true
  const write = (place: string): void => {
    if (isFull && where === place) throw new MnemeError('storage_full', 'The disk is full.', { remedy: 'Free space.' })
  }
  const take: JobQueue['take'] = async (...of) => {
    write('in the queue')
    return queue.take(...of)
  }
  const one = worker(async () => write('in its work'), { queue: { ...queue, take } })
  expect(one.unwritten()).toBe(null)
  await one.idle()
  expect(one.unwritten()).toBe('The disk is full.')
  isFull = false
  move(3_600_000)
  await one.idle()
  expect(one.unwritten()).toBe(null)
})

test('a retry comes by itself when its time has come', async () => {
  const { think, worker, queue } = bench()
  let attempts = 0
  const working = worker(
    async () => {
      attempts += 1
      if (attempts === 1) throw new Error('not yet')
    },
    { clock: () => new Date() },
  )
  await think('chat')
  await working.idle()
  expect(attempts).toBe(1)
  await eventually(async () => expect((await queue.list(null, PAGE)).total).toBe(0))
})

test('a refusal is final at once, and one dead job does not keep the others from being done', async () => {
  const { think, worker, queue } = bench()
  await think('bad', 'good')
  await worker(async ({ subject }) => {
    if (subject === 'bad') throw new MnemeError('model_refused', 'HTTP 401', { remedy: 'Check the key.' })
  }).idle()
  const { items } = await queue.list(null, PAGE)
  expect(items.map(({ subject, state, attempts }) => [subject, state, attempts])).toEqual([['bad', 'dead', 1]])
})

test('a spent budget postpones a job without counting an attempt', async () => {
  const { think, worker, queue, now } = bench()
  const [id] = await think('chat')
  await worker(async () => {
    throw new MnemeError('budget_spent', 'The calls of today are spent.', { remedy: 'Wait for tomorrow.' })
  }).idle()
  const job = await queue.get(id!)
  expect(job).toMatchObject({ state: 'waiting', attempts: 0 })
  expect(job!.dueAt).toBeGreaterThan(now())
})

test('a job that took its process down again and again is dead and not run once more', async () => {
  const { think, worker, queue, move } = bench()
  const [id] = await think('chat')
  for (let crash = 0; crash < 5; crash += 1) {
    await queue.take(START + crash * 100, 100, 1)
    move(100)
  }
  let ran = false
  await worker(async () => {
    ran = true
  }).idle()
  expect(ran).toBe(false)
  expect(await queue.get(id!)).toMatchObject({ state: 'dead', lastError: expect.stringContaining('lease') })
})

test('closing tells the handler to stop and gives its job back at once, unblamed', async () => {
  const { think, worker, queue, now } = bench()
  const [id] = await think('chat', 'next')
  const started: string[] = []
  const working = worker(async ({ subject }, signal) => {
    started.push(subject)
    await untilAborted(signal)
  })
  working.wake()
  await eventually(() => expect(started).toEqual(['chat']))
  await working.close()
  expect(await queue.get(id!)).toMatchObject({ state: 'waiting', attempts: 0, lastError: null, dueAt: now() })
  working.wake()
  await working.idle()
  expect(started).toEqual(['chat'])
  const done: string[] = []
  await worker(async ({ subject }) => {
    done.push(subject)
  }).idle()
  expect(done.sort()).toEqual(['chat', 'next'])
})

test('a handler that does not listen cannot keep the worker from closing, nor its job', async () => {
  const { think, worker, queue } = bench()
  const [id] = await think('chat')
  const working = worker(() => new Promise(() => {}))
  void working.idle()
  await eventually(async () => expect((await queue.get(id!))?.state).toBe('running'))
  await working.close()
  expect(await queue.get(id!)).toMatchObject({ state: 'waiting', attempts: 0 })
})

test('the lease of a long job is renewed while it runs', async () => {
  const { think, worker, queue, move, now } = bench()
  const [id] = await think('chat')
  let finish = (): void => {}
  const working = worker(
    () =>
      new Promise((resolve) => {
        finish = resolve
      }),
    { leaseMs: 60 },
  )
  const idle = working.idle()
  for (let step = 0; step < 4; step += 1) {
    await eventually(async () => expect((await queue.get(id!))?.leasedUntil).toBe(now() + 60))
    move(50)
  }
  expect((await queue.get(id!))?.attempts).toBe(1)
  finish()
  await idle
  expect(await queue.get(id!)).toBeNull()
})

test('a handler whose lease went to another process is told to stop, and the other one’s job is left alone', async () => {
  const { think, worker, queue, move, now } = bench()
  const [id] = await think('chat')
  let stolen: LeasedJob | undefined
  await worker(
    async (_, signal) => {
      move(1000)
      stolen = (await queue.take(now(), 30_000, 1))[0]
      await untilAborted(signal)
    },
    { leaseMs: 60 },
  ).idle()
  expect(await queue.get(id!)).toMatchObject({ state: 'running', attempts: 2 })
  expect(await queue.complete(stolen!, now())).toBe(true)
})

test('a handler that takes longer than it may is told to stop and has failed', async () => {
  const { think, worker, queue } = bench()
  const [id] = await think('chat')
  await worker((_, signal) => untilAborted(signal), { longestRunMs: 30 }).idle()
  expect(await queue.get(id!)).toMatchObject({
    state: 'waiting',
    attempts: 1,
    lastError: expect.stringContaining('longer than'),
  })
})

test('a job that another living process runs does not hold idle up', async () => {
  const { think, worker, queue, now } = bench()
  await think('theirs', 'ours')
  await queue.take(now(), 30_000, 1)
  const done: string[] = []
  await worker(async ({ subject }) => {
    done.push(subject)
  }).idle()
  expect(done).toEqual(['ours'])
})

test('what a dead process left behind is taken up without a wake, once its lease has run out', async () => {
  const { think, worker, queue, now, move } = bench()
  const done: string[] = []
  const working = worker(
    async ({ subject }) => {
      done.push(subject)
    },
    { lookMs: 20 },
  )
  await working.idle()
  await think('abandoned', 'never begun')
  await queue.take(now(), 500, 1)
  await eventually(() => expect(done).toEqual(['never begun']))
  move(500)
  await eventually(() => expect(done).toEqual(['never begun', 'abandoned']))
})

test('as many jobs run at a time as were asked for, and no more', async () => {
  const { think, worker } = bench()
  await think(...Array.from({ length: 9 }, (_, at) => `chat-${at}`))
  let running = 0
  let most = 0
  const handler: JobHandler = async () => {
    running += 1
    most = Math.max(most, running)
    await pause(5)
    running -= 1
  }
  await worker(handler, { concurrency: 3 }).idle()
  expect(most).toBe(3)
})

test('a handler that throws before it waits for anything fails like any other', async () => {
  const { think, worker, queue } = bench()
  const [id] = await think('chat')
  await worker(() => {
    throw new RangeError('thrown at once')
  }).idle()
  expect(await queue.get(id!)).toMatchObject({ state: 'waiting', lastError: 'RangeError: thrown at once' })
})

test('while one wake follows the other, work goes on piece by piece; idle does the rest without a pause', async () => {
  const { think, worker } = bench()
  await think('chat')
  let pieces = 0
  const working = worker(
    async (_job, _signal, rest) => {
      for (; pieces < 50; pieces += 1) await rest()
    },
    { quietMs: 200, longestWaitMs: 300 },
  )
  const storing = setInterval(() => working.wake(), 10)
  onTestFinished(() => clearInterval(storing))
  await eventually(() => expect(pieces).toBeGreaterThanOrEqual(1))
  expect(pieces).toBeLessThan(50)
  await working.idle()
  expect(pieces).toBe(50)
})

test('closing waits for a job that runs, also when the queue could not be read for another one meanwhile', async () => {
  const { queue, think, worker } = bench()
  await think('chat')
  let reads = 0
  const faulty: JobQueue = {
    ...queue,
    take: async (...asked) => {
      reads += 1
      if (reads > 1) throw new Error('the disk is gone for a moment')
      return queue.take(...asked)
    },
  }
  const started = Promise.withResolvers<void>()
  let ended = false
  const busy = worker(
    async (_job, signal) => {
      started.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await pause(20)
      ended = true
    },
    { queue: faulty, concurrency: 2 },
  )
  void busy.idle()
  await started.promise
  await pause(5)
  await busy.close()
  expect(ended).toBe(true)
})
