/** Operations on the log: conversations, and storing what is said in them. */
import { z } from 'zod'
import { updateSessionSummary } from './context-and-profile.ts'
import { pageOf } from './field-names.ts'
import { type AnyOperation, operationsOf, workOf } from './operation.ts'
import * as schema from './schemas.ts'

const operation = operationsOf('Conversations')

const conversationId = { conversation_id: schema.id }

const newTurn = z
  .strictObject({
    role: schema.role,
    content: schema.text,
    speaker: schema.id.nullish(),
    created_at: schema.time.nullish(),
    external_id: schema.id.nullish(),
    metadata: schema.metadata.nullish(),
    is_collected: z.boolean().optional(),
  })
  .meta({ id: 'NewTurn' })
const newTurns = z.array(newTurn).min(1).max(10_000)

const storedTurn = z
  .object({
    turn_id: z.int(),
    conversation_id: z.string(),
    symbols_extracted: z.array(z.string()),
    stored_at: schema.time,
    external_id: z.string().optional(),
    existed: z.boolean(),
  })
  .meta({ id: 'StoredTurn' })

export const createConversation = operation({
  summary: 'Begin a conversation, with or without its first turns; without an id it gets a new one.',
  input: z.strictObject({
    conversation_id: schema.id.nullish(),
    project_root: schema.id.nullish(),
    turns: newTurns.optional(),
  }),
  output: z.object({ ...schema.conversation.shape, turns: z.array(storedTurn) }),
  rest: { method: 'post', path: '/conversations', status: 201 },
  handler: async ({ memory, userId }, { turns, ...input }) => {
    if (turns === undefined) return { ...(await memory.conversations.create({ ...input, userId })), turns: [] }
    const stored = await memory.conversations.store({ ...input, userId, turns })
    return { ...(await memory.conversations.get(stored[0]?.conversationId ?? '', { userId })), turns: stored }
  },
})

export const storeTurns = operation({
  summary: 'Store turns of a conversation, in one transaction; the conversation begins when there is none.',
  input: z.strictObject({ ...conversationId, project_root: schema.id.nullish(), turns: newTurns }),
  output: z.object({ items: z.array(storedTurn) }),
  rest: {
    method: 'post',
    path: '/conversations/{conversation_id}/turns',
    status: 201,
  },
  mcp: {
    name: 'store_conversation',
    description: 'Log a conversation word for word, where nothing else does; for one fact use add_memory.',
    fields: ['conversation_id', 'project_root', 'turns'],
  },
  handler: async ({ memory, userId }, input) => ({ items: await memory.conversations.store({ ...input, userId }) }),
})

export const listConversations = operation({
  summary: 'List conversations, newest activity first.',
  input: z.strictObject({ project_root: schema.id.optional(), ...schema.pageInput }),
  output: schema.page(schema.conversation),
  rest: { method: 'get', path: '/conversations' },
  mcp: { description: 'List conversations, newest first.', fields: ['limit', 'offset'], defaults: { limit: 20 } },
  cli: { command: 'conversations list' },
  handler: async ({ memory, userId }, input) => pageOf(await memory.conversations.list({ ...input, userId }), input),
})

export const getConversation = operation({
  summary: 'Show one conversation.',
  input: z.strictObject(conversationId),
  output: schema.conversation,
  rest: { method: 'get', path: '/conversations/{conversation_id}' },
  handler: ({ memory, userId }, { conversationId }) => memory.conversations.get(conversationId, { userId }),
})

export const muteConversation = operation({
  summary: 'Show no model what was said in a conversation or is remembered from it; everything is kept.',
  input: z.strictObject(conversationId),
  output: schema.conversation,
  rest: { method: 'post', path: '/conversations/{conversation_id}/mute' },
  cli: { command: 'conversations mute', positional: ['conversation_id'] },
  handler: ({ memory, userId }, { conversationId }) => memory.conversations.mute(conversationId, { userId }),
})

export const unmuteConversation = operation({
  summary: 'Show models again what comes from a muted conversation.',
  effect: 'write',
  input: z.strictObject(conversationId),
  output: schema.conversation,
  rest: { method: 'delete', path: '/conversations/{conversation_id}/mute' },
  cli: { command: 'conversations unmute', positional: ['conversation_id'] },
  handler: ({ memory, userId }, { conversationId }) => memory.conversations.unmute(conversationId, { userId }),
})

/** Title and snippet belong to the session summary, but can also be changed under the conversation's path. */
const { cli: _, ...updating } = updateSessionSummary
export const updateConversation: AnyOperation = {
  ...updating,
  subject: 'Conversations',
  rest: { method: 'patch', path: '/conversations/{conversation_id}' },
  handler: async (call, input) => {
    // An unknown conversation is reported as such, not as a missing summary.
    await call.memory.conversations.get(String(input.conversation_id), { userId: call.userId })
    return updateSessionSummary.handler(call, input)
  },
}

export const deleteConversation = operation({
  summary: 'Delete a conversation for good, and what was remembered from it.',
  input: z.strictObject({
    ...conversationId,
    keep_memories: schema.flag('Memories that were made of it stay.'),
  }),
  output: schema.removed,
  rest: { method: 'delete', path: '/conversations/{conversation_id}' },
  handler: async ({ memory, userId }, input) => {
    await memory.conversations.get(input.conversationId, { userId })
    return memory.conversations.delete({ ...input, userId })
  },
})

export const deleteConversations = operation({
  summary: 'Delete for good what is older than a moment, or with all=true every conversation of the user.',
  input: z
    .strictObject({
      older_than: schema.time.optional(),
      all: z.boolean().optional(),
      keep_memories: z.boolean().optional(),
    })
    .meta({ oneOf: [{ required: ['older_than'] }, { required: ['all'] }] }),
  output: schema.removed,
  rest: { method: 'delete', path: '/conversations' },
  handler: (call, input) => call.memory.conversations.delete({ ...input, userId: call.userId }, workOf(call)),
})
