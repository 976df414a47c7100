/** Operations with a model: a chat of ours, and what OpenAI's and Anthropic's interfaces have. */
import { z } from 'zod'
import type { GatewayReply } from '../../domain/contracts/models.ts'
import { invalid } from '../../domain/errors.ts'
import type { ChatEvent } from '../../usecases/chat/chat.ts'
import type { CompletionReply } from '../../usecases/chat/complete-chat.ts'
import { type Medium, operationsOf, type RestDoor } from './operation.ts'
import * as schema from './schemas.ts'

const operation = operationsOf('Chat')

export type ChatEvents = AsyncGenerator<ChatEvent, void>

export const chat = operation({
  summary:
    'Chat with a model that remembers. Events: `recalled` (the message is stored; what the model gets to see), `delta` (words), `done` or `error`. Without a model `done` says what one would have been shown.',
  input: z.strictObject({
    message: schema.text,
    session_id: schema.id.nullish().describe('The conversation. Default: a new one.'),
    conversation_id: schema.id.nullish().describe('The same as session_id.'),
    project_root: schema.id
      .nullish()
      .describe('The project that the conversation belongs to, within which is recalled. Default: its own.'),
    explain: schema.explain,
    go_on: schema.flag(
      'true: once the message is stored, the answer goes on when the caller leaves. Default false: the model is stopped.',
    ),
    stream: schema.flag(
      'false: one JSON answer, done once for an Idempotency-Key. Default true: server-sent events, which take no such key.',
    ),
  }),
  output: z.custom<ChatEvents>(),
  rest: { method: 'post', path: '/chat', own: { sends: ['text/event-stream', 'application/json'] } },
  handler: async ({ memory, userId, signal }, { message, sessionId, conversationId, projectRoot, explain, goOn }) => {
    const asked = { conversationId: oneOf(sessionId, conversationId), projectRoot, explain, goOn }
    return memory.chat.stream(message, { ...asked, userId, signal })
  },
})

const running = z.strictObject({ conversation_id: schema.id })

export const followChat = operation({
  summary: 'The events of the answer that is being given in a conversation, from its beginning; none without one.',
  input: running,
  output: z.custom<ChatEvents>(),
  rest: { method: 'get', path: '/chat/{conversation_id}', own: { sends: ['text/event-stream'] } },
  handler: async ({ memory, userId }, { conversationId }) => {
    await memory.conversations.get(conversationId, { userId })
    return memory.chat.follow(conversationId, { userId })
  },
})

export const stopChat = operation({
  summary: 'Stop the answer that is being given in a conversation; what was said by then is stored.',
  input: running,
  output: z.object({ stopped: z.boolean() }),
  rest: { method: 'delete', path: '/chat/{conversation_id}' },
  handler: async ({ memory, userId }, { conversationId }) => {
    await memory.conversations.get(conversationId, { userId })
    return { stopped: await memory.chat.stop(conversationId, { userId }) }
  },
})

function oneOf(session: string | null | undefined, conversation: string | null | undefined): string | null {
  if (session != null && conversation != null && session !== conversation)
    throw invalid('session_id', 'and conversation_id name two conversations', 'Name one.')
  return session ?? conversation ?? null
}

/** The fields of a vendor's request that are checked here; all others are passed on unchanged. */
const vendorBody = (more: object) => {
  const message = { type: 'object', required: ['role'], properties: { role: { type: 'string' } } }
  const model = { type: ['string', 'null'], description: 'Default: the configured one.' }
  const properties = { messages: { type: 'array', minItems: 1, items: message }, model, ...more }
  return z.string().meta({ type: 'object', required: ['messages'], properties })
}

/** The route of a vendor's interface: its answers, its raw body, and fields that stand in headers. */
const ofVendor = (path: string, sends: readonly Medium[], headers: Readonly<Record<string, string>>): RestDoor => {
  const body = { field: 'body', media: ['application/json'] } as const
  return { method: 'post', path, own: { sends, body, headers, ofVendor: true } }
}
const STREAMED = ['text/event-stream', 'application/json'] as const
const CONVERSATION = { conversation_id: 'X-Conversation-Id' }

const conversation_id = schema.id.nullish().describe('The conversation. Default: one made of how the chat begins.')

export const completeChat = operation({
  summary:
    'A chat completion as OpenAI’s interface has it, with memory: handed on to the configured model with what was recalled; every field that is not named here goes along untouched, and so do the answers and errors that come back.',
  input: z.strictObject({
    body: vendorBody({
      user: { type: ['string', 'null'], minLength: 1, description: 'Whose memory it is, without X-User-Id.' },
      session_id: { type: ['string', 'null'], minLength: 1, maxLength: 1024, description: 'Names the conversation.' },
    }),
    conversation_id,
  }),
  output: z.custom<CompletionReply>(),
  rest: ofVendor('/v1/chat/completions', STREAMED, CONVERSATION),
  handler: ({ memory, userId, signal }, input) => memory.chat.complete({ ...input, userId, signal }),
})

const messagesInput = {
  body: vendorBody({}),
  beta: schema.words('Handed on, as the two headers of Anthropic are.'),
  version: z.string().optional(),
  features: z.string().optional(),
}
const messagesHeaders = { version: 'anthropic-version', features: 'anthropic-beta' }

function messagesRequest({ body, beta, version, features }: z.infer<z.ZodObject<typeof messagesInput>>) {
  const feature: Record<string, string> = features === undefined ? {} : { 'anthropic-beta': features }
  const headers = { 'anthropic-version': version ?? '2023-06-01', ...feature }
  return { body, headers, query: beta === undefined ? '' : `?${new URLSearchParams({ beta })}` }
}

export const createMessage = operation({
  summary:
    'A message as Anthropic’s interface has it, with memory: handed on to the configured model with what was recalled behind everything that its cache may hold; tools, thinking and marks for the cache go along untouched, and so do the answers and errors that come back.',
  input: z.strictObject({ ...messagesInput, conversation_id }),
  output: z.custom<CompletionReply>(),
  rest: ofVendor('/v1/messages', STREAMED, { ...messagesHeaders, ...CONVERSATION }),
  handler: ({ memory, userId, signal }, { conversationId, ...asked }) =>
    memory.chat.complete({ ...messagesRequest(asked), protocol: 'messages', userId, conversationId, signal }),
})

export const countMessageTokens = operation({
  summary:
    'How many tokens a request of Anthropic’s interface has: the vendor’s count, without what would be recalled.',
  effect: 'read',
  input: z.strictObject(messagesInput),
  output: z.custom<GatewayReply>(),
  rest: ofVendor('/v1/messages/count_tokens', ['application/json'], messagesHeaders),
  handler: ({ memory, signal }, asked) => memory.chat.countTokens({ ...messagesRequest(asked), signal }),
})

export const listModels = operation({
  summary: 'The models that completions can name: the vendor’s list.',
  output: z.custom<GatewayReply>(),
  rest: { method: 'get', path: '/v1/models', own: { sends: ['application/json'], ofVendor: true } },
  handler: ({ memory, signal }) => memory.chat.models(signal),
})
