/** `search_memories(keyword, time_range)` of specification 001: one query over memories and turns. */
import { z } from 'zod'
import { check } from '../../domain/checks.ts'
import { findBoth, turnReference } from './connector.ts'
import { type InLibrary, operationsOf } from './operation.ts'
import { countUse } from './recall.ts'
import * as schema from './schemas.ts'

const operation = operationsOf('Search')

const found = z.object({
  id: z.string(),
  kind: z.enum(['memory', 'turn']),
  text: z.string(),
  time: schema.time,
  who: z.string().nullable(),
  project_root: z.string().nullable().optional().describe('Of a memory; null: it holds everywhere.'),
  score: z.number(),
})

export const searchEverything = operation({
  summary: 'Find memories and turns by a keyword or question and, if wanted, a stretch of time.',
  effect: 'read',
  input: z.strictObject({
    keyword: schema.query,
    time_range: schema.timeRange.optional(),
    project_root: schema.askedProject,
    count: schema.flag('true: the memories that are shown count as used.'),
  }),
  output: z.object({ results: z.array(found), warnings: z.array(z.string()).optional() }),
  rest: { method: 'post', path: '/search' },
  mcp: {
    name: 'search_memories',
    description:
      'Search memories and past conversations by key words or a time (“last week”), before you say that you do not know.',
    fields: ['keyword', 'time_range', 'project_root'],
    defaults: { count: true },
  },
  cli: { command: 'search', positional: ['keyword'], models: true, thought: true, without: ['count'] },
  handler: async ({ memory, userId }, { keyword, count = false, ...bounds }) => {
    check.query(keyword, 'keyword')
    const { memories, turns } = await findBoth(memory, keyword, { ...bounds, userId })
    const told = new Set(
      memories.results.flatMap(({ conversationId, sourceTurnIds }) =>
        sourceTurnIds.map((id) => `${conversationId} ${id}`),
      ),
    )
    const results: InLibrary<z.input<typeof found>>[] = memories.results.map((one) => {
      const { id, text, occurredAt, who, projectRoot, score } = one
      return { id, kind: 'memory', text, time: occurredAt, who, projectRoot, score }
    })
    for (const { conversationId, turnId, content = '', createdAt, speaker, role, relevance } of turns.results)
      if (turnId !== null && !told.has(`${conversationId} ${turnId}`))
        results.push({
          id: turnReference(conversationId, turnId),
          kind: 'turn',
          text: content,
          time: createdAt,
          who: speaker ?? role,
          score: relevance,
        })
    const shown = memories.results.map(({ id }) => id)
    const uncounted = count ? await countUse(memory, userId, shown) : []
    const warnings = [...memories.warnings, ...(turns.warnings ?? []), ...uncounted]
    return { results, ...(warnings.length === 0 ? {} : { warnings: [...new Set(warnings)] }) }
  },
})
