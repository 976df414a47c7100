import { collectedTurnsContract } from '../../../../test/contracts/collected-turns.ts'
import { openDatabase } from '../open-database.ts'
import { Users } from '../users.ts'
import { sqliteConversationLog } from './conversation-log.ts'

collectedTurnsContract('SQLite', async () => {
  const connection = openDatabase(':memory:', { create: true })
  return { log: sqliteConversationLog(connection, new Users(connection)), close: async () => connection.close() }
})
