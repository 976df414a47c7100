/** Who may go on? Of long works one at a time, for one piece, and everybody else between two pieces. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Does a piece of work when it is its turn; resolves and rejects as that does. */
export type TakeTurn = <T>(piece: () => Promise<T>) => Promise<T>

/** Works that take turns with each other: one piece in a turn of the event loop, in the order in which they ask. */
export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (piece) => {
    const mine = last.then(() => nextTurn()).then(piece)
    last = mine.catch(() => {})
    return mine
  }
}
