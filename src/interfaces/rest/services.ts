/** What every route of the server has at hand: who calls, whether there is room, how errors are answered. */
import type { Context, Hono } from 'hono'
import type { Admission, RateLimit } from './admission.ts'
import { type Caller, createKeyCheck, identify, requireScope, userOf } from './caller.ts'
import type { ResolvedAppOptions } from './options.ts'

/** The app that routes are added to. */
export type ServerApp = Hono<{ Variables: { requestId: string } }>

/** A request that was let in. */
export interface Admitted {
  readonly caller: Caller
  /** Resolves the user of the request; `parameter` is what it says besides the header. */
  readonly user: (parameter: unknown) => string
  /** Aborts when the caller hangs up or its time is over. */
  readonly signal: AbortSignal
}

/** What routes share. */
export interface Services {
  readonly options: ResolvedAppOptions
  readonly admission: Admission
  readonly rateLimit: RateLimit
  /**
   * Lets a request in and works on it: key, scope, rate, room, time. Streams pass `streams: true`: they have places of
   * their own, no limit of time, and leave when their `work` has resolved.
   */
  admit<T>(
    context: Context,
    needs: { readonly scope: 'read' | 'write' | 'admin'; readonly streams?: boolean },
    work: (admitted: Admitted) => Promise<T>,
  ): Promise<T>
}

/** The services of one app. */
export function createServices(options: ResolvedAppOptions, admission: Admission, rateLimit: RateLimit): Services {
  const asksForKey = createKeyCheck(options)
  return {
    options,
    admission,
    rateLimit,
    admit: async (context, { scope, streams = false }, work) => {
      const caller = await identify(context, options, asksForKey)
      requireScope(caller, scope)
      await rateLimit(caller.name)
      const user = (parameter: unknown): string => userOf(context, caller, parameter, options.defaultUser)
      const gone = context.req.raw.signal
      const { signal, letGo } = streams ? { signal: gone, letGo: () => {} } : within(gone, options.timeoutMs)
      try {
        const leave = streams ? admission.enterStream() : await admission.enter(signal)
        try {
          return await work({ caller, user, signal })
        } finally {
          leave()
        }
      } finally {
        letGo()
      }
    },
  }
}

/**
 * A signal that aborts when the caller is gone or the time is over, and what lets go of both. `AbortSignal.any` and
 * `.timeout` say the same, at many times the cost.
 */
function within(gone: AbortSignal, timeoutMs: number): { readonly signal: AbortSignal; readonly letGo: () => void } {
  const stopping = new AbortController()
  const hangUp = (): void => stopping.abort(gone.reason)
  const timer = setTimeout(() => stopping.abort(new DOMException('The time is over.', 'TimeoutError')), timeoutMs)
  if (gone.aborted) hangUp()
  else gone.addEventListener('abort', hangUp, { once: true })
  const letGo = (): void => {
    clearTimeout(timer)
    gone.removeEventListener('abort', hangUp)
  }
  return { signal: stopping.signal, letGo }
}
