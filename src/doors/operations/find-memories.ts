/** Operations that read long-term memories. */
import { z } from 'zod'
import { type FoundLook, foundLook, foundView, type LookedView } from '../library/memories.ts'
import { camelFilters, pageOf, partOfList } from './field-names.ts'
import { type Call, fromLibrary, type InLibrary, operationsOf } from './operation.ts'
import * as schema from './schemas.ts'

export const operation = operationsOf('Long-term memories')

export const conditions = {
  memory_type: schema.memoryType.optional(),
  category: schema.category.optional(),
  source: schema.source.optional(),
  key: schema.id.optional().describe('Only facts of this name.'),
  who: schema.id.optional().describe('Only of this person.'),
  conversation_id: schema.id.optional().describe('Only from this conversation.'),
  tag: schema.id.optional().describe('Only with this tag.'),
}
type Conditions = { [Name in keyof InLibrary<typeof conditions>]?: string | undefined }

/** The input with its plain conditions and its filters as one filter; without any it has none. */
export function filtered<Input extends Conditions & { readonly filters?: unknown }>(input: Input) {
  const { memoryType, category, source, key, who, conversationId, tag, filters, ...rest } = input
  const given = Object.entries({ memoryType, category, source, key, who, conversationId, tag })
  const named = Object.fromEntries(given.filter(([, value]) => value !== undefined))
  const own = filters === undefined ? [] : [camelFilters(filters)]
  if (Object.keys(named).length === 0) return own.length === 0 ? rest : { ...rest, filters: own[0] }
  return { ...rest, filters: own.length === 0 ? named : { ...named, AND: own } }
}

const searchInput = z.strictObject({
  query: schema.query,
  limit: schema.limit.optional(),
  ranking: schema.memoryRanking.optional(),
  ...conditions,
  filters: schema.filters.optional(),
  project_root: schema.askedProject,
  time_range: schema.timeRange.optional(),
  as_of: schema.time.nullish().describe('As things stood at this moment.'),
  include_past: schema.includePast,
  now: schema.time.nullish().describe('The moment that recency is counted to.'),
  explain: schema.explain,
  reveal_secrets: schema.revealSecrets,
  topic_of: schema.id.nullish().describe('The running conversation, whose topic is searched as well.'),
  k_semantic: schema.mostOfType.describe('Most semantic memories; 5 with associative.'),
  k_episodic: schema.mostOfType.describe('Most episodic memories; 5 with associative.'),
})

export const searchMemories = operation({
  summary: 'Find the long-term memories that answer a question.',
  effect: 'read',
  input: searchInput,
  output: z.object({ results: z.array(schema.foundMemory), warnings: z.array(z.string()) }),
  rest: { method: 'post', path: '/memory/search', inReader: true },
  cli: { command: 'memory search', positional: ['query'], models: true, thought: true, without: ['filters'] },
  handler: async (call, input) => {
    const { results, warnings } = await foundAs(foundView, call, input)
    return {
      results: results.map(({ look, score, explanation }) => {
        return { ...look, sessionId: look.conversationId, score, ...(explanation === null ? {} : { explanation }) }
      }),
      warnings: [...warnings],
    }
  },
  json: async (call, input) => {
    const { results, warnings } = await foundAs(foundText, call, input)
    const found = results.map(({ look, score, explanation }) => {
      const ending = explanation === null ? '' : `,"explanation":${JSON.stringify(explanation)}`
      return `${look},"score":${score}${ending}}`
    })
    return `{"results":[${found.join(',')}],"warnings":${JSON.stringify(warnings)}}`
  },
})

const recordOf = fromLibrary(schema.memory)
/** The record as JSON without its closing brace, because the search's fields follow. */
const foundText = foundLook((view) => JSON.stringify(recordOf(view)).slice(0, -1))

function foundAs<T>(
  look: FoundLook<T>,
  { memory, userId }: Call,
  { query, topicOf, ...input }: InLibrary<z.output<typeof searchInput>>,
): Promise<LookedView<T>> {
  const conversation = topicOf === undefined ? {} : { conversationId: topicOf }
  return memory.searchAs(look, query, { ...filtered(input), ...conversation, userId })
}

export const listMemories = operation({
  summary: 'List long-term memories, last changed first.',
  input: z.strictObject({
    ...conditions,
    filters: schema.filters.optional(),
    project_root: schema.askedProject,
    as_of: schema.time.nullish(),
    include_past: schema.includePast,
    include_buried: schema.includeBuried,
    reveal_secrets: schema.revealSecrets,
    ...schema.pageInput,
  }),
  output: schema.page(schema.memory),
  rest: { method: 'get', path: '/memory/long-term' },
  mcp: {
    name: 'get_memories',
    description: 'List everything that is remembered, last changed first; to find something use recall.',
    fields: ['category', 'key', 'project_root', 'include_past', 'limit', 'offset'],
    defaults: { limit: 20 },
  },
  cli: { command: 'memory list', thought: true, without: ['filters'] },
  handler: async ({ memory, userId }, input) => pageOf(await memory.getAll({ ...filtered(input), userId }), input),
})

export const getMemory = operation({
  summary: 'Show one long-term memory.',
  input: z.strictObject({ id: schema.id }),
  output: schema.memory,
  rest: { method: 'get', path: '/memory/long-term/{id}' },
  mcp: { description: 'One memory by its id, with where it comes from.' },
  cli: { command: 'memory show', positional: ['id'] },
  handler: ({ memory, userId }, { id }) => memory.get(id, { userId }),
})

export const memoryHistory = operation({
  summary: 'Tell the story of a long-term memory, oldest first.',
  input: z.strictObject({ id: schema.id, ...schema.pageInput }),
  output: schema.page(schema.memoryEvent),
  rest: { method: 'get', path: '/memory/long-term/{id}/history' },
  mcp: { description: 'How a memory changed over time, and what it replaced.', fields: ['id'] },
  cli: { command: 'memory history', positional: ['id'] },
  handler: async ({ memory, userId }, { id, ...page }) =>
    pageOf(partOfList(await memory.history(id, { userId }), page), page),
})
