/**
 * Was this request meant for us? A page of another site can make a browser send requests to loopback, under a host name
 * that it controls: the Host must be ours, and an Origin, which browsers send, must be ours or allowed.
 */
import type { Context } from 'hono'
import { DoorError } from './problem.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

/** The host name of a Host header or of an origin, without the port; undefined when there is none. */
function hostName(authority: string): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^:/?#@]+)(?::\d+)?$/i.exec(authority)
  return match?.[1]?.toLowerCase()
}

/** Throws `forbidden` for a request that another site made. */
export function checkHost(context: Context, allowedHosts: readonly string[], allowedOrigins: readonly string[]): void {
  const host = hostName(context.req.header('host') ?? new URL(context.req.url).host)
  if (host === undefined || !(LOOPBACK.has(host) || allowedHosts.includes(host)))
    throw new DoorError(
      'forbidden',
      403,
      'This host name is not ours.',
      'Allow it with --allow-host, or use 127.0.0.1.',
    )
  const origin = context.req.header('origin')
  if (origin === undefined || allowedOrigins.includes(origin)) return
  if (!isOwn(origin, context.req.header('host')))
    throw new DoorError('forbidden', 403, 'A page of another site may not call.', 'Allow it with --allow-origin.')
}

/** The page came from this very server. */
function isOwn(origin: string, host: string | undefined): boolean {
  try {
    const { protocol, host: from } = new URL(origin)
    return (protocol === 'http:' || protocol === 'https:') && from === host?.toLowerCase()
  } catch {
    return false
  }
}
