/** Parts of every route: who is let in, how often and how many at once. Answers are streamed at the caller's pace. */
import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { enter } from '../../domain/scheduling.ts'
import type { AnyOperation, Scope } from '../operations/operation.ts'
import { type Caller, createKeyCheck, identify, requireScope, userOf } from './caller.ts'
import { DoorError } from './problem.ts'
import { checkedInput, createBodies, readRequest } from './read-request.ts'
import type { ResolvedAppOptions } from './server-options.ts'

export type ServerApp = Hono<{ Variables: { requestId: string } }>

export interface Admitted {
  readonly caller: Caller
  readonly user: (parameter: unknown) => string
  /** Resolves when it is the turn of a request of this user, so that nobody's flood holds up the others. */
  readonly turn: (userId: string) => Promise<void>
  /** Aborts on disconnect, timeout or shutdown; its reason is the error to report. */
  readonly signal: AbortSignal
}

interface Needs {
  readonly scope: Scope
  readonly streams?: boolean
  readonly imports?: boolean
  readonly isLong?: boolean
}

export type Services = ReturnType<typeof createServices>

export function createServices(options: ResolvedAppOptions, admission: Admission, stopping: AbortSignal) {
  const asksForKey = createKeyCheck(options)
  const bodies = createBodies(options)
  const rateLimit = createRateLimit(options.requestsPerMinute)
  return {
    options,
    admission,
    /** The reason and time of the last failed write; null before any failure. */
    unwritable: null as { readonly reason: string; readonly at: number } | null,
    /**
     * Admits a request and runs its work: key, scope, rate, body, place and time limit, in this order. Streams and
     * imports have separate places, and so has upkeep; these have no time limit and leave when `work` resolves.
     */
    admit: async <T>(context: Context, needs: Needs, work: (admitted: Admitted) => Promise<T>): Promise<T> => {
      const { scope, streams = false, imports = false, isLong = false } = needs
      const caller = await identify(context, options, asksForKey)
      requireScope(caller, scope)
      await rateLimit(caller.name)
      const { raw, method } = context.req
      if (!imports && method !== 'GET' && method !== 'HEAD')
        await bodies.read(raw, (context.env as Partial<HttpBindings>)?.incoming)
      // Work about every user needs none to be named.
      const asking = scope === 'admin' ? { ...caller, hasKey: false } : caller
      const user = (parameter: unknown): string => userOf(context, asking, parameter, options.defaultUser)
      const { signal, letGo } = within([raw.signal, stopping], streams || imports || isLong ? null : options.timeoutMs)
      try {
        const which = imports ? 'imports' : streams ? 'streams' : isLong ? 'long' : 'usual'
        const leave = await admission.enter(which, signal)
        const ends: (() => void)[] = [leave]
        try {
          const turn = async (userId: string): Promise<void> => void ends.push(await enter(userId))
          return await work({ caller, user, turn, signal })
        } finally {
          for (const end of ends) end()
        }
      } finally {
        letGo()
      }
    },
  }
}

/** The call that a request makes of an operation, with its checked input; `besides` comes in other ways. */
export async function readCall(
  { options: { memory } }: Services,
  { caller, user, signal }: Admitted,
  operation: AnyOperation,
  context: Context,
  besides: object = {},
) {
  const { input, userId } = await readRequest(operation, context)
  const call = { memory, userId: user(userId), isOperator: caller.isOperator, signal }
  return { ...call, input: checkedInput(operation, { ...input, ...besides }) }
}

/** A signal that aborts with any of these or after a time (null: never); `AbortSignal.any` costs many times as much. */
function within(ends: readonly AbortSignal[], timeoutMs: number | null) {
  const over = new AbortController()
  const stop = (): void => over.abort(ends.find(({ aborted }) => aborted)?.reason)
  const late = (): void => over.abort(new DOMException('The time is over.', 'TimeoutError'))
  const timer = timeoutMs === null ? undefined : setTimeout(late, timeoutMs)
  for (const end of ends) end.addEventListener('abort', stop, { once: true })
  if (ends.some(({ aborted }) => aborted)) stop()
  const letGo = (): void => {
    clearTimeout(timer)
    for (const end of ends) end.removeEventListener('abort', stop)
  }
  return { signal: over.signal, letGo }
}

/** Admits a request; `work` answers through `respond` and continues until everything is sent. */
export function admitStream(
  { admit }: Services,
  context: Context,
  scope: Scope,
  work: (admitted: Admitted, respond: (response: Response) => void) => Promise<void>,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    admit(context, { scope, streams: true }, (admitted) => work(admitted, resolve)).catch(reject)
  })
}

