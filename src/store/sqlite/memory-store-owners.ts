/**
 * Which users have memories, in SQLite? The contract MemoryOwners, with the only statements over memories that name no
 * user.
 */
import type { MemoryOwners } from '../../domain/contracts/memory-owners.ts'
import type { Connection } from './connection.ts'
import { SEQUENCE_BITS } from './memory-store-range.ts'
import { number, text, time } from './rows.ts'

/** A look into the index of ids for every user. */
const OWNERS_OF = `SELECT u.user_id FROM users u CROSS JOIN memories m ON m.user_no = u.user_no AND m.id = ?
  ORDER BY u.user_id`
const OWNERS = `SELECT u.user_id, t.memories,
    (SELECT created_at FROM memories m WHERE m.row >= t.user_no << ${SEQUENCE_BITS} ORDER BY m.row LIMIT 1) AS created_at,
    (SELECT updated_at FROM memories m WHERE m.user_no = t.user_no ORDER BY m.updated_at DESC LIMIT 1) AS updated_at
  FROM memory_totals t JOIN users u USING (user_no) WHERE t.memories > 0 ORDER BY u.user_id LIMIT ? OFFSET ?`
const HOW_MANY = 'SELECT count(*) AS n FROM memory_totals WHERE memories > 0'

/** Over an open, migrated database. */
export function sqliteMemoryOwners(connection: Connection): MemoryOwners {
  return {
    ownersOf: async (id) => connection.all(OWNERS_OF, id).map((row) => text(row, 'user_id')),
    owners: async ({ limit, offset }) =>
      connection.read(() => {
        const total = connection.get(HOW_MANY)
        return {
          items: connection.all(OWNERS, limit, offset).map((row) => ({
            userId: text(row, 'user_id'),
            memories: number(row, 'memories'),
            createdAt: time(row, 'created_at'),
            updatedAt: time(row, 'updated_at'),
          })),
          total: total === undefined ? 0 : number(total, 'n'),
        }
      }),
  }
}
