/** Routes about the server itself: health, metrics and API description. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { etag } from 'hono/etag'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { reasonOf } from '../../domain/errors.ts'
import type { OpenMemory } from '../library/index.ts'
import { InputRefusal } from '../operations/read-input.ts'
import type { Admission, ServerApp, Services } from './admission.ts'
import type { ExtraRoute } from './openapi.ts'
import { queryParameters } from './read-request.ts'

const JSON_OBJECT = { 'application/json': { schema: { type: 'object' } } }

export function addServerRoutes(
  app: ServerApp,
  services: Services,
  metrics: Metrics,
  version: string,
  document: () => unknown,
): readonly ExtraRoute[] {
  const { admit } = services
  app.get('/health', async (context) => {
    refuseParameters(context.req.url)
    const health = await checkHealth(services, version)
    return context.json(health, health.status === 'down' ? 503 : 200)
  })
  app.get('/metrics', (context) =>
    admit(context, { scope: 'admin' }, async () => {
      refuseParameters(context.req.url)
      return context.body(await metrics.text(), 200, { 'content-type': metrics.contentType })
    }),
  )
  app.get('/openapi.json', (context) => {
    refuseParameters(context.req.url)
    return context.json(document() as object)
  })
  const route = (path: string, summary: string, responses: object, errors: readonly number[], isOpen = true) => {
    const operationId = path.slice(1).replace('.json', '')
    const security = isOpen ? { security: [] } : {}
    return { method: 'get', path, describe: { operationId, summary, tags: ['Server'], ...security, responses }, errors }
  }
  const health = {
    200: { description: 'It answers.', content: JSON_OBJECT },
    503: { description: 'It cannot.', content: JSON_OBJECT },
  }
  const figures = { description: 'Prometheus text.', content: { 'text/plain': { schema: { type: 'string' } } } }
  const api = { 200: { description: 'OpenAPI 3.1.', content: JSON_OBJECT } }
  return [
    route('/health', 'Tell whether all is well, and what is degraded.', health, [400, 403]),
    route('/metrics', 'Figures for Prometheus.', { 200: figures }, [400, 401, 403, 429, 503], false),
    route('/openapi.json', 'This document.', api, [400, 403]),
  ]
}

function refuseParameters(url: string): void {
  for (const name of queryParameters(url).keys())
    throw new InputRefusal(name, 'is not known here', 'Leave it out: this path takes no parameters.')
}

/** Of the vector store `oldest` is the time of the oldest waiting change; null without one, or when all date from before it. */
export type Health = Awaited<ReturnType<typeof checkHealth>>

const MANY_JOBS = 1000

const TOLD_MS = 5 * 60_000

async function checkHealth({ options: { memory }, admission: { load }, unwritable }: Services, version: string) {
  const answer = (
    status: 'ok' | 'degraded' | 'down',
    degraded: readonly string[],
    jobs = { waiting: 0, dead: 0 },
    vectors: { readonly vector_store?: { readonly waiting: number; readonly oldest: string | null } } = {},
  ) => ({ status, version, degraded, jobs, requests: load, ...vectors })
  try {
    const { jobs, deadJobs } = await memory.maintenance.stats({ allUsers: true })
    const vectors = await memory.maintenance.vectorStore()
    const leftAlone = await memory.maintenance.modelsLeftAlone()
    const degraded: string[] = []
    if (unwritable !== null && performance.now() - unwritable.at < TOLD_MS)
      degraded.push(`The last write that failed, failed a moment ago: ${unwritable.reason}`)
    const unwritten = await memory.maintenance.unwritten()
    if (unwritten !== null) degraded.push(`Background work cannot be written: ${unwritten}`)
    if (deadJobs > 0) degraded.push(`${deadJobs} jobs failed for good: see /jobs?state=dead.`)
    if (jobs > MANY_JOBS) degraded.push(`${jobs} jobs wait: thinking does not keep up.`)
    for (const model of leftAlone)
      degraded.push(`The model ${model} failed lately: it is left alone for a while, and then tried again.`)
    if (vectors !== null && vectors.failure !== null)
      degraded.push(
        `The vector store does not answer, recall goes by words; ${vectors.waiting} changes wait: ${vectors.failure}`,
      )
    const vector_store = vectors && { waiting: vectors.waiting + vectors.toFill, oldest: vectors.oldestAt }
    const status = degraded.length === 0 ? 'ok' : 'degraded'
    return answer(status, degraded, { waiting: jobs, dead: deadJobs }, vector_store === null ? {} : { vector_store })
  } catch (error) {
    return answer('down', [`The database does not answer: ${reasonOf(error)}`])
  }
}

type Metrics = ReturnType<typeof createMetrics>

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export function createMetrics(memory: OpenMemory, admission: Admission) {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'mneme_http_requests_total',
    help: 'Requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'mneme_http_request_duration_seconds',
    help: 'Time from request to answer.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  })
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers })
  const running = gauge('mneme_http_requests_running', 'Requests that are worked on.')
  const waiting = gauge('mneme_http_requests_waiting', 'Requests that wait to be worked on.')
  const resident = gauge('mneme_process_resident_bytes', 'Memory of the process.')
  const behind = gauge(
    'mneme_vector_store_waiting',
    'Changes that the vector store was not told of yet; 0 without one.',
  )
  const sizes = {
    users: gauge('mneme_users', 'Users with something remembered.'),
    conversations: gauge('mneme_conversations', 'Conversations.'),
    turns: gauge('mneme_turns', 'Turns.'),
    summaries: gauge('mneme_summaries', 'Rolling summaries.'),
    memories: gauge('mneme_memories', 'Long-term memories.'),
    jobs: gauge('mneme_jobs', 'Jobs that wait or run.'),
    deadJobs: gauge('mneme_jobs_dead', 'Jobs that failed for good.'),
    bytes: gauge('mneme_database_bytes', 'Size of the database with its log.'),
  } as const
  return {
    contentType: registry.contentType,
    observe: (method: string, route: string, status: number, seconds: number): void => {
      requests.inc({ method, route, status })
      duration.observe({ method, route }, seconds)
    },
    text: async () => {
      running.set(admission.load.running)
      waiting.set(admission.load.waiting)
      resident.set(process.memoryUsage.rss())
      const counts = await memory.maintenance.stats({ allUsers: true })
      for (const [name, one] of Object.entries(sizes)) one.set(counts[name as keyof typeof sizes])
      const vectorStore = await memory.maintenance.vectorStore()
      behind.set(vectorStore === null ? 0 : vectorStore.waiting + vectorStore.toFill)
      return registry.metrics()
    },
  }
}

/** Headers of the page, which needs no key, since it has no user's data. */
const SAFETY: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

export function addPageRoutes(app: ServerApp, folder: string): void {
  if (!existsSync(join(folder, 'index.html'))) return
  const page = (caching: string) =>
    serveStatic({
      root: folder,
      precompressed: true,
      onFound: (_, { header }) => {
        for (const [name, value] of Object.entries(SAFETY)) header(name, value)
        header('cache-control', caching)
      },
    })
  app.get('/', etag(), page('no-cache'))
  // Their names contain a hash of the content.
  app.get('/assets/*', page('public, max-age=31536000, immutable'))
}
