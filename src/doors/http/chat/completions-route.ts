/**
 * `/v1`: an endpoint for any client of OpenAI's or Anthropic's API; requests go to the configured vendor with recalled
 * context added. Vendor answers are returned unchanged, and our errors take the vendor's format.
 */
import type { Context } from 'hono'
import type { GatewayReply } from '../../../domain/contracts/models.ts'
import type { CompletionReply } from '../../../usecases/chat/complete.ts'
import { completeChat, countMessageTokens, createMessage, listModels } from '../../operations/chat.ts'
import type { AnyOperation } from '../../operations/operation.ts'
import { readInput } from '../../operations/read-input.ts'
import { encodedHeader, USER_HEADER } from '../caller.ts'
import { DoorError, isAnthropicPath, REQUEST_ID, responseWithId, vendorResponse } from '../problem.ts'
import { readJsonRequest } from '../read-body.ts'
import { readRequest } from '../read-request.ts'
import { admitStream, bodyOf } from '../respond-with-stream.ts'
import type { ServerApp, Services } from '../services.ts'

/** The conversation's header, in requests and answers. */
export const CONVERSATION_HEADER = 'x-conversation-id'
/** The request's id in our log; `x-request-id` is its id in the vendor's log, where the vendor gives one. */
export const OWN_REQUEST_ID = 'x-mneme-request-id'
/** Longest header in characters; proxies refuse much longer ones. */
const LONGEST_HEADER = 1000

export function addCompletionRoutes(app: ServerApp, services: Services): void {
  const add = (method: 'get' | 'post', path: string, answer: (context: Context) => Promise<Response>): void =>
    void app[method](path, (context) => answer(context).catch((error) => refused(error, context)))
  add('post', '/v1/chat/completions', (context) => complete(context, services, completeChat))
  add('post', '/v1/messages', (context) => complete(context, services, createMessage))
  add('post', '/v1/messages/count_tokens', (context) => ask(context, services, countMessageTokens))
  add('get', '/v1/models', (context) => ask(context, services, listModels))
}

function complete(
  context: Context,
  services: Services,
  operation: typeof completeChat | typeof createMessage,
): Promise<Response> {
  const { memory, logger } = services.options
  return admitStream(services, context, 'write', async ({ caller, user, turn, signal: gone }, respond) => {
    const raw = readRequest(operation, context, {})
    const { text, value } = readJsonRequest(context, { anyNumber: true })
    const inHeader = context.req.header(USER_HEADER) !== undefined
    // Our own names take precedence over OpenAI's `user`, which many clients fill in by default.
    const userId = user(inHeader ? raw.userId : (raw.userId ?? value.user ?? undefined))
    await turn(userId)
    const stopping = new AbortController()
    const signal = AbortSignal.any([gone, stopping.signal])
    const call = { memory, userId, isOperator: caller.isOperator, signal }
    const input = readInput(operation as AnyOperation, { ...raw.input, body: text })
    const reply = (await (operation as AnyOperation).handler(call, input)) as CompletionReply
    for (const warning of reply.warnings) logger.warn('A chat was answered with less.', { user: userId, warning })
    const { body, ended } = bodyOf(context, {
      pieces: withLastWords(reply, signal, context),
      stop: () => stopping.abort(),
      patienceMs: services.options.timeoutMs,
    })
    respond(ofVendor(context, body, { ...reply, headers: { ...reply.headers, ...about(reply) } }))
    await ended
  })
}

/** A request to the vendor that leaves nothing in memory. */
function ask(context: Context, services: Services, operation: AnyOperation): Promise<Response> {
  const { memory, defaultUser } = services.options
  return services.admit(context, { scope: 'read' }, async ({ caller, signal }) => {
    const { input } = readRequest(operation, context, {})
    const body = operation === listModels ? {} : { body: readJsonRequest(context, { anyNumber: true }).text }
    const call = { memory, userId: caller.userId ?? defaultUser, isOperator: caller.isOperator, signal }
    const reply = (await operation.handler(call, readInput(operation, { ...input, ...body }))) as GatewayReply
    const pieces: Uint8Array[] = []
    for await (const piece of reply.body) pieces.push(piece)
    return ofVendor(context, Buffer.concat(pieces), reply)
  })
}

/** The vendor's bytes. A stream of events that this server aborts ends with an error that clients can read. */
async function* withLastWords(
  { body, headers }: CompletionReply,
  signal: AbortSignal,
  context: Context,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    const isEvents = headers['content-type']?.startsWith('text/event-stream') === true
    if (!isEvents || !(signal.reason instanceof DoorError)) throw error
    const refusal = await refused(signal.reason, context).text()
    const name = isAnthropicPath(context.req.path) ? 'event: error\n' : ''
    yield new TextEncoder().encode(`\n\n${name}data: ${refusal}\n\n`)
  }
}

/** The vendor's answer under the vendor's request id, or under ours where it has none. */
function ofVendor(
  context: Context,
  body: Parameters<typeof responseWithId>[0],
  { status, headers }: Pick<GatewayReply, 'status' | 'headers'>,
): Response {
  const own: string = context.get('requestId')
  return responseWithId(body, status, { ...headers, [OWN_REQUEST_ID]: own }, headers[REQUEST_ID] ?? own)
}

/** Response headers about the handling of the request: conversation, recalled count and warnings. */
function about({ conversationId, recalled, warnings }: CompletionReply): Record<string, string> {
  return {
    [CONVERSATION_HEADER]: encodedHeader(conversationId),
    'x-mneme-recalled': String(recalled),
    ...(warnings.length === 0 ? {} : { 'x-mneme-warning': shortHeader(warnings.join(' ')) }),
  }
}

/** The part of a text that proxies accept as a header. */
function shortHeader(text: string): string {
  const { length } = encodedHeader(text)
  return encodedHeader(length <= LONGEST_HEADER ? text : text.slice(0, (text.length * LONGEST_HEADER) / length))
}

/** An error in the vendor's format. Rethrows unexpected errors, which the central handler logs. */
function refused(error: unknown, context: Context): Response {
  const response = vendorResponse(error, context.req.path, context.get('requestId'))
  if (response.status === 500) throw error
  return response
}
