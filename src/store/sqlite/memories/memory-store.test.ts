import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { memoryOf, memoryStoreContract, termsOf } from '../../../../test/contracts/memory-store.ts'
import type { LedgerEntry } from '../../../domain/contracts/small-stores.ts'
import { atOnce } from '../../../domain/scheduling.ts'
import { SegmentMemoryIndex } from '../../segments/segment-index.ts'
import type { Connection } from '../file/connection.ts'
import { openDatabase } from '../file/open-database.ts'
import { sqliteMemoryFileLedger } from './memory-file-ledger.ts'
import { rebuildEntries } from './memory-fts.ts'
import { sqliteMemoryTable } from './memory-rows.ts'
import { sqliteMemoryStore } from './memory-store.ts'

function open() {
  const connection = openDatabase(':memory:', { create: true })
  return { connection, store: sqliteMemoryStore(connection) }
}

memoryStoreContract('SQLite', async () => {
  const { connection, store } = open()
  return { store, close: async () => connection.close() }
})

function damage(connection: Connection): void {
  connection.exec('DROP TABLE memory_words')
}

test('Fallback to LIKE matching: without the full-text table the number of terms found decides', async () => {
  const { connection, store } = open()
  await store.insert('anna', [
    memoryOf('both', 'Happy to play chess at the club'),
    memoryOf('one', 'The club closes at ten'),
    memoryOf('zh', '每周二下国际象棋'),
  ])
  await store.insert('bert', [memoryOf('other', 'Chess at the club')])
  damage(connection)
  const english = await store.match('anna', termsOf('chess club, happy'), {}, 10)
  expect(english.method).toBe('like')
  expect(english.matches.map(({ memory, bm25 }) => [memory.id, bm25])).toEqual([
    ['both', 3],
    ['one', 1],
  ])
  expect(english.matches[0]?.matchedTerms).toHaveLength(3)
  const chinese = await store.match('anna', termsOf('象棋'), {}, 10)
  expect(chinese.matches.map(({ memory }) => memory.id)).toEqual(['zh'])
})

test('with LIKE, percent and underscore are ordinary characters', async () => {
  const { connection, store } = open()
  await store.insert('anna', [memoryOf('rate', 'The rate is 50% now'), memoryOf('plain', 'The rate is 500 now')])
  damage(connection)
  const ids = async (term: string) => (await store.match('anna', [term], {}, 10)).matches.map(({ memory }) => memory.id)
  expect(await ids('50%')).toEqual(['rate'])
  expect(await ids('%')).toEqual(['rate'])
  expect(await ids('_')).toEqual([])
  expect(await ids('\\')).toEqual([])
})

test('a missing full-text table is built anew by the next write, with everything in it', async () => {
  const { connection, store } = open()
  await store.insert('anna', [memoryOf('m1', 'Keeps bees behind the house'), memoryOf('m2', 'Sold the old boat')])
  damage(connection)
  await store.remove('anna', ['m2'])
  await store.insert('anna', [memoryOf('m3', 'Bought new bees in April')])
  const { method, matches } = await store.match('anna', termsOf('bees'), {}, 10)
  expect(method).toBe('fts')
  expect(matches.map(({ memory }) => memory.id).sort()).toEqual(['m1', 'm3'])
  expect((await store.match('anna', termsOf('boat'), {}, 10)).matches).toEqual([])
})

test('rebuilding puts back entries that were lost, for that user alone', async () => {
  const { connection, store } = open()
  await store.insert('anna', [memoryOf('m1', 'Collects stamps from Norway'), memoryOf('m2', '收集挪威邮票')])
  connection.exec(`INSERT INTO memory_words (memory_words) VALUES ('delete-all')`)
  expect((await store.match('anna', termsOf('stamps'), {}, 10)).method).toBe('like')
  expect(await rebuildEntries(connection, connection.users.find('anna') ?? -1)).toBe(2)
  expect((await store.match('anna', termsOf('stamps 邮票'), {}, 10)).matches).toHaveLength(2)
})

