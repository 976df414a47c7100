/** Admits requests: a bounded number runs and waits, the rest is told to retry. Streams and imports have separate places. */
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
  let streaming = 0
  let importing = 0
  const waiting = new Set<() => void>()
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
      return { running: running + streaming + importing, waiting: waiting.size }
    },
    enterStream: () => {
      if (streaming >= streams) throw busy('busy', 'Too many answers are being streamed.')
      streaming += 1
      return once(() => {
        streaming -= 1
      })
    },
    enterImport: () => {
      if (importing >= IMPORTS) throw busy('busy', 'Too many imports are being read.')
      importing += 1
      return once(() => {
        importing -= 1
      })
    },
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
