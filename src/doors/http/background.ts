/** A thread that writes and thinks for a server, which does it itself until the thread is ready or while it is replaced. */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Logger } from '../../domain/logger.ts'
import { refuseStopped } from '../../domain/pieces.ts'
import { userIn } from '../../usecases/core.ts'
import type { Elsewhere } from '../../usecases/options.ts'
import type { OpenMemory, OpenOptions } from '../library/index.ts'
import { errorOf, type Line, NURSERY_MB, REPLACED_AFTER_MS, type Told } from './readers.ts'

/** What a thread does of a memory: all that writes for a user or takes long, but for chats and streams to the caller. */
const MOVED = {
  own: ['add', 'update', 'bury', 'unbury', 'delete', 'deleteAll', 'reset', 'touch', 'write'],
  conversations: [
    'create',
    'store',
    'mute',
    'unmute',
    'collect',
    'editTurn',
    'deleteTurn',
    'summarize',
    'delete',
    'import',
    'importLogs',
    'importLogStream',
    'restore',
  ],
  workingMemory: ['set', 'delete'],
  profile: ['set'],
  sessionSummaries: ['update', 'create', 'delete'],
  maintenance: [
    'consolidate',
    'evict',
    'expire',
    'reindex',
    'digest',
    'embed',
    'think',
    'verify',
    'undo',
    'undoPreview',
    'overview',
    'retryJobs',
  ],
  memoryFile: ['digest', 'day', 'sync'],
} as const satisfies { [Group in keyof OpenMemory]?: readonly (keyof OpenMemory[Group])[] } & {
  readonly own: readonly (keyof OpenMemory)[]
}

export interface Background extends Elsewhere {
  /** Starts the thread; gives the memory as the server uses it. */
  over(memory: OpenMemory): OpenMemory
  readonly done: number
  close(): Promise<void>
}

/** A call on its way: a method of a group, its values without signal and progress, and which of the values had them. */
export interface Called {
  readonly id: number
  readonly group: string
  readonly method: string
  readonly values: readonly unknown[]
  readonly userId: string | undefined
  readonly work: number | null
}

export type ToThread =
  | Called
  | { readonly stop: number }
  | { readonly recalled: Parameters<Elsewhere['recalled']> }
  | 'wake'
  | 'close'

export type FromThread =
  | { readonly ended: number; readonly value?: unknown; readonly error?: Told['error'] }
  | { readonly progress: number; readonly of: readonly unknown[] }
  | { readonly line: Line }
  | 'ready'

interface Pending {
  readonly settle: PromiseWithResolvers<unknown>
  readonly onProgress: ((...of: readonly unknown[]) => void) | undefined
}