test('frequent words alone still find memories, the newest first, however many there are', async () => {
  const { store } = open()
  const count = 6000
  await store.insert(
    'anna',
    Array.from({ length: count }, (_, index) => memoryOf(`m${index}`, `Walked the dog in the park, lap ${index}`)),
  )
  const { matches } = await store.match('anna', termsOf('dog park'), {}, 20)
  expect(matches).toHaveLength(20)
  const rare = await store.match('anna', termsOf('dog park 4711'), {}, 5)
  expect(rare.matches[0]?.memory.id).toBe('m4711')
})

test('an edit that keeps its words writes no list of them anew, one that loses a word takes it out of its list', async () => {
  const connection = openDatabase(':memory:', { create: true })
  const index = new SegmentMemoryIndex(sqliteMemoryTable(connection))
  const store = sqliteMemoryStore(connection, undefined, index)
  const memories = Array.from({ length: 600 }, (_, at) => memoryOf(`m${at}`, `Walked the dog in Lucca, lap ${at}`))
  await store.insert('anna', memories)
  atOnce(index.flush('anna', true))
  const lists = (): unknown => connection.all('SELECT chunk_no, lists FROM memory_chunks')
  const written = lists()
  await store.update('anna', 'm7', { text: '[Monday] Walked the dog in Lucca, lap 7' }, 2)
  expect(lists()).toEqual(written)
  const merged = { ...memoryOf('both', 'Walked the dog in Lucca, lap 8 and 9'), key: null }
  const changes = { insert: [merged], update: [], remove: ['m8', 'm9'], heir: 'both', at: 3 }
  expect(await store.apply('anna', await store.revision('anna'), changes)).toBe(true)
  expect(lists()).toEqual(written)
  await store.update('anna', 'm7', { text: 'Walked the dog, lap 7' }, 4)
  expect(lists()).not.toEqual(written)
  const [dog] = await (await index.view('anna')).postings(termsOf('dog'))
  expect(dog!.documents).toHaveLength(599)
})

test('a tail of many words becomes a segment in pieces; what comes meanwhile stays, and what goes is in no list', async () => {
  const connection = openDatabase(':memory:', { create: true })
  const index = new SegmentMemoryIndex(sqliteMemoryTable(connection))
  const store = sqliteMemoryStore(connection, undefined, index)
  const textOf = (at: number): string =>
    `Walked ${Array.from({ length: 40 }, (_, word) => `dog${at}x${word}`).join(' ')}`
  const memories = Array.from({ length: 600 }, (_, at) => memoryOf(`m${at}`, textOf(at)))
  await store.insert('anna', memories)
  const view = async (): Promise<number> => {
    const [walked] = await (await index.view('anna')).postings(termsOf('walked'))
    return walked!.documents.length
  }
  await view()
  const broken = index.flush('anna', true)
  broken.next()
  await store.remove('anna', ['m7'])
  expect(atOnce(broken)).toBe(false)
  const pieces = index.flush('anna', true)
  pieces.next()
  await store.insert('anna', [memoryOf('late', 'Walked dog7x7 late')])
  expect(await view()).toBe(600)
  expect([...pieces].length).toBeGreaterThan(4)
  expect(connection.all('SELECT documents FROM memory_segments').map(({ documents }) => documents)).toEqual([600])
  expect(await view()).toBe(600)
  const [seventh, late] = await (await index.view('anna')).postings(termsOf('dog7x7 late'))
  expect([seventh!.documents.length, late!.documents.length]).toEqual([1, 1])
  expect(atOnce(index.flush('anna', true))).toBe(true)
  expect(await view()).toBe(600)
})

test('scores depend on the memories of the user alone', async () => {
  const { store } = open()
  const own = [memoryOf('a', 'Plays tennis in Turin'), memoryOf('b', 'Plays golf'), memoryOf('c', 'Reads poems')]
  await store.insert('anna', own)
  const before = await store.match('anna', termsOf('plays tennis'), {}, 10)
  await store.insert(
    'bert',
    Array.from({ length: 300 }, (_, index) => memoryOf(`t${index}`, `Plays tennis with partner ${index}`)),
  )
  expect(await store.match('anna', termsOf('plays tennis'), {}, 10)).toEqual(before)
})

