/** Operations on context for a model: contexts, the profile, session summaries, working memory. */
import { z } from 'zod'
import { pageOf, partOfList } from './field-names.ts'
import { operationsOf } from './operation.ts'
import * as schema from './schemas.ts'

const operation = operationsOf('Context')
const profileOperation = operationsOf('Profile')
const sessionSummariesOperation = operationsOf('Session summaries')
const workingMemoryOperation = operationsOf('Working memory')

export const buildContext = operation({
  summary: 'Show what a model gets to see for a message, in layers, within a token budget.',
  effect: 'read',
  input: z.strictObject({
    message: schema.query,
    conversation_id: schema.id.nullish().describe('The running conversation, with its last turns.'),
    project_root: schema.askedProject,
    token_budget: z.int().min(1).optional().describe('Most tokens of everything. Default: 8000.'),
    evidence_tokens: z
      .int()
      .min(0)
      .optional()
      .describe('Most tokens of what is recalled. Default: what token_budget leaves, else memory.evidence_tokens.'),
    system: z.string().nullish().describe('Your own instructions, put first.'),
    now: schema.now,
    as_of: schema.time
      .nullish()
      .describe('As it would have been at this moment: without what was told, learnt or ended later.'),
    explain: schema.explain,
    reveal_secrets: schema.revealSecrets,
    without: z
      .array(schema.id)
      .max(1000)
      .optional()
      .describe('Memories to leave out, with the turns, titles and profile lines that tell them.'),
    count: schema.flag('false: nothing counts as used. Default true.'),
  }),
  output: z.object({
    layers: z.array(
      z.object({ level: z.int().min(0).max(5), name: z.string(), text: z.string(), tokens: schema.count }),
    ),
    messages: z.array(z.object({ role: schema.role, content: z.string() })),
    text: z.string(),
    tokens: schema.count,
    recalled: z.array(
      z.object({
        kind: z.enum(['memory', 'turn']),
        id: z.string().nullable(),
        conversation_id: z.string().nullable(),
        turn_id: z.int().nullable(),
        project_root: z.string().nullable(),
        text: z.string(),
        score: z.number(),
        tokens: schema.count,
        created_at: schema.time,
        explanation: schema.explanation.optional(),
        tells: z.array(z.string()).describe('Ids of memories whose whole text stands in it.'),
        ...schema.standing,
      }),
    ),
    omitted: z.array(z.object({ what: z.string(), reason: z.string() })),
    warnings: z.array(z.string()),
  }),
  rest: { method: 'post', path: '/context' },
  mcp: {
    name: 'load_context',
    description: 'Call it first, with the user’s message: profile, memories, summaries and turns that matter for it.',
    fields: ['message', 'conversation_id', 'project_root', 'token_budget', 'evidence_tokens'],
  },
  handler: ({ memory, userId }, { message, ...input }) => memory.context.build(message, { ...input, userId }),
})

const profile = z.object({ text: z.string(), updated_at: schema.time.nullable() }).meta({ id: 'Profile' })

export const getProfile = profileOperation({
  summary: 'Show the document about the user.',
  output: profile,
  rest: { method: 'get', path: '/profile' },
  mcp: { description: 'The document about the user: language, style, background.' },
  handler: ({ memory, userId }) => memory.profile.get({ userId }),
})

const profileLine = z.object({
  text: z.string(),
  source: z.enum(['user', 'machine']),
  memory_ids: z.array(z.string()),
  turns: z.array(z.object({ conversation_id: z.string(), turn_id: z.int().nullable() })),
})

export const listProfileLines = profileOperation({
  summary: 'List the statements of the document about the user, and the memories or turns that each comes from.',
  output: z.object({ items: z.array(profileLine) }),
  rest: { method: 'get', path: '/profile/lines' },
  handler: async ({ memory, userId }) => ({ items: await memory.profile.lines({ userId }) }),
})

export const setProfile = profileOperation({
  summary: 'Replace the document about the user; what the user wrote is never changed by the machine.',
  input: z.strictObject({ text: z.string().describe('The new document, in Markdown.') }),
  output: profile,
  rest: { method: 'put', path: '/profile' },
  cli: { command: 'profile set', creates: true },
  handler: ({ memory, userId }, { text }) => memory.profile.set({ userId, text }),
})

const ofConversation = z.strictObject({ conversation_id: schema.id })

export const listSessionSummaries = sessionSummariesOperation({
  summary: 'List the titles and snippets of conversations, newest first.',
  input: z.strictObject({ ...schema.pageInput, reveal_secrets: schema.revealSecrets }),
  output: schema.page(schema.sessionSummary),
  rest: { method: 'get', path: '/session-summaries' },
  cli: { command: 'sessions list', byDefault: true, thought: true },
  handler: async ({ memory, userId }, input) => pageOf(await memory.sessionSummaries.list({ ...input, userId }), input),
})

