/** A thread that answers questions from the database: opened beside the server's own connection, with no work in the background. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Logger } from '../../domain/logger.ts'
import { openMemory } from '../library/open-memory.ts'
import { OPERATIONS } from '../operations/table.ts'
import { type Asked, type Line, plainError, type ReaderDatabase, type Told } from './reader-messages.ts'

let lines: Line[] = []
const write =
  (level: keyof Logger): Logger['info'] =>
  (message, details) =>
    void lines.push({ level, message, details })
const logger: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }

function tell(told: Omit<Told, 'lines'>): void {
  const message: Told = { ...told, lines }
  lines = []
  parentPort?.postMessage(message)
}

const memory = await openMemory({
  ...(workerData as ReaderDatabase),
  create: false,
  background: false,
  thinking: false,
  logger,
})
const operations = new Map(OPERATIONS.map((operation) => [operation.name, operation]))

async function answer({ operation, userId, isOperator, input }: Asked): Promise<string> {
  const found = operations.get(operation)
  if (found === undefined) throw new TypeError(`there is no operation ${operation}`)
  return JSON.stringify(await found.handler({ memory, userId, isOperator }, input))
}

parentPort?.on('message', async (asked: Asked | null) => {
  // Nothing more is asked: the thread ends with its port.
  if (asked === null) {
    await memory.close()
    parentPort?.close()
    return
  }
  const { number } = asked
  try {
    tell({ number, body: await answer(asked) })
  } catch (error) {
    tell({ number, error: plainError(error) })
  }
})
tell({ number: null })
