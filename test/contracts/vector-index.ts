/**
 * The duties of every vector index, run by each backend against an oracle in double precision. Every test has users of
 * its own, so that one index may serve all.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type {
  VectorFilter,
  VectorIndex,
  VectorKind,
  VectorMatch,
  VectorRecord,
} from '../../src/domain/contracts/vector-index.ts'
import type { Memory } from '../../src/domain/memory.ts'
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

/** A user's own records as a test adds, replaces and removes them: what the index must hold. */
class Held {
  readonly records = new Map<string, VectorRecord>()

  put(records: readonly VectorRecord[]): void {
    for (const record of records) this.records.set(record.id, record)
  }
}

/** Cases that a backend cannot do, by the name of the test, each with its reason. */
export type ContractSkips = Readonly<Record<string, string>>

/** How a backend is opened: once for all tests of the suite. */
export interface ContractIndex {
  readonly index: VectorIndex
  /** A second connection to the same index, as another process has; absent where there can be none. */
  readonly other?: VectorIndex
  /** Closes and opens it again. */
  reopen?(): Promise<VectorIndex>
  close(): Promise<void>
}

const DIMENSION = 48
const START = 1_800_000_000_000
/** Texts that a filter must take as they are, by what is hard in them. */
export const TEXTS: readonly (readonly [string, string])[] = [
  ['double quotes', 'say "tea"'],
  ['single quotes', "Ines' kitchen"],
  ['backslashes', 'C:\\temp\\new\\"'],
  ['a quote that would close the expression', '" or user_id != "'],
  ['an expression', "x' or 1 == 1 --"],
  ['percent and underscore', '100%_a'],
  ['line breaks and tabs', 'one\ntwo\r\n\tthree'],
  ['control characters', 'bell\u0007and\u0001 and\u001f'],
  ['Chinese', '小林的厨房'],
  ['emoji', 'coffee ☕️ 👩‍👩‍👧'],
  ['combining marks', 'cafe\u0301'],
  ['line separators', 'a\u2028b\u2029c\u0085d'],
  ['braces and templates', '{user} {{x}} %s $1'],
  ['blanks', '  two  blanks  '],
]

