/** Operations on the turns, collected turns and rolling summaries of a conversation. */
import { z } from 'zod'
import { invalid } from '../../domain/errors.ts'
import { camelNames, pageRecord, partOfList, sessionRecord, snakeNames } from './names.ts'
import { operationsOf } from './operation.ts'
import * as schema from './schemas.ts'

const operation = operationsOf('Conversations')

const conversationId = { conversation_id: schema.id }

export const listTurns = operation({
  name: 'list_turns',
  summary: 'List the turns of a conversation in order, word for word.',
  input: z.strictObject({
    ...conversationId,
    from_turn: schema.turnNumber.optional(),
    to_turn: schema.turnNumber.optional(),
    is_collected: z
      .boolean()
      .optional()
      .meta({ description: 'Only turns that the user collected; false: the others.' }),
    show_recalled: z.boolean().optional().meta({
      description: 'The metadata of an answer names the evidence that the model was shown. Default false.',
    }),
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
  handler: async ({ memory, userId }, { conversation_id, show_recalled = false, ...input }) => {
    const options = { ...camelNames(input), userId }
    return pageRecord(await memory.conversations.turns(conversation_id, options), input, (turn) => {
      const { recalled, ...metadata } = turn.metadata ?? {}
      return sessionRecord(show_recalled || recalled === undefined ? turn : { ...turn, metadata })
    })
  },
})

export const listCollectedTurns = operation({
  name: 'list_collected_turns',
  summary: 'List the turns of all conversations that the user collected, the last said first.',
  input: z.strictObject({ reveal_secrets: schema.revealSecrets, ...schema.pageInput }),
  output: schema.page(schema.turn),
  rest: { method: 'get', path: '/collected-turns' },
  cli: { command: 'conversations collected' },
  handler: async ({ memory, userId }, input) =>
    pageRecord(await memory.conversations.collected({ ...camelNames(input), userId }), input, sessionRecord),
})

const oneTurn = { ...conversationId, turn_id: schema.turnNumber }

export const updateTurn = operation({
  name: 'update_turn',
  summary: 'Give a turn other words, which everything made of it follows, or set the user’s mark on it.',
  input: z.strictObject({
    ...oneTurn,
    content: schema.text.optional(),
    is_collected: z.boolean().optional().meta({ description: 'The mark of a turn that the user collects.' }),
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
  handler: async ({ memory, userId }, { content, is_collected, ...turn }) => {
    const named = { ...camelNames(turn), userId }
    if (content === undefined && is_collected === undefined)
      throw invalid('is_collected', 'is missing, as content is', 'Pass content or is_collected.')
    const edited = content === undefined ? null : await memory.conversations.editTurn({ ...named, content })
    if (is_collected === undefined) return sessionRecord(edited!)
    return sessionRecord(await memory.conversations.collect({ ...named, isCollected: is_collected }))
  },
})

export const deleteTurn = operation({
  name: 'delete_turn',
  summary: 'Delete one turn for good, and what was remembered from it; the numbers of the others stay.',
  input: z.strictObject({ ...oneTurn, keep_memories: z.boolean().optional() }),
  output: schema.removed,
  rest: { method: 'delete', path: '/conversations/{conversation_id}/turns/{turn_id}' },
  mcp: {
    description: 'Delete one logged turn for good, at the user’s wish.',
    fields: ['conversation_id', 'turn_id'],
  },
  cli: { command: 'conversations delete-turn', positional: ['conversation_id', 'turn_id'] },
  handler: async ({ memory, userId }, input) =>
    snakeNames(await memory.conversations.deleteTurn({ ...camelNames(input), userId })),
})

export const listSummaries = operation({
  name: 'list_summaries',
  summary: 'List the rolling summaries of a conversation, oldest span first.',
  input: z.strictObject({ ...conversationId, ...schema.pageInput }),
  output: schema.page(schema.summary),
  rest: { method: 'get', path: '/conversations/{conversation_id}/summaries' },
  handler: async ({ memory, userId }, { conversation_id, ...page }) =>
    pageRecord(partOfList(await memory.conversations.summaries(conversation_id, { userId }), page), page, snakeNames),
})

export const summarize = operation({
  name: 'summarize',
  summary: 'Summarise a span of turns now.',
  input: z.strictObject({ ...conversationId, from_turn: schema.turnNumber, to_turn: schema.turnNumber }),
  output: z.object({
    summary_id: z.int(),
    conversation_id: z.string(),
    turns_summarized: z.array(z.int()),
    summary: z.string(),
    key_symbols: z.array(z.string()),
    key_decisions: z.array(z.string()),
  }),
  rest: { method: 'post', path: '/conversations/{conversation_id}/summarize' },
  handler: async ({ memory, userId }, { conversation_id, from_turn, to_turn }) => {
    const span = { userId, fromTurn: from_turn, toTurn: to_turn }
    return snakeNames(await memory.conversations.summarize(conversation_id, span))
  },
})