export const getSessionSummary = sessionSummariesOperation({
  summary: 'Show title and snippet of one conversation.',
  input: ofConversation,
  output: schema.sessionSummary,
  rest: { method: 'get', path: '/session-summaries/{conversation_id}' },
  cli: { command: 'sessions show', positional: ['conversation_id'], thought: true },
  handler: ({ memory, userId }, input) => memory.sessionSummaries.get({ ...input, userId }),
})

export const createSessionSummary = sessionSummariesOperation({
  summary: 'Write title and snippet of a conversation that has none; the machine leaves them alone.',
  input: z.strictObject({ conversation_id: schema.id, title: schema.text, snippet: z.string().optional() }),
  output: schema.sessionSummary,
  rest: { method: 'post', path: '/session-summaries', status: 201 },
  cli: { command: 'sessions add', positional: ['conversation_id'] },
  handler: ({ memory, userId }, input) => memory.sessionSummaries.create({ ...input, userId }),
})

export const updateSessionSummary = sessionSummariesOperation({
  summary: 'Change title or snippet of a conversation; the machine leaves them alone from then on.',
  input: z.strictObject({
    conversation_id: schema.id,
    title: schema.text.optional(),
    snippet: z.string().optional(),
  }),
  output: schema.sessionSummary,
  rest: { method: 'patch', path: '/session-summaries/{conversation_id}' },
  cli: { command: 'sessions edit', positional: ['conversation_id'], changes: true },
  handler: ({ memory, userId }, input) => memory.sessionSummaries.update({ ...input, userId }),
})

export const deleteSessionSummary = sessionSummariesOperation({
  summary: 'Delete title and snippet of a conversation for good; the conversation stays.',
  input: ofConversation,
  output: z.object({ conversation_id: z.string(), deleted: z.literal(true) }),
  rest: { method: 'delete', path: '/session-summaries/{conversation_id}' },
  cli: { command: 'sessions delete', positional: ['conversation_id'] },
  handler: async ({ memory, userId }, input) => {
    await memory.sessionSummaries.delete({ ...input, userId })
    return { ...input, deleted: true as const }
  },
})

const ofSession = z.strictObject({ session_id: schema.id })

export const listWorkingMemory = workingMemoryOperation({
  summary: 'List the live state of conversations that had a turn in the last 30 minutes.',
  input: z.strictObject({ ...schema.pageInput, reveal_secrets: schema.revealSecrets }),
  output: schema.page(schema.workingMemory),
  rest: { method: 'get', path: '/memory/working' },
  cli: { command: 'working list', byDefault: true },
  handler: async ({ memory, userId }, { revealSecrets, ...page }) =>
    pageOf(partOfList(await memory.workingMemory.list({ userId, revealSecrets }), page), page),
})

export const getWorkingMemory = workingMemoryOperation({
  summary: 'Show the live state of one conversation.',
  input: ofSession,
  output: schema.workingMemory,
  rest: { method: 'get', path: '/memory/working/{session_id}' },
  cli: { command: 'working show', positional: ['session_id'] },
  handler: ({ memory, userId }, { sessionId }) => memory.workingMemory.get({ userId, conversationId: sessionId }),
})

export const updateWorkingMemory = workingMemoryOperation({
  summary: 'Change topic, variables or emotion of one conversation; the next turn may change them again.',
  input: z.strictObject({
    session_id: schema.id,
    current_topic: z.string().nullish(),
    context_variables: schema.metadata.optional(),
    last_emotion: z.string().nullish(),
  }),
  output: schema.workingMemory,
  rest: { method: 'patch', path: '/memory/working/{session_id}' },
  cli: { command: 'working edit', positional: ['session_id'], changes: true },
  handler: ({ memory, userId }, { sessionId, ...patch }) =>
    memory.workingMemory.set({ userId, conversationId: sessionId, ...patch }),
})

export const deleteWorkingMemory = workingMemoryOperation({
  summary: 'Forget the live state of one conversation.',
  input: ofSession,
  output: z.object({ session_id: z.string(), deleted: z.literal(true) }),
  rest: { method: 'delete', path: '/memory/working/{session_id}' },
  cli: { command: 'working delete', positional: ['session_id'] },
  handler: async ({ memory, userId }, { sessionId }) => {
    await memory.workingMemory.delete({ userId, conversationId: sessionId })
    return { sessionId, deleted: true as const }
  },
})
