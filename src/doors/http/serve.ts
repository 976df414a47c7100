/** A listening server: binds, answers, and finishes accepted requests on shutdown. */
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { getRequestListener, RequestError } from '@hono/node-server'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { within } from '../../domain/scheduling.ts'
import { type App, createApp, type Mount } from './app.ts'
import { DoorError, forOpenAi, problemOf, problemResponse, stoppingError } from './problem.ts'
import { type AppOptions, USUAL_TIMEOUT_MS } from './server-options.ts'

export type ServeOptions = AppOptions & {
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** Default 7077; 0 takes a free one. */
  readonly port?: number | undefined
  readonly version: string
  /** Doors of other rooms at this server. Default: none. */
  readonly mounts?: readonly Mount[] | undefined
}

export type Listening = Awaited<ReturnType<typeof serve>>

/** Queue of unaccepted connections. Node's 511 are too few for a thousand at once: the system resets the others. */
const BACKLOG = 4096
/** Extra milliseconds for streams at shutdown, beyond the request timeout. */
const STREAMS_MS = 30_000
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/

/** Listens. Rejects with `invalid` when other machines could connect without a key, with `conflict` for a taken port. */
export async function serve({ host = '127.0.0.1', port = 7077, version, mounts, ...options }: ServeOptions) {
  const hasKey = options.apiKey !== undefined || (await options.memory.keys.exist())
  const isLocal = LOOPBACK.test(host)
  if (!isLocal && !hasKey)
    throw invalid(
      'host',
      `${host} can be reached by other machines, and no API key is set`,
      'Set MNEME_API_KEY or make a key with `mneme keys add`, or listen on 127.0.0.1.',
    )
  const allowedHosts = [...(options.allowedHosts ?? []), ...(isLocal ? [] : [host.toLowerCase()])]
  const keyRequired = options.keyRequired ?? !isLocal
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
    /**
     * Stops accepting requests and finishes the admitted ones. After `graceMs` (default: request timeout, plus 30 s for
     * streams) the rest ends with a 503 or an `error` event.
     */
    close: (graceMs = (options.timeoutMs ?? USUAL_TIMEOUT_MS) + STREAMS_MS) => closeServer(http, graceMs, app.stop),
  }
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const at = { field: 'port', cause: error }
  if (error.code === 'EADDRINUSE') {
    const remedy = 'Stop that one, or choose another port (0 takes a free one).'
    const message = `port: ${port} is taken; another program, or another Mneme, answers there`
    return new MnemeError('conflict', message, { ...at, remedy })
  }
  if (error.code === 'EACCES') {
    const remedy = 'Choose one above 1023.'
    return new MnemeError('invalid_input', `port: ${port} is not open to this user`, { ...at, remedy })
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return invalid('host', `${host} is no address of this machine`, 'Use 127.0.0.1, or an address that it has.')
  return error
}

/** Milliseconds that an idle connection is kept: longer than clients keep theirs, since a closing one gives no answer. */
const KEPT_MS = 65_000
const HEADERS_MS = 30_000
/** Requests of one connection that may wait for an answer: hardly a client sends the next one before. */
const MOST_UNANSWERED = 16

const EXPECTATION = 'Expect: only 100-continue is known here.'
const NO_HOST = invalid('Host', 'is missing', 'Send the header Host, as HTTP/1.1 asks for.')
const UNKNOWN_EXPECTATION = new DoorError(417, EXPECTATION, 'Leave the header Expect out.')

type HttpServer = ReturnType<typeof createHttpServer>

