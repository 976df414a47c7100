import { expect, test } from 'vitest'
import { memoryChangesContract, type PlanStores } from '../../../test/contracts/memory-changes.ts'
import { memoryOf } from '../../../test/contracts/memory-store.ts'
import { freshDatabase, wordsInFiles } from '../../../test/support/folder.ts'
import { silentLogger } from '../../domain/logger.ts'
import type { Connection } from './file/connection.ts'
import { openDatabase } from './file/open-database.ts'
import { sqliteConversationLog } from './log/conversation-log.ts'
import { sqliteMemoryStore } from './memories/memory-store.ts'
import { openSqliteStore } from './open-store.ts'
import { sqliteJobQueue } from './small-stores/job-queue.ts'

function storesOf(connection: Connection): PlanStores {
  return {
    memories: sqliteMemoryStore(connection),
    jobs: sqliteJobQueue(connection),
    log: sqliteConversationLog(connection),
  }
}

memoryChangesContract('SQLite', async () => {
  const path = freshDatabase()
  const [first, second] = [openDatabase(path, { create: true }), openDatabase(path, { create: true })]
  return {
    one: storesOf(first),
    other: storesOf(second),
    close: async () => {
      first.close()
      second.close()
    },
  }
})

test('what a plan removed leaves no byte once the store is idle, in its index neither', async () => {
  const path = freshDatabase()
  const clock = () => new Date('2026-03-02T09:00:00Z')
  const store = await openSqliteStore({ path, create: true, clock, logger: silentLogger })
  const memories = Array.from({ length: 400 }, (_, at) => memoryOf(`m${at}`, `Kettle number ${at} word${at * 7919}end`))
  await store.memories.insert('anna', [...memories, memoryOf('gone', 'The vault code is quexzaltl 鼬鼯鼷鼹')])
  const update = [{ id: 'gone', patch: { text: 'The vault code is now brimborion' }, event: 'UPDATE' as const }]
  const at = clock().getTime()
  await store.memories.apply('anna', await store.memories.revision('anna'), { insert: [], update, remove: [], at })
  const remove = ['gone', 'm3', 'm300']
  await store.memories.apply('anna', await store.memories.revision('anna'), { insert: [], update: [], remove, at })
  await store.idle()
  expect(wordsInFiles(path, ['quexzaltl', '鼬鼯鼷鼹', 'brimborion', `word${3 * 7919}end`])).toEqual([])
  await store.close()
  expect(wordsInFiles(path, ['quexzaltl', 'brimborion', `word${300 * 7919}end`])).toEqual([])
})
