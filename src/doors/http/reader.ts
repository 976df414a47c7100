/** A thread that answers questions from the database: opened beside the server's own connection, with no work in the background. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Logger } from '../../domain/logger.ts'
import { openMemory } from '../library/open-memory.ts'
import { jsonOf } from '../operations/operation.ts'
import { OPERATIONS } from '../operations/table.ts'
import { type Asked, type Line, plainError, type ReaderDatabase, type Report, type Told } from './readers.ts'

let [told, lines, isReporting]: [Told[], Line[], boolean] = [[], [], false]
const write =
  (level: keyof Logger): Logger['info'] =>
  (message, details) =>
    void lines.push({ level, message, details })
const logger: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }

/** Reports an answer; one that takes longer than others of its row goes in a separate message. */
function tell(one: Told): void {
  told.push(one)
  if (isReporting) return
  isReporting = true
  setImmediate(report)
}

function report(): void {
  isReporting = false
  if (told.length + lines.length === 0) return
  parentPort?.postMessage({ told, lines } satisfies Report)
  ;[told, lines] = [[], []]
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
  return jsonOf(found, { memory, userId, isOperator }, input)
}

async function answerOne(asked: Asked): Promise<void> {
  const { number } = asked
  try {
    tell({ number, body: await answer(asked) })
  } catch (error) {
    tell({ number, error: plainError(error) })
  }
}

parentPort?.on('message', async (asked: readonly Asked[] | null) => {
  if (asked !== null) {
    await Promise.all(asked.map(answerOne))
    report()
    return
  }
  // Nothing more is asked: the thread ends with its port.
  await memory.close()
  parentPort?.close()
})
parentPort?.postMessage({ told, lines } satisfies Report)
