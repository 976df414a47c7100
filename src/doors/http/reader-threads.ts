/** Threads that answer concurrent questions beside the server, see every earlier write, and are replaced when they break. */
import { availableParallelism } from 'node:os'
import type { Logger } from '../../domain/logger.ts'
import type { OpenOptions } from '../library/index.ts'
import { type Question, REPLACED_AFTER_MS, startThread, type Thread, ThreadLost } from './start-thread.ts'

export type Readers = ReturnType<typeof createReaders>

interface Waiting extends PromiseWithResolvers<string> {
  /** How many questions of its user waited when it came. */
  readonly before: number
  readonly question: Question
  readonly here: () => Promise<string>
}

/** Most questions in one row: with 32 connections rows take 1.0 ms a search instead of 1.2. */
const ROW = 8
/** Most questions that the server answers itself beside the first of a turn; with eight, a thread idled a fifth of the time. */
const OWN_ROW = 1
/** Most questions of a thread at once, so that the next row is ready while it answers one. */
const AT_ONCE = 2 * ROW

export function usualReaders(): number {
  return Math.min(availableParallelism() - 1, 3)
}

/** Up to `count` threads over a database, started at the first concurrent questions. */
export function createReaders(
  options: OpenOptions,
  count: number,
  logger: Logger,
  replacedAfterMs = REPLACED_AFTER_MS,
) {
  const waiting: Waiting[] = []
  const threads = new Set<Thread>()
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
    // The question of another user is answered at once: a thread may have a row of a flood before it.
    if (waiting.some(({ question }) => question.userId !== waiting[0]!.question.userId))
      for (const own of waiting.splice(0, OWN_ROW)) answerHere(own)
    for (const thread of threads)
      if (thread.isReady)
        for (const one of waiting.splice(0, Math.min(ROW, AT_ONCE - thread.asked))) answerThere(thread, one)
    for (const own of waiting.splice(0, OWN_ROW)) answerHere(own)
    if (waiting.length > 0) shareSoon()
  }
  const startMissing = (): void => {
    if (isOver || threads.size >= count || performance.now() < startsFrom) return
    while (threads.size < count) {
      const thread = startThread({ options, isReader: true }, logger)
      threads.add(thread)
      thread.ended.then(() => {
        threads.delete(thread)
        startsFrom = performance.now() + replacedAfterMs
      })
    }
  }
  const answerThere = async (thread: Thread, one: Waiting): Promise<void> => {
    try {
      one.resolve((await thread.ask(one.question)) as string)
      answered += 1
    } catch (error) {
      if (error instanceof ThreadLost) return answerHere(one)
      answered += 1
      one.reject(error)
    }
  }
  return {
    get answered() {
      return answered
    },
    /** The answer in JSON, computed by `here` where no thread is used. Rejects as the operation does. */
    answer: (question: Question, here: () => Promise<string>): Promise<string> => {
      const before = waiting.filter((one) => one.question.userId === question.userId).length
      const asked = { question, here, before, ...Promise.withResolvers<string>() }
      // The first question of a turn waits for nobody; of those that wait, users have the next one in turn.
      if (!isShared && waiting.length === 0) answerHere(asked)
      else {
        const place = waiting.findIndex((one) => one.before > before)
        waiting.splice(place < 0 ? waiting.length : place, 0, asked)
      }
      shareSoon()
      return asked.promise
    },
    close: async () => {
      isOver = true
      await Promise.all([...threads].map((thread) => thread.end()))
    },
  }
}

function answerHere({ here, resolve, reject }: Waiting): void {
  here().then(resolve, reject)
}
