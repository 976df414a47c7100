/** Operations on what one conversation holds: its turns, those that the user collected, its rolling summaries. */
import { z } from 'zod'
import { camelNames, snakeNames } from './names.ts'
import { operation } from './operation.ts'
import { pageRecord, partOfList, sessionRecord } from './records.ts'
import * as schema from './schemas.ts'

const subject = 'Conversations'
const conversationId = { conversation_id: schema.id }

export const listTurns = operation({
  name: 'list_turns',
  subject,
  summary: 'List the turns of a conversation in order, word for word.',
  effect: 'read',
  input: z.strictObject({
    ...conversationId,
    from_turn: schema.turnNumber.optional(),
    to_turn: schema.turnNumber.optional(),
    is_collected: z
      .boolean()
      .optional()
      .meta({ description: 'Only turns that the user collected; false: the others.' }),
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
  cli: { command: 'conversations show' },
  handler: async ({ memory, userId }, { conversation_id, ...input }) => {
    const options = { ...camelNames(input), userId }
    return pageRecord(await memory.conversations.turns(conversation_id, options), input, sessionRecord)
  },
})

export const listCollectedTurns = operation({
  name: 'list_collected_turns',
  subject,
  summary: 'List the turns of all conversations that the user collected, the last said first.',
  effect: 'read',
  input: z.strictObject({ reveal_secrets: schema.revealSecrets, ...schema.pageInput }),
  output: schema.page(schema.turn),
  rest: { method: 'get', path: '/collected-turns' },
  mcp: { absent: 'What a person collects is for that person; recall finds the same turns.' },
  cli: { command: 'conversations collected', look: {} },
  handler: async ({ memory, userId }, input) =>
    pageRecord(await memory.conversations.collected({ ...camelNames(input), userId }), input, sessionRecord),
})

export const collectTurn = operation({
  name: 'collect_turn',
  subject,
  summary: 'Collect a turn: set the user’s mark on it, or take it off.',
  effect: 'write',
  input: z.strictObject({ ...conversationId, turn_id: schema.turnNumber, is_collected: z.boolean() }),
  output: schema.turn,
  rest: { method: 'patch', path: '/conversations/{conversation_id}/turns/{turn_id}' },
  mcp: { absent: 'Only the user collects.' },
  cli: { command: 'conversations collect' },
  handler: async ({ memory, userId }, input) =>
    sessionRecord(await memory.conversations.collect({ ...camelNames(input), userId })),
})

export const listSummaries = operation({
  name: 'list_summaries',
  subject,
  summary: 'List the rolling summaries of a conversation, oldest span first.',
  effect: 'read',
  input: z.strictObject({ ...conversationId, ...schema.pageInput }),
  output: schema.page(schema.summary),
  rest: { method: 'get', path: '/conversations/{conversation_id}/summaries' },
  mcp: { absent: 'recall answers with summaries where they fit.' },
  cli: { command: 'conversations show' },
  handler: async ({ memory, userId }, { conversation_id, ...page }) =>
    pageRecord(partOfList(await memory.conversations.summaries(conversation_id, { userId }), page), page, snakeNames),
})

export const summarize = operation({
  name: 'summarize',
  subject,
  summary: 'Summarise a span of turns now.',
  effect: 'write',
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
  mcp: { absent: 'Summaries are written as turns come in.' },
  cli: { command: 'summarize' },
  handler: async ({ memory, userId }, { conversation_id, from_turn, to_turn }) => {
    const span = { userId, fromTurn: from_turn, toTurn: to_turn }
    return snakeNames(await memory.conversations.summarize(conversation_id, span))
  },
})
