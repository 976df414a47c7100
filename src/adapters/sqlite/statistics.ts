/** How much is in the file? */
import { statSync } from 'node:fs'
import type { StoreStatistics } from '../../contracts/store.ts'
import type { Connection } from './connection.ts'
import { schemaVersion } from './migrate.ts'
import { number } from './rows.ts'
import type { Users } from './users.ts'

/** Counts of one user, or of all. */
export function statistics(connection: Connection, users: Users, userId?: string): StoreStatistics {
  return connection.read(() => {
    const userNo = userId === undefined ? null : (users.find(userId) ?? -1)
    const count = (from: string, where = ''): number => {
      const sql = `SELECT count(*) AS total FROM ${from} WHERE (?1 IS NULL OR user_no = ?1) ${where}`
      const row = connection.get(sql, userNo)
      return row === undefined ? 0 : number(row, 'total')
    }
    return {
      users: count('users'),
      conversations: count('conversations'),
      turns: count('turns'),
      summaries: count('summaries s JOIN conversations c ON c.id = s.conversation_id'),
      memories: count('memories'),
      jobs: count('jobs', `AND state <> 'dead'`),
      deadJobs: count('jobs', `AND state = 'dead'`),
      bytes: fileBytes(connection.path) + fileBytes(`${connection.path}-wal`),
      schemaVersion: schemaVersion(connection),
    }
  })
}

function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
