/**
 * A client in another process that takes little of the machine: kept connections, requests written to the socket as they
 * are. Node's own client takes twice as much.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

const SERVER = fileURLToPath(new URL('./rest-process.ts', import.meta.url))

/** The processor time and memory that a server's process has used. */
export interface Used {
  /** Bytes resident, after a collection. */
  readonly resident: number
  /** The processor's time since it began, in milliseconds, all threads together. */
  readonly cpu: number
}

/** A server to measure. */
export interface MeasuredServer {
  readonly url: string
  readonly pid: number
  used(): Promise<Used>
  stop(): Promise<void>
}

/** Starts a server over a database. */
export async function startServer(path: string): Promise<MeasuredServer> {
  const child = fork(SERVER, [path], { stdio: ['ignore', 'pipe', 'ignore', 'ipc'], execArgv: ['--expose-gc'] })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (line: Buffer) => resolve(line.toString().trim()))
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)))
  })
  return { url, pid: child.pid ?? 0, used: () => askUsed(child), stop: () => stop(child) }
}

function askUsed(child: ChildProcess): Promise<Used> {
  return new Promise((resolve) => {
    child.once('message', (used) => resolve(used as Used))
    child.send('used')
  })
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill()
  })
}

/** Sends requests over at most `connections` connections. */
export interface Client {
  /** Rejects unless the status is 2xx or 404. */
  send(method: string, path: string, body?: object): Promise<string>
  close(): void
}

/** A client of a server. */
export function client(url: string, connections: number): Client {
  const { hostname, port } = new URL(url)
  const all = Array.from({ length: connections }, () => new Connection(hostname, Number(port)))
  const free = [...all]
  const waiting: ((connection: Connection) => void)[] = []
  return {
    close: () => {
      for (const connection of all) connection.close()
    },
    send: async (method, path, body) => {
      const connection = free.pop() ?? (await new Promise<Connection>((resolve) => waiting.push(resolve)))
      try {
        const text = body === undefined ? '' : JSON.stringify(body)
        const type = body === undefined ? '' : 'content-type: application/json\r\n'
        const head = `${method} ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${type}`
        const { status, answer } = await connection.send(
          `${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
        )
        if ((status < 200 || status >= 300) && status !== 404) throw new Error(`${method} ${path}: ${status} ${answer}`)
        return answer
      } finally {
        const next = waiting.shift()
        if (next === undefined) free.push(connection)
        else next(connection)
      }
    },
  }
}

interface Received {
  readonly status: number
  readonly answer: string
}

const HEAD_END = '\r\n\r\n'

/** One kept connection: a request, its answer, the next request. */
class Connection {
  readonly #socket: Socket
  #bytes: Buffer = Buffer.alloc(0)
  #settle: PromiseWithResolvers<Received> | null = null

  constructor(host: string, port: number) {
    this.#socket = connect({ host, port, noDelay: true })
    this.#socket.on('data', (piece) => this.#take(piece))
    this.#socket.on('error', (error) => this.#settle?.reject(error))
    this.#socket.on('close', () => this.#settle?.reject(new Error('The server broke the connection off.')))
  }

  send(request: string): Promise<Received> {
    this.#settle = Promise.withResolvers<Received>()
    this.#socket.write(request)
    return this.#settle.promise
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(piece: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? piece : Buffer.concat([this.#bytes, piece])
    const end = this.#bytes.indexOf(HEAD_END)
    if (end < 0) return
    const head = this.#bytes.toString('latin1', 0, end)
    const length = /^content-length: (\d+)$/im.exec(head)?.[1]
    if (length === undefined) {
      this.#settle?.reject(new Error(`An answer of unknown length: ${head}`))
      return
    }
    const begin = end + HEAD_END.length
    if (this.#bytes.length < begin + Number(length)) return
    const answer = this.#bytes.toString('utf8', begin, begin + Number(length))
    this.#bytes = Buffer.alloc(0)
    this.#settle?.resolve({ status: Number(head.slice(9, 12)), answer })
  }
}
