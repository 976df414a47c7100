import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { memoryOf } from '../../../../test/contracts/memory-store.ts'
import { newTurn } from '../../../../test/contracts/turn-index.ts'
import {
  nearestByComparison,
  randomVector,
  vectorIndexContract,
  vectorRecord,
} from '../../../../test/contracts/vector-index.ts'
import { databaseFiles, freshDatabase } from '../../../../test/support/folder.ts'
import { seeded } from '../../../../test/support/random.ts'
import { systemClock } from '../../../domain/clock.ts'
import type { VectorRecord } from '../../../domain/contracts/vector-index.ts'
import { silentLogger } from '../../../domain/logger.ts'
import { openDatabase } from '../file/open-database.ts'
import { openSqliteStore } from '../open-store.ts'
import { sqliteVectorIndex } from './vector-index.ts'
import { ensureCodes, eraseTurnVectors, rebuildCodes } from './write-vectors.ts'

const IDENTITY = { model: 'test/model', dimension: 48 }
const openStore = (path: string) => openSqliteStore({ path, create: true, clock: systemClock, logger: silentLogger })

function open(path = ':memory:', arenaBytes?: number) {
  const connection = openDatabase(path, { create: true })
  return { connection, index: sqliteVectorIndex(connection, arenaBytes) }
}

function suite(name: string, path: () => string, arenaBytes?: number): void {
  vectorIndexContract(name, async () => {
    const place = path()
    const opened = [open(place, arenaBytes)]
    await opened[0]!.index.begin(IDENTITY)
    const again = () => {
      opened.push(open(place, arenaBytes))
      return opened.at(-1)!.index
    }
    return {
      index: opened[0]!.index,
      ...(place === ':memory:' ? {} : { other: again(), reopen: async () => again() }),
      close: async () => {
        for (const { connection } of opened) connection.close()
        if (place !== ':memory:') rmSync(dirname(place), { recursive: true, force: true })
      },
    }
  })
}

suite('SQLite in memory', () => ':memory:')
suite('SQLite with room for two chunks', () => join(mkdtempSync(join(tmpdir(), 'mneme-test-')), 'memory.db'), 70_000)

test('users share the memory of the kernel: whoever was not asked for longest makes room and comes back whole', async () => {
  const random = seeded(3)
  const { connection, index } = open(':memory:', 120_000)
  await index.begin(IDENTITY)
  const held = new Map<string, VectorRecord[]>()
  for (const user of ['ann', 'bob', 'cleo', '小林']) {
    const records = Array.from({ length: 600 }, (_, at) => vectorRecord(`${user}-${at}`, randomVector(random, 48)))
    held.set(user, records)
    await index.add(user, records)
  }
  for (let round = 0; round < 12; round += 1)
    for (const [user, records] of held) {
      const query = randomVector(random, 48)
      const ids = (await index.search(user, query, 5)).map(({ id }) => id)
      expect(ids).toEqual(nearestByComparison(records, query, 5).map(({ id }) => id))
    }
  connection.close()
})

test('two processes see what the other wrote, replaced and removed, at the next search', async () => {
  const random = seeded(9)
  const path = freshDatabase()
  const [one, two] = [open(path), open(path)]
  await one.index.begin(IDENTITY)
  await two.index.begin(IDENTITY)
  const held = new Map<string, VectorRecord>()
  for (let round = 0; round < 40; round += 1) {
    const [writer, reader] = round % 2 === 0 ? [one, two] : [two, one]
    const records = Array.from({ length: 70 }, (_, at) =>
      vectorRecord(`m${(round * 37 + at) % 800}`, randomVector(random, 48)),
    )
    await writer.index.add('ann', records)
    for (const record of records) held.set(record.id, record)
    const gone = [...held.keys()].filter((_, at) => at % 9 === round % 9).slice(0, 30)
    await writer.index.remove('ann', gone)
    for (const id of gone) held.delete(id)
    if (round === 25) {
      await writer.index.removeAll('ann')
      held.clear()
    }
    const query = randomVector(random, 48)
    const wanted = nearestByComparison(held.values(), query, 8).map(({ id }) => id)
    expect((await reader.index.search('ann', query, 8)).map(({ id }) => id)).toEqual(wanted)
    expect((await writer.index.search('ann', query, 8)).map(({ id }) => id)).toEqual(wanted)
  }
  one.connection.close()
  two.connection.close()
})

