/** The thread that writes and thinks for a server: opened beside the server's own connection, with all work in the background. */
import { parentPort, workerData } from 'node:worker_threads'
import { enter } from '../../domain/fair-turns.ts'
import type { Logger } from '../../domain/logger.ts'
import { type OpenOptions, openWithCore } from '../library/open-memory.ts'
import type { Called, FromThread, ToThread } from './background.ts'
import { plainError } from './readers.ts'

const post = (message: FromThread): void => parentPort?.postMessage(message)
const write =
  (level: keyof Logger): Logger['info'] =>
  (message, details) =>
    post({ line: { level, message, details } })
const logger: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }

const { memory, core } = await openWithCore({ ...(workerData as OpenOptions), create: false, logger })
const running = new Map<number, AbortController>()

async function answer({ id, group, method, values, userId, work }: Called): Promise<void> {
  const over = new AbortController()
  running.set(id, over)
  const leave = userId === undefined ? undefined : await enter(userId)
  try {
    const part = group === 'own' ? memory : (Reflect.get(memory, group) as object)
    const onProgress = (...of: readonly unknown[]): void => post({ progress: id, of })
    const given = values.map((value, at) =>
      at === work ? { ...(value as object), signal: over.signal, onProgress } : value,
    )
    post({ ended: id, value: await (Reflect.get(part, method) as (...given: unknown[]) => unknown)(...given) })
  } catch (error) {
    post({ ended: id, error: plainError(error) })
  } finally {
    running.delete(id)
    leave?.()
  }
}

parentPort?.on('message', async (message: ToThread) => {
  if (message === 'wake') core.thinking.worker.wake()
  else if (message === 'close') {
    await memory.close()
    parentPort?.close()
  } else if ('stop' in message) running.get(message.stop)?.abort()
  else if ('recalled' in message) core.activity.recalled(...message.recalled)
  else await answer(message)
})
post('ready')
