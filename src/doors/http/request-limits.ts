/**
 * Admits requests: so many of one caller in a minute, and so many at once. More wait, or are told to retry; streams and
 * imports have places of their own.
 */

import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { DoorError } from './problem.ts'

export interface Admission {
  /** Resolves when the request may start, to a function that releases its place. Rejects with `busy`. */
  enter(signal: AbortSignal): Promise<() => void>
  /** As `enter`, for a stream: admitted at once or not at all, since nobody knows when a place becomes free. */
  enterStream(): () => void
  enterImport(): () => void
  /** Numbers of running requests, including streams and imports, and of waiting ones. */
  readonly load: { readonly running: number; readonly waiting: number }
}

/** Most imports at once: each may hold some megabytes until the end of a conversation. */
const IMPORTS = 8

export function createAdmission(concurrency: number, queueLength: number, streams: number): Admission {
  let running = 0
  const waiting = new Set<() => void>()
  const streaming = places(streams, 'Too many answers are being streamed.')
  const importing = places(IMPORTS, 'Too many imports are being read.')
  const leave = (): void => {
    const [next] = waiting
    if (next === undefined) running -= 1
    else {
      waiting.delete(next)
      next()
    }
  }
  return {
    get load() {
      return { running: running + streaming.taken() + importing.taken(), waiting: waiting.size }
    },
    enterStream: streaming.enter,
    enterImport: importing.enter,
    enter: async (signal) => {
      if (running < concurrency) {
        running += 1
        return once(leave)
      }
      if (waiting.size >= queueLength) throw busy('busy', 'Too many requests are being worked on.')
      await new Promise<void>((resolve, reject) => {
        const go = (): void => {
          signal.removeEventListener('abort', stop)
          resolve()
        }
        const stop = (): void => {
          waiting.delete(go)
          reject(busy('timeout', 'This waited too long, or the caller went away.'))
        }
        waiting.add(go)
        signal.addEventListener('abort', stop, { once: true })
      })
      return once(leave)
    },
  }
}

/** Places that are taken at once or not at all. */
function places(most: number, refusal: string) {
  let taken = 0
  return {
    taken: () => taken,
    enter: (): (() => void) => {
      if (taken >= most) throw busy('busy', refusal)
      taken += 1
      return once(() => {
        taken -= 1
      })
    },
  }
}

function once(leave: () => void): () => void {
  let left = false
  return () => {
    if (!left) leave()
    left = true
  }
}

function busy(code: 'busy' | 'timeout', detail: string): DoorError {
  return new DoorError(code, 503, detail, 'Try again in a moment.', { 'retry-after': '1' })
}

export type RateLimit = (caller: string) => Promise<void>

export function createRateLimit(perMinute: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return async (caller) => {
    try {
      await limiter.consume(caller)
    } catch (refused) {
      const seconds = Math.max(1, Math.ceil((refused as RateLimiterRes).msBeforeNext / 1000))
      const detail = `More than ${perMinute} requests in a minute.`
      const headers = { 'retry-after': String(seconds) }
      throw new DoorError('rate_limited', 429, detail, `Wait ${seconds} seconds.`, headers)
    }
  }
}
