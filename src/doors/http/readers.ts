/** Threads that answer concurrent questions beside the server, see every earlier write, and are replaced when they break. */
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type ErrorCode, type ErrorDetails, MnemeError } from '../../domain/errors.ts'
import type { Logger } from '../../domain/logger.ts'
import type { OpenOptions } from '../library/index.ts'

export interface Readers {
  /** The answer in JSON, computed by `here` where no thread is used. Rejects as the operation does. */
  answer(question: Question, here: () => Promise<string>): Promise<string>
  readonly answered: number
  close(): Promise<void>
}

interface Waiting {
  readonly question: Question
  readonly here: () => Promise<string>
  readonly settle: PromiseWithResolvers<string>
}

interface Thread {
  /** null: the database is not open yet, or the thread has ended. */
  worker: Worker | null
  /** Questions in work, by number; null marks a free place. */
  readonly asked: (Waiting | null)[]
  readonly ended: Promise<void>
  end(): void
}

/** Megabytes for new objects. Garbage of a question is short-lived, so a larger space only costs memory. */
export const NURSERY_MB = 24
/** Most questions in one row: with 32 connections rows take 1.0 ms a search instead of 1.2. */
const ROW = 8
/** Most questions that the server answers itself beside the first of a turn; with eight, a thread idled a fifth of the time. */
const OWN_ROW = 1
/** Most questions of a thread at once, so that the next row is ready while it answers one. */
const AT_ONCE = 2 * ROW
/** Milliseconds before a broken thread is replaced, because the cause may persist. */
export const REPLACED_AFTER_MS = 10_000

export function usualReaders(): number {
  return Math.min(availableParallelism() - 1, 3)
}

/** Up to `count` threads over a database, started at the first concurrent questions. */
export function createReaders(
  database: ReaderDatabase,
  count: number,
  logger: Logger,
  replacedAfterMs = REPLACED_AFTER_MS,
): Readers {
  const waiting: Waiting[] = []
  const threads = new Set<Thread>()
  /** Time on the clock of `performance`. */
  let startsFrom = 0
  let isShared = false
  let isOver = false
  let answered = 0

  const shareSoon = (): void => {
    if (isShared) return
    isShared = true
    // All requests that arrived together have been read by then.
    setImmediate(share)
  }
  const share = (): void => {
    isShared = false
    if (waiting.length > 0) startMissing()
    for (const thread of threads) askMore(thread, waiting)
    for (const own of waiting.splice(0, OWN_ROW)) answerHere(own)
    if (waiting.length > 0) shareSoon()
  }
  const startMissing = (): void => {
    if (isOver || threads.size >= count || performance.now() < startsFrom) return
    while (threads.size < count) {
      const thread = start(database, logger, told, answerHere)
      threads.add(thread)
      thread.ended.then(() => {
        threads.delete(thread)
        startsFrom = performance.now() + replacedAfterMs
      })
    }
  }
  const told = ({ settle }: Waiting, { body, error }: Told): void => {
    answered += 1
    if (body !== undefined) settle.resolve(body)
    else settle.reject(errorOf(error ?? { code: null, message: 'a reader gave no answer', stack: undefined }))
  }
  return {
    get answered() {
      return answered
    },
    answer: (question, here) => {
      const settle = Promise.withResolvers<string>()
      const asked = { question, here, settle }
      // The first question of a turn waits for nobody.
      if (isShared || waiting.length > 0) waiting.push(asked)
      else answerHere(asked)
      shareSoon()
      return settle.promise
    },
    close: async () => {
      isOver = true
      for (const thread of threads) thread.end()
      await Promise.all([...threads].map(({ ended }) => ended))
    },
  }
}

function askMore({ worker, asked }: Thread, waiting: Waiting[]): void {
  if (worker === null) return
  const row: Asked[] = []
  for (let number = 0; number < AT_ONCE && row.length < ROW && waiting.length > 0; number += 1)
    if (asked[number] === null) {
      const one = waiting.shift()!
      asked[number] = one
      row.push({ ...one.question, number })
    }
  if (row.length > 0) worker.postMessage(row)
}

function answerHere({ here, settle }: Waiting): void {
  here().then(settle.resolve, settle.reject)
}

/** Starts a thread; its unanswered questions go to `lost` when it breaks down. */
function start(
  database: ReaderDatabase,
  logger: Logger,
  told: (one: Waiting, told: Told) => void,
  lost: (one: Waiting) => void,
): Thread {
  // The file `reader` has this relative path both in the sources and in the package.
  const worker = new Worker(new URL(`../http/reader${extname(import.meta.url)}`, import.meta.url), {
    workerData: database,
    resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
  })
  worker.unref()
  const asked: (Waiting | null)[] = new Array(AT_ONCE).fill(null)
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const end = (): void => {
    thread.worker = null
    // Keeps the process alive until the thread has ended, because somebody waits for that.
    worker.ref()
    worker.postMessage(null)
  }
  const thread: Thread = { worker: null, asked, ended, end }
  // Its first message says that it is ready.
  worker.once('message', () => {
    thread.worker = worker
  })
  worker.on('message', ({ told: answers, lines }: Report) => {
    for (const { level, message, details } of lines) logger[level](message, details)
    for (const answer of answers) {
      const one = asked[answer.number] ?? null
      asked[answer.number] = null
      if (one !== null) told(one, answer)
    }
  })
  worker.on('error', (error) => logger.error('a reader broke down', { reason: error.stack ?? String(error) }))
  worker.on('exit', () => {
    thread.worker = null
    for (const one of asked.splice(0)) if (one !== null) lost(one)
    resolve()
  })
  return thread
}

/** Options of a reader's database: the server's own, as far as reading needs them. */
export type ReaderDatabase = Pick<
  OpenOptions,
  'path' | 'settings' | 'settingsSource' | 'maxContentBytes' | 'retrievalLimit'
>

interface Question {
  readonly operation: string
  readonly userId: string
  readonly isOperator: boolean
  readonly input: Record<string, unknown>
}

export interface Asked extends Question {
  readonly number: number
}

export interface Line {
  readonly level: keyof Logger
  readonly message: string
  readonly details: Record<string, unknown> | undefined
}

type PlainError =
  | ({ readonly code: ErrorCode; readonly message: string } & Omit<ErrorDetails, 'cause'>)
  | { readonly code: null; readonly message: string; readonly stack: string | undefined }

export interface Told {
  readonly number: number
  readonly body?: string
  readonly error?: PlainError
}

export interface Report {
  readonly told: readonly Told[]
  readonly lines: readonly Line[]
}

export function plainError(error: unknown): PlainError {
  if (error instanceof MnemeError) {
    const { code, message, remedy, field, place, said } = error
    return { code, message, remedy, field, place, said }
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { code: null, message, stack }
}

export function errorOf(plain: PlainError): Error {
  if (plain.code !== null) return new MnemeError(plain.code, plain.message, plain)
  const error = new Error(plain.message)
  if (plain.stack !== undefined) error.stack = plain.stack
  return error
}