export function createBackground(
  options: Omit<OpenOptions, 'clock' | 'logger' | 'elsewhere'>,
  logger: Logger,
  replacedAfterMs = REPLACED_AFTER_MS,
): Background {
  const pending = new Map<number, Pending>()
  /** What a user's callers wait for. */
  const rolling = new Map<string, Promise<unknown>>()
  let worker: Worker | null = null
  let isReady = false
  let isOver = false
  let ended = Promise.resolve()
  let last = 0
  let done = 0

  const post = (message: ToThread, transfer: readonly ReadableStream[] = []): void =>
    worker?.postMessage(message, transfer as never)
  const heard = (message: FromThread): void => {
    if (message === 'ready') isReady = true
    else if ('line' in message) logger[message.line.level](message.line.message, message.line.details)
    else if ('progress' in message) pending.get(message.progress)?.onProgress?.(...message.of)
    else {
      const { settle } = pending.get(message.ended)!
      pending.delete(message.ended)
      done += 1
      if (message.error === undefined) settle.resolve(message.value)
      else settle.reject(errorOf(message.error))
    }
  }
  const start = (): void => {
    if (isOver) return
    // The file has this relative path both in the sources and in the package.
    const started = new Worker(new URL(`../http/background-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: options,
      resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
    })
    worker = started
    started.unref()
    started.on('message', heard)
    started.on('error', (error) =>
      logger.error('the thread of the background broke down', { reason: error.stack ?? String(error) }),
    )
    const { promise, resolve } = Promise.withResolvers<void>()
    ended = promise
    started.on('exit', () => {
      worker = null
      isReady = false
      for (const { settle } of pending.values()) settle.reject(new Error('the thread of the background broke down'))
      pending.clear()
      resolve()
      if (!isOver) setTimeout(start, replacedAfterMs).unref()
    })
  }
  const call = async (group: string, method: string, values: readonly unknown[]): Promise<unknown> => {
    const { sent, streams, work, signal, onProgress, failure } = portable(values)
    refuseStopped(signal)
    last += 1
    const id = last
    const settle = Promise.withResolvers<unknown>()
    post({ id, group, method, values: sent, userId: userIn(values), work }, streams)
    pending.set(id, { settle, onProgress })
    const stop = (): void => post({ stop: id })
    signal?.addEventListener('abort', stop, { once: true })
    try {
      return await settle.promise
    } catch (error) {
      throw failure() ?? error
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }
  /** The summaries that are due after a store are written later: who asks for the user meanwhile waits for them. */
  const rollsOf = (userId: string | undefined): void => {
    if (userId === undefined) return
    const rolled = call('own', 'revision', [{ userId }])
      .catch(() => undefined)
      .finally(() => {
        if (rolling.get(userId) === rolled) rolling.delete(userId)
      })
    rolling.set(userId, rolled)
  }
  const moved = <Part extends object>(group: string, part: Part, names: readonly string[]): Part => {
    const methods = names.map((name) => {
      const here = Reflect.get(part, name) as (...values: unknown[]) => Promise<unknown>
      const there = async (...values: unknown[]): Promise<unknown> => {
        if (!isReady) return here(...values)
        const answer = await call(group, name, values)
        if (name === 'store') rollsOf(userIn(values))
        return answer
      }
      return [name, there]
    })
    return { ...part, ...Object.fromEntries(methods) }
  }
  return {
    get done() {
      return done
    },
    wake: () => post('wake'),
    recalled: (...recalled) => post({ recalled }),
    pending: (userId) => {
      if (userId !== undefined) return rolling.get(userId) ?? null
      return rolling.size === 0 ? null : Promise.all(rolling.values())
    },
    over: (memory) => {
      start()
      const groups = Object.entries(MOVED).map(([group, names]) => [
        group,
        moved(group, group === 'own' ? memory : (Reflect.get(memory, group) as object), names),
      ])
      const { own, maintenance, ...rest } = Object.fromEntries(groups)
      return {
        ...own,
        ...rest,
        maintenance: {
          ...maintenance,
          modelsLeftAlone: async () => {
            const there = isReady ? ((await call('maintenance', 'modelsLeftAlone', [])) as readonly string[]) : []
            return [...new Set([...there, ...(await memory.maintenance.modelsLeftAlone())])]
          },
        },
        idle: async () => {
          if (isReady) await call('own', 'idle', [])
          await memory.idle()
        },
      }
    },
    close: async () => {
      isOver = true
      await Promise.allSettled([...pending.values()].map(({ settle }) => settle.promise))
      // Keeps the process alive until the thread has ended, because somebody waits for that.
      worker?.ref()
      post('close')
      await ended
    },
  }
}

/** The values of a call as they can be sent: a stream is handed over, a signal and a progress stay. */
function portable(values: readonly unknown[]) {
  const streams: ReadableStream[] = []
  let work: number | null = null
  let signal: AbortSignal | undefined
  let onProgress: Pending['onProgress']
  let failed: unknown
  const streamed = (source: AsyncIterable<unknown>): ReadableStream => {
    const watched = async function* () {
      try {
        yield* source
      } catch (error) {
        failed = error
        throw error
      }
    }
    const stream = ReadableStream.from(watched())
    streams.push(stream)
    return stream
  }
  const sent = values.map((value, at) => {
    if (isStream(value)) return streamed(value)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const { signal: stops, onProgress: tells, source, ...rest } = value as Record<string, unknown>
    if (stops instanceof AbortSignal) signal = stops
    if (typeof tells === 'function') onProgress = tells as typeof onProgress
    if (stops !== undefined || tells !== undefined) work = at
    return source === undefined ? rest : { ...rest, source: isStream(source) ? streamed(source) : source }
  })
  return { sent, streams, work, signal, onProgress, failure: () => failed }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
