/** One SQLite file as the system of record: the contract Store. */
import type { ConversationBatch } from '../../contracts/conversation-log.ts'
import type { Store } from '../../contracts/store.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Logger } from '../../domain/logger.ts'
import { checkDatabase } from './check.ts'
import type { Connection } from './connection.ts'
import { sqliteJobQueue } from './job-queue.ts'
import { sqliteKeyStore } from './key-store.ts'
import { sqliteConversationLog } from './log/conversation-log.ts'
import { reclaimWhatIsDue } from './log/reclaim.ts'
import { sqliteMemoryFileLedger } from './memory-file-ledger.ts'
import { sqliteMemoryStore } from './memory-store.ts'
import { openDatabase } from './open-database.ts'
import { patient, refuseSoon } from './patient.ts'
import { sqliteProfileStore } from './profile-store.ts'
import { rebuildIndexes } from './rebuild.ts'
import { sqliteReplyStore } from './reply-store.ts'
import { sqliteSessionSummaryStore } from './session-summary-store.ts'
import { sqliteSettingsStore } from './settings-store.ts'
import { statistics } from './statistics.ts'
import { ensureTermsVersion } from './terms-version.ts'
import { SqliteTurnIndex } from './turn-index/turn-index.ts'
import { sqliteTurnMeanings } from './turn-meanings.ts'
import { Upkeep } from './upkeep.ts'
import { sqliteUsageLedger } from './usage-ledger.ts'
import { Users } from './users.ts'
import { SqliteVectorIndex } from './vector-index/vector-index.ts'
import { sqliteVectorOutbox } from './vector-outbox/vector-outbox.ts'
import { sqliteWorkingMemoryStore } from './working-memory-store.ts'

export interface SqliteOptions {
  /** A file, or `:memory:`. */
  readonly path: string
  /** false: an absent file is an error. */
  readonly create: boolean
  readonly clock: Clock
  readonly logger: Logger
}

/** Opens the store. Rejects with MnemeError when the file cannot be used; it is never overwritten. */
export async function openSqliteStore({ path, create, clock, logger }: SqliteOptions): Promise<Store> {
  const connection = openDatabase(path, { create })
  await ensureTermsVersion(connection)
  const users = new Users(connection)
  const index = new SqliteTurnIndex(connection, users)
  const upkeep = new Upkeep(connection, index, clock, logger)
  const log = sqliteConversationLog(connection, users)
  refuseSoon(connection)
  const store: Store = {
    log: {
      ...log,
      append: async (userId, batches, at) => {
        const appended = await log.append(userId, batches, at)
        await upkeep.stored(userId, appended.length, charactersOf(batches))
        return appended
      },
    },
    index,
    meanings: sqliteTurnMeanings(connection, users),
    memories: sqliteMemoryStore(connection, users, clock),
    workingMemory: sqliteWorkingMemoryStore(connection, users),
    vectors: new SqliteVectorIndex(connection, users),
    outbox: sqliteVectorOutbox(connection, users),
    mirror: null,
    jobs: sqliteJobQueue(connection, users),
    usage: sqliteUsageLedger(connection, users),
    settings: sqliteSettingsStore(connection),
    profiles: sqliteProfileStore(connection, users),
    sessionSummaries: sqliteSessionSummaryStore(connection, users),
    keys: sqliteKeyStore(connection),
    replies: sqliteReplyStore(connection, users),
    memoryFile: sqliteMemoryFileLedger(connection, users),
    rebuild: (userId, work) => rebuildIndexes(connection, users, index, userId, work),
    check: async () => checkDatabase(connection),
    statistics: async (userId) => statistics(connection, users, userId),
    idle: async () => {
      await upkeep.idle()
      await reclaimWhatIsDue(connection)
    },
    close: async () => {
      if (!connection.isOpen) return
      await upkeep.finish()
      await reclaimWhatIsDue(connection).catch((error: unknown) =>
        logger.warn('removed text could not be wiped yet; the next close tries again', { reason: String(error) }),
      )
      connection.close()
    },
  }
  return patientStore(connection, store)
}

/** Every part of it, and itself, waits for a lock without holding the thread. */
function patientStore(connection: Connection, store: Store): Store {
  const parts = Object.entries(store).map(([name, part]: [string, unknown]) => [
    name,
    typeof part === 'object' && part !== null ? patient(connection, part) : part,
  ])
  return patient(connection, Object.fromEntries(parts))
}

function charactersOf(batches: readonly ConversationBatch[]): number {
  let characters = 0
  for (const { turns } of batches) for (const { content } of turns) characters += content.length
  return characters
}
