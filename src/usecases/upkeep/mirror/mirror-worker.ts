/** Keeps a mirror up to date in the background; a failing one is left alone, longer each time. */
import { randomUUID } from 'node:crypto'
import type { Work } from '../../../domain/contracts/conversation-log.ts'
import type { CheckFinding } from '../../../domain/contracts/store.ts'
import type {
  MirrorCases,
  MirrorRow,
  OutboxEntry,
  OutboxOutcome,
  VectorMirror,
  VectorOutbox,
} from '../../../domain/contracts/vector-index.ts'
import { MnemeError } from '../../../domain/errors.ts'
import type { Logger } from '../../../domain/logger.ts'
import { breathe } from '../../../domain/scheduling.ts'

/** Vectors in one step: one read must not hold up others for longer than 20 ms. */
const ENTRIES_A_STEP = 400
const ROWS_A_STEP = 2000
/** A right to apply ends after this long; each step renews it. */
const CLAIM_MS = 60_000

/** Applies the oldest changes, with the right to; the number of vectors told and rows removed. */
async function applyChanges(
  { mirror, outbox, now }: Pick<MirrorWorkerDependencies, 'mirror' | 'outbox' | 'now'>,
  owner: string,
): Promise<number> {
  const entries = await outbox.take(ENTRIES_A_STEP)
  const outcomes = await insert(mirror, entries, await findStrays(mirror, entries))
  if (!(await outbox.done(outcomes, owner, now()))) {
    // Another process has the right to apply by now, and sends rows of its own.
    await mirror.removeRows(outcomes.flatMap(({ entry: { id }, rowId }) => (rowId === null ? [] : [{ id, rowId }])))
    return 0
  }
  const gone = await outbox.gone(ROWS_A_STEP)
  if (gone.length > 0) {
    await mirror.removeRows(gone)
    await outbox.goneDone(gone)
  }
  return entries.length + gone.length
}

async function insert(
  mirror: VectorMirror,
  entries: readonly OutboxEntry[],
  strays: ReadonlyMap<string, readonly MirrorRow[]>,
): Promise<readonly OutboxOutcome[]> {
  const records = entries.map(({ record }) => record).filter((record) => record !== null)
  const rowIds = await mirror.insertRows(records)
  let next = 0
  return entries.map((entry) => ({
    entry,
    rowId: entry.record === null ? null : rowIds[next++]!,
    strays: (strays.get(keyOf(entry)) ?? []).map(({ rowId }) => rowId).filter((rowId) => rowId !== entry.rowId),
  }))
}

async function findStrays(
  mirror: VectorMirror,
  entries: readonly OutboxEntry[],
): Promise<ReadonlyMap<string, readonly MirrorRow[]>> {
  const tried = entries.filter(({ tried }) => tried)
  const storeIds = new Set(tried.map(({ storeId }) => storeId))
  const rows = tried.length === 0 ? [] : await mirror.findRows(tried)
  return Map.groupBy(
    rows.filter(({ storeId }) => storeIds.has(storeId)),
    keyOf,
  )
}

function keyOf({ userId, id }: { readonly userId: string; readonly id: string }): string {
  return `${userId}\0${id}`
}

export interface MirrorWorkerDependencies {
  readonly mirror: VectorMirror
  readonly outbox: VectorOutbox
  readonly logger: Logger
  /** Milliseconds since the machine started, the same in all its processes: no change of its clock moves them. */
  readonly now: () => number
  /** The dimension of the vectors; null while it is not known. */
  readonly dimension: () => Promise<number | null>
  /** false: only when it is asked to. */
  readonly background: boolean
}

export type MirrorWorker = ReturnType<typeof createMirrorWorker>

/** How often a living process looks for changes that others noted. */
const LOOK_MS = 500
const FIRST_REST_MS = 500
const LONGEST_REST_MS = 30_000
/** Another process has the right to apply: how often it is looked whether it has done so. */
const BUSY_MS = 100
/** The time after which the mirror is sure to show a write: five seconds is Milvus' bounded staleness. */
const SETTLED_AFTER_MS = 10_000

