/** Codes of texts in the SQLite file: the contract TurnMeanings. Triggers drop the chunks of texts that go (migration 015). */
import type { TurnMeanings } from '../../../domain/contracts/store.ts'
import type { Connection } from '../file/connection.ts'
import { bytes } from '../file/rows.ts'
import { sql } from '../file/sql.ts'
import type { Users } from '../file/users.ts'

/** The store over an open, migrated database. */
export function sqliteTurnMeanings(connection: Connection, users: Users): TurnMeanings {
  return {
    chunks: async (userId, most) =>
      users.of(userId, [], (userNo) =>
        connection
          .all(
            'SELECT turn_rows, codes FROM turn_meanings WHERE user_no = ? ORDER BY first_row DESC LIMIT ?',
            userNo,
            most,
          )
          .reverse()
          .map((row) => {
            const rows = bytes(row, 'turn_rows').slice()
            const codes = bytes(row, 'codes')
            return {
              rows: new Float64Array(rows.buffer),
              codes: new Int8Array(codes.buffer, codes.byteOffset, codes.byteLength),
            }
          }),
      ),

    keep: async (userId, { rows, codes }) => {
      connection.write(() => {
        const userNo = users.find(userId)
        if (userNo === undefined || rows.length === 0) return
        const [first, last] = [rows[0]!, rows.at(-1)!]
        // A chunk with a turn that was deleted meanwhile is not kept.
        const living = connection.get(
          sql`SELECT count(*) AS n FROM turns WHERE user_no = ${userNo} AND id BETWEEN ${first} AND ${last}`,
        )
        if (living === undefined || Number(living.n) < rows.length) return
        connection.run(
          sql`INSERT OR IGNORE INTO turn_meanings (user_no, first_row, last_row, turn_rows, codes)
            VALUES (${userNo}, ${first}, ${last}, ${new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength)},
            ${new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength)})`,
        )
      })
    },
  }
}
