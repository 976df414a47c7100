import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memoryOf, termsOf } from '../../../test/contracts/memory-store.ts'
import { openDatabase } from './file/open-database.ts'
import { sqliteMemoryStore } from './memories/memory-store.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mneme-erase-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Repeatable numbers in [0, 1). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** A word that occurs nowhere else; its end alone is unmistakable, too. */
function uniqueWord(index: number): string {
  let state = (index + 1) * 7919
  let word = 'zq'
  for (let letter = 0; letter < 12; letter += 1) {
    word += 'bcdfghjklmnprstvw'[state % 17]
    state = (state * 69_069 + 362_437) % 4_294_967_296
  }
  return `${word}${index}y`
}

const PROSE =
  'The river runs past the old mill, and children play football near the bridge every sunny afternoon. 老磨坊旁边的桥下孩子们在踢球。'

function textWith(word: string, next: () => number): string {
  const length = Math.floor(10 ** (next() * 4.1))
  const prose = PROSE.repeat(Math.ceil(length / PROSE.length)).slice(0, length)
  const middle = Math.floor(next() * prose.length)
  return `${prose.slice(0, middle)} ${word} ${prose.slice(middle)}`
}

test('a word at which a page of the index begins goes with its last memory', async () => {
  const path = join(folder, 'memory.db')
  const connection = openDatabase(path, { create: true })
  const store = sqliteMemoryStore(connection)
  const words = (index: number) => Array.from({ length: 40 }, (_, part) => uniqueWord(index * 40 + part))
  const ids = Array.from({ length: 120 }, (_, index) => index)
  for (const index of ids) await store.insert('anna', [memoryOf(`m${index}`, words(index).join(' '))])
  const gone = ids.filter((index) => index % 2 === 0)
  await store.remove(
    'anna',
    gone.map((index) => `m${index}`),
  )
  const kept = ids.filter((index) => index % 2 === 1)
  const live = kept.flatMap(words)
  const starts = connection
    .all('SELECT substr(CAST(term AS TEXT), 2) AS start FROM memory_words_idx')
    .map(({ start }) => String(start))
  expect(starts.filter((start) => start !== '').length).toBeGreaterThan(3)
  expect(starts.filter((start) => !live.some((word) => word.startsWith(start)))).toEqual([])
  for (const index of kept) {
    const { matches } = await store.match('anna', termsOf(words(index)[7] ?? ''), {}, 3)
    expect(matches.map(({ memory }) => memory.id)).toEqual([`m${index}`])
  }
  connection.close()
})

test.each([11, 12])('no byte of removed memories is left in the file or its log (order %i)', async (seed) => {
  const path = join(folder, 'memory.db')
  const connection = openDatabase(path, { create: true })
  const store = sqliteMemoryStore(connection)
  const next = numbers(seed)
  const count = 400
  for (let index = 0; index < count; index += 1) {
    const word = uniqueWord(index)
    const user = `user-${index % 3}`
    const key = next() < 0.5 ? word : null
    await store.insert(user, [memoryOf(`m${index}`, textWith(word, next), { key, value: { word } })])
    if (next() < 0.2) await store.update(user, `m${index}`, { text: textWith(word, next), key: null }, 1)
    if (next() < 0.2) await store.touch(user, [`m${index}`], 2)
  }
  const order = Array.from({ length: count }, (_, index) => index).sort(() => next() - 0.5)
  const removed = new Set<number>()
  while (order.length > count / 10) {
    const going = order.splice(0, 60)
    for (const index of going) removed.add(index)
    for (const owner of [0, 1, 2])
      await store.remove(
        `user-${owner}`,
        going.filter((index) => index % 3 === owner).map((index) => `m${index}`),
      )
    const kept = readFileSync(path).toString('latin1')
    const left = [...removed].filter((index) => kept.includes(uniqueWord(index).slice(5)))
    expect(left).toEqual([])
    expect(statSync(`${path}-wal`).size).toBe(0)
  }
  const survivor = order[0] ?? -1
  const found = await store.match(`user-${survivor % 3}`, termsOf(uniqueWord(survivor)), {}, 3)
  expect(found.matches.map(({ memory }) => memory.id)).toEqual([`m${survivor}`])
  for (const user of ['user-0', 'user-1', 'user-2']) await store.removeAll(user)
  expect(/zq[b-w]{12}\d+y/.exec(readFileSync(path).toString('latin1'))).toBeNull()
  connection.close()
})
