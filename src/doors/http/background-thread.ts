/** A thread that writes and thinks for a server, which does it itself until the thread is ready or while it is replaced. */
import type { Logger } from '../../domain/logger.ts'
import { refuseStopped } from '../../domain/scheduling.ts'
import { userIn } from '../../usecases/core.ts'
import type { Elsewhere } from '../../usecases/open-options.ts'
import type { OpenMemory, OpenOptions } from '../library/index.ts'
import { REPLACED_AFTER_MS, startThread, type Thread, ThreadLost } from './start-thread.ts'

/** Methods that the thread does: all writes and long reads, but no chats and streams. */
const MOVED = {
  own: ['add', 'update', 'bury', 'unbury', 'delete', 'deleteMany', 'deleteAll', 'reset', 'touch', 'write'],
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
  over(memory: OpenMemory): OpenMemory
  readonly done: number
  close(): Promise<void>
}

export function createBackground(
  options: Omit<OpenOptions, 'clock' | 'logger' | 'elsewhere'>,
  logger: Logger,
  replacedAfterMs = REPLACED_AFTER_MS,
): Background {
  const rolling = new Map<string, Promise<unknown>>()
  let thread: Thread | null = null
  let isOver = false
  let done = 0

  const start = (): void => {
    if (isOver) return
    thread = startThread({ options, isReader: false }, logger)
    void thread.ended.then(() => {
      if (!isOver) setTimeout(start, replacedAfterMs).unref()
    })
  }
  const there = (): Thread | null => (thread?.isReady === true ? thread : null)
  const call = async (thread: Thread, group: string, method: string, values: readonly unknown[]): Promise<unknown> => {
    const { sent, work, failure, ...how } = portable(values)
    refuseStopped(how.signal)
    try {
      return await thread.ask({ group, method, values: sent, userId: userIn(values), work }, how)
    } catch (error) {
      throw failure() ?? error
    } finally {
      done += 1
    }
  }
  /** The summaries that are due after a store are written later: who asks for the user meanwhile waits for them. */
  const rollsOf = (thread: Thread, userId: string | undefined): void => {
    if (userId === undefined) return
    const rolled = call(thread, 'own', 'revision', [{ userId }])
      .catch(() => undefined)
      .finally(() => {
        if (rolling.get(userId) === rolled) rolling.delete(userId)
      })
    rolling.set(userId, rolled)
  }
  const moved = <Part extends object>(group: string, part: Part, names: readonly string[]): Part => {
    const methods = names.map((name) => {
      const here = Reflect.get(part, name) as (...values: unknown[]) => Promise<unknown>
      const anywhere = async (...values: unknown[]): Promise<unknown> => {
        const thread = there()
        if (thread === null) return here(...values)
        const answer = await call(thread, group, name, values)
        if (name === 'store') rollsOf(thread, userIn(values))
        return answer
      }
      return [name, anywhere]
    })
    return { ...part, ...Object.fromEntries(methods) }
  }
  return {
    get done() {
      return done
    },
    wake: () => thread?.tell('wake'),
    recalled: (...recalled) => thread?.tell({ recalled }),
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
      // To look at a large file takes long, and whoever writes would wait for it: it has a thread of its own.
      const verify: OpenMemory['maintenance']['verify'] = async (input) => {
        const alone = startThread({ options, isReader: true }, logger)
        const findings = call(alone, 'maintenance', 'verify', [input]) as ReturnType<typeof verify>
        void alone.end()
        // A file may be too damaged to be opened once more.
        return findings.catch((error: unknown) => {
          if (error instanceof ThreadLost) return memory.maintenance.verify(input)
          throw error
        })
      }
      const { own, maintenance, ...rest } = Object.fromEntries(groups)
      return {
        ...own,
        ...rest,
        maintenance: {
          ...maintenance,
          verify,
          unwritten: async () => {
            const thread = there()
            return thread === null ? null : ((await call(thread, 'maintenance', 'unwritten', [])) as string | null)
          },
          modelsLeftAlone: async () => {
            const thread = there()
            const left = thread === null ? [] : await call(thread, 'maintenance', 'modelsLeftAlone', [])
            return [...new Set([...(left as readonly string[]), ...(await memory.maintenance.modelsLeftAlone())])]
          },
        },
        idle: async () => {
          const thread = there()
          if (thread !== null) await call(thread, 'own', 'idle', [])
          await memory.idle()
        },
      }
    },
    close: async () => {
      isOver = true
      await thread?.end()
    },
  }
}

/** The values of a call as they can be sent: a stream is handed over, a signal and a progress stay. */
function portable(values: readonly unknown[]) {
  const streams: ReadableStream[] = []
  let work: number | null = null
  let signal: AbortSignal | undefined
  let onProgress: ((...of: readonly unknown[]) => void) | undefined
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
