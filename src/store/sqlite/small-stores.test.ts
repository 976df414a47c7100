import { expect, test } from 'vitest'
import { profileStoreContract } from '../../../test/contracts/profile-store.ts'
import { sessionSummaryStoreContract } from '../../../test/contracts/session-summary-store.ts'
import { settingsStoreContract } from '../../../test/contracts/settings-store.ts'
import { usageLedgerContract } from '../../../test/contracts/usage-ledger.ts'
import { freshDatabase } from '../../../test/support/folder.ts'
import { systemClock } from '../../domain/clock.ts'
import { silentLogger } from '../../domain/logger.ts'
import { freshMemory } from '../../domain/memory.ts'
import type { Connection } from './file/connection.ts'
import { openDatabase } from './file/open-database.ts'
import { sqliteConversationLog } from './log/conversation-log.ts'
import { sqliteProfileStore } from './memories/profile-store.ts'
import { openSqliteStore } from './open-store.ts'
import { sqliteSessionSummaryStore, sqliteSettingsStore, sqliteUsageLedger } from './small-stores/small-stores.ts'

/** Two openings of one file, and what closes both. */
function openTwice(): { one: Connection; two: Connection; close: () => Promise<void> } {
  const path = freshDatabase()
  const [one, two] = [openDatabase(path, { create: true }), openDatabase(path, { create: true })]
  return {
    one,
    two,
    close: async () => {
      one.close()
      two.close()
    },
  }
}

profileStoreContract('SQLite', async () => {
  const { one, two, close } = openTwice()
  return {
    profiles: sqliteProfileStore(one, systemClock),
    other: sqliteProfileStore(two, systemClock),
    close,
  }
})

settingsStoreContract('SQLite', async () => {
  const { one, two, close } = openTwice()
  return { settings: sqliteSettingsStore(one), other: sqliteSettingsStore(two), close }
})

sessionSummaryStoreContract('SQLite', async () => {
  const { one, close } = openTwice()
  return { summaries: sqliteSessionSummaryStore(one), log: sqliteConversationLog(one), close }
})

usageLedgerContract('SQLite', async () => {
  const { one, close } = openTwice()
  return { ledger: sqliteUsageLedger(one), close }
})

test('what a removed user spent stays spent, but is nobody’s', async () => {
  const { one, close } = openTwice()
  const ledger = sqliteUsageLedger(one)
  const at = Date.parse('2026-03-02T12:00:00Z')
  const call = { at, step: 'exchange', model: 'small', calls: 1, promptTokens: 5, completionTokens: 1, cost: null }
  for (const userId of ['anna', 'bert', 'carl']) await ledger.record({ ...call, userId })
  const log = sqliteConversationLog(one)
  for (const userId of ['anna', 'bert']) await log.remove(userId, { kind: 'all' })
  expect(await ledger.spent(at)).toEqual({ calls: 3, tokens: 18 })
  expect((await ledger.summary()).map(({ userId, calls }) => [userId, calls])).toEqual([
    ['', 2],
    ['carl', 1],
  ])
  await close()
})

test('a line of the profile is shown until the end of its memory', async () => {
  let now = Date.UTC(2026, 2, 1)
  const store = await openSqliteStore({
    path: ':memory:',
    create: true,
    clock: () => new Date(now),
    logger: silentLogger,
  })
  const text = '我住在宁波。'
  const validTo = Date.UTC(2026, 3, 1)
  await store.memories.insert('kim', [{ ...freshMemory({ createdAt: now, validTo }), id: 'm1', text }])
  await store.profiles.addLines('kim', [{ section: 'background', text, telling: { memoryIds: ['m1'] } }], now)
  expect((await store.profiles.get('kim')).text).toContain(text)
  now = validTo
  expect(await store.profiles.get('kim')).toMatchObject({ text: '', lines: [] })
  await store.close()
})
