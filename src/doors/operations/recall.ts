/** `recall_evidence` gives turns and memories for a model within a budget, `recall` only turns and summaries. */
import { z } from 'zod'
import { check } from '../../domain/checks.ts'
import { reasonOf } from '../../domain/errors.ts'
import { RANKINGS } from '../../domain/recall.ts'
import { within } from '../../domain/scheduling.ts'
import { SETTINGS } from '../../domain/settings.ts'
import type { OpenMemory } from '../library/index.ts'
import { type Call, type InLibrary, operationsOf } from './operation.ts'
import { InputRefusal } from './read-input.ts'
import * as schema from './schemas.ts'

const searchOperation = operationsOf('Search')
const conversationsOperation = operationsOf('Conversations')

const [, mostTokens] = SETTINGS['memory.evidence_tokens'].bounds

const asked = {
  limit: schema.limit.optional(),
  now: schema.now,
  since: schema.time.nullish().describe('Only what is from then or later, ISO 8601.'),
  until: schema.time.nullish().describe('Only what is from then or before.'),
  explain: schema.explain,
  reveal_secrets: schema.revealSecrets,
}
const tokenBudget = z
  .int()
  .min(1)
  .max(mostTokens)
  .optional()
  .describe('Most tokens together. Default: memory.evidence_tokens.')
const asOf = schema.time.nullish().describe('Memories as they stood at this moment.')

const evidence = z
  .object({
    kind: z.enum(['turn', 'memory']),
    id: schema.words('Of a memory.'),
    conversation_id: z.string().nullable(),
    turn_id: z.int().nullable(),
    project_root: z.string().nullable().describe('Of a turn: of its conversation. null: none.'),
    role: schema.role.nullable(),
    speaker: z.string().nullable(),
    text: z.string(),
    excerpt: z.boolean().describe('true: something of the text is left out.'),
    created_at: schema.time,
    score: z.number(),
    tokens: schema.count,
    tells: z.array(z.string()).optional().describe('Ids of memories whose whole text stands in a turn.'),
    ...schema.standing,
    valid_from: schema.time.optional(),
    valid_to: schema.time.nullable().optional(),
    superseded_by: z.string().nullable().optional(),
    suspect: z.object({ reason: z.string(), since: schema.time }).nullable().optional(),
    confidence: z.number().optional(),
    source_turn_ids: z.array(z.int()).optional(),
    explanation: schema.explanation.optional(),
  })
  .meta({ id: 'Evidence' })

const evidenceAnswer = z
  .object({
    results: z.array(evidence),
    tokens: schema.count.describe('Of all results together.'),
    latency_ms: z.number(),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'EvidenceAnswer' })

const logAnswer = z
  .object({
    results: z.array(
      z.object({
        conversation_id: z.string(),
        turn_id: z.int().nullable(),
        span: z.object({ from: z.int(), to: z.int() }).nullable(),
        role: schema.role.nullable(),
        speaker: z.string().nullable(),
        content: z.string().optional(),
        summary: z.string().optional(),
        relevance: z.number(),
        created_at: schema.time,
        is_summary: z.boolean(),
        external_id: z.string().nullable(),
        explanation: schema.explanation.optional(),
      }),
    ),
    total_searched: schema.count,
    latency_ms: z.number(),
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: 'RecallAnswer' })

const evidenceInput = z.strictObject({
  message: schema.query,
  ...asked,
  conversation_id: schema.id
    .nullish()
    .describe('The running conversation: its last turns, which are seen anyway, are left out.'),
  project_root: schema.askedProject,
  kinds: z
    .array(z.enum(['turn', 'memory']))
    .min(1)
    .optional()
    .describe('turn, memory or both. Default: both.'),
  token_budget: tokenBudget,
  as_of: asOf,
  count: schema.flag('true: the memories that are shown count as used.'),
})

export const recallEvidence = searchOperation({
  summary: 'Recall the turns and memories that answer a message, best first, within a token budget.',
  effect: 'read',
  input: evidenceInput,
  output: evidenceAnswer,
  mcp: {
    name: 'recall',
    description: 'What answers one more question, once load_context was called; empty where nothing does.',
    fields: ['message', 'conversation_id', 'project_root', 'kinds', 'limit', 'token_budget', 'as_of', 'since', 'until'],
    defaults: { count: true },
  },
  cli: { command: 'ask', positional: ['message'], models: true, thought: true, without: ['count'] },
  handler: answerWithEvidence,
})

