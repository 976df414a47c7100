/**
 * `POST /chat`: takes a message, and answers with recalled context, text and end, as server-sent events or in one
 * piece.
 */
import type { Context } from 'hono'
import { invalid } from '../../../domain/errors.ts'
import type { ChatEvent } from '../../../usecases/chat/chat.ts'
import type { KeptReply } from '../../../usecases/keys.ts'
import { type ChatEvents, chat } from '../../operations/chat.ts'
import { snakeNames } from '../../operations/names.ts'
import { json } from '../operations-routes.ts'
import { inOneLine, problemJson, problemOf } from '../problem.ts'
import { checkedInput, idempotencyKey, readRequest } from '../read-request.ts'
import { admitStream, bodyOf } from '../respond-with-stream.ts'
import type { ServerApp, Services } from '../services.ts'

export function addChatRoute(app: ServerApp, services: Services): void {
  app.post('/chat', async (context) => {
    const requestId = context.get('requestId')
    try {
      return await answer(context, requestId, services)
    } catch (error) {
      if (error instanceof ModelFailure) return error.response(requestId)
      throw error
    }
  })
}

async function answer(context: Context, requestId: string, services: Services): Promise<Response> {
  const { memory } = services.options
  return admitStream(services, context, 'write', async ({ caller, user, turn, signal: gone }, respond) => {
    const raw = readRequest(chat, context, {})
    const userId = user(raw.userId)
    await turn(userId)
    const input = checkedInput(chat, raw.input)
    const key = idempotencyKey(context)
    if (key !== undefined && input.stream !== false)
      throw invalid('Idempotency-Key', 'holds for an answer in one piece only', 'Send stream: false, or no key.')
    const stopping = new AbortController()
    const signal = AbortSignal.any([gone, stopping.signal])
    const { isOperator } = caller
    const events = (await chat.handler({ memory, userId, isOperator, signal }, input)) as ChatEvents
    if (input.stream === false) {
      const asked = JSON.stringify(['post', '/chat', input])
      const work = (): Promise<KeptReply> => inOnePiece(events, requestId)
      const { repeated, ...reply } = await (key === undefined
        ? { ...(await work()), repeated: false }
        : answerOnce(memory, { userId, key, asked }, work))
      return respond(json(reply, repeated, requestId))
    }
    // Invalid input is refused before the stream begins.
    const first = await events.next()
    const { body, ended } = bodyOf(context, {
      pieces: eventBytes(first, events, requestId),
      stop: () => stopping.abort(),
      patienceMs: services.options.timeoutMs,
    })
    respond(new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } }))
    await ended
  })
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

/** Answers once under the key; when the answer cannot be stored for it, the answer carries a warning. */
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
    const warnings = [...said.warnings, `The answer is not kept under its Idempotency-Key: ${inOneLine(problem)}`]
    return { status, body: JSON.stringify({ ...said, warnings }), repeated: false }
  }
}

/** Rejects with `ModelFailure` when the model fails, since no idempotency key may keep that. */
async function inOnePiece(events: AsyncGenerator<ChatEvent, void>, requestId: string): Promise<KeptReply> {
  let seen: Record<string, unknown> = {}
  for await (const event of events) {
    const json = chatEventJson(event, requestId)
    if (event.kind === 'recalled') seen = { recalled: json.recalled, tokens: json.tokens }
    if (event.kind === 'done') return { status: 200, body: JSON.stringify({ ...json, ...seen }) }
    if (event.kind === 'error') throw new ModelFailure(event.error, json)
  }
  throw new ModelFailure(undefined, {})
}

/** A failure of the model; the answer still names the stored turns. */
class ModelFailure extends Error {
  readonly reason: unknown
  readonly json: Record<string, unknown>

  constructor(reason: unknown, json: Record<string, unknown>) {
    super('The model failed.')
    this.reason = reason
    this.json = json
  }

  response(requestId: string): Response {
    const { problem, headers } = problemOf(this.reason, requestId)
    return problemJson({ ...problem, ...this.json }, headers)
  }
}

type Ended = Extract<ChatEvent, { readonly kind: 'done' }>

/** The data of an event. */
function chatEventJson(event: ChatEvent, requestId: string): Record<string, unknown> {
  if (event.kind === 'delta') return { text: event.text }
  if (event.kind === 'recalled') {
    const { conversationId, turnId, recalled, tokens, warnings } = event
    return {
      ...idsOf(conversationId),
      turn_id: turnId,
      recalled: recalled.map(snakeNames),
      tokens,
      warnings,
    }
  }
  const { conversationId, userTurnId, assistantTurnId, warnings } = event
  const ids = { ...idsOf(conversationId), user_turn_id: userTurnId, assistant_turn_id: assistantTurnId }
  if (event.kind === 'error') return { ...problemOf(event.error, requestId).problem, ...ids, warnings }
  return { ...ids, ...answerOf(event), warnings }
}

function answerOf({ answer, model, usage, wouldHaveShown }: Ended): Record<string, unknown> {
  return {
    answer,
    model,
    usage: usage === null ? null : snakeNames(usage),
    ...(wouldHaveShown === null ? {} : { would_have_shown: wouldHaveShown }),
  }
}

function idsOf(conversationId: string): Record<string, string> {
  return { session_id: conversationId, conversation_id: conversationId }
}