/** Runs the suite for vectors of 48 dimensions. */
export function vectorIndexContract(name: string, open: () => Promise<ContractIndex>, skips: ContractSkips = {}): void {
  describe(`vector index: ${name}`, () => {
    let opened: ContractIndex | undefined
    let index: VectorIndex
    let random: () => number
    let ann: string
    let bob: string
    let testNumber = 0
    beforeAll(async () => {
      opened = await open()
      index = opened.index
    })
    afterAll(() => opened?.close())
    beforeEach(() => {
      random = seeded(5)
      testNumber += 1
      ann = `ann-${testNumber}`
      bob = `bob-${testNumber}`
    })

    afterEach(() => index.removeAll(ann))

    const run = (title: string, work: () => Promise<void>): void => {
      const reason = skips[title]
      if (reason === undefined) test(title, work)
      else test.skip(`${title} (skipped: ${reason})`, work)
    }
    const vector = () => randomVector(random, DIMENSION)
    const ids = (found: readonly VectorMatch[]) => found.map(({ id }) => id)
    const expectSame = (found: readonly VectorMatch[], wanted: readonly VectorMatch[]) => {
      expect(ids(found)).toEqual(ids(wanted))
      for (const [at, { score }] of found.entries()) expect(score).toBeCloseTo(wanted[at]!.score, 5)
    }
    const many = (count: number, more: (at: number) => Partial<VectorRecord> = () => ({})) =>
      Array.from({ length: count }, (_, at) => {
        const facts = more(at)
        return vectorRecord(`${facts.kind === 'turn' ? 'turn:' : 'm'}${at}`, vector(), facts)
      })

    describe('an index with nothing in it', () => {
      run('answers a search with nothing', async () => {
        expect(await index.search(ann, vector(), 10)).toEqual([])
      })
      run('counts nothing, gets nothing and removes nothing', async () => {
        expect(await index.count(ann)).toBe(0)
        expect((await index.get(ann, ['a'])).size).toBe(0)
        expect(await index.remove(ann, ['a'])).toBe(0)
        expect(await index.removeAll(ann)).toBe(0)
      })
      run('takes an empty list of records, ids and wishes', async () => {
        await index.add(ann, [])
        expect(await index.remove(ann, [])).toBe(0)
        expect((await index.get(ann, [])).size).toBe(0)
      })
    })

    describe('adding', () => {
      run('a vector that was added is found at once, with its cosine', async () => {
        const [a, b] = [vector(), vector()]
        await index.add(ann, [vectorRecord('咖啡', a), vectorRecord('tea', b)])
        const found = await index.search(ann, a, 1)
        expect(ids(found)).toEqual(['咖啡'])
        expect(found[0]?.score).toBeCloseTo(1, 6)
        expect(await index.count(ann)).toBe(2)
      })
      run('every write is seen by the next search, twenty times over', async () => {
        for (let at = 0; at < 20; at += 1) {
          const mine = vector()
          await index.add(ann, [vectorRecord(`m${at}`, mine)])
          expect(ids(await index.search(ann, mine, 1))).toEqual([`m${at}`])
        }
      })
      run('the opposite direction has the score -1', async () => {
        const mine = vector()
        await index.add(ann, [vectorRecord('far', mine)])
        const found = await index.search(
          ann,
          mine.map((value) => -value),
          1,
        )
        expect(found[0]?.score).toBeCloseTo(-1, 5)
      })
      run('a vector that is no unit vector is made one, and its score is a cosine all the same', async () => {
        const mine = vector()
        await index.add(ann, [
          vectorRecord(
            'long',
            mine.map((value) => value * 40),
          ),
        ])
        expect((await index.search(ann, mine, 1))[0]?.score).toBeCloseTo(1, 5)
        const query = mine.map((value) => value / 1000)
        expect((await index.search(ann, query, 1))[0]?.score).toBeCloseTo(1, 5)
      })
      run('the vector of an id can be had back', async () => {
        const [a, b] = [vector(), vector()]
        await index.add(ann, [vectorRecord('tea', a), vectorRecord('turn:7', b, { kind: 'turn' })])
        const got = await index.get(ann, ['turn:7', 'no such', 'tea'])
        expect([...got.keys()].sort()).toEqual(['tea', 'turn:7'])
        for (const [at, value] of got.get('tea')!.entries()) expect(value).toBeCloseTo(a[at]!, 6)
        for (const [at, value] of got.get('turn:7')!.entries()) expect(value).toBeCloseTo(b[at]!, 6)
      })
      run('two writers at once lose nothing', async () => {
        const second = opened?.other ?? index
        const mine = many(30)
        await Promise.all(mine.map((record, at) => (at % 2 === 0 ? index : second).add(ann, [record])))
        expect(await index.count(ann)).toBe(30)
        for (const { id, vector: asked } of mine.slice(0, 5))
          expect(ids(await second.search(ann, asked, 1))).toEqual([id])
      })
      run('a memory that comes with its vector changes nothing for a search', async () => {
        const mine = vector()
        await index.add(ann, [vectorRecord('with', mine, { memory: { ...MEMORY, id: 'with' } })])
        expect(ids(await index.search(ann, mine, 1))).toEqual(['with'])
      })
    })

    describe('order and limits', () => {
      run(
        'the answer is that of a full comparison, over hundreds of vectors added in batches of all sizes',
        async () => {
          const records: VectorRecord[] = []
          while (records.length < 900) {
            const batch = Array.from({ length: wholeNumber(random, 1, 120) }, (_, at) =>
              vectorRecord(`m${records.length + at}`, vector()),
            )
            records.push(...batch)
            await index.add(ann, batch)
            const query = vector()
            expectSame(await index.search(ann, query, 10), nearestByComparison(records, query, 10))
          }
          const query = vector()
          expectSame(await index.search(ann, query, 2000), nearestByComparison(records, query, 2000))
        },
      )
      run('near twins and equal vectors keep their order: by score, then by id', async () => {
        const one = vector()
        const records = Array.from({ length: 700 }, (_, at) => {
          const twin = one.slice()
          twin[at % DIMENSION]! += (at % 7) * 1e-6
          return vectorRecord(`t${String(at).padStart(4, '0')}`, at % 3 === 0 ? one : twin)
        })
        await index.add(ann, records)
        const found = await index.search(ann, one, 50)
        for (const [at, match] of found.entries()) {
          const before = found[at - 1]
          if (before === undefined) continue
          expect(before.score > match.score || (before.score === match.score && before.id < match.id)).toBe(true)
        }
      })
      run('equal vectors come in the order of their ids', async () => {
        const one = vector()
        await index.add(
          ann,
          ['c', 'a', '茶', 'b'].map((id) => vectorRecord(id, one)),
        )
        expect(ids(await index.search(ann, one, 10))).toEqual(['a', 'b', 'c', '茶'])
      })
      run('a limit larger than what there is returns what there is', async () => {
        await index.add(ann, many(7))
        expect(await index.search(ann, vector(), 10_000)).toHaveLength(7)
      })
      run('a limit of one returns the best', async () => {
        const records = many(40)
        await index.add(ann, records)
        const query = vector()
        expectSame(await index.search(ann, query, 1), nearestByComparison(records, query, 1))
      })
      for (const limit of [0, -1, 10_001, 1.5, Number.NaN])
        run(`a limit of ${limit} is refused`, async () => {
          await expect(index.search(ann, vector(), limit)).rejects.toMatchObject({ code: 'invalid_input' })
        })
    })

    describe('filters', () => {
      const spread = (): readonly VectorRecord[] =>
        many(700, (at) => ({
          kind: oneOf(random, ['episodic', 'semantic', 'turn'] as const),
          conversationId: oneOf(random, [null, 'kitchen', '厨房', at % 97 === 0 ? 'rare' : 'work']),
          who: oneOf(random, [null, 'user', '小林', 'Ines']),
          time: START + at * 1000,
        }))
      const cases: readonly (readonly [string, VectorFilter])[] = [
        ['kind', { kind: 'episodic' }],
        ['kind turn', { kind: 'turn' }],
        ['conversation', { conversationId: '厨房' }],
        ['a rare conversation', { conversationId: 'rare' }],
        ['who', { who: '小林' }],
        ['somebody whom nobody knows', { who: 'nobody by that name' }],
        ['since', { since: START + 690_000 }],
        ['until', { until: START + 3000 }],
        ['since and until', { since: START + 100_000, until: START + 101_000 }],
        ['fractions of a millisecond', { since: START + 99_999.5, until: START + 100_000.5 }],
        ['times beyond all', { since: -1e300, until: 1e300 }],
        ['a span that ends before it begins', { since: START + 5000, until: START }],
        ['kind and who', { kind: 'turn', who: '小林' }],
        ['kind and conversation', { kind: 'semantic', conversationId: '厨房' }],
        ['who and time', { who: 'user', until: START + 200_000 }],
        ['conversation and time', { conversationId: 'work', since: START + 500_000 }],
        [
          'everything',
          { kind: 'episodic', conversationId: 'kitchen', who: 'Ines', since: START, until: START + 600_000 },
        ],
      ]
      let records: readonly VectorRecord[]
      let user: string
      beforeAll(async () => {
        random = seeded(11)
        user = `filters of ${name}`
        records = spread()
        await index.add(user, records)
      })
      for (const [what, filter] of cases)
        run(`by ${what} hold exactly and lose nothing`, async () => {
          const query = vector()
          expectSame(await index.search(user, query, 25, filter), nearestByComparison(records, query, 25, filter))
        })
      run('that everything passes change nothing', async () => {
        const query = vector()
        expectSame(await index.search(user, query, 10, {}), await index.search(user, query, 10))
      })
      for (const field of ['conversationId', 'who'] as const)
        run(`by ${field} compare the whole text and no pattern`, async () => {
          const texts = ['ann%', 'ann_', 'annie', 'ANN', 'ann', '*', '.*', 'ann ']
          await index.add(
            ann,
            texts.map((text, at) => vectorRecord(`m${at}`, vector(), { [field]: text })),
          )
          for (const [at, text] of texts.entries())
            expect(ids(await index.search(ann, vector(), 10, { [field]: text }))).toEqual([`m${at}`])
        })
    })

    describe('texts that look like code', () => {
      for (const [what, text] of TEXTS)
        run(`${what} in user, id, conversation and speaker mean themselves`, async () => {
          const user = `${ann} ${text}`
          const mine = vector()
          const record = vectorRecord(`id ${text}`, mine, { conversationId: text, who: text })
          await index.add(user, [record, vectorRecord('other', vector())])
          expect(ids(await index.search(user, mine, 5, { conversationId: text, who: text }))).toEqual([`id ${text}`])
          expect(await index.search(ann, mine, 5)).toEqual([])
          expect([...(await index.get(user, [`id ${text}`])).keys()]).toEqual([`id ${text}`])
          expect(await index.remove(user, [`id ${text}`])).toBe(1)
          expect(await index.count(user)).toBe(1)
        })
      run('ids and users of a thousand characters are kept whole', async () => {
        const long = '林'.repeat(1000)
        const mine = vector()
        await index.add(`${ann}${long}`, [vectorRecord(long, mine, { conversationId: long, who: long })])
        const found = await index.search(`${ann}${long}`, mine, 5, { conversationId: long, who: long })
        expect(ids(found)).toEqual([long])
        expect(await index.search(`${ann}${long.slice(1)}`, mine, 5)).toEqual([])
      })
    })

    describe('users', () => {
      run('nothing crosses users, not even under the same id', async () => {
        const [a, b] = [vector(), vector()]
        await index.add(ann, [vectorRecord('same', a)])
        await index.add(bob, [vectorRecord('same', b)])
        expect((await index.search(ann, b, 5))[0]?.score).toBeLessThan(0.99)
        expect(await index.remove(ann, ['same'])).toBe(1)
        expect(await index.search(ann, a, 5)).toEqual([])
        expect((await index.search(bob, b, 5))[0]?.score).toBeCloseTo(1, 6)
      })
      run('removing everything of one user leaves the others', async () => {
        await index.add(ann, many(5))
        await index.add(
          bob,
          many(6, (at) => ({ kind: at % 2 === 0 ? 'turn' : 'semantic' })),
        )
        expect(await index.removeAll(bob)).toBe(6)
        expect([await index.count(ann), await index.count(bob)]).toEqual([5, 0])
        expect(await index.search(bob, vector(), 5)).toEqual([])
      })
      run('users whose names differ only in case or blanks are two', async () => {
        await index.add(ann, many(1))
        await index.add(`${ann} `, many(2))
        await index.add(ann.toUpperCase(), many(3))
        expect([await index.count(ann), await index.count(`${ann} `), await index.count(ann.toUpperCase())]).toEqual([
          1, 2, 3,
        ])
      })
    })

    describe('replacing and removing', () => {
      run('adding an id again replaces its vector and what a filter asks of it', async () => {
        const [before, after] = [vector(), vector()]
        await index.add(ann, [vectorRecord('home', before, { kind: 'episodic' }), vectorRecord('other', vector())])
        await index.add(ann, [vectorRecord('home', after, { kind: 'semantic' })])
        expect(await index.count(ann)).toBe(2)
        expect((await index.search(ann, after, 1))[0]).toMatchObject({ id: 'home' })
        expect((await index.search(ann, before, 1))[0]?.score).toBeLessThan(0.9)
        expect(await index.search(ann, after, 5, { kind: 'episodic' })).toEqual([])
      })
      run('of an id that comes twice in one call the last one stands', async () => {
        const [before, after] = [vector(), vector()]
        await index.add(ann, [vectorRecord('home', before), vectorRecord('home', after)])
        expect(await index.count(ann)).toBe(1)
        expect((await index.search(ann, after, 1))[0]?.score).toBeCloseTo(1, 6)
      })
      run('an id replaced twenty times is there once', async () => {
        for (let at = 0; at < 20; at += 1) await index.add(ann, [vectorRecord('mood', vector())])
        expect(await index.count(ann)).toBe(1)
        expect(await index.search(ann, vector(), 10)).toHaveLength(1)
      })
      run('what was removed is not found, and can be added again', async () => {
        const mine = vector()
        await index.add(ann, [vectorRecord('tea', mine), vectorRecord('茶', vector())])
        expect(await index.remove(ann, ['tea'])).toBe(1)
        expect(ids(await index.search(ann, mine, 5))).toEqual(['茶'])
        expect((await index.get(ann, ['tea'])).size).toBe(0)
        await index.add(ann, [vectorRecord('tea', mine)])
        expect(ids(await index.search(ann, mine, 1))).toEqual(['tea'])
      })
      run('removing counts only what was there, each once', async () => {
        await index.add(ann, many(3))
        expect(await index.remove(ann, ['m0', 'm0', 'm2', 'm9'])).toBe(2)
        expect(await index.count(ann)).toBe(1)
      })
      run('adding, replacing and removing in any order leaves exactly what is left', async () => {
        const held = new Held()
        for (let step = 0; step < 40; step += 1) {
          const chosen = Array.from({ length: wholeNumber(random, 1, 60) }, () => `m${wholeNumber(random, 0, 900)}`)
          if (random() < 0.6) {
            const records = [...new Set(chosen)].map((id) => vectorRecord(id, vector()))
            await index.add(ann, records)
            held.put(records)
          } else {
            const wanted = new Set(chosen.filter((id) => held.records.has(id))).size
            expect(await index.remove(ann, chosen)).toBe(wanted)
            for (const id of chosen) held.records.delete(id)
          }
          const query = vector()
          expectSame(await index.search(ann, query, 12), nearestByComparison(held.records.values(), query, 12))
          expect(await index.count(ann)).toBe(held.records.size)
        }
        expect(await index.removeAll(ann)).toBe(held.records.size)
        expect(await index.search(ann, vector(), 5)).toEqual([])
        await index.add(ann, [vectorRecord('again', vector())])
        expect(await index.search(ann, vector(), 5)).toHaveLength(1)
      })
      run('what another process wrote and removed is seen by the next search', async () => {
        const second = opened?.other
        if (second === undefined) return
        const mine = vector()
        await second.add(ann, [vectorRecord('theirs', mine)])
        expect(ids(await index.search(ann, mine, 1))).toEqual(['theirs'])
        await index.remove(ann, ['theirs'])
        expect(await second.search(ann, mine, 1)).toEqual([])
      })
      run('everything is there after it was closed and opened again', async () => {
        const records = many(30, (at) => ({
          kind: oneOf(random, ['turn', 'semantic'] as readonly VectorKind[]),
          time: START + at,
        }))
        await index.add(ann, records)
        if (opened?.reopen !== undefined) index = await opened.reopen()
        const query = vector()
        expectSame(await index.search(ann, query, 12), nearestByComparison(records, query, 12))
        expect(await index.count(ann)).toBe(30)
      })
    })

    describe('bad input', () => {
      run(
        'another dimension is refused with both numbers and a remedy, and nothing of the call is written',
        async () => {
          const wrong = randomVector(random, 20)
          const adding = index.add(ann, [vectorRecord('good', vector()), vectorRecord('short', wrong)])
          await expect(adding).rejects.toMatchObject({
            code: 'invalid_input',
            message: expect.stringMatching(/20.*48/),
          })
          await expect(adding).rejects.toMatchObject({ remedy: expect.stringContaining('anew') })
          expect(await index.count(ann)).toBe(0)
        },
      )
      run('a question of another dimension is refused', async () => {
        const search = index.search(ann, randomVector(random, 20), 5)
        await expect(search).rejects.toMatchObject({ code: 'invalid_input' })
      })
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        const broken = () => {
          const mine = vector()
          mine[7] = bad
          return mine
        }
        run(`a vector with ${bad} is refused`, async () => {
          await expect(index.add(ann, [vectorRecord('bad', broken())])).rejects.toMatchObject({ code: 'invalid_input' })
          expect(await index.count(ann)).toBe(0)
        })
        run(`a question with ${bad} is refused`, async () => {
          await expect(index.search(ann, broken(), 3)).rejects.toMatchObject({ code: 'invalid_input' })
        })
      }
      run('a zero vector is refused, since it points nowhere', async () => {
        const zero = new Float32Array(DIMENSION)
        await expect(index.add(ann, [vectorRecord('zero', zero)])).rejects.toMatchObject({ code: 'invalid_input' })
        await expect(index.search(ann, zero, 3)).rejects.toMatchObject({ code: 'invalid_input' })
        expect(await index.count(ann)).toBe(0)
      })
    })

    describe('size', () => {
      run('ten thousand vectors are counted, and each can be had and removed by its id', async () => {
        const records = many(10_000)
        for (let from = 0; from < records.length; from += 2500) await index.add(ann, records.slice(from, from + 2500))
        expect(await index.count(ann)).toBe(10_000)
        const asked = records.filter((_, at) => at % 613 === 0)
        expect(
          (
            await index.get(
              ann,
              asked.map(({ id }) => id),
            )
          ).size,
        ).toBe(asked.length)
        for (const { id, vector: mine } of asked.slice(0, 3))
          expect(ids(await index.search(ann, mine, 1))).toEqual([id])
        expect(
          await index.remove(
            ann,
            records.slice(0, 600).map(({ id }) => id),
          ),
        ).toBe(600)
        expect(await index.removeAll(ann)).toBe(9400)
      })
    })
  })
}

const MEMORY: Memory = {
  id: '',
  memoryType: 'semantic',
  text: 'She drinks oolong tea in the morning; 她早上喝乌龙茶。',
  category: 'preference',
  key: 'drink',
  value: { tea: 'oolong' },
  tags: ['tea', '茶'],
  conversationId: 'kitchen',
  who: 'user',
  occurredAt: START,
  createdAt: START,
  updatedAt: START,
  confidence: 0.9,
  source: 'user_stated',
  importance: 1,
  accessCount: 2,
  lastAccessed: null,
  validFrom: START,
  validTo: null,
  projectRoot: '/srv/app',
  supersededBy: null,
  suspect: null,
  sourceTurnIds: [1, 2],
  externalId: null,
  metadata: { context: 'breakfast', updates: [] },
}
