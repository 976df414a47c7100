/** Answers on their way: what is long is sent in pieces, and what readers leave untaken is bounded, over all and for a user. */
import type { Context } from 'hono'
import type { KeptReply } from '../../usecases/keys.ts'
import { DoorError, json } from './problem.ts'

/** Bytes of a piece; a shorter answer is sent in one, since the system takes it at once. */
const PIECE = 64 * 1024
/** Bytes of all answers that their readers have not taken yet. */
const MOST_HELD = 64 * 1024 * 1024
/** Untaken bytes with which no more work is begun for a user. */
const MOST_OF_USER = 16 * 1024 * 1024

interface Sent {
  readonly userId: string
  readonly breakOff: () => void
  left: number
}

export function createAnswers(patienceMs: number, mostHeld: number = MOST_HELD, mostOfUser: number = MOST_OF_USER) {
  const sending = new Set<Sent>()
  const heldBy = (userId?: string): number =>
    sending.values().reduce((all, one) => all + (userId === undefined || one.userId === userId ? one.left : 0), 0)
  /** The user of whom most is held: the oldest of its answers goes first. */
  const oldestOfMost = (): Sent | undefined => {
    const users = [...new Set(sending.values().map(({ userId }) => userId))]
    const most = users.map((userId) => ({ userId, held: heldBy(userId) })).sort((a, b) => b.held - a.held)[0]
    return sending.values().find(({ userId }) => userId === most?.userId)
  }
  return {
    get held() {
      return heldBy()
    },
    /** Throws `busy` when earlier answers of this user wait to be read. */
    refuseUnread: (userId: string): void => {
      if (sending.size > 0 && heldBy(userId) >= mostOfUser)
        throw new DoorError(503, 'Earlier answers were not read yet.', 'Read them first.', { 'retry-after': '1' })
    },
    /** The response; a long one counts until it is taken, and is broken off when too much is held, or nothing taken for long. */
    send: (context: Context, userId: string, reply: KeptReply, isRepeated = false): Response => {
      const whole = json(reply, isRepeated)
      if (reply.body.length <= PIECE || context.req.method === 'HEAD') return whole
      const bytes = Buffer.from(reply.body)
      const one: Sent = { userId, left: bytes.byteLength, breakOff: () => void breakOff(context) }
      async function* pieces(): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < bytes.byteLength; at += PIECE) {
          one.left = bytes.byteLength - at
          yield bytes.subarray(at, at + PIECE)
        }
      }
      const { body, ended } = bodyOf(context, { pieces: pieces(), stop: () => {}, patienceMs })
      sending.add(one)
      void ended.then(() => sending.delete(one))
      for (let old = oldestOfMost(); old !== undefined && heldBy() > mostHeld; old = oldestOfMost()) {
        sending.delete(old)
        old.breakOff()
      }
      const headers = new Headers(whole.headers)
      headers.set('content-length', String(bytes.byteLength))
      return new Response(body, { status: reply.status, headers })
    },
  }
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
