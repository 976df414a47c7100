import { workingMemoryStoreContract } from '../../../../test/contracts/working-memory-store.ts'
import { WORKING_MEMORY_IDLE_MS } from '../../../domain/limits.ts'
import { openDatabase } from '../file/open-database.ts'
import { sqliteWorkingMemoryStore, touchWorkingMemory } from './small-stores.ts'

workingMemoryStoreContract('SQLite', async () => {
  const connection = openDatabase(':memory:', { create: true })
  return {
    store: sqliteWorkingMemoryStore(connection),
    turns: async (userId, sessionId, userTurns, at) =>
      connection.write(() =>
        touchWorkingMemory(
          connection,
          connection.users.ensure(userId),
          sessionId,
          userTurns,
          at,
          at - WORKING_MEMORY_IDLE_MS,
        ),
      ),
    close: async () => connection.close(),
  }
})
