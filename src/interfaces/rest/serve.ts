/** A listening server: binds, answers, and on the way out finishes what it accepted. */
import type { Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { createApp } from './app.ts'
import { createHttpServer } from './http-server.ts'
import type { AppOptions } from './options.ts'

/** Where to listen. */
export interface ServeOptions extends AppOptions {
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** Default 7077; 0 takes a free one. */
  readonly port?: number | undefined
  readonly version: string
}

/** A server that listens. */
export interface Listening {
  readonly host: string
  readonly port: number
  readonly url: string
  /** Takes no more requests, finishes those that it took, and lets go after `graceMs` (default 10,000). */
  close(graceMs?: number): Promise<void>
}

/**
 * Connections that wait to be taken. Node's 511 are too few for a thousand at once: the system resets the others, and
 * nobody tells them why.
 */
const BACKLOG = 4096
/** Milliseconds between two looks for connections that have nothing left to do. */
const SWEEP_MS = 50
/** Turns of the event loop after which what the system had received has been read. */
const TURNS_TO_READ = 3
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/

/** Whether only this machine can reach it. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

/**
 * Listens. Rejects with `invalid` where other machines could reach it and no key is asked for, `conflict`
 * where the port is taken.
 */
export async function serve({
  host = '127.0.0.1',
  port = 7077,
  version,
  ...options
}: ServeOptions): Promise<Listening> {
  const hasKey = options.apiKey !== undefined || (await options.memory.keys.exist())
  if (!isLoopback(host) && !hasKey)
    throw invalid(
      'host',
      `${host} can be reached by other machines, and no API key is set`,
      'Set MNEME_API_KEY or make a key with `mneme keys add`, or listen on 127.0.0.1.',
    )
  const allowedHosts = [...(options.allowedHosts ?? []), ...(isLoopback(host) ? [] : [host.toLowerCase()])]
  const keyRequired = options.keyRequired ?? !isLoopback(host)
  const app = createApp({ ...options, allowedHosts, keyRequired }, version)
  const server = await new Promise<Server>((resolve, reject) => {
    const made = createHttpServer(app.fetch, host)
    made.once('listening', () => resolve(made)).once('error', (error) => reject(listenError(error, host, port)))
    made.listen({ host, port, backlog: BACKLOG })
  })
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  const shown = host.includes(':') ? `[${host}]` : host
  return {
    host,
    port: bound,
    url: `http://${shown}:${bound}`,
    close: async (graceMs = 10_000) => {
      // What arrived before this was accepted: a connection is taken in one turn, and read in the next.
      for (let turn = 0; turn < TURNS_TO_READ; turn += 1) await nextTurn()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      // A connection whose answer began before this would be kept for another request.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
      const forced = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearInterval(sweep)
      clearTimeout(forced)
    },
  }
}

/** Why it cannot listen there, as something that can be put right. */
function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const at = { field: 'port', cause: error }
  if (error.code === 'EADDRINUSE')
    return new MnemeError('conflict', `port: ${port} is taken; another program, or another Mneme, answers there`, {
      ...at,
      remedy: 'Stop that one, or choose another port (0 takes a free one).',
    })
  if (error.code === 'EACCES')
    return new MnemeError('invalid_input', `port: ${port} is not open to this user`, {
      ...at,
      remedy: 'Choose one above 1023.',
    })
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return invalid('host', `${host} is no address of this machine`, 'Use 127.0.0.1, or an address that it has.')
  return error
}
