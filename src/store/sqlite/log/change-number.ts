/** Change numbers, by which other processes learn of a conversation's new project or summary. */
import type { Connection } from '../connection.ts'
import { number } from '../rows.ts'

/** Says to every process that something about the user's conversations is another now; returns the number. */
export function raiseChangeNo(connection: Connection, userNo: number): number {
  const row = connection.get('UPDATE users SET change_no = change_no + 1 WHERE user_no = ? RETURNING change_no', userNo)
  return row === undefined ? 0 : number(row, 'change_no')
}
