/** What does a separate program see in a collection? One process a server, with Milvus's SDK and nothing of Mneme. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { MilvusServer } from './start-milvus.ts'

/** A row as any Milvus client reads it. */
export interface ReadRow {
  readonly id: string
  readonly text: string
  readonly memory_type: string
  readonly hit_count: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly $meta: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

interface Answer {
  readonly number: number
  readonly data?: readonly ReadRow[]
  readonly failure?: string
}

const PROGRAM = join(import.meta.dirname, 'milvus-reader.mjs')
const readers = new Map<string, ChildProcess>()
let asked = 0

/** The rows of a user, in the order of writing. */
export async function rowsSeen(
  server: MilvusServer,
  collection: string,
  user: string,
  consistency = 'Strong',
): Promise<readonly ReadRow[]> {
  const reader = readers.get(server.uri) ?? start(server)
  asked += 1
  const number = asked
  const { data, failure } = await new Promise<Answer>((resolve, reject) => {
    const take = (answer: Answer): void => {
      if (answer.number !== number) return
      end()
      resolve(answer)
    }
    const gone = (): void => {
      end()
      reject(new Error('the separate program has ended'))
    }
    const end = (): void => {
      reader.off('message', take)
      reader.off('exit', gone)
    }
    reader.on('message', take)
    reader.on('exit', gone)
    reader.send({ number, collection, user, consistency })
  })
  if (data === undefined) throw new Error(`the separate program could not read: ${failure}`)
  return [...data].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
}

/** It ends with this process. */
function start({ uri, token }: MilvusServer): ChildProcess {
  const { NODE_OPTIONS: _, ...env } = process.env
  const reader = fork(PROGRAM, [new URL(uri).host, ...(token === undefined ? [] : [token])], {
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  readers.set(uri, reader)
  reader.once('exit', () => readers.delete(uri))
  reader.setMaxListeners(0)
  return reader
}