test('before a model was named there is no identity, and adding says what to call', async () => {
  const { connection, index } = open()
  expect(await index.identity()).toBeNull()
  expect(await index.pendingEmbeddings(5)).toEqual([])
  await expect(index.add('ann', [vectorRecord('a', randomVector(seeded(1), 48))])).rejects.toMatchObject({
    remedy: expect.stringContaining('begin'),
  })
  connection.close()
})

test('another model starts over: old vectors are not found, are removed in pieces, and their ids are pending', async () => {
  const random = seeded(2)
  const path = freshDatabase()
  const store = await openStore(path)
  const said = ['I moved to Lisbon in spring', '我每天早上喝乌龙茶', 'The build runs on Fridays']
  await store.memories.insert(
    'ann',
    said.map((text, at) => memoryOf(`m${at}`, text)),
  )
  expect(await store.vectors.begin(IDENTITY)).toBe('new')
  const pending = await store.vectors.pendingEmbeddings(10)
  expect(pending.map(({ userId, id, text, kind }) => [userId, id, text, kind])).toEqual(
    said.map((text, at) => ['ann', `m${at}`, text, memoryOf('x', text).memoryType]),
  )
  await store.vectors.add(
    'ann',
    pending.map((one) => ({ ...one, vector: randomVector(random, 48) })),
  )
  expect(await store.vectors.pendingEmbeddings(10)).toEqual([])
  expect(await store.vectors.pendingCount()).toBe(0)
  expect(await store.vectors.begin(IDENTITY)).toBe('kept')

  const larger = { model: 'test/larger', dimension: 64 }
  expect(await store.vectors.begin(larger)).toBe('changed')
  expect(await store.vectors.identity()).toEqual(larger)
  expect(await store.vectors.search('ann', randomVector(random, 64), 5)).toEqual([])
  expect(await store.vectors.count('ann')).toBe(0)
  expect(await store.vectors.pendingCount()).toBe(3)
  expect(await store.vectors.discardOld()).toBe(3)
  for (const one of await store.vectors.pendingEmbeddings(10))
    await store.vectors.add('ann', [{ ...one, vector: randomVector(random, 64) }])
  expect(await store.vectors.search('ann', randomVector(random, 64), 5)).toHaveLength(3)
  expect(await store.vectors.pendingCount()).toBe(0)
  await store.close()
})

test('a process that still uses the model of before is told so instead of mixing vectors', async () => {
  const path = freshDatabase()
  const [old, present] = [open(path), open(path)]
  await old.index.begin(IDENTITY)
  await present.index.begin({ model: 'test/other', dimension: 48 })
  const vector = randomVector(seeded(4), 48)
  await expect(old.index.add('ann', [vectorRecord('a', vector)])).rejects.toMatchObject({ code: 'conflict' })
  await expect(old.index.search('ann', vector, 3)).rejects.toMatchObject({ code: 'conflict' })
  old.connection.close()
  present.connection.close()
})

test('a memory that was edited is pending again, and a vector of its old words comes too late', async () => {
  const store = await openStore(':memory:')
  await store.memories.insert('ann', [memoryOf('drink', 'I drink coffee'), memoryOf('gone', 'A secret to forget')])
  await store.vectors.begin(IDENTITY)
  const [drink, gone] = await store.vectors.pendingEmbeddings(10)
  const vector = randomVector(seeded(6), 48)
  await store.memories.update('ann', 'drink', { text: '我现在只喝茶' }, Date.now())
  await store.memories.remove('ann', ['gone'])
  await store.vectors.add('ann', [
    { ...drink!, vector },
    { ...gone!, vector },
  ])
  expect(await store.vectors.count('ann')).toBe(0)
  const again = await store.vectors.pendingEmbeddings(10)
  expect(again.map(({ id, text }) => [id, text])).toEqual([['drink', '我现在只喝茶']])
  await store.vectors.add('ann', [{ ...again[0]!, vector }])
  expect(await store.vectors.pendingEmbeddings(10)).toEqual([])
  await store.memories.update('ann', 'drink', { text: 'Only water now' }, Date.now())
  expect(await store.vectors.pendingEmbeddings(10)).toHaveLength(1)
  await store.close()
})

