/**
 * The HTTP server under the app. What never becomes a request (no HTTP, headers that are too large or too slow) is refused
 * in the words of every other error, and kept connections last longer than clients keep them.
 */
import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { invalid } from '../../domain/errors.ts'
import type { App } from './app.ts'
import { DoorError, problemOf, problemResponse } from './problem.ts'

/**
 * Milliseconds that a connection without a request is kept. Clients keep theirs for up to a minute (Node's five seconds are
 * just what httpx keeps them), and whoever sends on one that is being closed gets no answer.
 */
const KEPT_MS = 65_000
/** Milliseconds for the headers of a request, as for its body. */
const HEADERS_MS = 30_000

/** A server for an app; it does not listen yet. `hostname` stands in for a missing Host header. */
export function createHttpServer(fetch: App['fetch'], hostname: string): Server {
  const answering = new WeakMap<Socket, ServerResponse>()
  const listener = getRequestListener(fetch, { hostname, autoCleanupIncoming: true, errorHandler: refuseRequest })
  const server = createServer({ keepAliveTimeout: KEPT_MS, headersTimeout: HEADERS_MS }, (request, response) => {
    const { socket } = request
    answering.set(socket, response)
    response.once('close', () => answering.delete(socket))
    return listener(request, response)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Bytes in the middle of another answer would be read as a part of it.
    if (error.code === 'ECONNRESET' || !socket.writable || answering.get(socket)?.headersSent === true) socket.destroy()
    else socket.end(refusal(error.code), () => socket.destroy())
  })
  return server
}

/** An address or a Host header that makes no URL. */
function refuseRequest(error: unknown): Response {
  const isAddress = error instanceof RequestError
  return problemResponse(
    isAddress ? invalid('url', 'or the Host header is none', 'Send a path and a host name.') : error,
  )
}

/** The answer to what is no request, as bytes on the wire. */
function refusal(code: string | undefined): string {
  const { problem } = problemOf(errorOf(code))
  const body = JSON.stringify(problem)
  const head = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`
  return `${head}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
}

function errorOf(code: string | undefined): Error {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new DoorError('too_large', 431, 'The headers have more than 16384 bytes.', 'Send less in them.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new DoorError('timeout', 408, 'The request did not come in time.', 'Send it faster, or less at once.')
  return invalid('request', 'is not HTTP as RFC 9112 has it', 'Send it with a client of HTTP.')
}
