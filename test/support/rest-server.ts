/** A real server on loopback over a memory of its own, and a client that is nothing but fetch. */
import { request } from 'node:http'
import { onTestFinished } from 'vitest'
import { serve } from '../../src/doors/cli/commands/serve.ts'
import type { Background } from '../../src/doors/http/background-thread.ts'
import type { Listening, ServeOptions } from '../../src/doors/http/serve.ts'
import { type OpenMemory, type OpenOptions, openMemory } from '../../src/doors/library/index.ts'

/** An answer as a test looks at it. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly body: any
  readonly text: string
}

/** A server to test against. */
export interface RestServer {
  readonly memory: OpenMemory
  readonly url: string
  /** One request; a body that is no text is sent as JSON. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  close(): Promise<void>
}

/** Opens a memory and serves it; `open` are more options of the memory. */
export async function startRestServer(
  options: Partial<Omit<ServeOptions, 'memory'>> & {
    readonly path?: string
    readonly open?: Omit<OpenOptions, 'path'>
    readonly background?: Background
  } = {},
): Promise<RestServer> {
  const { path = ':memory:', open, background, ...server } = options
  const opened = await openMemory({ ...open, path, elsewhere: background })
  const memory = background?.over(opened) ?? opened
  const listening = await serve({ memory, port: 0, version: '0.0.0', ...server })
  return { memory, url: listening.url, ask: asker(listening), close: () => closeBoth(listening, memory) }
}

/** A server for one test, closed when it has finished. */
export async function startForTest(options?: Parameters<typeof startRestServer>[0]): Promise<RestServer> {
  const server = await startRestServer(options)
  onTestFinished(() => server.close())
  return server
}

/** The header that shows a key. */
export const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` })

async function closeBoth(listening: Listening, memory: OpenMemory): Promise<void> {
  await listening.close(1000)
  await memory.close()
}

function asker({ url }: Listening): RestServer['ask'] {
  return async (method, path, body, headers = {}) => {
    const isJson = body !== undefined && typeof body !== 'string'
    const response = await fetch(url + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as string) }),
    })
    const text = await response.text()
    const isParsed = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, text, body: isParsed ? JSON.parse(text) : null }
  }
}

/** A request whose path and headers are sent to the byte: what fetch would put right. */
export function rawRequest(
  url: string,
  {
    method = 'GET',
    path,
    headers = {},
    body,
  }: { method?: string; path: string; headers?: Record<string, string>; body?: Buffer },
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