/** Nothing runs before it is woken or asked. */
export function createMirrorWorker(dependencies: MirrorWorkerDependencies) {
  const { mirror, outbox, logger, now, background } = dependencies
  /** A name that no other process has. */
  const owner = randomUUID()
  let readying: Promise<void> | null = null
  let failed: MnemeError | null = null
  let rest = FIRST_REST_MS
  let restUntil = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let stopped = false

  const makeReady = async (): Promise<void> => {
    const dimension = await dependencies.dimension()
    const { isEmpty } = await mirror.prepare(dimension)
    if (dimension === null) {
      // Nothing can be sent before the dimension is known; it is asked for again.
      readying = null
      return
    }
    const attached = await outbox.attach(mirror.target, isEmpty)
    if (attached === 'new')
      logger.info('A vector store was attached; what it lacks is sent to it.', { operation: 'mirror' })
    if (attached === 'copy')
      logger.warn(
        'This file is a copy of one that uses the vector store: it sends everything under an id of its own.',
        {
          operation: 'mirror',
        },
      )
    if (await outbox.isUnknown()) await outbox.compare(mirror.allRows(), true)
  }
  const ready = (): Promise<void> => {
    readying ??= makeReady().catch((error: unknown) => {
      readying = null
      throw note(error)
    })
    return readying
  }
  const note = (error: unknown): unknown => {
    if (!(error instanceof MnemeError)) return error
    if (error.code !== 'vector_store_failed' && error.code !== 'conflict') return error
    if (failed?.message !== error.message)
      logger.warn('The vector store fails; recall goes by words, and what changes is sent to it later.', {
        operation: 'mirror',
        reason: error.message,
      })
    failed = error
    restUntil = performance.now() + rest
    rest = Math.min(rest * 2, LONGEST_REST_MS)
    return error
  }
  const noteWell = (): void => {
    if (failed !== null) logger.info('The vector store answers again.', { operation: 'mirror' })
    failed = null
    rest = FIRST_REST_MS
    restUntil = Number.NEGATIVE_INFINITY
  }
  const applyAll = async ({ signal, onProgress }: Work = {}): Promise<void> => {
    await ready()
    if (readying === null) return
    const waiting = async (): Promise<number> => {
      const { waiting, toFill } = await outbox.state()
      return waiting + toFill
    }
    const total = onProgress === undefined ? 0 : await waiting()
    let done = 0
    try {
      for (;;) {
        await outbox.settle(now(), SETTLED_AFTER_MS)
        if (!(await outbox.isBehind())) return noteWell()
        if (await outbox.claim(owner, now(), CLAIM_MS)) {
          const applied = await applyChanges(dependencies, owner)
          noteWell()
          if (applied === 0) return
          done += applied
          // Changes noted meanwhile come on top.
          onProgress?.(Math.min(done, total), total)
        } else await new Promise((resolve) => setTimeout(resolve, BUSY_MS))
        await breathe(signal)
      }
    } catch (error) {
      // A mirror may come back newly started, and has to be made ready again.
      readying = null
      throw note(error)
    }
  }
  const next = (work: () => Promise<void>): Promise<void> => {
    const mine = running.then(work)
    running = mine.catch(() => {})
    return mine
  }
  const look = (): void => {
    if (stopped || !background || timer !== undefined) return
    const wait = Math.max(LOOK_MS, restUntil - performance.now())
    timer = setTimeout(() => {
      timer = undefined
      void next(() => applyAll())
        .catch((error: unknown) => {
          if (!(error instanceof MnemeError))
            logger.error('The vector store could not be kept up to date.', {
              operation: 'mirror',
              reason: String(error),
            })
        })
        .finally(look)
    }, wait)
    timer.unref()
  }

  return {
    /** Makes the mirror ready; rejects when that fails. Once it succeeded it answers at once. */
    ready,
    /** The mirror must be made ready again: for other vectors, or because it failed. */
    unready: (error?: unknown): void => {
      readying = null
      if (error !== undefined) note(error)
    },
    /** The last failure, while the mirror is left alone because of it; null when it may be asked. */
    failure: (): MnemeError | null => (background || performance.now() < restUntil ? failed : null),
    /** The last failure, until the mirror answered again. */
    lastFailure: (): MnemeError | null => failed,
    wake: look,
    /** Applies everything that waits now. Rejects when the mirror fails. */
    drain: (work?: Work): Promise<void> => next(() => applyAll(work)),
    /** As drain, but passes over a failing mirror: its changes stay noted. */
    idle: async (): Promise<void> => {
      if (performance.now() < restUntil) return
      await next(() => applyAll()).catch(() => {})
    },
    stop: async (): Promise<void> => {
      stopped = true
      clearTimeout(timer)
      await running
      await outbox.release(owner)
    },
  }
}

/** The findings of a mirror, none when there is no mirror. One that does not answer is a finding, too. */
export async function checkMirror(mirror: MirrorCases | null, repair: boolean): Promise<readonly CheckFinding[]> {
  if (mirror === null) return []
  const { provider } = await mirror.status()
  try {
    const { vectors, equal, missing, stale, leftOver, foreign } = await mirror.compare(repair)
    const without = await mirror.record.pendingCount()
    const { waiting, toFill } = await mirror.status()
    const ok = equal === vectors && missing + stale + leftOver === 0
    const parts = [
      `${equal} of ${vectors} vectors agree`,
      ...(ok ? [] : [`${missing} are missing, ${stale} say something else, ${leftOver} rows are left over`]),
      ...(without === 0
        ? []
        : [`${without} memories and turns have no vector yet: mneme reindex --to-milvus embeds them`]),
      ...(foreign === 0 ? [] : [`${foreign} rows are of others`]),
      ...(waiting + toFill === 0 ? [] : [`${waiting + toFill} changes wait to be sent`]),
      ...(!ok && repair ? ['what differs is sent anew'] : []),
    ]
    return [{ check: `vector store (${provider})`, ok, detail: parts.join('; ') }]
  } catch (error) {
    if (!(error instanceof MnemeError)) throw error
    return [{ check: `vector store (${provider})`, ok: false, detail: error.toString() }]
  }
}
