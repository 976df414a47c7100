import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { memoryIndexContract } from '../../../test/contracts/memory-index.ts'
import { memoryOf, termsOf } from '../../../test/contracts/memory-store.ts'
import { freshDatabase } from '../../../test/support/folder.ts'
import { systemClock } from '../../domain/clock.ts'
import { MEMORY_DELETED } from '../../domain/contracts/text-index.ts'
import { silentLogger } from '../../domain/logger.ts'
import { atOnce } from '../../domain/scheduling.ts'
import { matchMemories } from '../../search/match-memories.ts'
import { chunkLists, termKey } from '../segments/term-chunks.ts'
import { Connection } from './file/connection.ts'
import { migrate, openDatabase } from './file/open-database.ts'
import { checkDatabase } from './inspect.ts'
import { openSqliteStore } from './open-store.ts'

const options = { create: true, clock: systemClock, logger: silentLogger }
const open = (path: string) => openSqliteStore({ ...options, path })

memoryIndexContract('SQLite in a file', () => open(freshDatabase()))
memoryIndexContract('SQLite in memory', () => open(':memory:'))

const idsOf = async (store: Awaited<ReturnType<typeof open>>, question: string) =>
  (await matchMemories(store.memories, 'anna', termsOf(question), {}, 10)).matches.map(({ memory }) => memory.id)

test('two processes see what the other wrote, changed and removed, at the next search', async () => {
  const path = freshDatabase()
  const [one, other] = [await open(path), await open(path)]
  await one.memories.insert('anna', [memoryOf('m1', 'Keeps bees'), memoryOf('m2', '养了两箱蜜蜂')])
  expect(await idsOf(other, 'bees 蜜蜂')).toHaveLength(2)
  await other.memories.update('anna', 'm1', { text: 'Keeps goats' }, 5)
  expect(await idsOf(one, 'bees')).toEqual([])
  expect(await idsOf(one, 'goats')).toEqual(['m1'])
  for (let index = 0; index < 1200; index += 1)
    await other.memories.insert('anna', [memoryOf(`n${index}`, `Saw heron number ${index}`)])
  await other.idle()
  expect(await idsOf(one, '1177')).toEqual(['n1177'])
  await one.memories.remove('anna', ['n1177', 'm2'])
  expect(await idsOf(other, '1177 蜜蜂')).toEqual([])
  await one.close()
  await other.close()
})

test('nothing of a removed memory stays in the lists of the index, nor what it said before it was edited', async () => {
  const path = freshDatabase()
  const store = await open(path)
  for (let index = 0; index < 600; index += 1)
    await store.memories.insert('anna', [memoryOf(`m${index}`, `Saw heron number ${index}`)])
  await store.memories.insert('anna', [memoryOf('gone', 'The quagga waits'), memoryOf('edited', 'An okapi sleeps')])
  await store.idle()
  await store.rebuild('anna')
  await store.memories.update('anna', 'gone', { validTo: 5 }, 6)
  await store.memories.update('anna', 'edited', { text: 'A tapir sleeps' }, 7)
  await store.rebuild('anna')
  const holds = (word: string) => {
    using file = new DatabaseSync(path, { readOnly: true })
    const chunks = file.prepare('SELECT lists FROM memory_chunks').all()
    return chunks.some((row) => [...chunkLists(row.lists as Uint8Array)].some(({ term }) => term === termKey(word)))
  }
  await store.memories.remove('anna', ['gone'])
  await store.memories.update('anna', 'edited', { text: 'A dik-dik sleeps' }, 8)
  await store.memories.remove('anna', ['edited'])
  await store.idle()
  expect(['heron', 'quagga', 'okapi', 'tapir', 'waits'].map(holds)).toEqual([true, false, false, false, false])
  await store.close()
})

