/** Operations on the turns and rolling summaries of a conversation. */
import { z } from 'zod'
import { invalid } from '../../domain/errors.ts'
import type { Turn } from '../../domain/turn.ts'
import { pageOf, partOfList } from './field-names.ts'
import { operationsOf } from './operation.ts'
import * as schema from './schemas.ts'

const operation = operationsOf('Conversations')

const conversationId = { conversation_id: schema.id }
const fromTurn = schema.turnNumber.describe('The first turn.')
const toTurn = schema.turnNumber.describe('The last turn.')

export const listTurns = operation({
  summary: 'List the turns of a conversation in order, word for word.',
  input: z.strictObject({
    ...conversationId,
    from_turn: fromTurn.optional(),
    to_turn: toTurn.optional(),
    show_recalled: schema.flag('The metadata of an answer names the evidence that the model was shown. Default false.'),
    reveal_secrets: schema.revealSecrets,
    ...schema.pageInput,
  }),
  output: schema.page(schema.turn),
  rest: { method: 'get', path: '/conversations/{conversation_id}/turns' },
  mcp: {
    name: 'get_turns',
    description: 'Read a conversation, word for word.',
    fields: ['conversation_id', 'from_turn', 'to_turn', 'limit', 'offset'],
    defaults: { limit: 50 },
  },
  handler: async ({ memory, userId }, { conversationId, showRecalled = false, ...input }) => {
    const page = await memory.conversations.turns(conversationId, { ...input, userId })
    const items = showRecalled ? page.items : page.items.map(withoutRecalled)
    return pageOf({ ...page, items }, input)
  },
})

/** A turn without the list of what a model was shown, for which nobody asked. */
function withoutRecalled<T extends Pick<Turn, 'metadata'>>(turn: T): T {
  if (turn.metadata?.recalled === undefined) return turn
  const { recalled: _, ...metadata } = turn.metadata
  return { ...turn, metadata }
}

const oneTurn = { ...conversationId, turn_id: schema.turnNumber }

export const updateTurn = operation({
  summary: 'Give a turn other words, which everything made of it follows, or set the user’s mark on it.',
  input: z.strictObject({
    ...oneTurn,
    content: schema.text.optional(),
    is_collected: schema.flag('The mark of a turn that the user collects.'),
  }),
  output: schema.turn,
  rest: { method: 'patch', path: '/conversations/{conversation_id}/turns/{turn_id}' },
  mcp: {
    name: 'edit_turn',
    description: 'Correct the words of one logged turn, at the user’s wish.',
    fields: ['conversation_id', 'turn_id', 'content'],
  },
  cli: {
    command: 'conversations edit-turn',
    positional: ['conversation_id', 'turn_id'],
    without: ['is_collected'],
    changes: true,
  },
  handler: async ({ memory, userId }, { content, isCollected, ...turn }) => {
    if (content === undefined && isCollected === undefined)
      throw invalid('is_collected', 'is missing, as content is', 'Pass content or is_collected.')
    const edited = content === undefined ? null : await memory.conversations.editTurn({ ...turn, userId, content })
    return isCollected === undefined ? edited! : memory.conversations.collect({ ...turn, userId, isCollected })
  },
})

export const deleteTurn = operation({
  summary: 'Delete one turn for good, and what was remembered from it; the numbers of the others stay.',
  input: z.strictObject({ ...oneTurn, keep_memories: z.boolean().optional() }),
  output: schema.removed,
  rest: { method: 'delete', path: '/conversations/{conversation_id}/turns/{turn_id}' },
  mcp: { description: 'Delete one logged turn for good, at the user’s wish.', fields: ['conversation_id', 'turn_id'] },
  cli: { command: 'conversations delete-turn', positional: ['conversation_id', 'turn_id'] },
  handler: ({ memory, userId }, input) => memory.conversations.deleteTurn({ ...input, userId }),
})

export const listSummaries = operation({
  summary: 'List the rolling summaries of a conversation, oldest span first.',
  input: z.strictObject({ ...conversationId, ...schema.pageInput }),
  output: schema.page(schema.summary),
  rest: { method: 'get', path: '/conversations/{conversation_id}/summaries' },
  handler: async ({ memory, userId }, { conversationId, ...page }) =>
    pageOf(partOfList(await memory.conversations.summaries(conversationId, { userId }), page), page),
})

export const summarize = operation({
  summary: 'Summarise a span of turns now.',
  input: z.strictObject({ ...conversationId, from_turn: fromTurn, to_turn: toTurn }),
  output: z.object({
    summary_id: z.int(),
    conversation_id: z.string(),
    turns_summarized: z.array(z.int()),
    summary: z.string(),
    key_symbols: z.array(z.string()),
    key_decisions: z.array(z.string()),
  }),
  rest: { method: 'post', path: '/conversations/{conversation_id}/summarize' },
  cli: { command: 'summarize', program: true },
  handler: ({ memory, userId }, { conversationId, ...span }) =>
    memory.conversations.summarize(conversationId, { ...span, userId }),
})
