/**
 * Which request does `notifications/cancelled` stop over HTTP? It comes by itself, after the request that it is about, and
 * ids are counted by every client alike: so it stops the one with that id of the same session and the same caller only.
 * Nothing is kept of a session but its requests while they run.
 */
import { idOf } from './asked-id.ts'

/** Names the session of a client; given at `initialize`. */
export const SESSION_HEADER = 'mcp-session-id'

type RequestId = string | number

/** The requests of one message, while they run. */
export interface Running {
  /** Aborts when the request is cancelled; undefined for one that nobody can cancel. */
  signalOf(id: RequestId): AbortSignal | undefined
  /** They are answered. */
  end(): void
}

/** All requests that run and can be cancelled. */
export interface Cancellation {
  /** A message came in: its requests run from now on, and what it cancels is stopped. `owner`: null where no session is named. */
  take(owner: string | null, message: unknown): Running
}

const NOBODYS: Running = { signalOf: () => undefined, end: () => undefined }

/** One for a server. */
export function createCancellation(): Cancellation {
  const running = new Map<string, Set<AbortController>>()
  const keyOf = (owner: string, id: RequestId): string => JSON.stringify([owner, id])
  return {
    take: (owner, message) => {
      if (owner === null) return NOBODYS
      const parts: readonly unknown[] = Array.isArray(message) ? message : [message]
      for (const id of parts.flatMap(cancelledId))
        for (const controller of running.get(keyOf(owner, id)) ?? []) controller.abort()
      const begun = new Map<RequestId, AbortController>()
      for (const id of parts.flatMap(requestId)) {
        const controller = new AbortController()
        begun.set(id, controller)
        const key = keyOf(owner, id)
        running.set(key, (running.get(key) ?? new Set()).add(controller))
      }
      return {
        signalOf: (id) => begun.get(id)?.signal,
        end: () => {
          for (const [id, controller] of begun) {
            const key = keyOf(owner, id)
            const same = running.get(key)
            same?.delete(controller)
            if (same?.size === 0) running.delete(key)
          }
        },
      }
    },
  }
}

/** Whether a message, or one of a batch, begins a session. */
export function beginsSession(message: unknown): boolean {
  return (Array.isArray(message) ? message : [message]).some((part) => methodOf(part) === 'initialize')
}

function requestId(message: unknown): readonly RequestId[] {
  const id = methodOf(message) === undefined ? null : idOf(message)
  return id === null ? [] : [id]
}

function cancelledId(message: unknown): readonly RequestId[] {
  if (methodOf(message) !== 'notifications/cancelled') return []
  const { params } = message as { readonly params?: { readonly requestId?: unknown } | null }
  const id = idOf({ id: params?.requestId })
  return id === null ? [] : [id]
}

function methodOf(message: unknown): string | undefined {
  const method = typeof message === 'object' && message !== null && 'method' in message ? message.method : undefined
  return typeof method === 'string' ? method : undefined
}
