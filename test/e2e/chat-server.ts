/** A server with a scripted vendor behind it, for tests of chat: everything real but the model's words. */

import { onTestFinished } from 'vitest'
import { serve } from '../../src/doors/cli/commands/serve.ts'
import type { AppOptions } from '../../src/doors/http/server-options.ts'
import { type OpenMemory, type OpenOptions, openMemory } from '../../src/doors/library/index.ts'
import { type ModelServer, type Script, startModelServer } from '../support/model-server.ts'

/** The key that the vendor asks for; it must never come back to a client. */
export const VENDOR_KEY = 'vendor-secret-0123456789'

export interface ChatServer {
  readonly url: string
  readonly memory: OpenMemory
  readonly vendor: ModelServer
  /** Warnings and errors of the server. */
  readonly logged: readonly string[]
}

/** Starts both; they end with the test. `memory: { llm: undefined }` has no model. */
export async function startChat(
  script: Script,
  options: {
    readonly memory?: Partial<OpenOptions>
    readonly app?: Partial<AppOptions>
    readonly llm?: Partial<OpenOptions['llm']>
  } = {},
): Promise<ChatServer> {
  const vendor = await startModelServer(script)
  const memory = await openMemory({
    path: ':memory:',
    thinking: false,
    llm: {
      provider: 'openai',
      baseUrl: vendor.url,
      model: 'configured-model',
      apiKey: VENDOR_KEY,
      retries: 0,
      ...options.llm,
    },
    ...options.memory,
  })
  const logged: string[] = []
  const note = (message: string, details?: object): void => void logged.push(`${message} ${JSON.stringify(details)}`)
  const ignore = (): void => {}
  const logger = { debug: ignore, info: ignore, warn: note, error: note }
  const server = await serve({ memory, port: 0, version: '0.0.0', logger, ...options.app })
  onTestFinished(async () => {
    await vendor.close()
    await server.close(100)
    await memory.close()
  })
  return { url: server.url, memory, vendor, logged }
}

/** Posts JSON, an object or text that is sent as it is. */
export function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Every conversation of the user, as lists of `role: content`, newest activity first. */
export async function said(memory: OpenMemory, userId = 'local'): Promise<readonly (readonly string[])[]> {
  const { items } = await memory.conversations.list({ userId })
  const all = items.map(async ({ conversationId }) => {
    const turns = await memory.conversations.turns(conversationId, { userId })
    return turns.items.map(({ role, content }) => `${role}: ${content}`)
  })
  return Promise.all(all)
}

/** The events of a stream of them. */
export async function eventsOf(
  response: Response,
): Promise<readonly { kind: string; data: Record<string, unknown> }[]> {
  return (await response.text())
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => {
      const [, kind = '', data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? []
      return { kind, data: JSON.parse(data) as Record<string, unknown> }
    })
}
