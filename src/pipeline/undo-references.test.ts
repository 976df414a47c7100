import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../adapters/sqlite/open-store.ts'
import { silentLogger } from '../domain/logger.ts'
import { addMemories } from './memories-add.ts'
import { readReferences } from './undo-references.ts'

const clock = () => new Date('2026-06-01T08:00:00Z')

test('a memory that is edited while all are read is found, once, as it is now', async () => {
  const store = await openSqliteStore({ path: ':memory:', create: true, clock, logger: silentLogger })
  onTestFinished(() => store.close())
  let ids = 0
  const newId = () => `m${++ids}`
  for (let index = 0; index < 1200; index += 1) {
    const conversationId = index % 400 === 0 ? 'taken' : 'left'
    const dependencies = { memories: store.memories, log: store.log, clock, newId, maxContentBytes: 1000 }
    await addMemories(dependencies, `Fact ${index}`, { userId: 'anna', conversationId })
  }
  let pieces = 0
  const changedSince: typeof store.memories.changedSince = async (userId, mark, limit) => {
    const piece = await store.memories.changedSince(userId, mark, limit)
    pieces += 1
    // m1 was read already, m801 was not: in a list that has what was changed last first, it would never be.
    if (pieces === 1) for (const id of ['m1', 'm801']) await store.memories.update('anna', id, { text: `${id} now` }, 1)
    return piece
  }
  const sources = { turns: new Map(), whole: new Set(['taken']), profileTexts: [] }
  const { fromSource } = await readReferences({ changedSince }, 'anna', sources)
  expect(fromSource.map(({ id, text }) => [id, text]).toSorted()).toEqual([
    ['m1', 'm1 now'],
    ['m401', 'Fact 400'],
    ['m801', 'm801 now'],
  ])
})
