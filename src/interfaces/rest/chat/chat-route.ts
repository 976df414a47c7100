/** `POST /chat`: a message in; what was recalled, the words and the end out, as server-sent events or as one answer. */
import type { Context } from 'hono'
import { z } from 'zod'
import { invalid } from '../../../domain/errors.ts'
import type { ChatEvent } from '../../../engine/chat.ts'
import type { KeptReply } from '../../../engine/engine.ts'
import { operation } from '../../operations/operation.ts'
import { readInput } from '../../operations/read-input.ts'
import * as schema from '../../operations/schemas.ts'
import { problemJson, problemOf } from '../problem.ts'
import { idempotencyKey, readRequest } from '../read-request.ts'
import { admitStream, bodyOf } from '../respond-with-stream.ts'
import type { ServerApp, Services } from '../services.ts'
import { chatEventJson } from './chat-json.ts'

/** What the body may hold. */
export const chatInput = z.strictObject({
  message: schema.text,
  session_id: schema.id.nullish().meta({ description: 'The conversation. Default: a new one.' }),
  conversation_id: schema.id.nullish().meta({ description: 'The same as session_id.' }),
  stream: z.boolean().optional().meta({ description: 'false: one JSON answer. Default true: server-sent events.' }),
})

const absent = { absent: 'A chat is a stream, and MCP clients and shells have models of their own.' }
/** How the request is read; not in the table, since its answer is a stream. */
const chatOperation = operation({
  name: 'chat',
  subject: 'Chat',
  summary: 'Chat',
  effect: 'write',
  input: chatInput,
  output: z.unknown(),
  rest: { method: 'post', path: '/chat' },
  mcp: absent,
  cli: absent,
  handler: async () => null,
})

/** Adds the route. */
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
  return admitStream(services, context, 'write', async ({ user, signal: gone }, respond) => {
    const raw = await readRequest(chatOperation, context, {}, services.options)
    const userId = user(raw.userId)
    const input = readInput(chatOperation, raw.input) as z.output<typeof chatInput>
    const conversationId = sessionOf(input)
    const stopping = new AbortController()
    const signal = AbortSignal.any([gone, stopping.signal])
    const events = memory.chat.stream(input.message, { userId, conversationId, signal })
    if (input.stream === false) {
      const key = idempotencyKey(context)
      const asked = JSON.stringify(['post', '/chat', input])
      const work = (): Promise<KeptReply> => inOnePiece(events, requestId)
      const { repeated, ...reply } = await (key === undefined
        ? { ...(await work()), repeated: false }
        : memory.answerOnce({ userId, key, asked }, work))
      const headers = { 'content-type': 'application/json', ...(repeated ? { 'idempotency-replayed': 'true' } : {}) }
      return respond(new Response(reply.body, { status: reply.status, headers }))
    }
    // Bad input is refused before the stream begins.
    const first = await events.next()
    const { body, ended } = bodyOf(context, eventBytes(first, events, requestId), gone, () => stopping.abort())
    respond(new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } }))
    await ended
  })
}

function sessionOf({ session_id, conversation_id }: z.output<typeof chatInput>): string | null {
  if (session_id != null && conversation_id != null && session_id !== conversation_id)
    throw invalid('session_id', 'and conversation_id name two conversations', 'Name one.')
  return session_id ?? conversation_id ?? null
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

/** Rejects with `ModelFailure` where the model failed: no idempotency key is to keep that. */
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

/** The model failed; the answer names the stored turns all the same. */
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
