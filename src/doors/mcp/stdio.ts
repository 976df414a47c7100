/** Serves one client over two streams, until its input ends and everything that it asked is answered. */
import type { Readable, Writable } from 'node:stream'
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio'
import { lineTransport } from './line-transport.ts'
import { createServer } from './server.ts'
import type { Session } from './session.ts'

/** A client being served. */
export interface ServedStdio {
  /** Takes no more messages; what was accepted is answered. */
  finish(): void
  /** Resolves when the last answer is written. */
  readonly closed: Promise<void>
}

/** Serves `session` over `input` and `output`. */
export function serveStdio(session: Session, input: Readable, output: Writable): ServedStdio {
  const transport = lineTransport(input, output)
  const { logger } = session
  serve(() => createServer(session), {
    transport,
    onerror: (error) => logger.debug('mcp', { reason: error.message }),
  })
  return transport
}
