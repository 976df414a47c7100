/**
 * A real Milvus for tests on loopback ports, without a container: `milvus-server` in the environment MILVUS_VENV,
 * `milvus-lite` in MILVUS_LITE_VENV. `.ci/run` makes both.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { loadSdk, type SdkClient } from '../../src/store/milvus/sdk.ts'

/** A kind of server. */
export type MilvusKind = 'Milvus 2.3.5' | 'Milvus Lite'

/** A running server. */
export interface MilvusServer {
  readonly kind: MilvusKind
  readonly uri: string
  /** Undefined where the server asks for nothing. */
  readonly token: string | undefined
  /** kill -9 of the server and its children; its data stay. */
  kill(): Promise<void>
  /** Starts it again on the same port and data. */
  restart(): Promise<void>
  /** Stops it where it stands, so that it accepts and never answers, until it is let go on. */
  pause(): void
  goOn(): void
  /** Ends it and its children, and removes its data. */
  stop(): Promise<void>
  /** Bytes of memory and of disk that it takes now; the disk without the program itself. */
  footprint(): { readonly resident: number; readonly disk: number }
  /** A client of its own, with nothing of Mneme in it. */
  client(): Promise<SdkClient>
}

/** Milliseconds that a start may take. */
export const READY_MS = 60_000
const READY_AGAIN_MS = 120_000
const LOCK_PORT = 20_529
/** Where each kind is looked for: a variable, else a folder of this checkout. */
export const PLACES: Readonly<
  Record<MilvusKind, { readonly variable: string; readonly folder: string; readonly program: string }>
> = {
  'Milvus 2.3.5': { variable: 'MILVUS_VENV', folder: '.venv/milvus', program: 'milvus-server' },
  'Milvus Lite': { variable: 'MILVUS_LITE_VENV', folder: '.venv/milvus-lite', program: 'milvus-lite' },
}

/** The program of this kind; undefined when it is not installed. */
export function programOf(kind: MilvusKind): string | undefined {
  const { variable, folder, program } = PLACES[kind]
  const path = join(process.env[variable] ?? join(import.meta.dirname, '../..', folder), 'bin', program)
  return existsSync(path) ? path : undefined
}