test('metadata that repeats the memory is kept once, and read back as it was, also after the memory has changed', async () => {
  const { connection, store } = open()
  const told = memoryOf('told', 'Sings alto', { conversationId: 'choir', who: 'anna' })
  const metadata = {
    toString: 'own',
    thing: told.text,
    time: new Date(told.occurredAt).toISOString(),
    chatid: 'choir',
    who: '\ue000',
    context: told.text,
  }
  await store.insert('anna', [{ ...told, metadata }])
  const stored = () => String(connection.get('SELECT metadata FROM memories')?.metadata)
  expect(stored()).toContain('"thing":"\ue000"')
  expect((await store.get('anna', 'told'))?.metadata).toEqual(metadata)
  await store.update('anna', 'told', { text: 'Sings tenor' }, told.updatedAt)
  expect(await store.get('anna', 'told')).toMatchObject({ text: 'Sings tenor', metadata })
  expect(Object.keys((await store.get('anna', 'told'))?.metadata ?? {})).toEqual(Object.keys(metadata))
})

test('the usual metadata of an episode takes a few bytes, a thing that begins as the text does among it', async () => {
  const { connection, store } = open()
  const told = memoryOf('told', 'Sings alto in the choir of Saint Mary, on Mondays', {
    conversationId: 'choir',
    who: 'anna',
  })
  const time = new Date(told.occurredAt).toISOString()
  const usual = { context: '', thing: 'Sings alto…', time, chatid: 'choir', who: 'anna', subjects: ['music'] }
  const odd = { context: '', thing: '\ue0005', time, chatid: 'choir', who: 'anna', '\ue000': 'own' }
  await store.insert('anna', [
    { ...told, metadata: usual },
    { ...told, id: 'odd', metadata: odd },
  ])
  const [stored] = connection.all('SELECT metadata FROM memories ORDER BY row').map(({ metadata }) => String(metadata))
  expect(stored).toBe('{"\ue000":"10…","subjects":["music"]}')
  expect((await store.get('anna', 'told'))?.metadata).toEqual(usual)
  expect((await store.get('anna', 'odd'))?.metadata).toEqual(odd)
  await store.update('anna', 'told', { text: 'Sings tenor' }, told.updatedAt)
  expect((await store.get('anna', 'told'))?.metadata).toEqual(usual)
})

test('a thousand memories are read, and as many rows of the file written, with turns for others', async () => {
  const { connection, store } = open()
  const memories = Array.from({ length: 1000 }, (_, at) => memoryOf(`m${at}`, `Berth ${at} is free`))
  await store.insert('anna', memories)
  const turnsOf = async (work: Promise<unknown>): Promise<number> => {
    let turns = 0
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    for (; !isDone; turns += 1) await nextTurn()
    await done
    return turns
  }
  const ids = memories.map(({ id }) => id)
  const reading = store.getMany('anna', ids, {})
  expect(await turnsOf(reading)).toBeGreaterThanOrEqual(4)
  expect((await reading).map(({ id }) => id)).toEqual(ids)
  const ledger = sqliteMemoryFileLedger(connection)
  const row = { byPerson: false, hashes: [], memoryHash: 'h', changedAt: 1, nextState: null, nextHash: null } as const
  const put = ids.map((memoryId): LedgerEntry => ({ ...row, memoryId, entryId: memoryId, state: 'listed' }))
  const file = { path: '/notes.md', digestedAt: 7 }
  expect(await turnsOf(ledger.write('anna', { put, file }))).toBeGreaterThanOrEqual(4)
  expect(await ledger.entries('anna')).toHaveLength(1000)
  expect(await ledger.file('anna')).toMatchObject(file)
})
