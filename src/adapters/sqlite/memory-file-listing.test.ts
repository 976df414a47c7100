import { expect, test } from 'vitest'
import { memoryOf } from '../../../test/contracts/memory-store.ts'
import { freshDatabase } from '../../../test/support/folder.ts'
import { oneOf, seeded, wholeNumber } from '../../../test/support/random.ts'
import type { LedgerEntry, ListedEntry } from '../../contracts/memory-file-ledger.ts'
import { sqliteMemoryFileLedger } from './memory-file-ledger.ts'
import { sqliteMemoryStore } from './memory-store.ts'
import { openDatabase } from './open-database.ts'
import { Users } from './users.ts'

const AT = Date.parse('2026-05-07T12:00:00Z')

function open(path: string) {
  const connection = openDatabase(path, { create: true })
  const users = new Users(connection)
  return {
    connection,
    memories: sqliteMemoryStore(connection, users, () => new Date(AT)),
    ledger: sqliteMemoryFileLedger(connection, users),
  }
}

function rowOf(memoryId: string, said: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    memoryId,
    entryId: `of-${memoryId}`,
    byPerson: false,
    state: 'listed',
    nextState: null,
    nextHash: null,
    hashes: ['h'],
    memoryHash: 'h',
    changedAt: AT,
    ...said,
  }
}

/** Every column, times and weights too, by memory. */
function plain(entries: readonly ListedEntry[]): ReadonlyMap<string, unknown> {
  return new Map(
    entries
      .map(({ row, memory }) => {
        if (memory === null) return { row, memory }
        const { id, text, importance, createdAt, validFrom, validTo, supersededBy, suspect } = memory
        return { row, memory: { id, text, importance, createdAt, validFrom, validTo, supersededBy, suspect } }
      })
      .toSorted((a, b) => (a.row.memoryId < b.row.memoryId ? -1 : 1))
      .map((one) => [one.row.memoryId, one]),
  )
}

test('a change of a row or a memory is told once, and nothing else', async () => {
  const { connection, memories, ledger } = open(freshDatabase())
  await memories.insert('ana', [memoryOf('a', 'I live in Porto.'), memoryOf('b', '会议室在二楼。')])
  await ledger.write('ana', { put: [rowOf('a'), rowOf('b')], file: { path: '/MEMORY.md' } })
  const all = await ledger.listing('ana', null)
  expect(all.changed).toBeNull()
  expect(plain(all.entries).size).toBe(2)
  expect((await ledger.listing('ana', all.state)).changed).toEqual([])

  await memories.update('ana', 'b', { text: '会议室在六楼。', importance: 3 }, AT + 1)
  await memories.touch('ana', ['a'], AT + 2)
  const changed = await ledger.listing('ana', all.state)
  expect(changed.changed).toEqual(['b'])
  expect(changed.entries.map(({ memory }) => [memory?.text, memory?.importance])).toEqual([['会议室在六楼。', 3]])

  connection.write(() => connection.run(`DELETE FROM memories WHERE id = 'a'`))
  expect(await ledger.listing('ana', changed.state)).toMatchObject({ changed: ['a'], entries: [{ memory: null }] })
  await ledger.write('ana', { drop: ['a'] })
  await memories.insert('ana', [memoryOf('a', 'I live in Braga.')])
  expect(await ledger.listing('ana', changed.state)).toMatchObject({ changed: ['a'], entries: [] })
  expect(() =>
    connection.write(() => {
      connection.run(`UPDATE memories SET text = 'gone' WHERE id = 'b'`)
      throw new Error('no')
    }),
  ).toThrow('no')
  const after = await ledger.listing('ana', changed.state)
  expect(after.entries.map(({ memory }) => memory?.text)).toEqual(['会议室在六楼。'])
})

test('what others wrote, and more than is noted, is read as a whole; states of other users are none', async () => {
  const path = freshDatabase()
  const [one, other] = [open(path), open(path)]
  for (const user of ['ana', 'bea']) {
    await one.memories.insert(user, [memoryOf(`${user}-1`, 'I live in Porto.')])
    await one.ledger.write(user, { put: [rowOf(`${user}-1`)], file: { path: `/${user}.md` } })
  }
  const { state } = await one.ledger.listing('ana', null)
  expect((await one.ledger.listing('bea', state)).changed).toBeNull()
  expect((await one.ledger.listing('ana', state)).changed).toEqual([])
  await other.memories.update('ana', 'ana-1', { text: 'I live in Faro.' }, AT + 1)
  const read = await one.ledger.listing('ana', state)
  expect(read.changed).toBeNull()
  expect(read.entries[0]?.memory?.text).toBe('I live in Faro.')
  one.connection.write(() => {
    for (let time = 0; time < 6000; time += 1)
      one.connection.run('UPDATE memories SET importance = ? WHERE id = ?', 1 + (time % 3), 'ana-1')
  })
  const again = await one.ledger.listing('ana', read.state)
  expect(again.changed).toBeNull()
  expect((await one.ledger.listing('ana', again.state)).changed).toEqual([])
})

test('after any changes of one’s own and of others the listing, brought up to date, is the one read anew', async () => {
  const random = seeded(23)
  const path = freshDatabase()
  const [one, other] = [open(path), open(path)]
  const known = new Map<string, ListedEntry>()
  let state: string | null = null
  let partial = 0
  for (let round = 0; round < 300; round += 1) {
    const { memories, ledger } = random() < 0.2 ? other : one
    const id = `m${wholeNumber(random, 0, 30)}`
    const kind = wholeNumber(random, 0, 6)
    if (kind === 0) await memories.insert('ana', [memoryOf(id, `Said ${round}`, { importance: round % 4 })])
    else if (kind === 1) await memories.remove('ana', [id])
    else if (kind === 2) await memories.update('ana', id, { text: `说了 ${round}` }, AT + round)
    else if (kind === 3)
      await memories.update(
        'ana',
        id,
        oneOf(random, [
          { validTo: AT + round },
          { supersededBy: 'm1', validTo: AT + round },
          { suspect: { reason: 'said otherwise', since: AT + round } },
          { suspect: null, validTo: null, supersededBy: null },
        ]),
        AT + round,
      )
    else if (kind === 4) await ledger.write('ana', { drop: [id], file: { path: '/MEMORY.md' } })
    else {
      const said = oneOf(random, [
        {},
        { state: 'removed', byPerson: true },
        { nextState: 'listed', nextHash: 'n' },
        { state: null, nextState: 'listed', nextHash: 'n', hashes: [] },
        { hashes: ['h', 'older'] },
      ] as const)
      await ledger.write('ana', { put: [rowOf(id, said)], file: { path: '/MEMORY.md' } })
    }
    if (random() < 0.4) continue
    const listing = await one.ledger.listing('ana', state)
    state = listing.state
    if (listing.changed === null) known.clear()
    else partial += 1
    for (const gone of listing.changed ?? []) known.delete(gone)
    for (const entry of listing.entries) known.set(entry.row.memoryId, entry)
    expect(plain([...known.values()])).toEqual(plain((await open(path).ledger.listing('ana', null)).entries))
  }
  expect(partial).toBeGreaterThan(50)
})
