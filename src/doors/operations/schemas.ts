/** Schemas of the records at every door, with all that a reader of the OpenAPI document needs. */
import { z } from 'zod'
import { check, ISO_TIME } from '../../domain/checks.ts'
import type { MnemeError } from '../../domain/errors.ts'
import { LIMITS, MOST_IMPORTANT } from '../../domain/limits.ts'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES } from '../../domain/memory.ts'
import { RANKINGS } from '../../domain/recall.ts'
import { ROLES } from '../../domain/turn.ts'

/** A check of the library's as one of a schema, so that errors use the caller's field name. */
export function checkedBy(check: (field: string, value: unknown) => unknown) {
  return (value: string, context: z.core.$RefinementCtx): void => {
    try {
      check('', value)
    } catch (error) {
      const { message, remedy } = error as MnemeError
      context.addIssue({ code: 'custom', message: message.replace(/^: /, ''), params: { remedy } })
    }
  }
}

/** An id or a name, already checked here, so that errors use the caller's field name. */
export const id = z.string().min(1).max(LIMITS.idCharacters).superRefine(checkedBy(check.id))
/** A time in ISO 8601; without a zone it is UTC. */
export const time = z
  .string()
  .regex(ISO_TIME, 'is not a time')
  .meta({ examples: ['2026-05-07T10:30:00Z', '2026-05-07'] })
export const now = time.nullish().describe('The moment that "yesterday" is counted from.')
export const json = z.unknown()
export const metadata = z.record(z.string(), z.unknown())
export const text = z.string().min(1)
export const query = z.string().min(1).max(LIMITS.queryCharacters)

/** A switch, and a text, that may be left out: with what is said of them. */
export const flag = (note: string) => z.boolean().optional().describe(note)
export const words = (note: string) => z.string().optional().describe(note)

export const memoryType = z.enum(MEMORY_TYPES as ['episodic', 'semantic'])
export const category = z.enum(CATEGORIES as ['preference', 'fact', 'pattern'])
export const source = z.enum(MEMORY_SOURCES as ['user_stated', 'inferred', 'system'])
export const role = z.enum(ROLES as ['user', 'assistant', 'system', 'tool'])
export const confidence = z.number().min(0).max(1)
export const importance = z.int().min(0).max(MOST_IMPORTANT)
export const tags = z.array(id).max(LIMITS.tags)
export const turnNumber = z.int().min(1)
export const limit = z.int().min(1).max(LIMITS.resultLimit).describe('Most results.')
export const mostOfType = z.int().min(0).max(LIMITS.resultLimit).optional()
const offset = z.int().min(0).describe('Results to leave out first.')
export const memoryRanking = z.enum(['hybrid', 'long-term', 'associative'])
export const ranking = z.enum(RANKINGS as ['conversation', 'long-term', 'hybrid', 'associative'])
/** Conditions on memories: equality by plain values, operators by name, AND, OR and NOT. */
export const filters = z
  .record(z.string(), z.unknown())
  .describe(
    'Equality ({"category": "fact"}), operators ({"importance": {"gte": 2}}: eq, ne, in, nin, gt, gte, lt, lte, contains, icontains), and AND, OR, NOT around them.',
  )

export const askedProject = id
  .nullish()
  .describe('Only what is of this project, or of the one that this path lies in, and what is about the user.')

export const revealSecrets = flag('Show passwords and keys as they are. Default: masked.')

export const includeBuried = flag('Buried memories, too.')

export const includePast = flag('Superseded and ended memories, too.')

export const explain = flag('Say how every score came about.')

/** A time range, checked by the library, whose errors are more precise than a schema's. */
export const timeRange: z.ZodType<string | { readonly from?: string; readonly to?: string }> = z.any().meta({
  anyOf: [{ type: 'string' }, { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } }],
  description: 'Dates as {"from": …, "to": …}, or words: "last week", "上周"',
})

export const pageInput = { limit: limit.optional(), offset: offset.optional() }

export function page<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), total: z.int(), limit: z.int(), offset: z.int(), has_more: z.boolean() })
}

const nullableText = z.string().nullable()
const nullableTime = time.nullable()

