import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { memoryOf, termsOf } from '../../../test/contracts/memory-store.ts'
import { newTurn } from '../../../test/contracts/turn-index.ts'
import { systemClock } from '../../domain/clock.ts'
import { silentLogger } from '../../domain/logger.ts'
import { openMemory } from '../../doors/library/index.ts'
import { matchMemories } from '../../search/match-memories.ts'
import { openSqliteStore } from './open-store.ts'

const segmentsOf = (path: string, column = 'documents', table = 'index_segments'): readonly unknown[] => {
  using file = new DatabaseSync(path, { readOnly: true })
  return file
    .prepare(`SELECT ${column} FROM ${table}`)
    .all()
    .map((row) => row[column])
}

test('what a process stored is no tail that the next one reads anew, unless it is little', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'mneme-')), 'memory.db')
  const store = async (from: number, to: number): Promise<void> => {
    await using memory = await openMemory({ path, userId: 'ana', thinking: false })
    for (let at = from; at < to; at += 1)
      await memory.conversations.store({
        conversationId: 'one',
        turns: [{ role: 'user', content: `Die Funktion readRow_${at} steht in src/rows.ts, 第 ${at} 行。` }],
      })
  }
  await store(0, 63)
  expect(segmentsOf(path)).toEqual([])
  await store(63, 64)
  expect(segmentsOf(path)).toEqual([64])
  // Small ones become one.
  await store(64, 130)
  expect(segmentsOf(path)).toEqual([130])
  await using memory = await openMemory({ path, userId: 'ana', thinking: false })
  const { results } = await memory.conversations.recall('Where is readRow_17?', { limit: 1 })
  expect(results[0]).toMatchObject({ turnId: 18 })
})

test('what is stored and deleted day after day leaves no growing list of holes', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'mneme-')), 'memory.db')
  await using memory = await openMemory({ path, userId: 'ana', thinking: false })
  const turns = Array.from({ length: 25 }, (_, at) => ({ role: 'user' as const, content: `Bus ${at}，第 ${at} 站。` }))
  for (let day = 0; day < 40; day += 1) {
    await memory.conversations.store({ conversationId: `day ${day}`, turns })
    await memory.idle()
    if (day > 0) await memory.conversations.delete({ conversationId: `day ${day - 1}` })
  }
  using file = new DatabaseSync(path, { readOnly: true })
  expect(file.prepare('SELECT count(*) AS n FROM index_holes').get()?.n).toBeLessThan(700)
  const { results } = await memory.conversations.recall('Which bus stops at 第 17 站?', { limit: 1 })
  expect(results[0]).toMatchObject({ conversationId: 'day 39', turnId: 18 })
})

test('memories that a process changed are no such tail either', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'mneme-')), 'memory.db')
  const ids: string[] = []
  {
    await using memory = await openMemory({ path, userId: 'ana', thinking: false })
    for (let at = 0; at < 64; at += 1)
      ids.push((await memory.add(`Row ${at} of the ledger is paid.`, { infer: false })).results[0]!.id)
  }
  {
    await using memory = await openMemory({ path, userId: 'ana', thinking: false })
    for (const id of ids) await memory.update(id, { text: `The ledger's row ${id} is open again.` })
  }
  // Each change made a document; the segment of those before is gone.
  expect(segmentsOf(path, 'last_row', 'memory_segments')).toEqual([128])
})

/** How often others may run while the work lasts. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const next = (): void => {
    turns += 1
    if (!isDone) setImmediate(next)
  }
  setImmediate(next)
  await work().finally(() => {
    isDone = true
  })
  return turns
}

test('a long text is cut into words in pieces: when it is written, read into the index, edited and removed', async () => {
  const store = await openSqliteStore({ create: true, clock: systemClock, logger: silentLogger, path: ':memory:' })
  const other = (mark: string): string => Array.from({ length: 100_000 }, (_, at) => `${mark}${at % 9000}`).join(' ')
  const [told, edited] = [other('heron'), other('stork')]
  const memory = memoryOf('m1', told)
  expect(await turnsDuring(() => store.memories.insert('anna', [memory]))).toBeGreaterThan(15)
  expect(await turnsDuring(() => store.memories.update('anna', 'm1', { text: edited }, 5))).toBeGreaterThan(15)
  const found = () => matchMemories(store.memories, 'anna', termsOf('stork17'), {}, 1)
  expect((await found()).matches).toHaveLength(1)
  const removal = { kind: 'conversation' as const, conversationId: 'crane' }
  for (const [mark, work] of Object.entries({
    crane: () => store.log.remove('anna', removal),
    egret: () => store.index.view('anna'),
  })) {
    const turns = [newTurn(other(mark))]
    await store.log.append('anna', [{ conversationId: 'crane', projectRoot: '', turns }], 1)
    expect(await turnsDuring(work)).toBeGreaterThan(15)
  }
  await store.close()
})
