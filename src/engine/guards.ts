/** What every use case does first: it refuses work after the end, and waits for summaries that are on their way. */
import { MnemeError } from '../domain/errors.ts'
import type { Rolling } from './rolling.ts'

/** Wraps a use case. */
export type Guard = <A extends unknown[], R>(work: (...values: A) => Promise<R>) => (...values: A) => Promise<R>

/** The guards of one engine. */
export interface Guards {
  /** Refuses work once the engine was closed, before anything else is looked at. */
  readonly open: Guard
  /** The same without waiting: for who stores. */
  readonly openAtOnce: Guard
  readonly isClosed: boolean
  close(): void
}

/** Guards that let everything in until they are closed. */
export function guards(rolls: Pick<Rolling, 'pending'>): Guards {
  let isClosed = false
  const openAtOnce: Guard = (work) => {
    return async (...values) => {
      if (isClosed) throw new MnemeError('closed', 'This memory was closed.', { remedy: 'Open it again.' })
      return work(...values)
    }
  }
  const open: Guard = (work) => {
    const opened = openAtOnce(work)
    return async (...values) => {
      if (rolls.pending !== null) await rolls.pending
      return opened(...values)
    }
  }
  return {
    open,
    openAtOnce,
    get isClosed() {
      return isClosed
    },
    close: () => {
      isClosed = true
    },
  }
}