async function answerWithEvidence(
  { memory, userId }: Call,
  { message, count = false, ...input }: InLibrary<z.output<typeof evidenceInput>>,
) {
  const answer = await memory.recall(message, { ...input, userId })
  const shown = answer.results.flatMap(({ id, tells = [] }) => (id === undefined ? tells : [id]))
  const uncounted = count ? await countUse(memory, userId, shown) : []
  return { ...answer, warnings: [...answer.warnings, ...uncounted] }
}

const recallInput = z.strictObject({
  query: schema.query.describe('The question, in any words.'),
  ...asked,
  conversation_id: schema.id.nullish().describe('Only this conversation.'),
  project_root: schema.id.nullish().describe('Only conversations of this project.'),
  limit: schema.limit.optional().describe('Most results. Default: 5.'),
  ranking: schema.ranking
    .optional()
    .describe(`Of turns and summaries: ${RANKINGS.join(', ')}. Default: hybrid (mneme recall: conversation).`),
  kinds: z
    .array(z.enum(['turn', 'summary', 'memory']))
    .min(1)
    .optional()
    .describe('With memory: turns and memories as a model would be shown them. Default: turn, summary.'),
  time_range: schema.timeRange.optional(),
  token_budget: tokenBudget.describe('Most tokens of turns and memories together.'),
  as_of: asOf,
})
type RecallAsked = InLibrary<z.output<typeof recallInput>>

export const recall = conversationsOperation({
  summary: 'Recall the turns and summaries that answer a question; with memories or a token budget, the evidence.',
  effect: 'read',
  input: recallInput,
  output: z.union([logAnswer, evidenceAnswer]),
  rest: { method: 'post', path: '/recall' },
  cli: {
    command: 'recall',
    program: true,
    either: 'query',
    // The formula of the specification; evidence has an order of its own.
    defaults: ({ kinds }) => (isOfMemories(kinds) ? {} : { ranking: 'conversation' }),
    without: ['token_budget', 'as_of'],
    // The other two rankings use words only, and an embedding model takes time to load.
    models: ({ ranking, kinds }) => ranking === 'hybrid' || ranking === 'associative' || isOfMemories(kinds),
  },
  handler: async (call, input) => {
    return input.tokenBudget !== undefined || isOfMemories(input.kinds) ? evidenceOf(call, input) : fromLog(call, input)
  },
})

function isOfMemories(kinds: unknown): boolean {
  return Array.isArray(kinds) && kinds.includes('memory')
}

async function fromLog({ memory, userId }: Call, { query, asOf, tokenBudget: _, kinds, ...input }: RecallAsked) {
  if (asOf !== undefined && asOf !== null)
    throw new InputRefusal('as_of', 'is for memories alone', 'Add "memory" to kinds, or leave as_of out.')
  const fromThere = kinds?.filter((kind) => kind !== 'memory')
  return memory.conversations.recall(query, { ...input, userId, kinds: fromThere })
}

async function evidenceOf(call: Call, { query, ranking, timeRange, kinds, ...input }: RecallAsked) {
  const why = input.tokenBudget === undefined ? '"memory" in kinds' : 'token_budget'
  if (ranking !== undefined)
    throw new InputRefusal(
      'ranking',
      `does not go with ${why}`,
      'Leave ranking out: turns and memories have one order.',
    )
  if (timeRange !== undefined)
    throw new InputRefusal('time_range', `does not go with ${why}`, 'Use since and until, ISO 8601.')
  const at = kinds?.indexOf('summary') ?? -1
  if (at >= 0) throw new InputRefusal(`kinds[${at}]`, `summary does not go with ${why}`, 'Use turn, memory or both.')
  check.query(query)
  const shown = kinds?.filter((kind) => kind !== 'summary')
  return answerWithEvidence(call, { ...input, message: query, kinds: shown })
}

/** Milliseconds that a caller waits for the counting of accesses. */
const PATIENCE_MS = 200

export async function countUse(memory: OpenMemory, userId: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  try {
    await within(memory.touch([...new Set(ids)], { userId }), PATIENCE_MS)
    return []
  } catch (error) {
    return [`That these were used could not be noted: ${reasonOf(error)}`]
  }
}
