/** What a Prometheus server reads: requests and their time, and what the database holds and still has to do. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { OpenMemory } from '../library/index.ts'
import type { Admission } from './admission.ts'

/** Counts requests and writes it all down. */
export interface Metrics {
  /** `route` is the path with its braces, so that ids are no labels. */
  observe(method: string, route: string, status: number, seconds: number): void
  text(): Promise<string>
  readonly contentType: string
}

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Metrics of one server. */
export function createMetrics(memory: OpenMemory, admission: Admission): Metrics {
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
  /** What is counted of one method, route and status: looking it up by its labels takes longer than counting. */
  const series = new Map<
    string,
    { readonly requests: Counter.Internal; readonly duration: Histogram.Internal<string> }
  >()
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
    observe: (method, route, status, seconds) => {
      const name = `${method} ${route} ${status}`
      let seen = series.get(name)
      if (seen === undefined) {
        seen = {
          requests: requests.labels(method, route, String(status)),
          duration: duration.labels(method, route),
        }
        series.set(name, seen)
      }
      seen.requests.inc()
      seen.duration.observe(seconds)
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
