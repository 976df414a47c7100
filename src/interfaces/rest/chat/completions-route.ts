/**
 * `/v1`: for any client of OpenAI's interface. A completion goes to the configured vendor as it is, with what is recalled
 * for it; the vendor's answer, errors too, goes back as it is. Errors of ours are written so that such clients read them.
 */
import type { Context } from 'hono'
import { invalid } from '../../../domain/errors.ts'
import type { CompletionReply, GatewayReply } from '../../../engine/chat.ts'
import { decodedHeader } from '../caller.ts'
import { problemJson, problemOf } from '../problem.ts'
import { readJsonRequest } from '../read-body.ts'
import { queryParameters, USER_PARAMETER } from '../read-request.ts'
import { admitStream, bodyOf } from '../respond-with-stream.ts'
import type { ServerApp, Services } from '../services.ts'

/** The header that names the conversation, in requests and answers. */
export const CONVERSATION_HEADER = 'x-conversation-id'
/** Servers in between refuse headers that are much longer. */
const LONGEST_HEADER = 1000

/** Adds the routes. */
export function addCompletionRoutes(app: ServerApp, services: Services): void {
  app.post('/v1/chat/completions', (context) =>
    complete(context, services).catch((error) => refused(error, context.get('requestId'))),
  )
  app.get('/v1/models', (context) =>
    models(context, services).catch((error) => refused(error, context.get('requestId'))),
  )
}

function complete(context: Context, services: Services): Promise<Response> {
  const { memory, logger } = services.options
  return admitStream(services, context, 'write', async ({ user, signal: gone }, respond) => {
    const { text, value } = await readJsonRequest(context, services.options)
    const inHeader = context.req.header('x-user-id') !== undefined
    const [inQuery, ...more] = queryParameters(context.req.url).get(USER_PARAMETER) ?? []
    if (more.length > 0) throw invalid(USER_PARAMETER, 'is given twice', 'Give it once.')
    // What our own names say counts before OpenAI's, which many a client fills in by itself.
    const named = inHeader ? inQuery : (inQuery ?? value.user ?? undefined)
    const userId = user(named)
    const header = context.req.header(CONVERSATION_HEADER)
    const conversationId = header === undefined ? null : decodedHeader(header)
    const stopping = new AbortController()
    const signal = AbortSignal.any([gone, stopping.signal])
    const reply = await memory.chat.complete({ userId, conversationId, body: text, signal })
    for (const warning of reply.warnings) logger.warn('A chat was answered with less.', { user: userId, warning })
    const { body, ended } = bodyOf(context, reply.body, gone, () => stopping.abort())
    respond(new Response(body, { status: reply.status, headers: { ...reply.headers, ...about(reply) } }))
    await ended
  })
}

function models(context: Context, services: Services): Promise<Response> {
  return services.admit(context, { scope: 'read' }, async ({ signal }) => {
    const reply: GatewayReply = await services.options.memory.chat.models(signal)
    const pieces: Uint8Array[] = []
    for await (const piece of reply.body) pieces.push(piece)
    return new Response(Buffer.concat(pieces), { status: reply.status, headers: reply.headers })
  })
}

/** What became of the request here, for whoever looks. */
function about({ conversationId, recalled, warnings }: CompletionReply): Record<string, string> {
  return {
    [CONVERSATION_HEADER]: inHeader(conversationId),
    'x-mneme-recalled': String(recalled),
    ...(warnings.length === 0 ? {} : { 'x-mneme-warning': inHeader(warnings.join(' ').slice(0, LONGEST_HEADER)) }),
  }
}

/** The bytes of UTF-8, as `decodedHeader` reads them; control characters, which no header holds, are left out. */
function inHeader(text: string): string {
  return Buffer.from(text.replace(/\p{Cc}/gu, ' ')).toString('latin1')
}

/** A problem with OpenAI's `error` beside it. */
function refused(error: unknown, requestId: string): Response {
  const { problem, headers } = problemOf(error, requestId)
  if (problem.status === 500) throw error
  const kind =
    problem.status === 429 ? 'rate_limit_error' : problem.status < 500 ? 'invalid_request_error' : 'api_error'
  const message = `${problem.detail} ${problem.remedy}`
  const own = { message, type: kind, code: problem.code, param: problem.field ?? null }
  return problemJson({ ...problem, error: own }, headers)
}
