/** A listening server: binds, answers, and finishes accepted requests on shutdown. */
import { invalid, MnemeError } from '../../domain/errors.ts'
import { createApp, type Mount } from './app.ts'
import { closeServer, createHttpServer, type HttpServer } from './http-server.ts'
import { type AppOptions, USUAL_TIMEOUT_MS } from './options.ts'

/** Where to listen. */
export interface ServeOptions extends AppOptions {
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** Default 7077; 0 takes a free one. */
  readonly port?: number | undefined
  readonly version: string
  /** Doors of other rooms at this server. Default: none. */
  readonly mounts?: readonly Mount[] | undefined
}

/** A server that listens. */
export interface Listening {
  readonly host: string
  readonly port: number
  readonly url: string
  /**
   * Stops accepting requests and finishes the admitted ones. After `graceMs` (default: request timeout, plus 30 s for
   * streams) the rest ends with a 503 or an `error` event.
   */
  close(graceMs?: number): Promise<void>
}

/** Queue of unaccepted connections. Node's 511 are too few for a thousand at once: the system resets the others. */
const BACKLOG = 4096
/** Extra milliseconds for streams at shutdown, beyond the request timeout. */
const STREAMS_MS = 30_000
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/

/** Whether a host is reachable only from this machine. */
function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

/**
 * Listens. Rejects with `invalid` when other machines could connect without a key, and with `conflict` when the port is
 * taken.
 */
export async function serve({
  host = '127.0.0.1',
  port = 7077,
  version,
  mounts,
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
  const app = createApp({ ...options, allowedHosts, keyRequired }, version, mounts)
  const http = await new Promise<HttpServer>((resolve, reject) => {
    const made = createHttpServer(app.fetch, host)
    const { server } = made
    server.once('listening', () => resolve(made)).once('error', (error) => reject(listenError(error, host, port)))
    server.listen({ host, port, backlog: BACKLOG })
  })
  const address = http.server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  const shown = host.includes(':') ? `[${host}]` : host
  return {
    host,
    port: bound,
    url: `http://${shown}:${bound}`,
    close: (graceMs = (options.timeoutMs ?? USUAL_TIMEOUT_MS) + STREAMS_MS) => closeServer(http, graceMs, app.stop),
  }
}

/** The error of a failed bind, with its remedy. */
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
