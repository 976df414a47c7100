/** Serves one client over two streams, until the input has ended and every request is answered. */
import type { Readable, Writable } from 'node:stream'
import { isJSONRPCRequest, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server'
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio'
import { MnemeError } from '../../domain/errors.ts'
import { atOnce } from '../../domain/scheduling.ts'
import { inOneLine, problemOf } from '../http/problem.ts'
import { parsedJson, textOfBody } from '../http/read-request.ts'
import { readLines } from '../import-export/read-stream.ts'
import { createServer, type Session } from './server.ts'

export function serveStdio(session: Session, input: Readable, output: Writable): LineTransport {
  const transport = lineTransport(input, output)
  const { logger } = session
  serve(() => createServer(session), {
    transport,
    onerror: (error) => logger.debug('mcp', { reason: error.message }),
  })
  return transport
}

/** Longest line in bytes: the largest body of REST. */
const LONGEST_LINE = 16 * 1024 * 1024
/** Most requests at once; the client waits beyond that. */
const MOST_AT_ONCE = 64
/** A request that stays open, so its answer is not waited for. */
const LISTEN = 'subscriptions/listen'
const SPACE = 0x20
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const INTERNAL_ERROR = -32_603

export interface LineTransport extends Transport {
  finish(): void
  readonly closed: Promise<void>
}

export function lineTransport(input: Readable, output: Writable): LineTransport {
  const unanswered = new Set<unknown>()
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<void>()
  let isFinishing = false
  let isClosed = false
  /** Lets the reading go on, where it waits for answers. */
  let goOnReading = (): void => undefined

  const write = (message: unknown): Promise<void> =>
    new Promise((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  const refuse = (code: number, message: string, id: string | number | null = null): void =>
    void write({ jsonrpc: '2.0', id, error: { code, message } }).catch(() => undefined)
  const answered = (id: unknown): void => {
    unanswered.delete(id)
    if (isFinishing && unanswered.size === 0) void transport.close()
    if (unanswered.size < MOST_AT_ONCE) goOnReading()
  }
  const accept = (line: Uint8Array) => {
    // A blank line says nothing.
    if (line.every((byte) => byte <= SPACE)) return
    const { value, error, id } = atOnce(readMessage(line))
    if (error !== undefined) return refuse(error.code, error.message, id)
    let message: ReturnType<typeof parseJSONRPCMessage>
    try {
      message = parseJSONRPCMessage(value)
    } catch {
      return refuse(INVALID_REQUEST, 'This is no JSON-RPC 2.0 message.', idOf(value))
    }
    if (isJSONRPCRequest(message) && message.method !== LISTEN) unanswered.add(message.id)
    else if ('method' in message && message.method === 'notifications/cancelled') answered(message.params?.requestId)
    transport.onmessage?.(message)
  }
  const read = async (): Promise<void> => {
    for await (const { bytes } of readLines(input, LONGEST_LINE)) {
      if (isFinishing) return
      if (bytes === null) refuse(PARSE_ERROR, `A line has more than ${LONGEST_LINE} bytes. Send less at once.`)
      else
        try {
          accept(bytes)
        } catch (error) {
          transport.onerror?.(error as Error)
          refuse(INTERNAL_ERROR, problemOf(error).problem.detail)
        }
      if (unanswered.size < MOST_AT_ONCE) continue
      const { promise, resolve } = Promise.withResolvers<void>()
      goOnReading = resolve
      await promise
    }
  }
  const finish = (): void => {
    isFinishing = true
    if (unanswered.size === 0) void transport.close()
  }
  const onOutputError = (error: Error): void => {
    transport.onerror?.(error)
    void transport.close()
  }

  const transport: LineTransport = {
    closed,
    finish,
    start: async () => {
      output.on('error', onOutputError)
      // Input that breaks off has ended.
      read().then(finish, finish)
    },
    send: async (message) => {
      if (isClosed) throw new Error('The transport is closed.')
      await write(message)
      if (!('method' in message)) answered(message.id)
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      isFinishing = true
      goOnReading()
      // Errors of a closed reader are ignored.
      output.off('error', onOutputError).on('error', () => undefined)
      transport.onclose?.()
      resolveClosed()
    },
  }
  return transport
}

function idOf(value: unknown): string | number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** Longest refused message, in characters, that is parsed for its id. */
const LONGEST_WITH_ID = 1024 * 1024

/** In pieces: the JSON of a message, or why it is refused, with its id where it has one. Throws what is no refusal. */
export function* readMessage(bytes: Uint8Array) {
  let text = ''
  try {
    text = textOfBody(bytes)
    return { value: yield* parsedJson(text) }
  } catch (cause) {
    if (!(cause instanceof MnemeError)) throw cause
    let id: string | number | null = null
    try {
      if (text.length <= LONGEST_WITH_ID) id = idOf(JSON.parse(text))
    } catch {
      // It is no JSON at all.
    }
    const code = id === null ? PARSE_ERROR : INVALID_REQUEST
    return { id, error: { code, message: inOneLine(problemOf(cause).problem) } }
  }
}
