import { expect, test } from 'vitest'
import { memoryOf, termsOf } from '../../../test/contracts/memory-store.ts'
import { freshDatabase } from '../../../test/support/folder.ts'
import { oneOf, seeded, wholeNumber } from '../../../test/support/random.ts'
import type { MemoryFilter, MemoryMatches, MemoryStore, MemoryTerm } from '../../contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import { rebuildMemoryIndex } from './memory-fts.ts'
import { sqliteMemoryStore } from './memory-store.ts'
import { openDatabase } from './open-database.ts'
import { Users } from './users.ts'

const AT = Date.parse('2026-03-02T09:00:00Z')
const WORDS =
  `tea oolong garden spring bridge ferry invoice printer kettle violin harbour snow 茶园 春天 钥匙 打印机 小提琴 渡船
  Anna Ivo Leeds Turin 杭州 苏州 painted mended sold borrowed 修好了 卖掉了`.split(/\s+/)
const FILTERS: readonly MemoryFilter[] = [
  {},
  { includePast: true },
  { category: 'preference' },
  { tag: 'home', includePast: true },
  { who: 'Ivo' },
  { asOf: AT + 500 },
]

type Random = () => number

function open(path: string) {
  const connection = openDatabase(path, { create: true })
  const users = new Users(connection)
  return { connection, users, store: sqliteMemoryStore(connection, users, () => new Date(AT + 10_000)) }
}

function sentence(random: Random): string {
  return Array.from({ length: wholeNumber(random, 3, 12) }, () => oneOf(random, WORDS)).join(' ')
}

function newMemory(random: Random, id: string): Memory {
  return memoryOf(id, sentence(random), {
    category: oneOf(random, ['fact', 'preference']),
    tags: random() < 0.3 ? ['home'] : [],
    who: oneOf(random, [null, 'user', 'Ivo']),
    validFrom: AT + wholeNumber(random, 0, 1000),
  })
}

interface Question {
  readonly terms: readonly MemoryTerm[]
  readonly filter: MemoryFilter
  readonly limit: number
}

function question(random: Random): Question {
  const terms = [...termsOf(`${sentence(random)} ${oneOf(random, ['', 'nowhere', 'tea'])}`)]
  if (random() < 0.2) terms.push({ term: oneOf(random, ['ga', 'pri', 'bor']), prefix: true })
  return { terms, filter: oneOf(random, FILTERS), limit: oneOf(random, [1, 5, 40, 400]) }
}

const ask = (store: MemoryStore, { terms, filter, limit }: Question): Promise<MemoryMatches> =>
  store.match('anna', terms, filter, limit)

/** What somebody answers who has just opened the file and keeps nothing yet. */
async function askAnew(path: string, asked: Question): Promise<MemoryMatches> {
  const { connection, store } = open(path)
  try {
    return await ask(store, asked)
  } finally {
    connection.close()
  }
}

/** One change by one of those who have the file open. */
async function change(random: Random, { store, connection, users }: ReturnType<typeof open>, step: number) {
  const id = `m${wholeNumber(random, 0, 230 + step)}`
  const kinds: readonly (() => Promise<unknown>)[] = [
    () => store.insert('anna', [newMemory(random, `m${230 + step}`)]),
    () => store.insert('bert', [newMemory(random, `b${step}`)]),
    () => store.update('anna', id, { text: sentence(random) }, AT + step),
    () => store.update('anna', id, { tags: ['home'], confidence: 0.2 }, AT + step),
    () => store.update('anna', id, { validTo: AT + 600, supersededBy: 'm1' }, AT + step),
    () => store.update('anna', id, { importance: 3 }, AT + step),
    () => store.touch('anna', [id, 'm2'], AT + step),
  ]
  if (step % 20 === 7) await store.remove('anna', [id])
  // The newest goes and another takes its row.
  else if (step % 20 === 15) {
    await store.insert('anna', [newMemory(random, `newest${step}`)])
    await store.remove('anna', [`newest${step}`])
    await store.insert('anna', [newMemory(random, `m${230 + step}`)])
  } else if (step % 20 === 11) await rebuildMemoryIndex(connection, users.find('anna') ?? -1)
  else await oneOf(random, kinds)()
}

test.each([
  { seed: 1, writers: 2, steps: 40 },
  { seed: 2, writers: 2, steps: 40 },
  // Where nobody else writes, the lists follow change by change, and are never read anew.
  { seed: 3, writers: 1, steps: 120 },
])(
  'what is kept of the index and the records answers as the file does, whoever writes (order $seed, writers $writers)',
  async ({ seed, writers, steps }) => {
    const random = seeded(seed)
    const path = freshDatabase()
    const [one, other] = [open(path), open(path)]
    try {
      await one.store.insert(
        'anna',
        Array.from({ length: 230 }, (_, index) => newMemory(random, `m${index}`)),
      )
      // One of them asks the very same list of terms between all changes, too.
      const standing = { ...question(random), filter: {}, limit: 40 }
      const copied = { ...standing, terms: [...standing.terms] }
      for (let step = 0; step < steps; step += 1) {
        await change(random, oneOf(random, [one, other].slice(0, writers)), step)
        const asked = question(random)
        const expected = await askAnew(path, asked)
        expect(await ask(one.store, asked), `step ${step}`).toEqual(expected)
        expect(await ask(other.store, asked), `step ${step}`).toEqual(expected)
        expect(await ask(one.store, standing), `step ${step}, standing`).toEqual(await askAnew(path, copied))
        // The same list of terms once more, with another filter and limit.
        const again = { ...asked, filter: oneOf(random, FILTERS), limit: oneOf(random, [1, 12, 400]) }
        expect(await ask(one.store, again), `step ${step}, again`).toEqual(await askAnew(path, again))
      }
    } finally {
      one.connection.close()
      other.connection.close()
    }
  },
)

test('a change that was taken back leaves nothing behind', async () => {
  const path = freshDatabase()
  const { connection, users, store } = open(path)
  const terms = termsOf('茶园 tea garden')
  await store.insert('anna', [memoryOf('m1', 'The tea garden in 杭州'), memoryOf('m2', '春天的茶园')])
  const before = await store.match('anna', terms, {}, 10)
  const taken = () =>
    connection.write(() => {
      connection.run(`UPDATE memories SET text = 'gone' WHERE user_no = ?`, users.find('anna') ?? -1)
      throw new Error('changed our mind')
    })
  expect(taken).toThrow('changed our mind')
  expect(await store.match('anna', terms, {}, 10)).toEqual(before)
  connection.close()
})
