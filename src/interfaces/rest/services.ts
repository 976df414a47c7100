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
   * Lets a request in and works on it: key, scope, rate, room, time. Streams pass `streams: true`: no limit of time, and
   * they leave when their `work` has resolved.
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
      const gone = context.req.raw.signal
      const signal = streams ? gone : AbortSignal.any([gone, AbortSignal.timeout(options.timeoutMs)])
      const leave = await admission.enter(signal)
      try {
        const user = (parameter: unknown): string => userOf(context, caller, parameter, options.defaultUser)
        return await work({ caller, user, signal })
      } finally {
        leave()
      }
    },
  }
}
