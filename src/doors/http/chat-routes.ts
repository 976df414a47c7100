/** Chats over HTTP: `POST /chat`, and `/v1` for OpenAI's and Anthropic's clients, whose requests go to the vendor with what is recalled. */
import type { Context } from 'hono'
import type { GatewayReply } from '../../domain/contracts/models.ts'
import { invalid } from '../../domain/errors.ts'
import type { ChatEvent } from '../../usecases/chat/chat.ts'
import type { CompletionReply } from '../../usecases/chat/complete-chat.ts'
import type { KeptReply } from '../../usecases/keys.ts'
import * as chats from '../operations/chat.ts'
import { snakeNames } from '../operations/field-names.ts'
import type { AnyOperation } from '../operations/operation.ts'
import { readInput } from '../operations/read-input.ts'
import { admitStream, readCall, type ServerApp, type Services } from './admission.ts'
import { bodyOf } from './answers.ts'
import { encodedHeader, USER_HEADER } from './caller.ts'
import { DoorError, isAnthropicPath, json, problemJson, problemOf, vendorResponse } from './problem.ts'
import { idempotencyKey, readJsonRequest, readRequest } from './read-request.ts'

export function addChatRoute(app: ServerApp, services: Services): void {
  app.post('/chat', (context) =>
    answer(context, context.get('requestId'), services).catch((error) => {
      if (error instanceof ModelFailure) return error.cause as Response
      throw error
    }),
  )
  app.get('/chat/:conversation_id', (context) =>
    admitStream(services, context, 'read', async (admitted, respond) => {
      const { input, signal: _, ...call } = await readCall(services, admitted, chats.followChat, context)
      await sendEvents(context, services, (await chats.followChat.handler(call, input)) as chats.ChatEvents, respond)
    }),
  )
}

async function answer(context: Context, requestId: string, services: Services): Promise<Response> {
  const { memory } = services.options
  return admitStream(services, context, 'write', async (admitted, respond) => {
    const { input, ...call } = await readCall(services, admitted, chats.chat, context)
    const { userId } = call
    await admitted.turn(userId)
    const key = idempotencyKey(context)
    if (key !== undefined && input.stream !== false)
      throw invalid('Idempotency-Key', 'holds for an answer in one piece only', 'Send stream: false, or no key.')
    const stopping = new AbortController()
    const signal = AbortSignal.any([call.signal, stopping.signal])
    const events = (await chats.chat.handler({ ...call, signal }, input)) as chats.ChatEvents
    if (input.stream === false) {
      const asked = JSON.stringify(['post', '/chat', input])
      const work = (): Promise<KeptReply> => inOnePiece(events, requestId)
      const { repeated, ...reply } = await (key === undefined
        ? { ...(await work()), repeated: false }
        : answerOnce(memory, { userId, key, asked }, work))
      return respond(json(reply, repeated))
    }
    await sendEvents(context, services, events, respond, () => stopping.abort())
  })
}

async function sendEvents(
  context: Context,
  { options: { timeoutMs } }: Services,
  events: chats.ChatEvents,
  respond: (response: Response) => void,
  stop: () => void = () => {},
): Promise<void> {
  // Invalid input is refused before the stream begins.
  const first = await events.next()
  const pieces = eventBytes(first, events, context.get('requestId'))
  const { body, ended } = bodyOf(context, { pieces, stop, patienceMs: timeoutMs })
  respond(new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } }))
  await ended
}

async function* eventBytes(
  first: IteratorResult<ChatEvent, void>,
  rest: AsyncGenerator<ChatEvent, void>,
  requestId: string,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const written = (event: ChatEvent): Uint8Array =>
    encoder.encode(`event: ${event.kind}\ndata: ${JSON.stringify(chatEventJson(event, requestId))}\n\n`)
  try {
    if (!first.done) yield written(first.value)
    for await (const event of rest) yield written(event)
  } finally {
    await rest.return()
  }
}

/** The answer under its key, or with a warning where the key cannot be noted; what the model said is never lost. */
async function answerOnce(
  memory: Services['options']['memory'],
  request: Parameters<typeof memory.answerOnce>[0],
  work: () => Promise<KeptReply>,
): Promise<KeptReply & { readonly repeated: boolean }> {
  let working: Promise<KeptReply> | undefined
  const begin = (): Promise<KeptReply> => {
    working ??= work()
    return working
  }
  try {
    return await memory.answerOnce(request, begin)
  } catch (error) {
    const { problem } = problemOf(error)
    if (working === undefined && problem.status < 500) throw error
    const { status, body } = await begin()
    const said = JSON.parse(body) as { readonly warnings: readonly string[] }
    const warnings = [...said.warnings, `The answer is not kept under its Idempotency-Key: ${problem.detail}`]
    return { status, body: JSON.stringify({ ...said, warnings }), repeated: false }
  }
}

