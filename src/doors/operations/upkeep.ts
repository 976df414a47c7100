/** Operations for upkeep of the database and its jobs, by a person or a timer. */
import { z } from 'zod'
import { JOB_STATES } from '../../domain/contracts/job-queue.ts'
import { rendered } from '../library/binding.ts'
import { pageOf } from './field-names.ts'
import { operationsOf, workOf } from './operation.ts'
import * as schema from './schemas.ts'

const jobsOperation = operationsOf('Jobs')
const upkeepOperation = operationsOf('Upkeep')

const job = z
  .object({
    id: z.string(),
    user_id: z.string(),
    kind: z.string(),
    subject: z.string(),
    state: z.enum(JOB_STATES),
    attempts: schema.count,
    last_error: z.string().nullable(),
    created_at: schema.time,
    due_at: schema.time,
    leased_until: schema.time.nullable(),
  })
  .meta({ id: 'Job' })

export const listJobs = jobsOperation({
  summary: 'List the background work of the user that waits, runs or failed, newest first.',
  input: z.strictObject({ state: z.enum(JOB_STATES).optional(), ...schema.pageInput }),
  output: schema.page(job),
  rest: { method: 'get', path: '/jobs' },
  handler: async ({ memory, userId }, input) => pageOf(await memory.maintenance.jobs({ ...input, userId }), input),
})

export const retryJobs = jobsOperation({
  summary: 'Try all again that failed for good, or do one job now that failed or waits.',
  input: z.strictObject({ id: schema.id.optional() }),
  output: z.object({ retried: schema.count }),
  rest: { method: 'post', path: '/jobs/retry' },
  handler: async ({ memory, userId }, { id }) => memory.maintenance.retryJobs({ userId, id }),
})

const consolidationCounts = z.object(
  schema.counts('processed', 'merged', 'separated', 'promoted', 'deleted', 'skipped', 'model_calls'),
)

export const consolidate = upkeepOperation({
  summary: 'Merge, tell apart and turn into facts what of the user is new since the last run.',
  input: z.strictObject({
    max_model_calls: schema.count
      .optional()
      .describe('Most questions to a model; beyond it the rules answer. Default: 200.'),
  }),
  output: consolidationCounts,
  rest: { method: 'post', path: '/maintenance/consolidate', isLong: true },
  handler: ({ memory, userId, signal }, input) => memory.maintenance.consolidate({ ...input, userId, signal }),
})

export const think = upkeepOperation({
  summary: 'Have turns thought about that were stored without it, as imports are, in the background.',
  input: z.strictObject({ conversation_id: schema.id.optional().describe('Only this conversation.') }),
  output: z.object(schema.counts('conversations', 'turns')),
  rest: { method: 'post', path: '/maintenance/think', isLong: true },
  handler: (call, input) => call.memory.maintenance.think({ ...input, userId: call.userId }, workOf(call)),
})

export const evict = upkeepOperation({
  summary: 'Remove the memories least worth keeping, down to a number: lowest confidence first, then oldest use.',
  effect: 'delete',
  input: z.strictObject({ threshold: z.int().min(1).optional(), dry_run: z.boolean().optional() }),
  output: z.object({ evicted: z.array(z.string()) }),
  rest: { method: 'post', path: '/maintenance/evict' },
  cli: { command: 'evict' },
  handler: ({ memory, userId }, input) => memory.maintenance.evict({ ...input, userId }),
})

export const expire = upkeepOperation({
  summary: 'Remove working memory that was idle for 30 minutes, of every user.',
  effect: 'delete',
  scope: 'admin',
  output: z.object(schema.counts('removed', 'archived')),
  rest: { method: 'post', path: '/maintenance/expire' },
  cli: { command: 'expire' },
  handler: async ({ memory }) => memory.maintenance.expire(),
})

export const reindex = upkeepOperation({
  summary: 'Rebuild every index of the user from the stored turns and memories.',
  output: z.object(schema.counts('conversations', 'turns', 'symbols', 'memories')),
  rest: { method: 'post', path: '/maintenance/reindex', isLong: true },
  handler: (call) => call.memory.maintenance.reindex({ userId: call.userId }, workOf(call)),
})

export const embed = upkeepOperation({
  summary: 'Make every vector that is missing now instead of in the background.',
  scope: 'admin',
  output: z.object({ embedded: schema.count }),
  rest: { method: 'post', path: '/maintenance/embed', isLong: true },
  handler: async (call) => call.memory.maintenance.embed(workOf(call)),
})

export const verify = upkeepOperation({
  summary: 'Check that the file is whole and its parts agree; nothing is changed.',
  scope: 'admin',
  output: z.object({ items: z.array(z.object({ check: z.string(), ok: z.boolean(), detail: z.string() })) }),
  rest: { method: 'get', path: '/maintenance/verify', isLong: true },
  handler: async ({ memory }) => ({ items: await memory.maintenance.verify() }),
})

const usageRow = z
  .object({
    user_id: z.string(),
    step: z.string(),
    model: z.string(),
    ...schema.counts('calls', 'prompt_tokens', 'completion_tokens'),
    cost: z.number().nullable(),
    last_at: schema.time,
  })
  .meta({ id: 'Usage' })

const sizes = z.object({
  ...schema.counts('users', 'conversations', 'turns', 'summaries', 'memories', 'jobs', 'dead_jobs', 'bytes'),
  schema_version: schema.count,
  model_usage: z.array(usageRow),
})

export const stats = upkeepOperation({
  summary: 'Count what is remembered of the user, and what models were asked for it.',
  output: sizes,
  rest: { method: 'get', path: '/stats' },
  handler: async ({ memory, userId }) => ({
    ...(await memory.maintenance.stats({ userId })),
    modelUsage: (await memory.maintenance.usage({ userId })).map((row) => rendered(row, 'lastAt')),
  }),
})

const memoryOverview = z.object({
  ...schema.counts('holding', 'in_doubt', 'ended', 'buried'),
  unused: schema.count.describe('Holding, and never put before a model.'),
  growth: z.array(z.object({ day: z.string(), memories: schema.count })),
  deleted: z
    .array(z.object({ at: schema.time, memories: schema.count }))
    .meta({ description: 'When memories were deleted, newest first, and how many.' }),
  recalls: schema.count,
  recall_ms: z.object({ median: z.number(), p95: z.number() }).nullable(),
  unanswered: z.array(z.object({ question: z.string(), asked_at: schema.time })),
  kept: schema.count,
  refused: z.record(z.string(), schema.count),
  consolidated_at: schema.time.nullable(),
  consolidated: consolidationCounts.nullable().describe('What the last scheduled consolidation did, over all users.'),
  since: schema.time,
})

export const overview = upkeepOperation({
  summary: 'Show how the memories of the user stand, when they came, and what was done since this program began.',
  output: memoryOverview,
  rest: { method: 'get', path: '/overview' },
  handler: ({ memory, userId }) => memory.maintenance.overview({ userId }),
})