export const memory = z
  .object({
    id: z.string(),
    memory_type: memoryType,
    text: z.string(),
    category,
    key: nullableText,
    value: json,
    tags: z.array(z.string()),
    conversation_id: nullableText,
    session_id: nullableText.describe('The same as conversation_id.'),
    who: nullableText,
    occurred_at: time,
    created_at: time,
    updated_at: time,
    confidence: z.number(),
    source,
    importance: z.int(),
    access_count: z.int(),
    last_accessed: nullableTime,
    valid_from: time,
    valid_to: nullableTime,
    superseded_by: nullableText,
    suspect: z.object({ reason: z.string(), since: time }).nullable(),
    source_turn_ids: z.array(z.int()),
    external_id: nullableText,
    metadata: metadata.nullable(),
    project_root: nullableText.describe(
      'The project that it is said of, and holds in; null: it is about the user and holds everywhere.',
    ),
    buried_at: nullableTime.describe('Since when it is kept without being shown to a model.'),
  })
  .meta({ id: 'Memory' })

export const explanation = z
  .object({
    ranking: z.string(),
    arms: z.array(z.string()),
    features: z.array(
      z.object({ feature: z.string(), value: z.number(), weight: z.number(), contribution: z.number() }),
    ),
    multipliers: z.array(z.object({ name: z.string(), factor: z.number() })),
    score: z.number(),
    matched: z.array(z.string()),
  })
  .meta({ id: 'Explanation' })

/** How a recalled text stands, as fields of its record. */
export const standing = {
  marks: z
    .array(z.string())
    .optional()
    .describe('What a context says of it: ended, in doubt. Absent: all of it holds.'),
  outdated: z
    .array(
      z.object({
        id: z.string(),
        text: z.string(),
        key: nullableText,
        superseded_by: nullableText,
        valid_to: time.nullable(),
        suspect: z.object({ reason: z.string(), since: time }).nullable(),
      }),
    )
    .optional()
    .describe('The memories told by a turn that the marks are about.'),
}

export const foundMemory = z
  .object({ ...memory.shape, score: z.number(), explanation: explanation.optional() })
  .meta({ id: 'FoundMemory' })

export const memoryEvent = z
  .object({
    memory_id: z.string(),
    event: z.enum(['ADD', 'UPDATE', 'SUPERSEDE', 'DELETE']),
    previous_text: nullableText,
    new_text: nullableText,
    created_at: time,
  })
  .meta({ id: 'MemoryEvent' })

export const conversation = z
  .object({
    conversation_id: z.string(),
    project_root: z.string(),
    created_at: time,
    last_active: time,
    summary: nullableText,
    turn_count: z.int(),
    last_turn_id: z.int(),
    is_muted: z.literal(true).optional().describe('No model is shown what was said in it, or is remembered from it.'),
  })
  .meta({ id: 'Conversation' })

export const turn = z
  .object({
    conversation_id: z.string(),
    session_id: z.string().describe('The same as conversation_id.'),
    turn_id: z.int(),
    role,
    content: z.string(),
    speaker: nullableText,
    created_at: time,
    external_id: nullableText,
    metadata: metadata.nullable(),
    is_collected: z.boolean().describe('Whether the user collected it.'),
    symbols: z.array(z.string()),
  })
  .meta({ id: 'Turn' })

export const summary = z
  .object({
    summary_id: z.int(),
    conversation_id: z.string(),
    start_turn: z.int(),
    end_turn: z.int(),
    summary: z.string(),
    key_symbols: z.array(z.string()),
    key_decisions: z.array(z.string()),
    created_at: time,
  })
  .meta({ id: 'Summary' })

export const sessionSummary = z
  .object({
    conversation_id: z.string(),
    session_id: z.string().describe('The same as conversation_id.'),
    title: z.string(),
    snippet: z.string(),
    created_at: time,
    updated_at: time,
    edited: z.boolean().describe('true: the user changed it, and the machine leaves it alone.'),
  })
  .meta({ id: 'SessionSummary' })

export const workingMemory = z
  .object({
    session_id: z.string(),
    current_topic: nullableText,
    context_variables: z.record(z.string(), z.unknown()),
    turn_count: z.int(),
    last_emotion: nullableText,
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'WorkingMemory' })

export const count = z.int().min(0)
export const deleted = z.object({ deleted: count })

export function counts<const Name extends string>(...names: readonly Name[]): Record<Name, typeof count> {
  return Object.fromEntries(names.map((name) => [name, count])) as Record<Name, typeof count>
}

export const removed = z.object(
  counts('conversations_deleted', 'turns_deleted', 'summaries_deleted', 'memories_deleted', 'space_freed_kb'),
)
