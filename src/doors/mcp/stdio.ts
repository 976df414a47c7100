/** Serves one client over two streams, until the input has ended and every request is answered. */
import type { Readable, Writable } from 'node:stream'
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server'
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio'
import { inOneLine, problemOf } from '../http/problem.ts'
import { decodeUtf8, parseJson } from '../http/read-request.ts'
import { createServer, type Session } from './server.ts'

export interface ServedStdio {
  finish(): void
  readonly closed: Promise<void>
}

export function serveStdio(session: Session, input: Readable, output: Writable): ServedStdio {
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
const NEWLINE = 0x0a
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

export interface LineTransport extends Transport {
  finish(): void
  readonly closed: Promise<void>
}

export function lineTransport(input: Readable, output: Writable): LineTransport {
  const unanswered = new Set<string | number>()
  let pieces: Buffer[] = []
  let size = 0
  let isTooLong = false
  /** First and last bytes of a line that is too long to keep. */
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let isFinishing = false
  let isClosed = false
  let resolveClosed = (): void => undefined
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve
  })

  const write = (message: unknown): Promise<void> =>
    new Promise((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  const refuse = (code: number, message: string, id: string | number | null): void =>
    void write({ jsonrpc: '2.0', id, error: { code, message } }).catch(() => undefined)
  const refuseLong = (): void => {
    const id = idAtEnds(head.toString(), tail.toString())
    const message = `A line has more than ${LONGEST_LINE} bytes. Send less at once.`
    refuse(id === null ? PARSE_ERROR : INVALID_REQUEST, message, id)
  }
  const goOn = (): void => {
    if (isFinishing && unanswered.size === 0) transport.close()
    else if (!isFinishing && input.isPaused() && unanswered.size < MOST_AT_ONCE) input.resume()
  }

  const accept = (line: Buffer): void => {
    let text = ''
    let value: unknown
    try {
      text = decodeUtf8(line)
      if (text.trim() === '') return
      value = parseJson(text)
    } catch (error) {
      const id = idInText(text)
      refuse(id === null ? PARSE_ERROR : INVALID_REQUEST, inOneLine(problemOf(error).problem), id)
      return
    }
    const message = messageOf(value)
    if (message === null) refuse(INVALID_REQUEST, 'This is no JSON-RPC 2.0 message.', idOf(value))
    else pass(message)
  }
  const pass = (message: JSONRPCMessage): void => {
    if (isAnswered(message)) unanswered.add(message.id)
    else if ('method' in message && message.method === 'notifications/cancelled') forget(message.params?.requestId)
    transport.onmessage?.(message)
  }
  const forget = (id: unknown): void => {
    if (typeof id === 'string' || typeof id === 'number') unanswered.delete(id)
    goOn()
  }

  const onData = (piece: Buffer): void => {
    let from = 0
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, from)) {
      keep(piece.subarray(from, at))
      from = at + 1
      endLine()
    }
    keep(piece.subarray(from))
    if (unanswered.size >= MOST_AT_ONCE) input.pause()
  }
  const endLine = (): void => {
    const line = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
    const wasTooLong = isTooLong
    pieces = []
    size = 0
    isTooLong = false
    if (wasTooLong) refuseLong()
    else accept(line)
  }
  const keep = (part: Buffer): void => {
    size += part.length
    if (size > LONGEST_LINE) {
      const seen = Buffer.concat(isTooLong ? [tail, part] : [...pieces, part])
      if (!isTooLong) head = Buffer.from(seen.subarray(0, ID_WITHIN))
      tail = Buffer.from(seen.subarray(-ID_WITHIN))
      isTooLong = true
      pieces = []
    } else if (part.length > 0 || pieces.length === 0) pieces.push(part)
  }
  const finish = (): void => {
    if (isFinishing) return
    isFinishing = true
    input.off('data', onData)
    goOn()
  }
  const onEnd = (): void => {
    if (!isFinishing && size > 0) endLine()
    finish()
  }
  const onOutputError = (error: Error): void => {
    transport.onerror?.(error)
    transport.close()
  }

  const transport: LineTransport = {
    closed,
    finish,
    start: async () => {
      input.on('data', onData).once('end', onEnd).once('close', finish).once('error', finish)
      output.on('error', onOutputError)
    },
    send: async (message) => {
      if (isClosed) throw new Error('The transport is closed.')
      await write(message)
      if (!('method' in message) && message.id !== undefined) unanswered.delete(message.id)
      goOn()
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      isFinishing = true
      input.off('data', onData)
      input.pause()
      // Errors of a closed reader are ignored.
      output.off('error', onOutputError).on('error', () => undefined)
      transport.onclose?.()
      resolveClosed()
    },
  }
  return transport
}

function isAnswered(message: JSONRPCMessage | null): message is JSONRPCRequest {
  return message !== null && isJSONRPCRequest(message) && message.method !== LISTEN
}

function messageOf(value: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(value)
  } catch {
    return null
  }
}

export function idOf(value: unknown): string | number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** Bytes at either end of an oversized message that are searched for its id. */
const ID_WITHIN = 512

const ID = String.raw`"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,255}")`
/** Names of the envelope that clients write in front of the id. */
const FIRST = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${ID}\s*,`)
/** An id just before the closing brace of a message is the message's own. */
const LAST = new RegExp(String.raw`,\s*${ID}\s*\}\s*$`)

/** As `idOf`, from only the first and last bytes of a message; null where the id is at neither end. */
function idAtEnds(head: string, tail: string): string | number | null {
  const id = (FIRST.exec(head) ?? LAST.exec(tail))?.[1]
  return id === undefined ? null : (JSON.parse(id) as string | number)
}

/** As `idOf`, from text that was refused although it may be JSON, as too deep or with duplicate names. Never throws. */
export function idInText(text: string): string | number | null {
  try {
    return idOf(JSON.parse(text))
  } catch {
    return null
  }
}
