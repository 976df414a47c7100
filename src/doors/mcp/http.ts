/** MCP over streamable HTTP at `/mcp`; requests are stateless, a session id only lets a client cancel its own ones. */
import { randomUUID } from 'node:crypto'
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server'
import { MnemeError } from '../../domain/errors.ts'
import type { Mount } from '../http/app.ts'
import { inOneLine, problemOf } from '../http/problem.ts'
import { bytesOf, decodeUtf8, parseJson, queryParameters, USER_PARAMETER } from '../http/read-request.ts'
import { type Admitted, admitStream, type ServerApp, type Services } from '../http/services.ts'
import { InputRefusal } from '../operations/read-input.ts'
import type { Session } from './server.ts'
import { idInText, idOf } from './stdio.ts'

const PATH = '/mcp'
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
/** Most streams of `subscriptions/listen` at once, which never carry a notice. */
const LISTENERS = 8

const SESSION_HEADER = 'mcp-session-id'

export const mcpRoute: Mount = { exposes: [SESSION_HEADER], add: addMcpRoute }

function addMcpRoute(app: ServerApp, services: Services, version: string): readonly [] {
  let handler: Promise<McpHttpHandler> | undefined
  const cancellation = createCancellation()
  app.post(PATH, (context) => {
    // The protocol's library is loaded at the first request.
    handler ??= createHandler(services)
    const serving = handler
    return admitStream(services, context, 'read', async (admitted, respond) => {
      const { fetch } = await serving
      const session = sessionOf(services, admitted, admitted.user(userParameter(context.req.url)), version)
      await admitted.turn(session.userId)
      const message = readMessage(context.req.raw)
      if (message instanceof Response) return respond(message)
      const named = context.req.header(SESSION_HEADER)
      const owner = named === undefined ? null : JSON.stringify([admitted.caller.name, session.userId, named])
      const running = cancellation.take(owner, message.parsedBody)
      try {
        const authInfo = carrying({ ...session, cancelSignalOf: running.signalOf })
        const answer = await fetch(context.req.raw, { ...message, authInfo })
        const { response, ended } = untilRead(answer, admitted.signal)
        if (response.ok && beginsSession(message.parsedBody)) response.headers.set(SESSION_HEADER, randomUUID())
        respond(response)
        await ended
      } finally {
        running.end()
      }
    })
  })
  return []
}

function userParameter(url: string): unknown {
  const parameters = queryParameters(url)
  for (const name of parameters.keys())
    if (name !== USER_PARAMETER)
      throw new InputRefusal(
        name,
        'is not known here',
        `Leave it out; only ${USER_PARAMETER} may stand in the address.`,
      )
  const users = parameters.get(USER_PARAMETER)
  return users?.length === 1 ? users[0] : users
}

function readMessage(request: Request): Response | { readonly parsedBody: unknown } {
  const body = bytesOf(request)
  let text = ''
  try {
    text = decodeUtf8(body)
    return { parsedBody: parseJson(text) }
  } catch (error) {
    if (!(error instanceof MnemeError)) throw error
    return refusal(error, idInText(text))
  }
}

async function createHandler({ options }: Services): Promise<McpHttpHandler> {
  const [{ createMcpHandler }, { createServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
  ])
  return createMcpHandler(({ authInfo }) => createServer(authInfo?.extra?.session as Session), {
    maxSubscriptions: LISTENERS,
    onerror: (error) => options.logger.debug('mcp', { reason: error.message }),
  })
}

function sessionOf({ options }: Services, { caller, signal }: Admitted, userId: string, version: string): Session {
  const { memory, logger, timeoutMs } = options
  const { scope, isOperator } = caller
  return { memory, userId, scope, isOperator, logger, version, signal, timeoutMs }
}

/** Wraps the session as AuthInfo, the only request data that the handler passes on. */
function carrying(session: Session): AuthInfo {
  return { token: '', clientId: session.userId, scopes: [session.scope], extra: { session } }
}

function untilRead(
  response: Response,
  signal: AbortSignal,
): { readonly response: Response; readonly ended: Promise<void> } {
  if (response.body === null) return { response: new Response(null, response), ended: Promise.resolve() }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const ended = response.body.pipeTo(writable, { signal }).catch(() => undefined)
  return { response: new Response(readable, response), ended }
}

function refusal(error: MnemeError, id: string | number | null): Response {
  const code = id === null ? PARSE_ERROR : INVALID_REQUEST
  const message = inOneLine(problemOf(error).problem)
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status: 400 })
}

type RequestId = string | number

interface Running {
  /** Aborts when the request is cancelled; undefined when it cannot be. */
  signalOf(id: RequestId): AbortSignal | undefined
  end(): void
}

interface Cancellation {
  /** Registers the requests of a message and stops those that it cancels. `owner` is null without a session. */
  take(owner: string | null, message: unknown): Running
}

const NOBODYS: Running = { signalOf: () => undefined, end: () => undefined }

function createCancellation(): Cancellation {
  const running = new Map<string, Set<AbortController>>()
  const keyOf = (owner: string, id: RequestId): string => JSON.stringify([owner, id])
  return {
    take: (owner, message) => {
      if (owner === null) return NOBODYS
      const parts: readonly unknown[] = Array.isArray(message) ? message : [message]
      for (const id of parts.flatMap(cancelledId))
        for (const controller of running.get(keyOf(owner, id)) ?? []) controller.abort()
      const begun = new Map<RequestId, AbortController>()
      for (const id of parts.flatMap(requestId)) {
        const controller = new AbortController()
        begun.set(id, controller)
        const key = keyOf(owner, id)
        running.set(key, (running.get(key) ?? new Set()).add(controller))
      }
      return {
        signalOf: (id) => begun.get(id)?.signal,
        end: () => {
          for (const [id, controller] of begun) {
            const key = keyOf(owner, id)
            const same = running.get(key)
            same?.delete(controller)
            if (same?.size === 0) running.delete(key)
          }
        },
      }
    },
  }
}

function beginsSession(message: unknown): boolean {
  return (Array.isArray(message) ? message : [message]).some((part) => methodOf(part) === 'initialize')
}

function requestId(message: unknown): readonly RequestId[] {
  const id = methodOf(message) === undefined ? null : idOf(message)
  return id === null ? [] : [id]
}

function cancelledId(message: unknown): readonly RequestId[] {
  if (methodOf(message) !== 'notifications/cancelled') return []
  const { params } = message as { readonly params?: { readonly requestId?: unknown } | null }
  const id = idOf({ id: params?.requestId })
  return id === null ? [] : [id]
}

function methodOf(message: unknown): string | undefined {
  const method = typeof message === 'object' && message !== null && 'method' in message ? message.method : undefined
  return typeof method === 'string' ? method : undefined
}