test('an older file gets its index in the background, and answers meanwhile', async () => {
  const path = freshDatabase()
  const old = new Connection(path)
  migrate(old, 13)
  old.write(() => {
    old.run(`INSERT INTO users (user_id) VALUES ('anna')`)
    for (let index = 1; index <= 3000; index += 1) {
      old.run(
        `INSERT INTO memories (row, user_no, id, memory_type, text, category, occurred_at, created_at, updated_at, confidence,
           source, importance, valid_from, term_count) VALUES (?, 1, ?, 'semantic', ?, 'fact', ?4, ?4, ?4, 1, 'user_stated', 1, ?4, 5)`,
        (1n << 32n) + BigInt(index),
        `m${index}`,
        `Saw heron number ${index} 苍鹭`,
        '2026-03-02T09:00:00.000Z',
      )
      old.run(
        'INSERT INTO memories_fts (rowid, terms) VALUES (?, ?)',
        (1n << 32n) + BigInt(index),
        `saw heron number ${index} 苍 苍鹭 鹭`,
      )
    }
    old.run(`INSERT INTO memory_feed_marks (user_no, reader, mark) VALUES (1, 'consolidate', 2990)`)
  })
  old.close()
  const store = await open(path)
  expect(store.memories.index.isReady('anna')).toBe(false)
  expect(await idsOf(store, '1177 heron')).toContain('m1177')
  expect((await store.memories.match('anna', termsOf('2999'), {}, 3)).method).toBe('fts')
  expect((await store.memories.changedSince('anna', 2990, 50)).memories).toHaveLength(10)
  await store.idle()
  expect(store.memories.index.isReady('anna')).toBe(true)
  expect(await idsOf(store, '1177')).toEqual(['m1177'])
  await store.memories.remove('anna', ['m1177'])
  expect(await idsOf(store, '1177')).toEqual([])
  expect((await store.check()).filter(({ ok }) => !ok)).toEqual([])
  await store.close()
})

test('what an older program still writes is told by the triggers', async () => {
  const path = freshDatabase()
  const store = await open(path)
  await store.memories.insert('anna', [memoryOf('m1', 'Keeps bees'), memoryOf('m2', 'Sold the boat')])
  const other = new Connection(path)
  other.write(() => {
    other.run(`UPDATE memories SET text = 'Keeps goats' WHERE id = 'm1'`)
    other.run(`DELETE FROM memories WHERE id = 'm2'`)
    other.run(`INSERT INTO memories (row, user_no, id, memory_type, text, category, occurred_at, created_at, updated_at, confidence,
      source, importance, valid_from) SELECT row + 1, user_no, 'm3', memory_type, 'Saw a heron', category, occurred_at,
      created_at, updated_at, confidence, source, importance, valid_from FROM memories WHERE id = 'm1'`)
  })
  other.close()
  expect(await idsOf(store, 'bees boat')).toEqual([])
  expect(await idsOf(store, 'goats')).toEqual(['m1'])
  expect(await idsOf(store, 'heron')).toEqual(['m3'])
  const { columns, live, size } = await store.memories.index.view('anna')
  expect(live).toBe(2)
  expect([...columns.flags.slice(0, size)].filter((flags) => (flags & MEMORY_DELETED) === 0)).toHaveLength(2)
  await store.close()
})

test('an index that another process wrote anew is no damage', () => {
  const path = freshDatabase()
  const [one, other] = [openDatabase(path, { create: true }), openDatabase(path, { create: true })]
  for (let row = 1; row <= 200; row += 1)
    one.run('INSERT INTO memory_words (rowid, terms) VALUES (?, ?)', row, `heron number${row} seen${row}`)
  expect(other.count(`SELECT count(*) FROM memory_words WHERE memory_words MATCH 'heron'`)).toBe(200)
  one.exec(`INSERT INTO memory_words (memory_words) VALUES ('optimize')`)
  expect(atOnce(checkDatabase(other))[0]).toMatchObject({ check: 'file', ok: true })
  one.close()
  other.close()
})
