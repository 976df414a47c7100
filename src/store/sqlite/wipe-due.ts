/**
 * May deleted text still lie in the gaps of pages? The file says so from before a removal until its gaps are wiped, so
 * that an interrupted one is finished later.
 */
import type { Connection } from './connection.ts'
import { number } from './rows.ts'

/** Notes it. */
export function noteWipeDue(connection: Connection): void {
  connection.write(() =>
    connection.run(
      `INSERT INTO counters (name, value) VALUES ('wipe_due', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1`,
    ),
  )
}

/** A number that grows with every removal; 0 when nothing is left to be wiped. */
export function wipeDue(connection: Connection): number {
  const row = connection.get(`SELECT value FROM counters WHERE name = 'wipe_due'`)
  return row === undefined ? 0 : number(row, 'value')
}

/** Takes the note back, unless another removal began after `seen`. */
export function noteWiped(connection: Connection, seen: number): void {
  connection.write(() => connection.run(`UPDATE counters SET value = 0 WHERE name = 'wipe_due' AND value = ?`, seen))
}
