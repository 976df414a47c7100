/** The official MCP clients, of SDK 2 in both revisions and of SDK 1, over stdio and HTTP, behind one face for tests. */
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { COMPILED } from '../e2e/cli-process.ts'

/** The command line as a process: `node cli-entry.ts mneme …`. */
export const CLI_ENTRY = fileURLToPath(new URL('../e2e/cli-entry.ts', import.meta.url))

const BUNDLED = process.env.MNEME_BUNDLED_CLI
/** Its environment: nothing but what the system needs, and the program as it was bundled and compiled. */
export const CLI_ENVIRONMENT: Record<string, string> = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  NODE_COMPILE_CACHE: COMPILED,
  ...(BUNDLED === undefined ? {} : { MNEME_BUNDLED_CLI: BUNDLED }),
}

/** The answer of a tool. */
export interface Called {
  readonly isError: boolean
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of many shapes
  readonly structured: any
}

/** How a call is made. */
export interface CallOptions {
  readonly signal?: AbortSignal
  readonly onprogress?: (progress: { readonly progress: number; readonly total?: number | undefined }) => void
}

/** A connected client. */
export interface ToolClient {
  readonly protocol: string | undefined
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Called>
  tools(): Promise<readonly { readonly name: string; readonly annotations?: unknown }[]>
  close(): Promise<void>
}

/** Where to connect. */
export type Target =
  | { readonly db: string; readonly user: string; readonly folder?: string }
  | { readonly url: string; readonly headers?: Record<string, string> }

const INFO = { name: 'mneme-test', version: '1' }

function command(target: Extract<Target, { readonly db: string }>) {
  const args = [CLI_ENTRY, 'mneme', 'mcp', '--db', target.db, '--user', target.user]
  return {
    command: process.execPath,
    args,
    env: CLI_ENVIRONMENT,
    cwd: target.folder ?? tmpdir(),
    stderr: 'inherit' as const,
  }
}

/** The client of SDK 2; `modern`: it speaks the newest revision of the protocol where the server does. */
export async function connectSdk2(target: Target, { modern = false } = {}): Promise<ToolClient> {
  const client = new Client2(INFO, { versionNegotiation: { mode: modern ? 'auto' : 'legacy' } })
  const headers = 'url' in target ? (target.headers ?? {}) : {}
  await client.connect(
    'url' in target
      ? new Http2(new URL('/mcp', target.url), { requestInit: { headers } })
      : new Stdio2(command(target)),
  )
  return {
    protocol: client.getNegotiatedProtocolVersion(),
    call: async (name, args, options) => called(await client.callTool({ name, arguments: args }, options)),
    tools: async () => (await client.listTools()).tools,
    close: () => client.close(),
  }
}

/** The client of SDK 1. */
export async function connectSdk1(target: Target): Promise<ToolClient> {
  const client = new Client1(INFO)
  const headers = 'url' in target ? (target.headers ?? {}) : {}
  await client.connect(
    'url' in target
      ? new Http1(new URL('/mcp', target.url), { requestInit: { headers } })
      : new Stdio1(command(target)),
  )
  return {
    protocol: undefined,
    call: async (name, args, options) => called(await client.callTool({ name, arguments: args }, undefined, options)),
    tools: async () => (await client.listTools()).tools,
    close: () => client.close(),
  }
}

function called(result: { readonly [name: string]: unknown }): Called {
  const content = result.content as readonly { readonly text?: string }[]
  return { isError: result.isError === true, text: content[0]?.text ?? '', structured: result.structuredContent }
}