async function inOnePiece(events: AsyncGenerator<ChatEvent, void>, requestId: string): Promise<KeptReply> {
  let seen: Record<string, unknown> = {}
  for await (const event of events) {
    const json = chatEventJson(event, requestId)
    if (event.kind === 'recalled') seen = { recalled: json.recalled, tokens: json.tokens }
    if (event.kind === 'done') return { status: 200, body: JSON.stringify({ ...json, ...seen }) }
    if (event.kind === 'error') throw modelFailure(event.error, requestId, json)
  }
  throw modelFailure(undefined, requestId)
}

class ModelFailure extends Error {}

/** A failure of the model, whose cause is the answer; that still names the stored turns. */
function modelFailure(reason: unknown, requestId: string, json: object = {}): ModelFailure {
  const { problem, headers } = problemOf(reason, requestId)
  return new ModelFailure('The model failed.', { cause: problemJson({ ...problem, ...json }, headers) })
}

function chatEventJson(event: ChatEvent, requestId: string): Record<string, unknown> {
  if (event.kind === 'delta') return { text: event.text }
  if (event.kind === 'recalled') {
    const { conversationId, turnId, recalled, tokens, warnings } = event
    return { ...idsOf(conversationId), turn_id: turnId, recalled: recalled.map(snakeNames), tokens, warnings }
  }
  const { conversationId, userTurnId, assistantTurnId, warnings } = event
  const ids = { ...idsOf(conversationId), user_turn_id: userTurnId, assistant_turn_id: assistantTurnId }
  if (event.kind === 'error') return { ...problemOf(event.error, requestId).problem, ...ids, warnings }
  const { answer, model, usage, wouldHaveShown } = event
  const shown = wouldHaveShown === null ? {} : { would_have_shown: wouldHaveShown }
  return { ...ids, answer, model, usage: usage === null ? null : snakeNames(usage), ...shown, warnings }
}

function idsOf(conversationId: string): Record<string, string> {
  return { session_id: conversationId, conversation_id: conversationId }
}

export const CONVERSATION_HEADER = 'x-conversation-id'
/** The request's id in our log; `x-request-id` is its id in the vendor's log, where the vendor gives one. */
export const OWN_REQUEST_ID = 'x-mneme-request-id'
/** Longest header in characters; proxies refuse much longer ones. */
const LONGEST_HEADER = 1000

export function addCompletionRoutes(app: ServerApp, services: Services): void {
  app.post('/v1/chat/completions', (context) => complete(context, services, chats.completeChat))
  app.post('/v1/messages', (context) => complete(context, services, chats.createMessage))
  app.post('/v1/messages/count_tokens', (context) => ask(context, services, chats.countMessageTokens))
  app.get('/v1/models', (context) => ask(context, services, chats.listModels))
}

function complete(
  context: Context,
  services: Services,
  operation: typeof chats.completeChat | typeof chats.createMessage,
): Promise<Response> {
  const { memory, logger } = services.options
  return admitStream(services, context, 'write', async ({ caller, user, turn, signal: gone }, respond) => {
    const raw = await readRequest(operation, context)
    const { text, value } = await readJsonRequest(context, { anyNumber: true })
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

function ask(context: Context, services: Services, operation: AnyOperation): Promise<Response> {
  const { memory, defaultUser } = services.options
  return services.admit(context, { scope: 'read' }, async ({ caller, signal }) => {
    const { input } = await readRequest(operation, context)
    const body =
      operation === chats.listModels ? {} : { body: (await readJsonRequest(context, { anyNumber: true })).text }
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
    const { path } = context.req
    const refusal = await vendorResponse(signal.reason, path, context.get('requestId')).text()
    const name = isAnthropicPath(path) ? 'event: error\n' : ''
    yield new TextEncoder().encode(`\n\n${name}data: ${refusal}\n\n`)
  }
}

/** The vendor's answer under the vendor's request id, else ours. */
function ofVendor(
  context: Context,
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>,
  { status, headers }: Pick<GatewayReply, 'status' | 'headers'>,
): Response {
  return new Response(body, { status, headers: { ...headers, [OWN_REQUEST_ID]: context.get('requestId') } })
}

function about({ conversationId, recalled, warnings }: CompletionReply): Record<string, string> {
  return {
    [CONVERSATION_HEADER]: encodedHeader(conversationId),
    'x-mneme-recalled': String(recalled),
    ...(warnings.length === 0 ? {} : { 'x-mneme-warning': shortHeader(warnings.join(' ')) }),
  }
}

function shortHeader(text: string): string {
  const { length } = encodedHeader(text)
  return encodedHeader(length <= LONGEST_HEADER ? text : text.slice(0, (text.length * LONGEST_HEADER) / length))
}
