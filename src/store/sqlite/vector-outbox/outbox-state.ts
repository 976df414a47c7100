/** How far is a mirror behind? */
import type { OutboxState } from '../../../domain/contracts/vector-mirror.ts'
import type { Connection } from '../connection.ts'
import { number, numberOrNull, text } from '../rows.ts'

/** The state of a store without a mirror. */
export const NO_MIRROR: OutboxState = { target: null, waiting: 0, oldestAt: null, toFill: 0 }

/** See VectorOutbox.state; also for a file that is only looked at. */
export function readOutboxState(connection: Connection): OutboxState {
  const mirror = connection.get(
    // The index by user is a hundred times smaller than the vectors themselves.
    `SELECT target, CASE WHEN fill_from < fill_to THEN (SELECT count(*) FROM vectors INDEXED BY vectors_user
       WHERE vector_no > fill_from AND vector_no <= fill_to) ELSE 0 END AS to_fill
     FROM vector_mirror`,
  )
  if (mirror === undefined) {
    // A mirror that is configured and was never reached lacks all of them.
    const all = connection.get('SELECT count(*) AS n FROM vectors INDEXED BY vectors_user')!
    return { ...NO_MIRROR, toFill: number(all, 'n') }
  }
  const waiting = connection.get(
    'SELECT count(*) AS n, min(noted_at) AS oldest FROM vector_outbox WHERE applied_at IS NULL',
  )!
  return {
    target: text(mirror, 'target'),
    waiting: number(waiting, 'n'),
    oldestAt: numberOrNull(waiting, 'oldest'),
    toFill: number(mirror, 'to_fill'),
  }
}
