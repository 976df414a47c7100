/** The duties of every durable queue of jobs. A backend runs it with a function that opens an empty queue, twice. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JobQueue, LeasedJob } from '../../src/domain/contracts/job-queue.ts'
import { NASTY_USERS } from './memory-store.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const SECOND = 1000
const LEASE = 30 * SECOND
const PAGE = { limit: 100, offset: 0 }

/** One queue through two openings of it, as two processes have it. */
export interface OpenJobQueues {
  readonly queue: JobQueue
  readonly other: JobQueue
  readonly close: () => Promise<void>
}

/** Runs the suite. */
export function jobQueueContract(name: string, open: (bound?: number) => Promise<OpenJobQueues>): void {
  describe(`job queue: ${name}`, () => {
    let opened: OpenJobQueues
    let queue: JobQueue
    let other: JobQueue
    beforeEach(async () => {
      opened = await open()
      ;({ queue, other } = opened)
    })
    afterEach(() => opened.close())

    const think = (user: string, subject: string, at = START): Promise<readonly string[]> =>
      queue.enqueue(user, [{ kind: 'think', subject }], at)
    const takeOne = async (at: number, from = queue): Promise<LeasedJob> => {
      const [job] = await from.take(at, LEASE, 1)
      if (job === undefined) throw new Error('nothing was due')
      return job
    }

    test('a clock that jumps back leaves no job waiting for the time that it showed before, nor a lease', async () => {
      const later = START + 4 * 365 * 24 * 3600 * SECOND
      await think('anna', 'enqueued')
      await think('ben', 'running', later)
      await think('cleo', 'put off', later)
      expect((await queue.take(later, LEASE, 3)).map(({ subject }) => subject)).toEqual([
        'enqueued',
        'running',
        'put off',
      ])
      await think('dora', 'waiting', later)
      // The process that took them has died; the clock is right again.
      const again = await other.take(START + SECOND, LEASE, 10)
      expect(again.map(({ subject }) => subject).sort()).toEqual(['enqueued', 'put off', 'running', 'waiting'])
      expect(await other.take(START + 2 * SECOND, LEASE, 10)).toEqual([])
    })

    test('a clock that jumps back, however far, leaves the order in which jobs were told', async () => {
      for (const back of [1, 60 * SECOND, 10 * 365 * 24 * 3600 * SECOND]) {
        await think('anna', 'first')
        await think('ben', 'second', START - back)
        const taken = await queue.take(START - back, LEASE, 10)
        expect(taken.map(({ subject }) => subject)).toEqual(['first', 'second'])
        for (const job of taken) await queue.complete(job, START - back)
        await think('cleo', 'third')
        const [last] = await queue.take(START - back, LEASE, 10)
        expect(last?.subject).toBe('third')
        await queue.complete(last!, START - back)
      }
    })

    test('a job comes back with every field, once it is due and not a millisecond before', async () => {
      const payload = { text: '记住：我对花生过敏', parts: [1, null, { deep: true }] }
      const [id] = await queue.enqueue('anna', [{ kind: 'add', subject: 'note 7', payload, dueAt: START + 5 }], START)
      expect(await queue.take(START + 4, LEASE, 10)).toEqual([])
      const [job] = await queue.take(START + 5, LEASE, 10)
      const { lease, ...rest } = job!
      expect(rest).toEqual({
        id,
        userId: 'anna',
        kind: 'add',
        subject: 'note 7',
        payload,
        state: 'running',
        attempts: 1,
        lastError: null,
        createdAt: START,
        dueAt: START + 5,
        leasedUntil: START + 5 + LEASE,
      })
      expect(lease.length).toBeGreaterThan(15)
      expect(await queue.get(id!)).toEqual(rest)
    })

    test('enqueued while it waits it stays one job with its first payload', async () => {
      const [id] = await queue.enqueue('anna', [{ kind: 'add', subject: 's', payload: 'first' }], START)
      const again = await queue.enqueue('anna', [{ kind: 'add', subject: 's', payload: 'second' }], START + 1)
      expect(again).toEqual([id])
      expect((await queue.list('anna', PAGE)).total).toBe(1)
      expect((await takeOne(START + 2)).payload).toBe('first')
    })

    test('enqueued while it runs it waits again when it is done, with the newest payload', async () => {
      const [id] = await queue.enqueue('anna', [{ kind: 'add', subject: 's', payload: 'first' }], START)
      const job = await takeOne(START)
      await queue.enqueue('anna', [{ kind: 'add', subject: 's', payload: 'second' }], START + 10)
      await queue.enqueue('anna', [{ kind: 'add', subject: 's', payload: 'third' }], START + 20)
      expect(await queue.take(START + 25, LEASE, 1)).toEqual([])
      expect(await queue.complete(job, START + 30)).toBe(true)
      const next = await takeOne(START + 30)
      expect(next).toMatchObject({ id, payload: 'third', attempts: 1, lastError: null })
      expect(await queue.complete(next, START + 40)).toBe(true)
      expect(await queue.get(id!)).toBeNull()
      expect(await queue.nextDue()).toBeNull()
    })

    test('a job that was put off is due sooner when it is enqueued for sooner, but not one that failed', async () => {
      await think('anna', 'chat')
      const job = await takeOne(START)
      await queue.release(job, START + 60 * SECOND)
      await think('anna', 'chat', START + 2 * SECOND)
      await think('anna', 'chat', START + 90 * SECOND)
      expect(await queue.nextDue()).toBe(START + 2 * SECOND)
      await queue.fail(await takeOne(START + 2 * SECOND), 'no answer', START + 60 * SECOND)
      await think('anna', 'chat', START + 3 * SECOND)
      expect(await queue.nextDue()).toBe(START + 60 * SECOND)
    })

    test('a job that is put off though it was enqueued while it ran comes when it was enqueued for', async () => {
      await think('anna', 'chat')
      const job = await takeOne(START)
      await think('anna', 'chat', START + SECOND)
      await queue.release(job, START + 60 * SECOND)
      expect(await takeOne(START + SECOND)).toMatchObject({ attempts: 1 })
    })

    test('the same subject of another user or of another kind is another job', async () => {
      const ids = [
        ...(await think('anna', 'chat')),
        ...(await think('bert', 'chat')),
        ...(await queue.enqueue('anna', [{ kind: 'reconsolidate', subject: 'chat' }], START)),
      ]
      expect(new Set(ids).size).toBe(3)
    })

    test('of one user and subject one job runs at a time, whatever its kind', async () => {
      await think('anna', 'chat', START)
      await queue.enqueue('anna', [{ kind: 'reconsolidate', subject: 'chat' }], START + 1)
      await think('bert', 'chat', START + 2)
      const taken = await queue.take(START + 5, LEASE, 10)
      expect(taken.map(({ userId, kind }) => [userId, kind])).toEqual([
        ['anna', 'think'],
        ['bert', 'think'],
      ])
      expect(await other.take(START + 5, LEASE, 10)).toEqual([])
      await queue.complete(taken[0]!, START + 6)
      expect((await takeOne(START + 6, other)).kind).toBe('reconsolidate')
    })

    test('the job that has been due longest is taken first, of all users', async () => {
      await queue.enqueue('carl', [{ kind: 'embed', subject: 'm1', dueAt: START + 200 }], START)
      await queue.enqueue('anna', [{ kind: 'think', subject: 'late', dueAt: START + 300 }], START)
      await think('bert', 'early', START + 100)
      const taken = await queue.take(START + 1000, LEASE, 2)
      expect(taken.map(({ subject }) => subject)).toEqual(['early', 'm1'])
      expect((await queue.take(START + 1000, LEASE, 2)).map(({ subject }) => subject)).toEqual(['late'])
    })

    test('of two processes that take at the same time each gets other jobs', async () => {
      for (let at = 0; at < 40; at += 1) await think('anna', `chat-${at}`)
      const seen: string[] = []
      for (let round = 0; round < 10; round += 1) {
        const both = await Promise.all([queue.take(START, LEASE, 3), other.take(START, LEASE, 1)])
        seen.push(...both.flat().map(({ subject }) => subject))
      }
      expect(seen).toHaveLength(40)
      expect(new Set(seen).size).toBe(40)
    })

    test('a job whose lease ran out is taken by another, and the first holder has no more say', async () => {
      await think('anna', 'chat')
      const first = await takeOne(START)
      expect(await other.take(START + LEASE - 1, LEASE, 1)).toEqual([])
      const second = await takeOne(START + LEASE, other)
      expect(second).toMatchObject({ id: first.id, attempts: 2 })
      expect(second.lastError).toContain('lease')
      expect(second.lease).not.toBe(first.lease)
      expect(await queue.extend(first, START + 10 * LEASE)).toBe(false)
      expect(await queue.complete(first, START + LEASE)).toBe(false)
      expect(await queue.fail(first, 'too late', null)).toBe(false)
      expect(await queue.release(first, START)).toBe(false)
      expect(await other.complete(second, START + LEASE)).toBe(true)
    })

    test('an extended lease keeps others away, and one that ran out unnoticed is still held', async () => {
      await think('anna', 'chat')
      const job = await takeOne(START)
      expect(await queue.extend(job, START + 3 * LEASE)).toBe(true)
      expect(await other.take(START + 2 * LEASE, LEASE, 1)).toEqual([])
      expect(await queue.nextDue()).toBe(START + 3 * LEASE)
      expect(await queue.complete(job, START + 4 * LEASE)).toBe(true)
    })

    test('a failed job waits for its next attempt and says why it failed', async () => {
      await think('anna', 'chat')
      const job = await takeOne(START)
      expect(await queue.fail(job, 'model_failed: no answer', START + 4 * SECOND)).toBe(true)
      expect(await queue.get(job.id)).toMatchObject({
        state: 'waiting',
        attempts: 1,
        lastError: 'model_failed: no answer',
        dueAt: START + 4 * SECOND,
        leasedUntil: null,
      })
      expect(await queue.nextDue()).toBe(START + 4 * SECOND)
      expect(await queue.take(START + SECOND, LEASE, 1)).toEqual([])
      expect((await takeOne(START + 4 * SECOND)).attempts).toBe(2)
    })

    test('a dead job is kept with its reason, is never taken, and waits again when it is retried', async () => {
      const [id] = await think('anna', 'chat')
      await think('bert', 'chat')
      for (const job of await queue.take(START, LEASE, 2)) await queue.fail(job, '模型拒绝了请求', null)
      expect(await queue.nextDue()).toBeNull()
      expect(await queue.take(START + 99 * LEASE, LEASE, 5)).toEqual([])
      expect(await queue.get(id!)).toMatchObject({ state: 'dead', lastError: '模型拒绝了请求' })
      expect(await queue.retry('anna', START + SECOND, 'job-999')).toBe(0)
      expect(await queue.retry('carl', START + SECOND)).toBe(0)
      expect(await queue.retry('anna', START + SECOND)).toBe(1)
      expect(await takeOne(START + SECOND)).toMatchObject({ id, attempts: 1 })
      expect(await queue.retry(null, START + SECOND)).toBe(1)
      expect((await takeOne(START + SECOND)).userId).toBe('bert')
    })

    test('a job that waits for its next attempt is tried now when it is named, and only then', async () => {
      const [id] = await queue.enqueue('anna', [{ kind: 'think', subject: 'chat' }], START)
      await queue.fail(await takeOne(START), 'the model was busy', START + 99 * SECOND)
      expect(await queue.retry('anna', START + SECOND)).toBe(0)
      expect(await queue.retry('bert', START + SECOND, id!)).toBe(0)
      expect(await queue.retry('anna', START + SECOND, id!)).toBe(1)
      expect(await takeOne(START + SECOND)).toMatchObject({ id, attempts: 1 })
      expect(await queue.retry('anna', START + SECOND, id!)).toBe(0)
    })

    test('enqueuing a dead job gives it a new life', async () => {
      const [id] = await queue.enqueue('anna', [{ kind: 'add', subject: 's', payload: 'old' }], START)
      await queue.fail(await takeOne(START), 'no', null)
      expect(await queue.enqueue('anna', [{ kind: 'add', subject: 's', payload: 'new' }], START + 5)).toEqual([id])
      expect(await takeOne(START + 5)).toMatchObject({ id, attempts: 1, payload: 'new' })
    })

    test('what was enqueued while a job failed for good is not lost', async () => {
      await think('anna', 'chat')
      const job = await takeOne(START)
      await think('anna', 'chat', START + 5)
      await queue.fail(job, 'no', null)
      expect(await takeOne(START + 5)).toMatchObject({ attempts: 1 })
    })

    test('a job that was given back waits as if it had not been taken', async () => {
      await think('anna', 'chat')
      const job = await takeOne(START)
      expect(await queue.release(job, START + SECOND)).toBe(true)
      expect(await queue.get(job.id)).toMatchObject({ state: 'waiting', attempts: 0, dueAt: START + SECOND })
      expect(await takeOne(START + SECOND, other)).toMatchObject({ attempts: 1 })
    })

    test('lists are newest first, by page, by state, and of one user or all', async () => {
      for (let at = 0; at < 7; at += 1) await think(at % 2 === 0 ? 'anna' : 'bert', `chat-${at}`, START + at)
      await queue.fail(await takeOne(START), 'no', null)
      await takeOne(START + 1)
      const subjects = async (user: string | null, page: Parameters<JobQueue['list']>[1]) => {
        const { items, total } = await queue.list(user, page)
        return [items.map(({ subject }) => subject), total]
      }
      expect(await subjects(null, { limit: 3, offset: 2 })).toEqual([['chat-4', 'chat-3', 'chat-2'], 7])
      expect(await subjects('bert', PAGE)).toEqual([['chat-5', 'chat-3', 'chat-1'], 3])
      expect(await subjects(null, { ...PAGE, state: 'dead' })).toEqual([['chat-0'], 1])
      expect(await subjects('bert', { ...PAGE, state: 'running' })).toEqual([['chat-1'], 1])
      expect(await subjects('carl', PAGE)).toEqual([[], 0])
      for (const id of ['', 'job-0', 'job-12345', "job-1' OR 1", '1']) expect(await queue.get(id)).toBeNull()
    })

    test('removing takes the lease from whoever runs the job', async () => {
      await think('anna', 'a')
      await think('anna', 'b')
      await think('bert', 'a')
      const job = await takeOne(START)
      expect(await other.remove('anna', { kind: 'think', subject: 'a' })).toBe(1)
      expect(await queue.complete(job, START)).toBe(false)
      expect(await queue.remove('anna')).toBe(1)
      expect((await queue.list(null, PAGE)).items.map(({ userId }) => userId)).toEqual(['bert'])
    })

    test('users whose names look like queries keep their own jobs', async () => {
      for (const user of NASTY_USERS) await think(user, 'chat')
      for (const user of NASTY_USERS) expect((await queue.list(user, PAGE)).total).toBe(1)
      expect(await queue.remove(NASTY_USERS[3]!)).toBe(1)
      expect((await queue.list(null, PAGE)).total).toBe(NASTY_USERS.length - 1)
    })

    test('a full queue refuses new jobs with a remedy and writes none of the call, but still takes the known ones', async () => {
      await opened.close()
      opened = await open(5)
      ;({ queue, other } = opened)
      const ids = await queue.enqueue(
        'anna',
        Array.from({ length: 4 }, (_, at) => ({ kind: 'embed' as const, subject: `m${at}` })),
        START,
      )
      await expect(
        queue.enqueue(
          'anna',
          [
            { kind: 'embed', subject: 'm4' },
            { kind: 'embed', subject: 'm5' },
          ],
          START,
        ),
      ).rejects.toMatchObject({ code: 'queue_full', remedy: expect.stringContaining('dead') })
      expect((await queue.list(null, PAGE)).total).toBe(4)
      await queue.enqueue('bert', [{ kind: 'embed', subject: 'm0' }], START)
      await expect(queue.enqueue('carl', [{ kind: 'embed', subject: 'x' }], START)).rejects.toMatchObject({
        code: 'queue_full',
      })
      expect(await queue.enqueue('anna', [{ kind: 'embed', subject: 'm1' }], START)).toEqual([ids[1]])
      await queue.complete(await takeOne(START), START)
      await queue.enqueue('carl', [{ kind: 'embed', subject: 'x' }], START)
    })
  })
}
