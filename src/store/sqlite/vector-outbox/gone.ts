/** Notes that a row of the mirror has to go; it goes once nothing waits for the same id. */
import type { MirrorRow } from '../../../domain/contracts/vector-mirror.ts'
import type { Connection } from '../connection.ts'
import type { Users } from '../users.ts'

/** Notes a row that the mirror must remove. Call it in a write. */
export function noteGone(
  connection: Connection,
  users: Users,
  { userId, id, rowId }: Pick<MirrorRow, 'userId' | 'id' | 'rowId'>,
): void {
  connection.run(
    'INSERT OR IGNORE INTO vector_gone (user_no, id, row_id) VALUES (?, ?, ?)',
    users.ensure(userId),
    id,
    BigInt(rowId),
  )
}
