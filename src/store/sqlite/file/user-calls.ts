/** Calls of a contract as work on a user's number, each in the transaction that it needs. */
import type { Connection, Users } from './connection.ts'

/** `none` is the answer for a user who has stored nothing yet. */
export function userCalls(connection: Connection, users: Users) {
  const ask =
    <None, A extends unknown[], T>(none: None, work: (userNo: number, ...given: A) => T) =>
    async (userId: string, ...given: A): Promise<None | Awaited<T>> =>
      users.of(userId, none, (userNo) => work(userNo, ...given)) as None | Awaited<T>
  return {
    ask,
    read: <None, A extends unknown[], T>(none: None, work: (userNo: number, ...given: A) => T) =>
      ask(none, (userNo: number, ...given: A) => connection.read(() => work(userNo, ...given))),
    write: <None, A extends unknown[], T>(none: None, work: (userNo: number, ...given: A) => T) =>
      ask(none, (userNo: number, ...given: A) => connection.write(() => work(userNo, ...given))),
  }
}
