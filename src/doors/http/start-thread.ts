/** A thread of a server: an engine of its own on the same file. It is told what to do by messages, and reports by messages. */
import { extname } from 'node:path'
import { type MessagePort, Worker } from 'node:worker_threads'
import { type ErrorCode, type ErrorDetails, MnemeError } from '../../domain/errors.ts'
import type { Logger } from '../../domain/logger.ts'
import type { Elsewhere } from '../../usecases/open-options.ts'
import type { OpenOptions } from '../library/index.ts'

export interface Question {
  readonly operation: string
  readonly userId: string
  readonly isOperator: boolean
  readonly input: Record<string, unknown>
}

/** A method of a group of the memory, its values without signal and progress, and which of the values had them. */
interface Method {
  readonly group: string
  readonly method: string
  readonly values: readonly unknown[]
  readonly userId: string | undefined
  readonly work: number | null
}

export type Task = (Question | Method) & { readonly id: number }

export type ToThread =
  | Task
  | { readonly stop: number }
  | { readonly recalled: Parameters<Elsewhere['recalled']> }
  | 'wake'
  | 'close'

type PlainError =
  | ({ readonly code: ErrorCode; readonly message: string } & Omit<ErrorDetails, 'cause'>)
  | { readonly code: null; readonly message: string; readonly stack: string | undefined }

export type FromThread =
  | { readonly ended: number; readonly value?: unknown; readonly error?: PlainError }
  | { readonly progress: number; readonly of: readonly unknown[] }
  | {
      readonly level: keyof Logger
      readonly message: string
      readonly details: Record<string, unknown> | undefined
    }
  | 'ready'

export interface ThreadData {
  readonly options: OpenOptions
  /** true: it answers questions, and does nothing by itself. */
  readonly isReader: boolean
}

/** Megabytes for new objects. Garbage of a question is short-lived, so a larger space only costs memory. */
const NURSERY_MB = 24
/** Milliseconds before a broken thread is replaced, because the cause may persist. */
export const REPLACED_AFTER_MS = 10_000

/** Why a thread did not end a task: it broke down. */
export class ThreadLost extends Error {
  constructor() {
    super('a thread of the server broke down')
  }
}

interface Pending extends PromiseWithResolvers<unknown> {
  readonly onProgress: ((...of: readonly unknown[]) => void) | undefined
}

export type Thread = ReturnType<typeof startThread>

interface Asking {
  readonly onProgress?: Pending['onProgress']
  readonly signal?: AbortSignal | undefined
  readonly streams?: readonly ReadableStream[]
}

/** Sends a row as one message. When it cannot be cloned each goes alone, and `refuse` is told which cannot. */
export function post<One>(
  port: Pick<MessagePort, 'postMessage'>,
  row: readonly One[],
  refuse: (one: One, error: unknown) => void,
  streams: readonly ReadableStream[] = [],
): void {
  try {
    if (row.length > 0) port.postMessage(row, streams as never)
  } catch (error) {
    if (row.length > 1) for (const one of row) post(port, [one], refuse)
    else refuse(row[0] as One, error)
  }
}

export function startThread(workerData: ThreadData, logger: Logger) {
  // The file has this relative path both in the sources and in the package.
  const worker = new Worker(new URL(`../http/thread${extname(import.meta.url)}`, import.meta.url), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
  })
  worker.unref()
  const pending = new Map<number, Pending>()
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const row: ToThread[] = []
  let isReady = false
  let last = 0
  const refuse = (message: ToThread, error: unknown): void => {
    if (typeof message !== 'object' || !('id' in message)) return
    pending.get(message.id)?.reject(error)
    pending.delete(message.id)
  }
  const send = (streams: readonly ReadableStream[] = []): void => post(worker, row.splice(0), refuse, streams)
  const tell = (message: ToThread): void => {
    row.push(message)
    if (row.length === 1) queueMicrotask(send)
  }
  worker.on('message', (reports: readonly FromThread[]) => {
    for (const report of reports)
      if (report === 'ready') isReady = true
      else if ('level' in report) logger[report.level](report.message, report.details)
      else if ('progress' in report) pending.get(report.progress)?.onProgress?.(...report.of)
      else {
        const task = pending.get(report.ended)
        pending.delete(report.ended)
        if (report.error === undefined) task?.resolve(report.value)
        else task?.reject(errorOf(report.error))
      }
  })
  worker.on('error', (error) =>
    logger.error('a thread of the server broke down', { reason: error.stack ?? String(error) }),
  )
  worker.on('exit', () => {
    isReady = false
    for (const task of pending.values()) task.reject(new ThreadLost())
    pending.clear()
    resolve()
  })
  return {
    /** false: its engine is not open yet, or it has ended. */
    get isReady() {
      return isReady
    },
    get asked() {
      return pending.size
    },
    /** Rejects as the task does, or with ThreadLost. Questions of one turn of the event loop share a message. */
    ask: (task: Question | Method, { onProgress, signal, streams = [] }: Asking = {}): Promise<unknown> => {
      last += 1
      const id = last
      const settled = Promise.withResolvers<unknown>()
      pending.set(id, { ...settled, onProgress })
      // Streams can be handed over only once, so that what takes them along is sent alone.
      if (streams.length > 0) send()
      tell({ ...task, id })
      if (streams.length > 0) send(streams)
      if (signal === undefined) return settled.promise
      const stop = (): void => tell({ stop: id })
      signal.addEventListener('abort', stop, { once: true })
      return settled.promise.finally(() => signal.removeEventListener('abort', stop))
    },
    tell,
    ended,
    /** Finishes what was asked, and ends; keeps the process alive until then. */
    end: async (): Promise<void> => {
      worker.ref()
      await Promise.allSettled([...pending.values()].map(({ promise }) => promise))
      tell('close')
      await ended
    },
  }
}

export function plainError(error: unknown): PlainError {
  if (error instanceof MnemeError) {
    const { code, message, remedy, field, place, said } = error
    return { code, message, remedy, field, place, said }
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { code: null, message, stack }
}

function errorOf(plain: PlainError): Error {
  if (plain.code !== null) return new MnemeError(plain.code, plain.message, plain)
  const error = new Error(plain.message)
  if (plain.stack !== undefined) error.stack = plain.stack
  return error
}
