/** One SQLite file as the system of record: the contract Store. */
import type { Clock } from '../../domain/clock.ts'
import type { Store } from '../../domain/contracts/store.ts'
import type { Logger } from '../../domain/logger.ts'
import type { Memory } from '../../domain/memory.ts'
import { inPieces } from '../../domain/scheduling.ts'
import { SegmentMemoryIndex, SegmentTurnIndex } from '../segments/segment-index.ts'
import type { Connection } from './file/connection.ts'
import { removing } from './file/disk-reserve.ts'
import { closeDatabase, openDatabase } from './file/open-database.ts'
import { reclaimWhatIsDue, shrink, wipeSoon } from './file/reclaim.ts'
import { patient, refuseSoon } from './file/wait-for-lock.ts'
import { ensureTermsVersion, rebuildIndexes, Upkeep } from './index-upkeep.ts'
import { checkDatabase, memoryOverview, statistics } from './inspect.ts'
import { sqliteTurnMeanings, sqliteTurnTable } from './log/append-turns.ts'
import { sqliteConversationLog } from './log/conversation-log.ts'
import { sqliteMemoryFileLedger } from './memories/memory-file-ledger.ts'
import { sqliteMemoryTable, usersWithLongTail } from './memories/memory-rows.ts'
import { sqliteMemoryStore } from './memories/memory-store.ts'
import { sqliteProfileStore } from './memories/profile-store.ts'
import { sqliteJobQueue } from './small-stores/job-queue.ts'
import {
  sqliteKeyStore,
  sqliteReplyStore,
  sqliteSessionSummaryStore,
  sqliteSettingsStore,
  sqliteUsageLedger,
  sqliteWorkingMemoryStore,
} from './small-stores/small-stores.ts'
import { sqliteVectorIndex } from './vector-index/vector-index.ts'
import { ensureCodes } from './vector-index/write-vectors.ts'
import { sqliteVectorOutbox } from './vector-outbox/vector-outbox.ts'

export interface SqliteOptions {
  /** A file, or `:memory:`. */
  readonly path: string
  /** false: an absent file is an error. */
  readonly create: boolean
  /** `full`: every commit is on the disk before it returns. Default `process`. */
  readonly durability?: 'process' | 'full'
  readonly clock: Clock
  readonly logger: Logger
}

/** Most pieces of free pages returned at closing, at a hundredth of a second each. */
const MOST_PIECES_AT_CLOSE = 20

/** Opens the store. Rejects with MnemeError when the file cannot be used; it is never overwritten. */
export async function openSqliteStore({ path, create, durability, clock, logger }: SqliteOptions): Promise<Store> {
  const connection = openDatabase(path, { create, full: durability === 'full' })
  const index = new SegmentTurnIndex(sqliteTurnTable(connection))
  const memoryIndex = new SegmentMemoryIndex(sqliteMemoryTable(connection))
  const indexes = { turns: index, memories: memoryIndex }
  const cutAnew = await upToDate(connection, indexes).catch((error: unknown) => {
    connection.close()
    throw error
  })
  const upkeep = new Upkeep(connection, indexes, clock, logger)
  upkeep.due(memoryIndex, usersWithLongTail(connection))
  upkeep.due(index, cutAnew)
  const log = sqliteConversationLog(connection, index)
  const memories = sqliteMemoryStore(connection, clock, memoryIndex)
  /** The call, and then the upkeep of what it wrote: these texts, and so many other documents. */
  const noted =
    <Given extends unknown[], T>(
      of: Parameters<Upkeep['stored']>[0],
      call: (userId: string, ...given: Given) => Promise<T>,
      written: (answer: T, ...given: Given) => readonly [texts: readonly string[], others?: number],
    ) =>
    async (userId: string, ...given: Given): Promise<T> => {
      const answer = await call(userId, ...given)
      const [texts, others = 0] = written(answer, ...given)
      const characters = texts.reduce((sum, text) => sum + text.length, 0)
      if (texts.length + others > 0) await upkeep.stored(of, userId, texts.length + others, characters)
      return answer
    }
  const textsOf = (written: readonly Pick<Memory, 'text'>[]): string[] => written.map(({ text }) => text)
  refuseSoon(connection)
  const endWiping = wipeSoon(connection)
  const store: Store = {
    log: {
      ...log,
      append: noted(index, log.append, (_, batches) => [
        batches.flatMap(({ turns }) => turns.map(({ content }) => content)),
      ]),
    },
    index,
    meanings: sqliteTurnMeanings(connection),
    memories: {
      ...memories,
      insert: noted(memoryIndex, memories.insert, (_, written) => [textsOf(written)]),
      apply: noted(memoryIndex, memories.apply, (isWritten, _, { insert, update }) =>
        isWritten ? [textsOf(insert), update.length] : [[]],
      ),
      update: noted(memoryIndex, memories.update, () => [[], 1]),
      restore: noted(memoryIndex, memories.restore, (_, restored) => [textsOf(restored.map(({ memory }) => memory))]),
    },
    workingMemory: sqliteWorkingMemoryStore(connection),
    vectors: sqliteVectorIndex(connection),
    outbox: sqliteVectorOutbox(connection),
    mirror: null,
    jobs: sqliteJobQueue(connection),
    usage: sqliteUsageLedger(connection),
    settings: sqliteSettingsStore(connection),
    profiles: sqliteProfileStore(connection, clock),
    sessionSummaries: sqliteSessionSummaryStore(connection),
    keys: sqliteKeyStore(connection),
    replies: sqliteReplyStore(connection),
    memoryFile: sqliteMemoryFileLedger(connection),
    rebuild: (userId, work) => rebuildIndexes(connection, indexes, userId, work),
    check: () => inPieces(checkDatabase(connection)),
    statistics: async (userId) => statistics(connection, userId),
    overview: async (userId) => memoryOverview(connection, connection.users.find(userId), clock().getTime()),
    removing: (work) => removing(connection, work),
    idle: async () => {
      await upkeep.idle()
      await reclaimWhatIsDue(connection)
    },
    close: async () => {
      if (!connection.isOpen) return
      endWiping()
      await upkeep.finish()
      await reclaimWhatIsDue(connection).catch((error: unknown) =>
        logger.warn('removed text could not be wiped yet; the next close tries again', { reason: String(error) }),
      )
      await shrink(connection, MOST_PIECES_AT_CLOSE).catch(() => {})
      closeDatabase(connection)
    },
  }
  return patientStore(connection, store)
}

/** Derived tables as this program reads them; the users whose index is to be cut anew. */
async function upToDate(connection: Connection, indexes: Parameters<typeof ensureTermsVersion>[1]) {
  const cutAnew = await ensureTermsVersion(connection, indexes)
  await ensureCodes(connection)
  return cutAnew
}

/** Every part of it, and itself, waits for a lock without holding the thread. */
function patientStore(connection: Connection, store: Store): Store {
  const parts = Object.entries(store).map(([name, part]: [string, unknown]) => [
    name,
    typeof part === 'object' && part !== null ? patient(connection, part) : part,
  ])
  return patient(connection, Object.fromEntries(parts))
}
