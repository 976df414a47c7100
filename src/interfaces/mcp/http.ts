/**
 * MCP over streamable HTTP at `/mcp`: every request stands for itself, so that any number of clients and of restarts is
 * fine. Key, user, host guard and limits are those of REST; a call that streams keeps its place until the stream ends.
 */
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server'
import { MnemeError } from '../../domain/errors.ts'
import { inOneLine, problemOf } from '../rest/problem.ts'
import { decodeUtf8, parseJson, readBytes } from '../rest/read-body.ts'
import { admitStream } from '../rest/respond-with-stream.ts'
import type { Admitted, ServerApp, Services } from '../rest/services.ts'
import { idInText } from './asked-id.ts'
import type { Session } from './session.ts'

const PATH = '/mcp'
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
/** Streams of `subscriptions/listen` at once: there is nothing that they would be told. */
const LISTENERS = 8

/** Adds the route. */
export function addMcpRoute(app: ServerApp, services: Services, version: string): void {
  let handler: Promise<McpHttpHandler> | undefined
  app.on(['GET', 'POST', 'DELETE'], PATH, (context) => {
    // The protocol's own code is loaded for the first client, not with every server.
    handler ??= createHandler(services)
    const serving = handler
    return admitStream(services, context, 'read', async (admitted, respond) => {
      const session = sessionOf(services, admitted, version)
      const answer = await answerOf(await serving, context.req.raw, session, services)
      const { response, ended } = untilRead(answer, admitted.signal)
      respond(response)
      await ended
    })
  })
}

async function answerOf(
  { fetch }: McpHttpHandler,
  request: Request,
  session: Session,
  { options }: Services,
): Promise<Response> {
  if (request.method !== 'POST') return fetch(request)
  const body = await readBytes(request, options)
  let text = ''
  try {
    text = decodeUtf8(body)
    return await fetch(request, { parsedBody: parseJson(text), authInfo: carrying(session) })
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

function sessionOf({ options }: Services, { caller, user, signal }: Admitted, version: string): Session {
  const { memory, logger, timeoutMs } = options
  const { scope, isOperator } = caller
  return { memory, userId: user(undefined), scope, isOperator, logger, version, signal, timeoutMs }
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
  if (response.body === null) return { response, ended: Promise.resolve() }
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
