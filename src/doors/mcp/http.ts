/** MCP over streamable HTTP at `/mcp`; requests are stateless, and one is cancelled by closing its connection. */
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { inPieces } from '../../domain/scheduling.ts'
import { admitStream, type ServerApp, type Services } from '../http/admission.ts'
import type { Mount } from '../http/app.ts'
import { bytesOf, queryParameters, USER_PARAMETER } from '../http/read-request.ts'
import { InputRefusal } from '../operations/read-input.ts'
import type { Session } from './server.ts'
import { readMessage } from './stdio.ts'

const PATH = '/mcp'
/** Most streams of `subscriptions/listen` at once, which never carry a notice. */
const LISTENERS = 8

export const mcpRoute: Mount = { add: addMcpRoute }

function addMcpRoute(app: ServerApp, services: Services, version: string): void {
  let handler: Promise<McpHttpHandler> | undefined
  app.post(PATH, (context) => {
    // The protocol's library is loaded at the first request.
    handler ??= createHandler(services)
    const serving = handler
    return admitStream(services, context, 'read', async ({ caller, user, turn, signal }, respond) => {
      const { fetch } = await serving
      const { memory, logger, timeoutMs } = services.options
      const { scope, isOperator } = caller
      const userId = user(userParameter(context.req.url))
      await turn(userId)
      const { value: parsedBody, error, id } = await inPieces(readMessage(bytesOf(context.req.raw)))
      if (error !== undefined) return respond(Response.json({ jsonrpc: '2.0', id, error }, { status: 400 }))
      const session: Session = { memory, userId, scope, isOperator, logger, version, signal, timeoutMs }
      // The handler passes on nothing else of a request.
      const authInfo = { token: '', clientId: userId, scopes: [scope], extra: { session } }
      const { response, ended } = untilRead(await fetch(context.req.raw, { parsedBody, authInfo }), signal)
      respond(response)
      await ended
    })
  })
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

function untilRead(response: Response, signal: AbortSignal) {
  if (response.body === null) return { response: new Response(null, response), ended: Promise.resolve() }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const ended = response.body.pipeTo(writable, { signal }).catch(() => undefined)
  return { response: new Response(readable, response), ended }
}
