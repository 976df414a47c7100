/**
 * MCP over streamable HTTP at `/mcp`: every request stands for itself, so that any number of clients and of restarts is
 * fine; a session is nothing but a name, by which a client cancels what is its own. Key, user, host guard and limits are those of REST; a call that streams keeps its place until the stream ends.
 */
import { randomUUID } from 'node:crypto'
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server'
import { MnemeError } from '../../domain/errors.ts'
import { inOneLine, problemOf } from '../http/problem.ts'
import { bytesOf, decodeUtf8, parseJson } from '../http/read-body.ts'
import { queryParameters, USER_PARAMETER } from '../http/read-request.ts'
import { admitStream } from '../http/respond-with-stream.ts'
import type { Admitted, ServerApp, Services } from '../http/services.ts'
import { InputRefusal } from '../operations/read-input.ts'
import { idInText } from './asked-id.ts'
import { beginsSession, createCancellation, SESSION_HEADER } from './cancellation.ts'
import type { Session } from './session.ts'

const PATH = '/mcp'
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
/** Streams of `subscriptions/listen` at once: there is nothing that they would be told. */
const LISTENERS = 8

/** Adds the route. */
export function addMcpRoute(app: ServerApp, services: Services, version: string): void {
  let handler: Promise<McpHttpHandler> | undefined
  const cancellation = createCancellation()
  app.post(PATH, (context) => {
    // The protocol's own code is loaded for the first client, not with every server.
    handler ??= createHandler(services)
    const serving = handler
    return admitStream(services, context, 'read', async (admitted, respond) => {
      const { fetch } = await serving
      const session = sessionOf(services, admitted, admitted.user(userParameter(context.req.url)), version)
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
}

/** The user that the address names; undefined where it names none. Throws where it says anything else. */
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

/** What was sent; the refusal of what is no JSON. */
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
  return createMcpHandler(({ authInfo }) => createServer(carried(authInfo)), {
    maxSubscriptions: LISTENERS,
    onerror: (error) => options.logger.debug('mcp', { reason: error.message }),
  })
}

function sessionOf({ options }: Services, { caller, signal }: Admitted, userId: string, version: string): Session {
  const { memory, logger, timeoutMs } = options
  const { scope, isOperator } = caller
  return { memory, userId, scope, isOperator, logger, version, signal, timeoutMs }
}

/** The handler hands on one thing of a request: who was let in. */
function carrying(session: Session): AuthInfo {
  return { token: '', clientId: session.userId, scopes: [session.scope], extra: { session } }
}

function carried(authInfo: AuthInfo | undefined): Session {
  return authInfo?.extra?.session as Session
}

/** The same response, and a promise that its body has ended or was given up. */
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
  return Response.json(
    { jsonrpc: '2.0', id, error: { code, message: inOneLine(problemOf(error).problem) } },
    { status: 400 },
  )
}