/** Starts one and waits until it answers. */
export async function startMilvus(
  kind: MilvusKind,
  { token }: { readonly token?: string } = {},
): Promise<MilvusServer> {
  const program = programOf(kind)
  if (program === undefined) throw new Error(`${kind} is not installed`)
  const release = kind === 'Milvus 2.3.5' ? await onlyOne() : () => {}
  const data = mkdtempSync(join(tmpdir(), 'mneme-milvus-'))
  const port = await freePort()
  const uri = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const clients: SdkClient[] = []
  const client = async (): Promise<SdkClient> => {
    const { MilvusClient } = await loadSdk()
    const made = new MilvusClient({
      address: `127.0.0.1:${port}`,
      ssl: false,
      timeout: 15_000,
      maxRetries: 0,
      retryDelay: 10,
      logLevel: 'error',
      telemetry: { enabled: false },
      // gRPC waits up to two minutes before it connects again, and clients of one address share what it waits for. The
      // SDK gives up a connection, and what is under way on it, when a busy server leaves a ping unanswered for 5 s.
      channelOptions: {
        'grpc.use_local_subchannel_pool': 1,
        'grpc.max_reconnect_backoff_ms': 1000,
        'grpc.keepalive_time_ms': 60_000,
        'grpc.keepalive_timeout_ms': 20_000,
      },
      ...(token === undefined ? {} : { token }),
    })
    made.connectPromise.catch(() => {})
    clients.push(made)
    return made
  }
  const start = async (withinMs = READY_MS, again = false): Promise<void> => {
    const parameters =
      kind === 'Milvus Lite'
        ? ['server', '--data-dir', data, '--host', '127.0.0.1', '--port', String(port)]
        : [
            ...['--data', data, '--proxy-port', String(port), '--extra-config', 'proxy.timeTickInterval=10'],
            ...(token === undefined ? [] : ['--authorization-enabled', 'true']),
          ]
    const launch = (): void => {
      const common = { stdio: 'ignore', detached: true, cwd: data } as const
      // Its wrapper takes the next port while the one before has connections that wait for their end, as after kill -9.
      child =
        again && kind === 'Milvus 2.3.5'
          ? spawn(join(data, 'bin/milvus'), ['run', 'standalone'], { ...common, env: ownEnvironment(data) })
          : spawn(program, parameters, common)
    }
    launch()
    await untilReady(client, withinMs, () => {
      // Its port may still be waiting for the connections of a server that was killed.
      if (child?.exitCode !== null || child.signalCode !== null) launch()
    })
  }
  const kill = async (): Promise<void> => {
    if (child?.pid === undefined) return
    const ended = new Promise((resolve) => child!.once('exit', resolve))
    // The wrapper leaves its child running, which has left its process group.
    for (const pid of [child.pid, ...descendants(child.pid)]) end(pid)
    if (child.exitCode === null && child.signalCode === null) await ended
    child = undefined
  }
  const signalAll = (signal: NodeJS.Signals): void => {
    if (child?.pid !== undefined) for (const pid of [child.pid, ...descendants(child.pid)]) process.kill(pid, signal)
  }
  try {
    await start()
  } catch (error) {
    await kill()
    release()
    rmSync(data, { recursive: true, force: true })
    throw error
  }
  return {
    kind,
    uri,
    token,
    kill,
    restart: () => start(READY_AGAIN_MS, true),
    client,
    pause: () => signalAll('SIGSTOP'),
    goOn: () => signalAll('SIGCONT'),
    footprint: () => ({
      resident: [child?.pid ?? 0, ...descendants(child?.pid ?? 0)].reduce((sum, pid) => sum + residentBytes(pid), 0),
      disk: diskBytes(data),
    }),
    stop: async () => {
      await Promise.all(clients.map((one) => one.closeConnection().catch(() => {})))
      await kill()
      release()
      rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

/** The environment of the full server, which reads its settings from `configs` in the folder that it runs in. */
function ownEnvironment(data: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DEPLOY_MODE: 'STANDALONE',
    METRICS_PORT: '9091',
    MILVUS_RUN_DIR: join(data, 'run'),
    LD_LIBRARY_PATH: join(data, 'bin'),
  }
}

/**
 * The full server's ports cannot be chosen: a machine runs one, for the process that listens on this
 * port, until it ends.
 */
async function onlyOne(): Promise<() => void> {
  const until = performance.now() + 5 * READY_MS
  for (;;) {
    const lock = createServer()
    const isMine = await new Promise<boolean>((resolve) => {
      lock.once('error', () => resolve(false))
      lock.listen(LOCK_PORT, '127.0.0.1', () => resolve(true))
    })
    if (isMine) {
      lock.unref()
      return () => lock.close()
    }
    if (performance.now() > until) throw new Error('another test keeps the full Milvus server to itself')
    await setTimeout(500)
  }
}

/** A port that is open does not answer yet: it is ready when a list of collections comes back. */
async function untilReady(client: () => Promise<SdkClient>, withinMs: number, relaunch: () => void): Promise<void> {
  const until = performance.now() + withinMs
  for (;;) {
    const probe = await client()
    try {
      const { status } = await probe.hasCollection({ collection_name: 'ready', timeout: 2000 })
      if (status?.error_code === 'Success') return
    } catch {
      // Not yet.
    } finally {
      await probe.closeConnection().catch(() => {})
    }
    if (performance.now() > until) throw new Error('Milvus did not get ready in time')
    await setTimeout(200)
    relaunch()
  }
}

function descendants(pid: number): readonly number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc'))
    if (/^\d+$/.test(name)) {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
      } catch {
        // It has ended since.
      }
    }
  const found: number[] = []
  for (const queue = [pid]; queue.length > 0; ) {
    const parent = queue.pop()
    for (const [child, its] of parents)
      if (its === parent) {
        found.push(child)
        queue.push(child)
      }
  }
  return found
}

function residentBytes(pid: number): number {
  try {
    return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

function diskBytes(folder: string): number {
  let sum = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    // The wrapper unpacks the program into the data folder.
    if (!entry.isFile() || entry.parentPath.startsWith(join(folder, 'bin'))) continue
    sum += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.blocks ?? 0
  }
  return sum * 512
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
