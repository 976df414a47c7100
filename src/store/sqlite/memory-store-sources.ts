/** Which memories came from these turns, and which point to these memories? By the table of sources, see migration 017. */
import type { MemoryStore } from '../../domain/contracts/memory-store.ts'
import type { Connection } from './connection.ts'
import type { Row } from './rows.ts'
import { text } from './rows.ts'
import type { Users } from './users.ts'

const OF_TURNS = `SELECT item FROM sources WHERE user_no = ? AND origin = 'turn' AND source = ? AND kind IN ('memory', 'update')`
const POINTING = `SELECT id AS item FROM memories INDEXED BY memories_superseded
    WHERE user_no = ?1 AND superseded_by = ?2
  UNION SELECT item FROM sources
    WHERE user_no = ?1 AND origin = 'memory' AND source = ?2 AND kind = 'doubt'`

/** The part of the store that asks it. */
export function sqliteMemorySources(
  connection: Connection,
  users: Users,
): Pick<MemoryStore, 'madeFrom' | 'pointingTo'> {
  const idsOf = (rows: readonly Row[]): readonly string[] => [...new Set(rows.map((row) => text(row, 'item')))]
  return {
    madeFrom: async (userId, { turns, whole }) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return []
      return connection.read(() =>
        idsOf([
          ...[...whole].flatMap((conversationId) => connection.all(OF_TURNS, userNo, conversationId)),
          ...[...turns].flatMap(([conversationId, numbers]) =>
            whole.has(conversationId)
              ? []
              : [...numbers].flatMap((turn) =>
                  connection.all(`${OF_TURNS} AND turn = ?`, userNo, conversationId, turn),
                ),
          ),
        ]),
      )
    },

    pointingTo: async (userId, ids) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return []
      return connection.read(() => idsOf(ids.flatMap((id) => connection.all(POINTING, userNo, id))))
    },
  }
}
