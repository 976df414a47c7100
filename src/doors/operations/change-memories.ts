/** Operations that change long-term memories. */
import { z } from 'zod'
import { invalid } from '../../domain/errors.ts'
import { breathe } from '../../domain/scheduling.ts'
import { conditions, filtered, operation } from './find-memories.ts'
import * as schema from './schemas.ts'

const description = {
  memory_type: schema.memoryType.optional(),
  category: schema.category.optional(),
  key: schema.id.nullish().describe('The name of the fact, such as drink.'),
  value: schema.json.optional(),
  tags: schema.tags.optional(),
  who: schema.id.nullish().describe('Whose it is: "user", or a name.'),
  confidence: schema.confidence.optional(),
  source: schema.source.optional(),
  importance: schema.importance.optional(),
  metadata: schema.metadata.nullish(),
  occurred_at: schema.time.nullish(),
  valid_to: schema.time.nullish().describe('Until when it holds; null: until it changes.'),
}

const added = z
  .object({
    results: z.array(
      z.object({
        id: z.string(),
        memory: z.string(),
        event: z.enum(['ADD', 'UPDATE', 'SUPERSEDE', 'NONE', 'PENDING']),
        superseded: z.array(z.string()).optional(),
        doubted: z.array(z.string()).optional(),
      }),
    ),
    rejected: z.array(z.object({ text: z.string(), reason: z.string() })),
    job_id: z.string().optional(),
  })
  .meta({ id: 'Added' })

export const addMemory = operation({
  summary: 'Remember a text or messages: think about them and keep what is worth it, or store them as they are.',
  input: z
    .strictObject({
      text: schema.text.optional().describe('What to remember.'),
      messages: z
        .array(z.strictObject({ role: schema.role, content: schema.text }))
        .min(1)
        .optional(),
      infer: schema.flag('Whether to think about it; if not, it is stored as it is (REST: the default).'),
      wait: schema.flag('With a model: wait for its answer, over HTTP as long as a request may take.'),
      conversation_id: schema.id.nullish(),
      project_root: schema.id
        .nullish()
        .describe(
          'The project that it is said in, or a path in it. What is about the user holds everywhere all the same.',
        ),
      created_at: schema.time.nullish(),
      external_id: schema.id.nullish(),
      source_turn_ids: z.array(schema.turnNumber).optional(),
      ...description,
    })
    .meta({ oneOf: [{ required: ['text'] }, { required: ['messages'] }] }),
  output: added,
  rest: { method: 'post', path: '/memory/long-term', status: 201, defaults: { infer: false } },
  mcp: {
    description:
      'Remember something that will matter later, as full sentences in the user’s language. What was not kept is told with the reason; infer: false keeps it word for word.',
    fields:
      'text messages infer category key value tags importance confidence conversation_id project_root metadata'.split(
        ' ',
      ),
  },
  cli: {
    command: 'memory add',
    positional: ['text'],
    without: ['messages', 'source_turn_ids'],
    off: ['infer'],
    creates: true,
    models: true,
  },
  handler: async ({ memory, userId, patienceMs: waitMs }, { text, messages, ...input }) => {
    if ((text === undefined) === (messages === undefined))
      throw invalid('text', 'or messages must be given, one of them', 'Pass text, or a list of messages.')
    return memory.add(text ?? messages ?? '', { ...input, userId, waitMs })
  },
})

export const updateMemory = operation({
  summary: 'Change a long-term memory; what is not named stays.',
  input: z.strictObject({
    id: schema.id,
    text: schema.text.optional().describe('The new text.'),
    ...description,
    occurred_at: schema.time.optional(),
    project_root: schema.id.nullish().describe('The project that it holds in; null: everywhere.'),
    if_updated_at: schema.time
      .optional()
      .describe('The updated_at of what was seen: refused as a conflict where it has changed since.'),
  }),
  output: schema.memory,
  rest: { method: 'patch', path: '/memory/long-term/{id}' },
  mcp: {
    description: 'Correct a memory; what is not named stays.',
    fields: ['id', 'text', 'category', 'tags', 'metadata'],
  },
  cli: { command: 'memory edit', positional: ['id'], without: ['if_updated_at'], changes: true },
  handler: ({ memory, userId }, { id, ...patch }) => memory.update(id, patch, { userId }),
})

