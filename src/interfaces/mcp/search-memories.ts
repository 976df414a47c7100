/**
 * `search_memories(keyword, time_range)` of specification 001: what a model asks when it wants to remember, among
 * long-term memories and among what was said. What it is shown counts as used.
 */
import { z } from 'zod'
import { reasonOf } from '../../domain/errors.ts'
import type { OpenMemory } from '../library/index.ts'
import { operation } from '../operations/operation.ts'
import * as schema from '../operations/schemas.ts'
import { turnReference } from './reference.ts'

/** Most results of each kind. */
const MEMORIES = 10
const TURNS = 5

const timeRange = z.unknown().meta({
  anyOf: [{ type: 'string' }, { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } }],
  description: 'Dates, or words: "last week", "上周"',
})

const found = z.object({
  id: z.string(),
  kind: z.enum(['memory', 'turn']),
  text: z.string(),
  /** When it happened or was said. */
  time: schema.time,
  who: z.string().nullable(),
  score: z.number(),
})

export const searchMemories = operation({
  name: 'search_memories',
  subject: 'Tools',
  summary: 'Find memories and turns by a keyword or question and, if wanted, a stretch of time.',
  effect: 'read',
  input: z.strictObject({ keyword: schema.query, time_range: timeRange.optional() }),
  output: z.object({ results: z.array(found), warnings: z.array(z.string()).optional() }),
  rest: { absent: 'POST /memory/search and POST /recall ask for more.' },
  mcp: {
    description: 'Search memories and past conversations about the user. Ask before you say that you do not know.',
  },
  cli: { absent: '`mneme memory search` and `mneme recall` ask for more.' },
  handler: async ({ memory, userId }, { keyword, time_range }) => {
    const asked = { userId, ...(time_range === undefined ? {} : { timeRange: time_range as string }) }
    const memories = await memory.search(keyword, { ...asked, limit: MEMORIES })
    const turns = await memory.conversations.recall(keyword, { ...asked, kinds: ['turn'], limit: TURNS })
    const told = new Set(
      memories.results.flatMap(({ conversationId, sourceTurnIds }) =>
        sourceTurnIds.map((turnId) => `${conversationId} ${turnId}`),
      ),
    )
    const results: z.input<typeof found>[] = memories.results.map(({ id, text, occurredAt, who, score }) => {
      return { id, kind: 'memory', text, time: occurredAt, who, score }
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
    const warnings = [...memories.warnings, ...(turns.warnings ?? []), ...(await countUse(memory, userId, memories))]
    return { results, ...(warnings.length === 0 ? {} : { warnings: [...new Set(warnings)] }) }
  },
})

/** Counts what is shown as used. That it could not be counted is no reason not to answer. */
async function countUse(
  memory: OpenMemory,
  userId: string,
  { results }: { readonly results: readonly { readonly id: string }[] },
): Promise<readonly string[]> {
  if (results.length === 0) return []
  try {
    await memory.touch(
      results.map(({ id }) => id),
      { userId },
    )
    return []
  } catch (error) {
    return [`That these were used could not be noted: ${reasonOf(error)}`]
  }
}