function createHttpServer(fetch: App['fetch'], hostname: string) {
  const connections = new Map<Socket, Set<ServerResponse>>()
  const listener = getRequestListener(fetch, { hostname, autoCleanupIncoming: true, errorHandler: refuseRequest })
  // Bodies have limits of their own, and an import may exceed every other request's time.
  const limits = { keepAliveTimeout: KEPT_MS, headersTimeout: HEADERS_MS, requestTimeout: 0, requireHostHeader: false }
  const take = (request: IncomingMessage, response: ServerResponse, refusal?: Error): unknown => {
    const { headers, httpVersion } = request
    const isWithoutHost = headers.host === undefined && httpVersion === '1.1'
    const refused = refusal ?? (isWithoutHost ? NO_HOST : null)
    const answers = connections.get(request.socket)
    // The bytes that came with the request that ended the connection.
    if (answers === undefined || request.socket.destroyed) return request.destroy()
    answers.add(response)
    if (answers.size > MOST_UNANSWERED) return request.socket.destroy()
    response.once('close', () => answers.delete(response))
    if (refused === null) return listener(request, response)
    request.resume()
    const answer = rendered(refused)
    return response.writeHead(answer.status, { ...answer.headers, connection: 'close' }).end(answer.body)
  }
  const server = createServer(limits, (request, response) => take(request, response))
  // Node would answer these without a body.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    take(request, response, UNKNOWN_EXPECTATION),
  )
  server.on('connection', (socket: Socket) => {
    connections.set(socket, new Set())
    socket.once('close', () => connections.delete(socket))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else refuseConnection(socket, connections.get(socket), errorOf(error.code))
  })
  return { server, connections }
}

function refuseConnection(socket: Socket, answers: ReadonlySet<ServerResponse> | undefined, error: Error): void {
  const isBegun = [...(answers ?? [])].some(({ headersSent }) => headersSent)
  if (!socket.writable || isBegun) return void socket.destroy()
  const { status, headers, body } = rendered(error)
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  const answer = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
  socket.end(answer, () => socket.destroy())
}

function refuseRequest(error: unknown): Response {
  const address = invalid('url', 'or the Host header is none', 'Send a path and a host name.')
  return problemResponse(error instanceof RequestError ? address : error)
}

function rendered(error: Error): { status: number; headers: Record<string, string>; body: string } {
  const { problem, headers } = problemOf(error)
  // The path is unknown here.
  const body = JSON.stringify(forOpenAi(problem))
  const type = { 'content-type': 'application/problem+json', 'content-length': String(Buffer.byteLength(body)) }
  return { status: problem.status, headers: { ...headers, ...type }, body }
}

function errorOf(code: string | undefined): Error {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new DoorError(431, 'The headers have more than 16384 bytes.', 'Send less in them.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new DoorError(408, 'The request did not come in time.', 'Send it faster, or less at once.')
  return invalid('request', 'is not HTTP as RFC 9112 has it', 'Send it with a client of HTTP.')
}

/** Turns of the event loop until everything received by the system has been read. */
const TURNS_TO_READ = 3
const SWEEP_MS = 50
/** Milliseconds for the rest of a partly received request head. */
const HEAD_MS = 1000
/** Milliseconds for aborted requests to get their error. */
const LAST_WORDS_MS = 2000

/** Closes a server. Work beyond `graceMs` is stopped by `breakOff`, which lets it answer. */
async function closeServer({ server, connections }: HttpServer, graceMs: number, breakOff: () => void): Promise<void> {
  // A connection is accepted in one turn of the event loop and read in the next.
  for (let turn = 0; turn < TURNS_TO_READ; turn += 1) await nextTurn()
  const begun = performance.now()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const sweep = setInterval(letGo, SWEEP_MS)
  letGo()
  const isLate = async (milliseconds: number) =>
    (await within(
      closed.then(() => true),
      milliseconds,
    )) === null
  if (await isLate(graceMs)) {
    breakOff()
    if (await isLate(LAST_WORDS_MS))
      for (const [socket, answers] of connections) refuseConnection(socket, answers, stoppingError())
  }
  await closed
  clearInterval(sweep)

  /** Closes idle connections; one with a pending answer closes after it instead of being kept alive. */
  function letGo(): void {
    server.closeIdleConnections()
    for (const [socket, answers] of connections) {
      const last = [...answers].at(-1)
      if (last !== undefined) {
        if (!last.headersSent) last.shouldKeepAlive = false
      } else if (socket.bytesRead === 0) socket.destroy()
      else if (performance.now() - begun > HEAD_MS) refuseConnection(socket, answers, stoppingError())
    }
  }
}
