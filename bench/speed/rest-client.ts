/** A client of a server in another process: kept connections, nothing else in the way. */
import { type ChildProcess, fork } from 'node:child_process'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'

const SERVER = fileURLToPath(new URL('./rest-process.ts', import.meta.url))

/** A server to measure. */
export interface MeasuredServer {
  readonly url: string
  /** Bytes resident in the server's process, after a collection. */
  resident(): Promise<number>
  stop(): Promise<void>
}

/** Starts a server over a database. */
export async function startServer(path: string): Promise<MeasuredServer> {
  const child = fork(SERVER, [path], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], execArgv: ['--expose-gc'] })
  const url = await new Promise<string>((resolve) => {
    child.stdout?.once('data', (line: Buffer) => resolve(line.toString().trim()))
  })
  return { url, resident: () => askResident(child), stop: () => stop(child) }
}

function askResident(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', (bytes) => resolve(Number(bytes)))
    child.send('resident')
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
  const agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: 60_000 })
  const { hostname, port } = new URL(url)
  return {
    close: () => agent.destroy(),
    send: (method, path, body) =>
      new Promise((resolve, reject) => {
        const text = body === undefined ? undefined : JSON.stringify(body)
        const headers =
          text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
        const sent = request({ hostname, port, method, path, agent, headers }, (response) => {
          let answer = ''
          response.setEncoding('utf8').on('data', (piece: string) => {
            answer += piece
          })
          response.on('end', () => {
            const { statusCode = 0 } = response
            if ((statusCode >= 200 && statusCode < 300) || statusCode === 404) resolve(answer)
            else reject(new Error(`${method} ${path}: ${statusCode} ${answer}`))
          })
        })
        sent.on('error', reject)
        sent.end(text)
      }),
  }
}
