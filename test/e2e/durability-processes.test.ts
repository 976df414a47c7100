/** Many processes on one file, and processes that die: nothing that was acknowledged is lost or counted twice. */
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { Connection } from '../../src/store/sqlite/file/connection.ts'
import { existingBackups, migrate, migrations, schemaVersion } from '../../src/store/sqlite/file/open-database.ts'
import { freshDatabase, freshFolder } from '../support/folder.ts'
import { seeded } from '../support/random.ts'
import { nextMessage, reportOf, startWorker } from '../support/worker.ts'

const PROCESSES = 8
const WRITES = 300
const KILLS = 15

async function allTurns(memory: OpenMemory, conversationId: string) {
  const { items, total } = await memory.conversations.turns(conversationId, { limit: 10_000 })
  expect(items).toHaveLength(total)
  return items
}

function failedChecks(findings: Awaited<ReturnType<OpenMemory['maintenance']['verify']>>) {
  return findings.filter(({ ok }) => !ok)
}

test('eight processes write 300 turns each into one file: all succeed, none is lost, none is doubled', async () => {
  const path = freshDatabase()
  await (await openMemory({ path })).close()
  const reports = await Promise.all(
    Array.from({ length: PROCESSES }, (_, index) =>
      reportOf(startWorker('write', path, index, WRITES, index % 2 === 0 ? 'shared' : `own-${index}`)),
    ),
  )
  expect(reports.flatMap(({ failures }) => failures)).toEqual([])
  expect(reports.map(({ done }) => done)).toEqual(Array(PROCESSES).fill(WRITES))

  await using memory = await openMemory({ path, userId: 'one' })
  const shared = await allTurns(memory, 'shared')
  expect(shared.map(({ turnId }) => turnId)).toEqual(Array.from({ length: 4 * WRITES }, (_, at) => at + 1))
  expect(new Set(shared.map(({ externalId }) => externalId)).size).toBe(4 * WRITES)
  for (const writer of [0, 2, 4, 6]) {
    const own = shared.filter(({ externalId }) => externalId?.startsWith(`${writer}-`))
    expect(own.map(({ externalId }) => externalId)).toEqual(
      Array.from({ length: WRITES }, (_, turn) => `${writer}-${turn}`),
    )
  }
  for (const writer of [1, 3, 5, 7]) expect(await allTurns(memory, `own-${writer}`)).toHaveLength(WRITES)

  const spans = await memory.conversations.summaries('shared')
  let next = 1
  for (const { startTurn, endTurn } of spans) {
    expect(startTurn).toBe(next)
    next = endTurn + 1
  }
  expect(4 * WRITES - next).toBeLessThan(10)
  expect(failedChecks(await memory.maintenance.verify())).toEqual([])
  const { results } = await memory.conversations.recall('Writer 3 notes sentence 217', { conversationId: 'own-3' })
  expect(results.some(({ turnId }) => turnId === 218)).toBe(true)
})

test.each(['make', 'upgrade'])('four processes that %s a file at the same moment all open it, whole', async (what) => {
  const folder = freshFolder()
  const paths = Array.from({ length: 25 }, (_, file) => `${folder}/${file}.db`)
  if (what === 'upgrade')
    for (const path of paths) {
      const old = new Connection(path)
      migrate(old, 1)
      old.close()
    }
  const start = Date.now() + 1500
  const reports = await Promise.all(
    Array.from({ length: 4 }, () => reportOf(startWorker('open', folder, paths.length, start, 80))),
  )
  expect(reports.flatMap(({ failures }) => failures)).toEqual([])
  const newest = migrations().length
  for (const path of paths) {
    const opened = new Connection(path, { readOnly: true })
    expect(schemaVersion(opened)).toBe(newest)
    opened.close()
    const backups = existingBackups(path)
    expect(backups).toHaveLength(what === 'upgrade' ? 1 : 0)
    for (const [at, backup] of backups.toSorted().entries()) {
      const copy = new Connection(backup, { readOnly: true })
      expect(schemaVersion(copy)).toBe(at + 1)
      copy.close()
    }
  }
})

test('a writer killed at random moments loses no turn that it was told of', async () => {
  const path = freshDatabase()
  const random = seeded(20_260_117)
  await (await openMemory({ path })).close()
  const acknowledged = new Set<string>()
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = startWorker('acknowledge', path, kill)
    const exited = once(child, 'exit')
    child.on('message', (id) => acknowledged.add(String(id)))
    await nextMessage(child)
    setTimeout(() => child.kill('SIGKILL'), random() * 90)
    await exited
  }
  expect(acknowledged.size).toBeGreaterThan(KILLS)
  await using memory = await openMemory({ path, userId: 'one' })
  const turns = await allTurns(memory, 'chat')
  const present = new Set(turns.map(({ externalId }) => externalId))
  expect([...acknowledged].filter((id) => !present.has(id))).toEqual([])
  expect(turns.map(({ turnId }) => turnId)).toEqual(turns.map((_, at) => at + 1))
  // Each run stored its turns in order, so what is there of it has no hole either.
  for (let kill = 0; kill < KILLS; kill += 1) {
    const own = turns.filter(({ externalId }) => externalId?.startsWith(`${kill}-`))
    expect(own.map(({ externalId }) => externalId)).toEqual(own.map((_, turn) => `${kill}-${turn}`))
  }
  expect(failedChecks(await memory.maintenance.verify())).toEqual([])
  expect((await memory.conversations.get('chat')).turnCount).toBe(turns.length)
})

test('two processes store while a third recalls and a fourth cleans up', async () => {
  const path = freshDatabase()
  {
    await using memory = await openMemory({ path, userId: 'one' })
    for (let old = 0; old < 15; old += 1)
      await memory.conversations.store({
        conversationId: `old-${old}`,
        turns: Array.from({ length: 20 }, (_, turn) => ({
          role: 'user' as const,
          content: `Old talk ${old} line ${turn}: the harbour crane stood still, 港口的吊车停了第${turn}次`,
        })),
      })
  }
  const reports = await Promise.all([
    reportOf(startWorker('write', path, 'a', 250, 'left')),
    reportOf(startWorker('write', path, 'b', 250, 'right')),
    reportOf(startWorker('recall', path, 80)),
    reportOf(startWorker('clean', path, 15)),
  ])
  expect(reports.flatMap(({ failures }) => failures)).toEqual([])
  await using memory = await openMemory({ path, userId: 'one' })
  const { items } = await memory.conversations.list()
  expect(items.map(({ conversationId }) => conversationId).sort()).toEqual(['left', 'right'])
  for (const side of ['left', 'right'])
    expect((await allTurns(memory, side)).map(({ turnId }) => turnId)).toEqual(
      Array.from({ length: 250 }, (_, at) => at + 1),
    )
  const { results } = await memory.conversations.recall('harbour crane 港口的吊车', { limit: 50 })
  expect(results.filter(({ content }) => content?.includes('harbour'))).toEqual([])
  expect(failedChecks(await memory.maintenance.verify())).toEqual([])
})
