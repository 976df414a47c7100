/** Which number does this user have in the tables? A number is never given to a second user. */
import type { Connection } from './connection.ts'
import { number } from './rows.ts'

export class Users {
  readonly #connection: Connection
  readonly #known = new Map<string, number>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** undefined for a user who has stored nothing yet. */
  find(userId: string): number | undefined {
    const known = this.#known.get(userId)
    if (known !== undefined) return known
    const row = this.#connection.get('SELECT user_no FROM users WHERE user_id = ?', userId)
    if (row === undefined) return undefined
    const userNo = number(row, 'user_no')
    this.#known.set(userId, userNo)
    return userNo
  }

  /** The answer for the user's number; `none` for a user who has stored nothing yet. */
  of<None, T>(userId: string, none: None, answer: (userNo: number) => T): None | T {
    const userNo = this.find(userId)
    return userNo === undefined ? none : answer(userNo)
  }

  /** The user's number, given out now when new. Call it inside a write transaction. */
  ensure(userId: string): number {
    return this.find(userId) ?? this.#connection.run('INSERT INTO users (user_id) VALUES (?)', userId).lastInsertRowid
  }
}

/** Says to every process that something about the user's conversations is another now; returns the number. */
export function raiseChangeNo(connection: Connection, userNo: number): number {
  return connection.count('UPDATE users SET change_no = change_no + 1 WHERE user_no = ? RETURNING change_no', userNo)
}
