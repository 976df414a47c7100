/**
 * Sends a streamed answer, at the pace of the caller. A disconnect stops the work, and the request leaves the server
 * when its work has ended.
 */
import type { Context } from 'hono'
import type { Scope } from '../operations/operation.ts'
import type { Admitted, Services } from './services.ts'

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

/** The pieces to send, and their recipient. */
export interface Sending {
  readonly pieces: AsyncIterable<Uint8Array>
  /** Called when the rest of the pieces is not wanted any more. */
  readonly stop: () => void
  /** Milliseconds that a piece may wait to be read: a stalled reader must not hold its place. */
  readonly patienceMs: number
}

/**
 * A body of these pieces, and a promise of its end. A caller that disconnects or stalls triggers `stop`; a failing
 * piece aborts the connection, so that the body never looks complete.
 */
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