interface Sending {
  readonly pieces: AsyncIterable<Uint8Array>
  /** Called when the rest of the pieces is not wanted any more. */
  readonly stop: () => void
  /** Milliseconds that a piece may wait to be read: a stalled reader must not hold its place. */
  readonly patienceMs: number
}

/** A body of these pieces, and a promise of its end. A failing piece aborts the connection, so that it never looks complete. */
export function bodyOf(
  context: Context,
  { pieces, stop, patienceMs }: Sending,
): { readonly body: ReadableStream<Uint8Array>; readonly ended: Promise<void> } {
  // The request's own signal: stopping the work must still send the caller an error.
  const gone = context.req.raw.signal
  const iterator = pieces[Symbol.asyncIterator]()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let untaken: NodeJS.Timeout | undefined
  const leave = async (): Promise<void> => {
    clearTimeout(untaken)
    stop()
    try {
      await iterator.return?.()
    } catch {
      // Stopping was requested, so its error is expected.
    }
    end()
  }
  if (gone.aborted) void leave()
  else gone.addEventListener('abort', leave, { once: true })
  const breakOffLater = (): void => {
    untaken = setTimeout(() => {
      breakOff(context)
      void leave()
    }, patienceMs)
  }
  const finish = (): void => {
    gone.removeEventListener('abort', leave)
    end()
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      clearTimeout(untaken)
      try {
        const next = await iterator.next()
        if (!next.done) {
          controller.enqueue(next.value)
          return breakOffLater()
        }
        controller.close()
        finish()
      } catch (error) {
        finish()
        if (breakOff(context)) controller.close()
        else controller.error(error)
      }
    },
    cancel: leave,
  })
  return { body, ended }
}

/** Destroys the connection of this request; false when the server does not expose it. */
function breakOff({ env }: Context): boolean {
  const { outgoing } = (env ?? {}) as { readonly outgoing?: { destroy?: () => void } }
  outgoing?.destroy?.()
  return outgoing?.destroy !== undefined
}

/** Most imports at once: each may hold some megabytes until the end of a conversation. */
const IMPORTS = 8
/** Upkeep at once; one thread does it anyway. */
const LONG = 4

export type Admission = ReturnType<typeof createAdmission>

/** `enter` gives, once the request may start, a function that releases its place. Rejects with `busy`. */
export function createAdmission(concurrency: number, queueLength: number, streams: number) {
  const lines = {
    usual: line(concurrency, queueLength, 'Too many requests are being worked on.'),
    // Upkeep takes as long as there is data, and no place of the others.
    long: line(LONG, queueLength, 'Too many requests are being worked on.'),
    // Admitted at once or not at all, since nobody knows when a place becomes free.
    streams: line(streams, 0, 'Too many answers are being streamed.'),
    imports: line(IMPORTS, 0, 'Too many imports are being read.'),
  }
  const sum = (of: 'running' | 'waiting'): number => Object.values(lines).reduce((all, one) => all + one.load[of], 0)
  return {
    /** Numbers of running requests, including streams and imports, and of waiting ones. */
    get load() {
      return { running: sum('running'), waiting: sum('waiting') }
    },
    enter: (which: keyof typeof lines, signal: AbortSignal) => lines[which].enter(signal),
  }
}

/** So many at once, and as many more as the queue holds wait. */
function line(concurrency: number, queueLength: number, refusal: string) {
  let running = 0
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
      return { running, waiting: waiting.size }
    },
    enter: async (signal: AbortSignal): Promise<() => void> => {
      if (running < concurrency) {
        running += 1
        return leave
      }
      if (waiting.size >= queueLength) throw busy(refusal)
      await new Promise<void>((resolve, reject) => {
        const go = (): void => {
          signal.removeEventListener('abort', stop)
          resolve()
        }
        const stop = (): void => {
          waiting.delete(go)
          reject(busy('This waited too long, or the caller went away.', true))
        }
        waiting.add(go)
        signal.addEventListener('abort', stop, { once: true })
      })
      return leave
    },
  }
}

function busy(detail: string, isLate = false): DoorError {
  return new DoorError(503, detail, 'Try again in a moment.', { 'retry-after': '1' }, isLate)
}

function createRateLimit(perMinute: number) {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return async (caller: string): Promise<void> => {
    try {
      await limiter.consume(caller)
    } catch (refused) {
      const seconds = Math.max(1, Math.ceil((refused as RateLimiterRes).msBeforeNext / 1000))
      const detail = `More than ${perMinute} requests in a minute.`
      const headers = { 'retry-after': String(seconds) }
      throw new DoorError(429, detail, `Wait ${seconds} seconds.`, headers)
    }
  }
}
