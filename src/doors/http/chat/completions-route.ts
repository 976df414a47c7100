/**
 * `/v1`: for any client of OpenAI's interface. A completion goes to the configured vendor as it is, with what is recalled
 * for it; the vendor's answer, errors too, goes back as it is. Errors of ours are written so that such clients read them.
 */
import type { Context } from 'hono'
import type { GatewayReply } from '../../../domain/contracts/model-gateway.ts'
import type { CompletionReply } from '../../../usecases/chat/complete.ts'
import { completeChat, listModels } from '../../operations/chat.ts'
import { readInput } from '../../operations/read-input.ts'
import { encodedHeader, USER_HEADER } from '../caller.ts'
import { DoorError, REQUEST_ID, responseWithId } from '../problem.ts'
import { readJsonRequest } from '../read-body.ts'
import { readRequest } from '../read-request.ts'
import { admitStream, bodyOf } from '../respond-with-stream.ts'
import type { ServerApp, Services } from '../services.ts'
import { openAiResponse } from './openai-problem.ts'

/** The header that names the conversation, in requests and answers. */
export const CONVERSATION_HEADER = 'x-conversation-id'
/** The header that finds the request in our log: `x-request-id` finds it in the vendor's, where that names one. */
export const OWN_REQUEST_ID = 'x-mneme-request-id'
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
  return admitStream(services, context, 'write', async ({ caller, user, signal: gone }, respond) => {
    const raw = readRequest(completeChat, context, {})
    const { text, value } = readJsonRequest(context, { anyNumber: true })
    const input = readInput(completeChat, { ...raw.input, body: text })
    const inHeader = context.req.header(USER_HEADER) !== undefined
    // What our own names say counts before OpenAI's, which many a client fills in by itself.
    const userId = user(inHeader ? raw.userId : (raw.userId ?? value.user ?? undefined))
    const stopping = new AbortController()
    const signal = AbortSignal.any([gone, stopping.signal])
    const call = { memory, userId, isOperator: caller.isOperator, signal }
    const reply = (await completeChat.handler(call, input)) as CompletionReply
    for (const warning of reply.warnings) logger.warn('A chat was answered with less.', { user: userId, warning })
    const { body, ended } = bodyOf(context, {
      pieces: withLastWords(reply, signal, context.get('requestId')),
      stop: () => stopping.abort(),
      patienceMs: services.options.timeoutMs,
    })
    respond(ofVendor(context, body, { ...reply, headers: { ...reply.headers, ...about(reply) } }))
    await ended
  })
}

function models(context: Context, services: Services): Promise<Response> {
  const { memory, defaultUser } = services.options
  return services.admit(context, { scope: 'read' }, async ({ caller, signal }) => {
    const raw = readRequest(listModels, context, {})
    const call = { memory, userId: caller.userId ?? defaultUser, isOperator: caller.isOperator, signal }
    const reply = (await listModels.handler(call, readInput(listModels, raw.input))) as GatewayReply
    const pieces: Uint8Array[] = []
    for await (const piece of reply.body) pieces.push(piece)
    return ofVendor(context, Buffer.concat(pieces), reply)
  })
}

/** The vendor's bytes. A stream of events that this server has to break off ends with an error that clients read. */
async function* withLastWords(
  { body, headers }: CompletionReply,
  signal: AbortSignal,
  requestId: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    const isEvents = headers['content-type']?.startsWith('text/event-stream') === true
    if (!isEvents || !(signal.reason instanceof DoorError)) throw error
    const refusal = await refused(signal.reason, requestId).text()
    yield new TextEncoder().encode(`\n\ndata: ${refusal}\n\n`)
  }
}

/** The vendor's answer under the vendor's id; under ours where it has none. */
function ofVendor(
  context: Context,
  body: Parameters<typeof responseWithId>[0],
  { status, headers }: Pick<GatewayReply, 'status' | 'headers'>,
): Response {
  const own: string = context.get('requestId')
  return responseWithId(body, status, { ...headers, [OWN_REQUEST_ID]: own }, headers[REQUEST_ID] ?? own)
}

/** What became of the request here, for whoever looks. */
function about({ conversationId, recalled, warnings }: CompletionReply): Record<string, string> {
  return {
    [CONVERSATION_HEADER]: encodedHeader(conversationId),
    'x-mneme-recalled': String(recalled),
    ...(warnings.length === 0 ? {} : { 'x-mneme-warning': shortHeader(warnings.join(' ')) }),
  }
}

/** As much of a text as servers in between let pass. */
function shortHeader(text: string): string {
  const { length } = encodedHeader(text)
  return encodedHeader(length <= LONGEST_HEADER ? text : text.slice(0, (text.length * LONGEST_HEADER) / length))
}

/** What is unexpected is logged where every error ends. */
function refused(error: unknown, requestId: string): Response {
  const response = openAiResponse(error, requestId)
  if (response.status === 500) throw error
  return response
}
