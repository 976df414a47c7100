/**
 * A process that ends between two steps leaves every vector in the mirror once. A step is a call of the mirror or of
 * the outbox, which is one transaction.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../../../test/support/folder.ts'
import { InMemoryMirror } from '../../../../test/support/in-memory-mirror.ts'
import { DIMENSION, openStore, record } from '../../../../test/support/mirrored-store.ts'
import type { WholeMirrorRow } from '../../../domain/contracts/vector-index.ts'
import { silentLogger } from '../../../domain/logger.ts'
import { createMirrorWorker } from './mirror-worker.ts'

/** More than one step sends. */
const BEFORE = 540
const HOURS_LATER = 3_600_000

type OpenStore = Awaited<ReturnType<typeof openStore>>

function workerOf({ outbox }: Pick<OpenStore, 'outbox'>, mirror: InMemoryMirror, later = 0) {
  return createMirrorWorker({
    mirror,
    outbox,
    logger: silentLogger,
    now: () => Date.now() + later,
    dimension: async () => DIMENSION,
    background: false,
  })
}

/** Counts the steps; the process ends at one of them, and does nothing more. */
class Steps {
  readonly #last: number
  readonly #isDone: boolean
  #count = 0

  constructor(last: number, isDone: boolean) {
    this.#last = last
    this.#isDone = isDone
  }

  get reached(): boolean {
    return this.#count >= this.#last
  }

  counted<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name, object)
        if (typeof value !== 'function') return value
        return async (...parameters: readonly unknown[]) => {
          this.#count += 1
          if (this.#count > this.#last || (this.reached && !this.#isDone)) throw new Error('the process has ended')
          const answer: unknown = await Reflect.apply(value, object, parameters)
          if (this.reached) throw new Error('the process has ended')
          return answer
        }
      },
    })
  }
}

/** A file with vectors of which a mirror knows some, and changes that wait. */
async function prepared(kind: 'first filling' | 'changes') {
  const path = freshDatabase()
  const store = await openStore(path)
  const mirror = new InMemoryMirror()
  await store.vectors.add(
    'ann',
    Array.from({ length: BEFORE }, (_, at) => record(at)),
  )
  if (kind === 'changes') {
    const worker = workerOf(store, mirror)
    await worker.drain()
    await worker.stop()
    await store.vectors.remove('ann', ['m3', 'm4'])
    await store.vectors.add('ann', [record(1, 'another'), record(2, 'another'), record(4, 'back'), record(BEFORE)])
    await store.vectors.add('ben', [record(1), record(2)])
  }
  await store.close()
  return { path, rows: mirror.rows() }
}

function mirrorWith(rows: readonly WholeMirrorRow[]): InMemoryMirror {
  const mirror = new InMemoryMirror(rows.length)
  for (const row of rows) mirror.put(row)
  return mirror
}

test.each(['first filling', 'changes'] as const)('the %s, stopped at each step', async (kind) => {
  const { path, rows } = await prepared(kind)
  const kept = readFileSync(path)
  let points = 0
  for (let last = 1, goesOn = true; goesOn; last += 1)
    for (const isDone of [false, true]) {
      writeFileSync(path, kept)
      const mirror = mirrorWith(rows)
      const steps = new Steps(last, isDone)
      const first = await openStore(path)
      const worker = workerOf({ outbox: steps.counted(first.outbox) }, steps.counted(mirror))
      await worker.drain().catch(() => {})
      await first.close()
      goesOn = steps.reached
      // The right to apply of the process that has ended runs out.
      const second = await openStore(path)
      await workerOf(second, mirror, HOURS_LATER).drain()
      const count = (await second.vectors.count('ann')) + (await second.vectors.count('ben'))
      expect(await second.outbox.compare(mirror.allRows(), false), `step ${last}, done: ${isDone}`).toEqual({
        ...{ vectors: count, equal: count },
        ...{ missing: 0, stale: 0, leftOver: 0, foreign: 0 },
      })
      expect(await second.outbox.state()).toMatchObject({ waiting: 0, toFill: 0 })
      expect(mirror.rows()).toHaveLength(count)
      await second.close()
      points += 1
    }
  expect(points).toBeGreaterThan(20)
})
