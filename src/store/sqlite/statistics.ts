/** How much is in the file? */
import { statSync } from 'node:fs'
import type { MemoryOverview, StoreStatistics } from '../../domain/contracts/store.ts'
import type { Connection } from './connection.ts'
import { schemaVersion } from './migrate.ts'
import { isoTime, number, text } from './rows.ts'
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

const BY_DAY = `SELECT substr(created_at, 1, 10) AS day, count(*) AS memories, sum(buried) AS buried, sum(ended) AS ended,
    sum(holds) AS holding, sum(holds AND suspect_reason IS NOT NULL) AS in_doubt, sum(holds AND access_count = 0) AS unused
  FROM (SELECT *, NOT (buried OR ended) AS holds FROM (SELECT created_at, suspect_reason, access_count,
    buried_at IS NOT NULL AS buried,
    buried_at IS NULL AND (superseded_by IS NOT NULL OR coalesce(valid_to <= ?2, 0)) AS ended
    FROM memories WHERE user_no = ?1)) GROUP BY day ORDER BY day`

/** See Store.overview; `userNo` undefined: a user without memories. */
export function memoryOverview(connection: Connection, userNo: number | undefined, now: number): MemoryOverview {
  const days = userNo === undefined ? [] : connection.all(BY_DAY, userNo, isoTime(now))
  const sum = (column: string): number => days.reduce((total, day) => total + number(day, column), 0)
  return {
    holding: sum('holding'),
    inDoubt: sum('in_doubt'),
    ended: sum('ended'),
    buried: sum('buried'),
    unused: sum('unused'),
    growth: days.map((day) => ({ day: text(day, 'day'), memories: number(day, 'memories') })),
  }
}

function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
