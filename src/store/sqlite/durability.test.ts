import { readFileSync, writeFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/folder.ts'
import { openMemory } from '../../doors/library/index.ts'
import { BUSY_MS, Connection } from './file/connection.ts'
import { openDatabase } from './file/open-database.ts'
import { sqliteTurnTable } from './log/append-turns.ts'

test('full durability syncs every commit, and the usual one the log at its checkpoints', () => {
  const path = freshDatabase()
  const synchronous = (full: boolean): unknown => {
    const connection = openDatabase(path, { create: true, full })
    try {
      return connection.get('PRAGMA synchronous')?.synchronous
    } finally {
      connection.close()
    }
  }
  // SQLite's numbers: 1 is NORMAL, 2 is FULL.
  expect([synchronous(false), synchronous(true), synchronous(false)]).toEqual([1, 2, 1])
})

test('REQ-LTM-004, REQ-LTM-003, REQ-LTM-008: the file has the tables, columns and settings of 003', () => {
  const path = freshDatabase()
  const connection = openDatabase(path, { create: true })
  const columns = (table: string): readonly unknown[] =>
    connection.all(`SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name)
  for (const [table, names] of Object.entries(TABLES))
    expect(columns(table), table).toEqual(expect.arrayContaining(names))
  expect(connection.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' })
  // Waiting for a lock goes on for five seconds in all, in pieces that leave the thread to others.
  expect(BUSY_MS).toBe(5000)
  connection.close()
})

test('REQ-LTM-003: the symbol index is written and read by the SQL of 003, an entry once a symbol and turn', async () => {
  const path = freshDatabase()
  const memory = await openMemory({ path, userId: 'one', thinking: false })
  const content = '先看 README。\nOrderService 的 processPayment() 超时了'
  await memory.conversations.store({ conversationId: 'pay', turns: [{ role: 'user', content }] })
  await memory.close()
  const database = new Connection(path)
  const read = () =>
    database
      .all(`SELECT * FROM symbol_index WHERE symbol = 'processPayment' ORDER BY relevance DESC`)
      .map((row) => ({ ...row }))
  const [stored] = read()
  expect(stored).toMatchObject({ conversation_id: 'pay', turn_id: 1 })
  expect(stored?.context).toMatch(/^[^\n]{5,12}processPayment\(\) 超时了$/)
  expect(stored?.relevance).toBeGreaterThan(0.5)
  database.run(`INSERT OR REPLACE INTO symbol_index (symbol, conversation_id, turn_id, relevance, context)
    VALUES ('processPayment', 'pay', 1, 0.25, NULL)`)
  expect(read()).toEqual([{ ...stored, relevance: 0.25 }])
  database.run(`DELETE FROM symbol_index WHERE symbol = 'processPayment'`)
  expect(read()).toEqual([])
  expect(database.count('SELECT count(*) FROM symbol_index')).toBeGreaterThan(0)
  database.close()
})

test('symbols of a file from before keep how much their turns are about them, and a program from before writes its own', () => {
  const path = freshDatabase()
  writeFileSync(
    path,
    brotliDecompressSync(readFileSync(new URL('../../../test/old-files/schema-024.db.br', import.meta.url))),
  )
  const connection = openDatabase(path, { create: false })
  const entries = () => connection.all('SELECT symbol, relevance FROM symbol_entries').map((row) => ({ ...row }))
  const kept = [
    { symbol: 'moorBoat', relevance: 704 },
    { symbol: 'src/pier.ts', relevance: 661 },
    { symbol: 'TideError', relevance: 586 },
  ]
  expect(entries()).toEqual(kept)
  connection.run(`INSERT OR REPLACE INTO symbol_entries VALUES ('castOff', 3, 512), ('moorBoat', 3, 90)`)
  connection.run(`DELETE FROM symbol_entries WHERE symbol = 'src/pier.ts' AND turn = 3`)
  const written = [{ symbol: 'moorBoat', relevance: 90 }, kept[2], { symbol: 'castOff', relevance: 512 }]
  expect(entries()).toEqual(written)
  const [document] = [...sqliteTurnTable(connection).documentsAfter(1, 2)]
  expect(document?.symbols).toEqual(written.map((one) => ({ symbol: one?.symbol, relevance: one!.relevance / 1000 })))
  connection.close()
})

const TABLES = {
  conversations: ['id', 'project_root', 'created_at', 'last_active', 'summary', 'turn_count'],
  turns: ['id', 'conversation_id', 'role', 'content', 'symbols', 'created_at'],
  summaries: ['id', 'conversation_id', 'start_turn', 'end_turn', 'summary', 'created_at'],
  symbol_index: ['symbol', 'conversation_id', 'turn_id', 'relevance', 'context'],
  schema_version: ['version', 'applied_at'],
}

test('a new user whose first write is undone has no number, which the next new user gets', () => {
  const connection = openDatabase(freshDatabase(), { create: true })
  const undone = (): void =>
    connection.write(() => {
      for (const _ of ['first row', 'second row']) connection.users.ensure('ann')
      throw new Error('undone')
    })
  expect(undone).toThrow('undone')
  const ben = connection.write(() => connection.users.ensure('ben'))
  expect([connection.users.find('ann'), connection.users.find('ben')]).toEqual([undefined, ben])
  connection.close()
})

test('a file is noted as in use by the first write that would be missed', () => {
  const connection = openDatabase(freshDatabase(), { create: true })
  const isNoted = (): boolean => connection.count("SELECT count(*) FROM counters WHERE name = 'in_use'") === 1
  const write = (isMissed: boolean): boolean => {
    connection.write(() => connection.run("INSERT OR REPLACE INTO counters (name, value) VALUES ('uses', 1)"), isMissed)
    return isNoted()
  }
  expect([write(false), write(true)]).toEqual([false, true])
  connection.close()
})
