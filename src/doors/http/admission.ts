/** Parts of every route: who is let in, how often and how many at once. */
import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { enter } from '../../domain/scheduling.ts'
import type { KeptReply } from '../../usecases/keys.ts'
import type { AnyOperation, Scope } from '../operations/operation.ts'
import { createAnswers } from './answers.ts'
import { type Caller, createKeyCheck, identify, requireScope, USER_HEADER, userOf } from './caller.ts'
import { DoorError } from './problem.ts'
import { checkedInput, createBodies, readRequest } from './read-request.ts'
import type { ResolvedAppOptions } from './server-options.ts'

export type ServerApp = Hono<{ Variables: { requestId: string } }>

export interface Admitted {
  readonly caller: Caller
  readonly user: (parameter: unknown) => string
  /** Resolves when it is the turn of a request of this user, so that nobody's flood holds up the others. */
  readonly turn: (userId: string) => Promise<void>
  /** The response to the user whose turn it was, sent at the caller's pace. */
  readonly answer: (reply: KeptReply, isRepeated?: boolean) => Response
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
  const answers = createAnswers(options.timeoutMs)
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
        const leave = await admission.enter(
          which,
          signal,
          context.req.header(USER_HEADER) ?? caller.userId ?? caller.name,
        )
        const ends: (() => void)[] = [leave]
        try {
          let owner = caller.name
          const turn = async (userId: string): Promise<void> => {
            answers.refuseUnread(userId)
            owner = userId
            ends.push(await enter(userId))
          }
          const answer = (reply: KeptReply, isRepeated?: boolean) => answers.send(context, owner, reply, isRepeated)
          return await work({ caller, user, turn, answer, signal })
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
    enter: (which: keyof typeof lines, signal: AbortSignal, who: string) => lines[which].enter(signal, who),
  }
}

/** So many at once, and as many more as the queue holds wait: callers in turn, none with all places or all of the queue. */
function line(concurrency: number, queueLength: number, refusal: string) {
  // Where nobody waits, as many as there are.
  const mostOfOne = queueLength === 0 ? concurrency : concurrency - Math.floor(concurrency / 4)
  let running = 0
  const runningOf = new Map<string, number>()
  /** The callers who wait, the next one first. */
  const waiting = new Map<string, Set<Waiting>>()
  const waits = (): number => waiting.values().reduce((all, { size }) => all + size, 0)
  const hasPlace = (who: string): boolean => running < concurrency && (runningOf.get(who) ?? 0) < mostOfOne
  const begin = (who: string): (() => void) => {
    running += 1
    runningOf.set(who, (runningOf.get(who) ?? 0) + 1)
    return () => {
      running -= 1
      const left = runningOf.get(who)! - 1
      if (left === 0) runningOf.delete(who)
      else runningOf.set(who, left)
      goOn()
    }
  }
  const leave = (who: string, one: Waiting): void => {
    const own = waiting.get(who)
    own?.delete(one)
    if (own?.size === 0) waiting.delete(who)
  }
  const goOn = (): void => {
    for (const [who, own] of [...waiting]) {
      const [next] = own
      if (next === undefined || !hasPlace(who)) continue
      // Whoever went is the last of the next round.
      waiting.delete(who)
      waiting.set(who, own)
      leave(who, next)
      next.go(begin(who))
      return
    }
  }
  /** Makes room in a full queue: the last request of the caller with the most goes, if that is not this one. */
  const makeRoom = (who: string): void => {
    const [most] = [...waiting].sort(([, a], [, b]) => b.size - a.size)
    const last = [...(most?.[1] ?? [])].at(-1)
    if (last === undefined || most![1].size <= (waiting.get(who)?.size ?? 0) + 1) throw busy(refusal)
    last.refuse(busy(refusal))
  }
  return {
    get load() {
      return { running, waiting: waits() }
    },
    enter: async (signal: AbortSignal, who: string): Promise<() => void> => {
      if (hasPlace(who)) return begin(who)
      if (waits() >= queueLength) makeRoom(who)
      return new Promise<() => void>((resolve, reject) => {
        const refuse = (error: DoorError): void => {
          signal.removeEventListener('abort', stop)
          leave(who, one)
          reject(error)
        }
        const stop = (): void => refuse(busy('This waited too long, or the caller went away.', true))
        const go = (end: () => void): void => {
          signal.removeEventListener('abort', stop)
          resolve(end)
        }
        const one = { go, refuse }
        const own = waiting.get(who)
        if (own === undefined) waiting.set(who, new Set([one]))
        else own.add(one)
        signal.addEventListener('abort', stop, { once: true })
      })
    },
  }
}

interface Waiting {
  readonly go: (end: () => void) => void
  readonly refuse: (error: DoorError) => void
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
