/** What every vector index must do, run by each backend. The oracle compares every vector in double precision. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { VectorFilter, VectorIndex, VectorMatch, VectorRecord } from '../../src/contracts/vector-index.ts'
import { oneOf, seeded, wholeNumber } from '../support/random.ts'

/** A random unit vector. */
export function randomVector(random: () => number, dimension: number): Float32Array {
  // The sum of four uniform numbers is near enough to normal, so that every direction is about as likely.
  const vector = Float32Array.from({ length: dimension }, () => random() + random() + random() + random() - 2)
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

/** A record with only what a test says of it. */
export function vectorRecord(id: string, vector: Float32Array, more: Partial<VectorRecord> = {}): VectorRecord {
  return { id, vector, kind: 'semantic', conversationId: null, who: null, time: 1_800_000_000_000, ...more }
}

/** The answer of a full comparison. */
export function nearestByComparison(
  records: Iterable<VectorRecord>,
  query: Float32Array,
  limit: number,
  filter: VectorFilter = {},
): readonly VectorMatch[] {
  const { kind, conversationId, who, since = -Infinity, until = Infinity } = filter
  return [...records]
    .filter((record) => kind === undefined || record.kind === kind)
    .filter((record) => conversationId === undefined || record.conversationId === conversationId)
    .filter((record) => who === undefined || record.who === who)
    .filter(({ time }) => time >= since && time < until)
    .map(({ id, vector }) => ({ id, score: vector.reduce((sum, value, at) => sum + value * query[at]!, 0) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
}

/** Runs the suite for vectors of 48 dimensions; `open` gives a fresh, begun index each time it is called. */
export function vectorIndexContract(
  name: string,
  open: () => Promise<{ readonly index: VectorIndex; close(): Promise<void> }>,
): void {
  describe(`vector index: ${name}`, () => {
    const DIMENSION = 48
    let index: VectorIndex
    let close: () => Promise<void>
    let random: () => number
    beforeEach(async () => {
      const opened = await open()
      index = opened.index
      close = () => opened.close()
      random = seeded(5)
    })
    afterEach(() => close())

    const vector = () => randomVector(random, DIMENSION)
    const expectSame = (found: readonly VectorMatch[], wanted: readonly VectorMatch[]) => {
      expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
      for (const [at, { score }] of found.entries()) expect(score).toBeCloseTo(wanted[at]!.score, 5)
    }

    test('an index without vectors answers with nothing', async () => {
      expect(await index.search('nobody', vector(), 10)).toEqual([])
      expect(await index.count('nobody')).toBe(0)
      expect(await index.remove('nobody', ['a'])).toBe(0)
      expect(await index.removeAll('nobody')).toBe(0)
    })

    test('a vector that was added is found at once, with its cosine', async () => {
      const [a, b] = [vector(), vector()]
      await index.add('ann', [vectorRecord('咖啡', a), vectorRecord('tea', b)])
      const found = await index.search('ann', a, 1)
      expect(found.map(({ id }) => id)).toEqual(['咖啡'])
      expect(found[0]?.score).toBeCloseTo(1, 6)
      expect(await index.count('ann')).toBe(2)
      expect([...(await index.get('ann', ['tea', 'no such']))].map(([id]) => id)).toEqual(['tea'])
    })

    test('the answer is that of a full comparison, over hundreds of vectors added in batches of all sizes', async () => {
      const records: VectorRecord[] = []
      while (records.length < 900) {
        const batch = Array.from({ length: wholeNumber(random, 1, 120) }, (_, at) =>
          vectorRecord(`m${records.length + at}`, vector()),
        )
        records.push(...batch)
        await index.add('ann', batch)
        const query = vector()
        expectSame(await index.search('ann', query, 10), nearestByComparison(records, query, 10))
      }
      const query = vector()
      expectSame(await index.search('ann', query, 2000), nearestByComparison(records, query, 2000))
    })

    test('near twins and equal vectors keep their order: by score, then by id', async () => {
      const one = vector()
      const records = Array.from({ length: 700 }, (_, at) => {
        const twin = one.slice()
        twin[at % DIMENSION]! += (at % 7) * 1e-6
        return vectorRecord(`t${String(at).padStart(4, '0')}`, at % 3 === 0 ? one : twin)
      })
      await index.add('ann', records)
      const found = await index.search('ann', one, 50)
      for (const [at, match] of found.entries()) {
        const before = found[at - 1]
        if (before === undefined) continue
        expect(before.score > match.score || (before.score === match.score && before.id < match.id)).toBe(true)
      }
    })

    test('every filter holds exactly and loses nothing, alone and together', async () => {
      const start = 1_800_000_000_000
      const records = Array.from({ length: 700 }, (_, at) =>
        vectorRecord(`m${at}`, vector(), {
          kind: oneOf(random, ['episodic', 'semantic', 'turn']),
          conversationId: oneOf(random, [null, 'kitchen', '厨房', 'rare'.repeat(at % 97 === 0 ? 1 : 0) || 'work']),
          who: oneOf(random, [null, 'user', '小林', 'Ines']),
          time: start + at * 1000,
        }),
      )
      await index.add('ann', records)
      const filters: readonly VectorFilter[] = [
        { kind: 'episodic' },
        { kind: 'turn', who: '小林' },
        { conversationId: 'rare' },
        { conversationId: '厨房', kind: 'semantic' },
        { who: 'nobody by that name' },
        { since: start + 100_000, until: start + 101_000 },
        { since: start + 690_000 },
        { until: start + 3000, who: 'user' },
      ]
      for (const filter of filters) {
        const query = vector()
        expectSame(await index.search('ann', query, 25, filter), nearestByComparison(records, query, 25, filter))
      }
    })

    test('nothing crosses users, not even under the same id', async () => {
      const [a, b] = [vector(), vector()]
      await index.add('ann', [vectorRecord('same', a)])
      await index.add('bob', [vectorRecord('same', b)])
      expect((await index.search('ann', b, 5))[0]?.score).toBeLessThan(0.99)
      expect(await index.remove('ann', ['same'])).toBe(1)
      expect(await index.search('ann', a, 5)).toEqual([])
      expect((await index.search('bob', b, 5))[0]?.score).toBeCloseTo(1, 6)
      expect(await index.removeAll('bob')).toBe(1)
      expect(await index.count('bob')).toBe(0)
    })

    test('adding an id again replaces its vector and what a filter asks of it', async () => {
      const [before, after] = [vector(), vector()]
      await index.add('ann', [vectorRecord('home', before, { kind: 'episodic' }), vectorRecord('other', vector())])
      await index.add('ann', [vectorRecord('home', after, { kind: 'semantic' })])
      expect(await index.count('ann')).toBe(2)
      expect((await index.search('ann', after, 1))[0]).toMatchObject({ id: 'home' })
      expect((await index.search('ann', before, 1))[0]?.score).toBeLessThan(0.9)
      expect(await index.search('ann', after, 5, { kind: 'episodic' })).toEqual([])
      // The same id twice in one call: the last one stands.
      await index.add('ann', [vectorRecord('home', before), vectorRecord('home', after)])
      expect(await index.count('ann')).toBe(2)
      expect((await index.search('ann', after, 1))[0]?.score).toBeCloseTo(1, 6)
    })

    test('adding, replacing and removing in any order leaves exactly what is left', async () => {
      const held = new Map<string, VectorRecord>()
      for (let step = 0; step < 60; step += 1) {
        const ids = Array.from({ length: wholeNumber(random, 1, 60) }, () => `m${wholeNumber(random, 0, 900)}`)
        if (random() < 0.6) {
          const records = [...new Set(ids)].map((id) => vectorRecord(id, vector()))
          await index.add('ann', records)
          for (const record of records) held.set(record.id, record)
        } else {
          const wanted = new Set(ids.filter((id) => held.has(id))).size
          expect(await index.remove('ann', ids)).toBe(wanted)
          for (const id of ids) held.delete(id)
        }
        const query = vector()
        expectSame(await index.search('ann', query, 12), nearestByComparison(held.values(), query, 12))
        expect(await index.count('ann')).toBe(held.size)
      }
      expect(await index.removeAll('ann')).toBe(held.size)
      expect(await index.search('ann', vector(), 5)).toEqual([])
      await index.add('ann', [vectorRecord('again', vector())])
      expect(await index.search('ann', vector(), 5)).toHaveLength(1)
    })

    test('another dimension is refused with both numbers and a remedy, and nothing of the call is written', async () => {
      const wrong = randomVector(random, 20)
      const adding = index.add('ann', [vectorRecord('good', vector()), vectorRecord('short', wrong)])
      await expect(adding).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringMatching(/20.*48/) })
      await expect(adding).rejects.toMatchObject({ remedy: expect.stringContaining('anew') })
      await expect(index.search('ann', wrong, 5)).rejects.toMatchObject({ code: 'invalid_input' })
      expect(await index.count('ann')).toBe(0)
    })

    test('NaN, infinite and zero vectors are refused', async () => {
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
        const broken = vector()
        broken[7] = bad
        await expect(index.add('ann', [vectorRecord('bad', broken)])).rejects.toMatchObject({ code: 'invalid_input' })
        await expect(index.search('ann', broken, 3)).rejects.toMatchObject({ code: 'invalid_input' })
      }
      const zero = new Float32Array(DIMENSION)
      await expect(index.add('ann', [vectorRecord('zero', zero)])).rejects.toMatchObject({ code: 'invalid_input' })
      expect(await index.count('ann')).toBe(0)
    })

    test('a limit out of range is refused', async () => {
      for (const limit of [0, 10_001, 1.5])
        await expect(index.search('ann', vector(), limit)).rejects.toMatchObject({ code: 'invalid_input' })
    })
  })
}