test('turns are pending with the turn before them, in order, until each has its vector', async () => {
  const random = seeded(8)
  const store = await openStore(':memory:')
  const turns = ['Where do you live now?', 'In Porto, since June.', '那里的天气怎么样？', '总是有风。']
  const batches = [{ conversationId: 'c', projectRoot: '', turns: turns.map((said) => newTurn(said)) }]
  await store.log.append('ann', batches, Date.UTC(2026, 4, 7))
  await store.vectors.begin(IDENTITY)
  expect(await store.vectors.pendingCount()).toBe(4)
  const first = await store.vectors.pendingEmbeddings(3)
  expect(first.map(({ text }) => text)).toEqual([turns[0], `${turns[0]}\n${turns[1]}`, `${turns[1]}\n${turns[2]}`])
  await store.vectors.add(
    'ann',
    first.map((one) => ({ ...one, vector: randomVector(random, 48) })),
  )
  expect((await store.vectors.pendingEmbeddings(3)).map(({ text }) => text)).toEqual([`${turns[2]}\n${turns[3]}`])
  expect(await store.vectors.pendingCount()).toBe(1)
  await store.close()
})

test('a removed turn takes the vector of the turn after it along, which is made anew without its words', async () => {
  const path = freshDatabase()
  const store = await openStore(path)
  const turns = ['My door code is 4711.', 'Noted.', '还有别的吗？', '没有了。'].map((said) => newTurn(said))
  await store.log.append('ann', [{ conversationId: 'c', projectRoot: '', turns }], Date.UTC(2026, 4, 7))
  await store.vectors.begin(IDENTITY)
  const all = await store.vectors.pendingEmbeddings(10)
  await store.vectors.add(
    'ann',
    all.map((one) => ({ ...one, vector: randomVector(seeded(3), 48) })),
  )
  expect(await store.vectors.pendingEmbeddings(10)).toEqual([])
  const { connection } = open(path)
  const first = connection.get('SELECT id, conversation_id, user_no FROM turns ORDER BY id LIMIT 1')!
  connection.write(() => {
    connection.run('DELETE FROM turns WHERE id = ?', Number(first.id))
    const gone = { row: Number(first.id), conversationKey: String(first.conversation_id), turnNumber: 1 }
    eraseTurnVectors(connection, Number(first.user_no), [gone])
  })
  connection.close()
  expect(await store.vectors.count('ann')).toBe(2)
  expect((await store.vectors.pendingEmbeddings(10)).map(({ text }) => text)).toEqual(['Noted.'])
  // A vector that was under way, made with the words of the removed turn, comes too late.
  await store.vectors.add('ann', [{ ...all[1]!, vector: randomVector(seeded(3), 48) }])
  expect(await store.vectors.count('ann')).toBe(2)
  await store.close()
})

test('a text that has a vector already need not be embedded again', async () => {
  const { connection, index } = open()
  await index.begin(IDENTITY)
  const vector = randomVector(seeded(12), 48)
  await index.add('ann', [vectorRecord('turn:1', vector, { kind: 'semantic' })])
  connection.run('DELETE FROM vectors')
  await index.begin({ model: 'again', dimension: 48 })
  expect((await index.vectorsOfTexts('ann', ['我喜欢爬山'])).size).toBe(0)
  connection.close()
  const store = await openStore(':memory:')
  await store.memories.insert('ann', [memoryOf('hills', '我喜欢爬山')])
  await store.vectors.begin(IDENTITY)
  const [pending] = await store.vectors.pendingEmbeddings(1)
  await store.vectors.add('ann', [{ ...pending!, vector }])
  expect((await store.vectors.vectorsOfTexts('ann', ['我喜欢爬山', 'I like hiking'])).get('我喜欢爬山')).toEqual(vector)
  expect((await store.vectors.vectorsOfTexts('bob', ['我喜欢爬山'])).size).toBe(0)
  await store.close()
})

