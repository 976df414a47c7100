/** The entry of a server's thread: it writes and thinks with all work in the background, or answers questions alone. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Logger } from '../../domain/logger.ts'
import { enter } from '../../domain/scheduling.ts'
import { openWithCore } from '../library/open-memory.ts'
import { type AnyOperation, jsonOf } from '../operations/operation.ts'
import { type FromThread, plainError, post, type Task, type ThreadData, type ToThread } from './start-thread.ts'

const reports: FromThread[] = []

/** Reports soon; one that takes longer than others of its row goes in a separate message. */
function tell(report: FromThread): void {
  reports.push(report)
  if (reports.length === 1) setImmediate(send)
}

/** A task whose answer cannot be sent has failed; a line of the log goes without its details. */
function refuse(report: FromThread, error: unknown): void {
  if (report === 'ready' || 'progress' in report) return
  tell('ended' in report ? { ended: report.ended, error: plainError(error) } : { ...report, details: undefined })
}

function send(): void {
  if (parentPort !== null) post(parentPort, reports.splice(0), refuse)
}

const write =
  (level: keyof Logger): Logger['info'] =>
  (message, details) =>
    tell({ level, message, details })
const logger: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }

type Engine = Awaited<ReturnType<typeof open>>

async function open({ options, isReader }: ThreadData) {
  const alone = isReader ? { background: false, thinking: false } : {}
  const engine = await openWithCore({ ...options, ...alone, create: false, logger })
  const operations = isReader ? (await import('../operations/table.ts')).OPERATIONS : []
  return { ...engine, operations: new Map<string, AnyOperation>(operations.map((one) => [one.name, one])) }
}

const running = new Map<number, AbortController>()

async function end(task: Task, { memory, operations }: Engine): Promise<unknown> {
  if ('operation' in task) {
    const operation = operations.get(task.operation)
    if (operation === undefined) throw new TypeError(`there is no operation ${task.operation}`)
    return jsonOf(operation, { memory, ...task }, task.input)
  }
  const { id, group, method, values, userId, work } = task
  const over = new AbortController()
  running.set(id, over)
  const leave = userId === undefined ? undefined : await enter(userId)
  try {
    const part = group === 'own' ? memory : (Reflect.get(memory, group) as object)
    const onProgress = (...of: readonly unknown[]): void => tell({ progress: id, of })
    const given = values.map((value, at) =>
      at === work ? { ...(value as object), signal: over.signal, onProgress } : value,
    )
    return await (Reflect.get(part, method) as (...given: unknown[]) => unknown)(...given)
  } finally {
    running.delete(id)
    leave?.()
  }
}

async function take(message: ToThread, engine: Engine): Promise<void> {
  const { core, memory } = engine
  if (message === 'wake') core.thinking.worker.wake()
  else if (message === 'close') {
    await memory.close()
    parentPort?.close()
  } else if ('stop' in message) running.get(message.stop)?.abort()
  else if ('recalled' in message) core.activity.recalled(...message.recalled)
  else
    await end(message, engine).then(
      (value) => tell({ ended: message.id, value }),
      (error: unknown) => tell({ ended: message.id, error: plainError(error) }),
    )
}

async function serve(): Promise<void> {
  const engine = await open(workerData as ThreadData)
  parentPort?.on('message', async (row: readonly ToThread[]) => {
    await Promise.all(row.map((message) => take(message, engine)))
    send()
  })
  tell('ready')
}

void serve()