export const buryMemory = operation({
  summary: 'Keep a long-term memory, but show it to no model; it is listed only with include_buried.',
  input: z.strictObject({ id: schema.id }),
  output: schema.memory,
  rest: { method: 'post', path: '/memory/long-term/{id}/bury' },
  cli: { command: 'memory bury', positional: ['id'] },
  handler: ({ memory, userId }, { id }) => memory.bury(id, { userId }),
})

export const unburyMemory = operation({
  summary: 'Take a buried long-term memory out again.',
  effect: 'write',
  input: z.strictObject({ id: schema.id }),
  output: schema.memory,
  rest: { method: 'delete', path: '/memory/long-term/{id}/bury' },
  cli: { command: 'memory unbury', positional: ['id'] },
  handler: ({ memory, userId }, { id }) => memory.unbury(id, { userId }),
})

export const deleteMemory = operation({
  summary: 'Delete one long-term memory for good, also out of lines that Mneme wrote into the profile.',
  input: z.strictObject({ id: schema.id }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  rest: { method: 'delete', path: '/memory/long-term/{id}' },
  mcp: { description: 'Delete one memory for good; stored conversations stay.' },
  handler: async ({ memory, userId }, { id }) => {
    await memory.delete(id, { userId })
    return { id, deleted: true as const }
  },
})

export const deleteMemories = operation({
  summary: 'Delete several long-term memories for good, at once; those that are not there are passed over.',
  effect: 'delete',
  input: z.strictObject({ ids: z.array(schema.id).min(1).max(10_000) }),
  output: schema.deleted,
  rest: { method: 'post', path: '/memory/delete' },
  handler: ({ memory, userId }, { ids }) => memory.deleteMany(ids, { userId }),
})

export const deleteAllMemories = operation({
  summary:
    'Delete all long-term memories of the user and what Mneme wrote into the profile for good, or all that pass a filter; conversations and working memory stay.',
  input: z.strictObject({ ...conditions, filters: schema.filters.optional() }),
  output: schema.deleted,
  rest: { method: 'delete', path: '/memory/long-term' },
  mcp: {
    description: 'Delete all memories of the user for good; stored conversations stay. Only when the user asks for it.',
    fields: [],
  },
  handler: async ({ memory, userId }, input) => memory.deleteAll({ ...filtered(input), userId }),
})

export const touchMemories = operation({
  summary: 'Count one use of each memory: for what a program of your own put into a model’s context.',
  input: z.strictObject({ ids: z.array(schema.id).min(1).max(10_000) }),
  output: z.object({ touched: schema.count }),
  rest: { method: 'post', path: '/memory/touch' },
  handler: async ({ memory, userId, signal }, { ids }) => {
    const wanted = new Set(ids)
    for (const id of wanted) {
      await breathe(signal)
      // Rejects for a memory of another user before anything is counted.
      await memory.get(id, { userId })
    }
    await memory.touch([...wanted], { userId })
    return { touched: wanted.size }
  },
})

export const previewUndo = operation({
  summary:
    'Show which memories undo would remove, leave because other turns say them, and bring back; changes nothing.',
  input: z.strictObject({ conversation_id: schema.id, turn_id: schema.turnNumber.optional() }),
  output: z.object({ gone: z.array(schema.memory), kept: z.array(schema.memory), restored: z.array(schema.memory) }),
  rest: { method: 'get', path: '/memory/undo' },
  handler: ({ memory, userId }, input) => memory.maintenance.undoPreview({ ...input, userId }),
})

export const undo = operation({
  summary: 'Take back what was remembered from a conversation, or from one turn of it; the turns stay.',
  effect: 'delete',
  input: z.strictObject({ conversation_id: schema.id, turn_id: schema.turnNumber.optional() }),
  output: z.object(schema.counts('removed', 'restored', 'cleared', 'profile_lines')),
  rest: { method: 'post', path: '/memory/undo' },
  handler: ({ memory, userId }, input) => memory.maintenance.undo({ ...input, userId }),
})
