/** The chat of this server: its own, and OpenAI's interface. */
import { z } from 'zod'
import type { ExtraRoute } from '../openapi.ts'
import type { ServerApp, Services } from '../services.ts'
import { addChatRoute, chatInput } from './chat-route.ts'
import { addCompletionRoutes } from './completions-route.ts'

const EVENTS = { 'text/event-stream': {} }
const OBJECT = { type: 'object' }
const CONVERSATION = { type: 'string', minLength: 1, maxLength: 1024 }
const USER = {
  name: 'X-User-Id',
  in: 'header',
  required: false,
  description: 'Whose memory it is.',
  schema: { type: 'string', minLength: 1 },
}
const IDEMPOTENCY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'With `stream: false`: the same key with the same request is answered alike, once.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/** Adds the routes and says what to write about them. */
export function addChatRoutes(app: ServerApp, services: Services): readonly ExtraRoute[] {
  addChatRoute(app, services)
  addCompletionRoutes(app, services)
  return [CHAT, COMPLETIONS, MODELS]
}

const { $schema: _, ...input } = z.toJSONSchema(chatInput, { io: 'input' })
const CHAT: ExtraRoute = {
  method: 'post',
  path: '/chat',
  describe: {
    operationId: 'chat',
    summary: 'Chat with a model that remembers.',
    description:
      'Events: `recalled` (the message is stored; what the model gets to see), `delta` (words), `done` or `error`. Without a model `done` says what one would have been shown.',
    tags: ['Chat'],
    parameters: [USER, IDEMPOTENCY],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { ...input, properties: { ...input.properties, user_id: { type: 'string', minLength: 1 } } },
        },
      },
    },
    responses: {
      200: { description: 'The answer.', content: { ...EVENTS, 'application/json': { schema: OBJECT } } },
    },
  },
  errors: [400, 401, 403, 408, 409, 413, 415, 422, 429, 502, 503],
}

const COMPLETIONS: ExtraRoute = {
  method: 'post',
  path: '/v1/chat/completions',
  describe: {
    operationId: 'complete_chat',
    summary: 'A chat completion as OpenAI’s interface has it, with memory.',
    description:
      'Handed on to the configured model with what was recalled; every field that is not named here goes along untouched, and so do the answers and errors that come back.',
    tags: ['Chat'],
    parameters: [
      USER,
      {
        name: 'X-Conversation-Id',
        in: 'header',
        required: false,
        description: 'The conversation. Default: one made of how the chat begins.',
        schema: CONVERSATION,
      },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['messages'],
            properties: {
              messages: {
                type: 'array',
                minItems: 1,
                items: { type: 'object', required: ['role'], properties: { role: { type: 'string' } } },
              },
              model: { type: ['string', 'null'], description: 'Default: the configured one.' },
              user: { type: ['string', 'null'], minLength: 1, description: 'Whose memory it is, without X-User-Id.' },
              session_id: { ...CONVERSATION, type: ['string', 'null'], description: 'Names the conversation.' },
            },
          },
        },
      },
    },
    responses: {
      200: {
        description: 'What the model answers.',
        content: { ...EVENTS, 'application/json': { schema: OBJECT } },
      },
      default: { description: 'What the vendor answers, as it is.' },
    },
  },
  errors: [400, 401, 403, 408, 413, 415, 422, 429, 502, 503],
}

const MODELS: ExtraRoute = {
  method: 'get',
  path: '/v1/models',
  describe: {
    operationId: 'list_models',
    summary: 'The models that completions can name.',
    tags: ['Chat'],
    responses: {
      200: { description: 'The vendor’s list.', content: { 'application/json': { schema: OBJECT } } },
      default: { description: 'What the vendor answers, as it is.' },
    },
  },
  errors: [401, 403, 429, 502, 503],
}