test('vectors that vanish are not found, and codes that are missing are made anew from the floats', async () => {
  const random = seeded(14)
  const path = freshDatabase()
  const [one, two] = [open(path), open(path)]
  await one.index.begin(IDENTITY)
  const records = Array.from({ length: 3000 }, (_, at) => vectorRecord(`m${at}`, randomVector(random, 48)))
  await one.index.add('ann', records)
  const query = randomVector(random, 48)
  const wanted = nearestByComparison(records, query, 6).map(({ id }) => id)
  const found = async ({ index }: typeof one) => (await index.search('ann', query, 5)).map(({ id }) => id)
  expect(await found(two)).toEqual(wanted.slice(0, 5))
  one.connection.run('DELETE FROM vectors WHERE id = ?', wanted[0]!)
  expect(await found(two)).toEqual(wanted.slice(1))
  one.connection.run(
    'DELETE FROM vector_codes WHERE vector_no IN (SELECT vector_no FROM vectors WHERE id = ?)',
    wanted[1]!,
  )
  const userNo = Number(one.connection.get('SELECT user_no FROM users')?.user_no)
  await rebuildCodes(one.connection, userNo)
  expect(await found(one)).toEqual(wanted.slice(1))
  one.connection.run('DELETE FROM vector_codes')
  one.connection.run(`INSERT INTO counters (name, value) VALUES ('codes_due', 1)`)
  await ensureCodes(one.connection)
  const third = open(path)
  expect(await found(third)).toEqual(wanted.slice(1))
  expect(await third.index.count('ann')).toBe(2999)
  for (const { connection } of [one, two, third]) connection.close()
})

test('no byte of a removed vector is left in the files: neither its floats nor its codes', async () => {
  const random = seeded(10)
  const path = freshDatabase()
  const store = await openStore(path)
  const dimension = 384
  await store.vectors.begin({ model: 'test/long', dimension })
  const records = Array.from({ length: 700 }, (_, at) => vectorRecord(`m${at}`, randomVector(random, dimension)))
  await store.vectors.add('ann', records)
  const gone = [3, 200, 255, 256, 257, 511, 512, 600, 699]
  const traces = gone.flatMap((at) => tracesOf(records[at]!.vector))
  const kept = tracesOf(records[100]!.vector)
  const inFiles = (trace: Uint8Array) =>
    databaseFiles(path).some((file) => readFileSync(file).includes(Buffer.from(trace)))
  expect(kept.every(inFiles)).toBe(true)
  expect(traces.some(inFiles)).toBe(true)
  expect(
    await store.vectors.remove(
      'ann',
      gone.map((at) => `m${at}`),
    ),
  ).toBe(gone.length)
  await store.idle()
  expect(traces.filter(inFiles)).toEqual([])
  expect(kept.every(inFiles)).toBe(true)
  await store.vectors.removeAll('ann')
  await store.close()
  expect(kept.filter(inFiles)).toEqual([])
})

/** Stretches of a vector as it stands in the file: 12 floats, and 40 codes. */
function tracesOf(vector: Float32Array): readonly Uint8Array[] {
  const scale = Math.fround(Math.max(...vector.map(Math.abs)) / 127)
  const codes = Int8Array.from(vector, (value) => Math.round(value / scale))
  return [0, 150, 300].flatMap((from) => [
    new Uint8Array(vector.slice(from, from + 12).buffer),
    new Uint8Array(codes.slice(from, from + 40).buffer),
  ])
}
