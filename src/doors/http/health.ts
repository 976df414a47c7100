/** Is the server well? `ok`, `degraded` with what is, or `down` when the database does not answer. */
import { type MnemeError, reasonOf } from '../../domain/errors.ts'
import type { Services } from './services.ts'

/** The answer of /health. */
export interface Health {
  readonly status: 'ok' | 'degraded' | 'down'
  readonly version: string
  /** One sentence for everything that is not as it should be. */
  readonly degraded: readonly string[]
  readonly jobs: { readonly waiting: number; readonly dead: number }
  readonly requests: { readonly running: number; readonly waiting: number }
  /** How far the vector store is behind; absent without one. */
  readonly vector_store?: {
    /** Changes that it was not told of yet. */
    readonly waiting: number
    /** Since when the oldest of them waits, ISO 8601; null when none does, or only those from before it came. */
    readonly oldest: string | null
  }
}

/** More jobs than this have been waiting: thinking does not keep up. */
const MANY_JOBS = 1000

/** Milliseconds for which a write that failed is told: whoever asks in between sees it. */
const TOLD_MS = 5 * 60_000

/** Whether an error says that the file takes no more: a full disk, no permission, a broken one. */
export function isUnwritable({ code }: MnemeError): boolean {
  return code === 'storage_full' || code === 'storage_read_only' || code === 'storage_failed'
}

/** Looks. Never rejects. */
export async function checkHealth(
  { options: { memory }, admission: { load }, unwritable }: Services,
  version: string,
): Promise<Health> {
  try {
    const { jobs, deadJobs } = await memory.maintenance.stats({ allUsers: true })
    const vectorStore = await memory.maintenance.vectorStore()
    const leftAlone = await memory.maintenance.modelsLeftAlone()
    const isUnwritableNow = unwritable !== null && performance.now() - unwritable.at < TOLD_MS
    const degraded = [
      ...(isUnwritableNow ? [`The last write that failed, failed a moment ago: ${unwritable.reason}`] : []),
      ...(deadJobs > 0 ? [`${deadJobs} jobs failed for good: see /jobs?state=dead.`] : []),
      ...(jobs > MANY_JOBS ? [`${jobs} jobs wait: thinking does not keep up.`] : []),
      ...leftAlone.map(
        (model) => `The model ${model} failed lately: it is left alone for a while, and then tried again.`,
      ),
      ...(vectorStore === null || vectorStore.failure === null
        ? []
        : [
            `The vector store does not answer, recall goes by words; ${vectorStore.waiting} changes wait: ${vectorStore.failure}`,
          ]),
    ]
    const status = degraded.length === 0 ? 'ok' : 'degraded'
    return {
      status,
      version,
      degraded,
      jobs: { waiting: jobs, dead: deadJobs },
      requests: load,
      ...(vectorStore === null
        ? {}
        : { vector_store: { waiting: vectorStore.waiting + vectorStore.toFill, oldest: vectorStore.oldestAt } }),
    }
  } catch (error) {
    return {
      status: 'down',
      version,
      degraded: [`The database does not answer: ${reasonOf(error)}`],
      jobs: { waiting: 0, dead: 0 },
      requests: load,
    }
  }
}
