/** Operations that read long-term memories. */
import { z } from 'zod'
import type { Memory } from '../../domain/memory.ts'
import type { Show } from '../library/inputs.ts'
import { type FoundLook, foundLook, foundView, type LookedView } from '../library/memories.ts'
import { camelFilters, camelNames, pageRecord, partOfList, sessionRecord, snakeNames } from './names.ts'
import { type Call, operationsOf } from './operation.ts'
import * as schema from './schemas.ts'

export const operation = operationsOf('Long-term memories')

export const conditions = {
  memory_type: schema.memoryType.optional(),
  category: schema.category.optional(),
  source: schema.source.optional(),
  key: schema.id.optional().meta({ description: 'Only facts of this name.' }),
  who: schema.id.optional().meta({ description: 'Only of this person.' }),
  conversation_id: schema.id.optional().meta({ description: 'Only from this conversation.' }),
  tag: schema.id.optional().meta({ description: 'Only with this tag.' }),
}
type Conditions = { [Name in keyof typeof conditions]?: string | undefined }

export function filtersOf({ filters, ...plain }: Conditions & { readonly filters?: unknown }): { filters?: unknown } {
  const named = camelNames(plain)
  if (filters === undefined) return Object.keys(named).length === 0 ? {} : { filters: named }
  const own = camelFilters(filters)
  return { filters: Object.keys(named).length === 0 ? own : { ...named, AND: [own] } }
}

const searchInput = z.strictObject({
  query: schema.query,
  limit: schema.limit.optional(),
  ranking: schema.memoryRanking.optional(),
  ...conditions,
  filters: schema.filters.optional(),
  project_root: schema.askedProject,
  time_range: schema.timeRange.optional(),
  as_of: schema.time.nullish().meta({ description: 'As things stood at this moment.' }),
  include_past: schema.includePast,
  now: schema.time.nullish().meta({ description: 'The moment that recency is counted to.' }),
  explain: schema.explain,
  reveal_secrets: schema.revealSecrets,
  topic_of: schema.id.nullish().meta({ description: 'The running conversation, whose topic is searched as well.' }),
  k_semantic: schema.mostOfType.meta({ description: 'Most semantic memories; 5 with associative.' }),
  k_episodic: schema.mostOfType.meta({ description: 'Most episodic memories; 5 with associative.' }),
})

export const searchMemories = operation({
  name: 'search_memories',
  summary: 'Find the long-term memories that answer a question.',
  effect: 'read',
  input: searchInput,
  output: z.object({ results: z.array(schema.foundMemory), warnings: z.array(z.string()) }),
  rest: { method: 'post', path: '/memory/search', inReader: true },
  cli: { command: 'memory search', positional: ['query'], models: true, thought: true, without: ['filters'] },
  handler: async (call, input) => {
    const { results, warnings } = await foundAs(foundRecord, call, input)
    return {
      results: results.map(({ look, score, explanation }) => {
        return { ...look, score, ...(explanation === null ? {} : { explanation }) }
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

const foundRecord = (memory: Memory, show: Show) => sessionRecord(foundView(memory, show))
/** The record as JSON without its closing brace, because the search's fields follow. */
const foundText = foundLook((view) => JSON.stringify(sessionRecord(view)).slice(0, -1))

function foundAs<T>(
  look: FoundLook<T>,
  { memory, userId }: Call,
  { query, topic_of, ...input }: z.output<typeof searchInput>,
): Promise<LookedView<T>> {
  const { memory_type, category, source, key, who, conversation_id, tag, filters, ...rest } = input
  const filter = filtersOf({ memory_type, category, source, key, who, conversation_id, tag, filters })
  const options = { ...camelNames(rest), ...filter, userId }
  const conversation = topic_of === undefined ? {} : { conversationId: topic_of }
  return memory.searchAs(look, query, { ...options, ...conversation })
}

export const listMemories = operation({
  name: 'list_memories',
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
  handler: async ({ memory, userId }, { limit, offset, project_root, as_of, ...input }) => {
    const { include_past, include_buried, reveal_secrets, ...rest } = input
    const shown = { includePast: include_past, includeBuried: include_buried, revealSecrets: reveal_secrets }
    const page = { limit, offset }
    const options = { ...page, ...shown, projectRoot: project_root, asOf: as_of, ...filtersOf(rest), userId }
    return pageRecord(await memory.getAll(options), page, sessionRecord)
  },
})

export const getMemory = operation({
  name: 'get_memory',
  summary: 'Show one long-term memory.',
  input: z.strictObject({ id: schema.id }),
  output: schema.memory,
  rest: { method: 'get', path: '/memory/long-term/{id}' },
  mcp: { description: 'One memory by its id, with where it comes from.' },
  cli: { command: 'memory show', positional: ['id'] },
  handler: async ({ memory, userId }, { id }) => sessionRecord(await memory.get(id, { userId })),
})

export const memoryHistory = operation({
  name: 'memory_history',
  summary: 'Tell the story of a long-term memory, oldest first.',
  input: z.strictObject({ id: schema.id, ...schema.pageInput }),
  output: schema.page(schema.memoryEvent),
  rest: { method: 'get', path: '/memory/long-term/{id}/history' },
  mcp: { description: 'How a memory changed over time, and what it replaced.', fields: ['id'] },
  cli: { command: 'memory history', positional: ['id'] },
  handler: async ({ memory, userId }, { id, ...page }) =>
    pageRecord(partOfList(await memory.history(id, { userId }), page), page, snakeNames),
})
