/**
 * mem0's own clients for tests: the npm package and the PyPI package, installed by their ordinary tools into a folder of
 * their own. `node test/support/mem0-clients.ts` installs them (half a minute); tests skip what is not there and say so,
 * except under CI, where a skip is a failure.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The versions that were read and are tested. */
const NPM = 'mem0ai@3.3.1'
const PYPI = 'mem0ai==2.2.1'
const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'node_modules/.cache/mneme-clients')
const NPM_FOLDER = join(FOLDER, `npm-${NPM.replace('@', '-')}`)
const PYPI_FOLDER = join(FOLDER, `pypi-${PYPI.replace('==', '-')}`)

/** Kinds of clients: the npm one, and the two of the PyPI package. */
export const MEM0_KINDS = ['npm', 'pypi', 'pypi-async'] as const
export type Mem0Kind = (typeof MEM0_KINDS)[number]

/** How a client of this kind is started; undefined where it is not installed. */
function commandOf(kind: Mem0Kind): readonly [string, readonly string[]] | undefined {
  if (kind === 'npm') {
    const module = join(NPM_FOLDER, 'node_modules/mem0ai/dist/index.mjs')
    if (!existsSync(join(NPM_FOLDER, 'complete'))) return undefined
    return [process.execPath, [join(import.meta.dirname, 'mem0-npm-client.mjs'), module]]
  }
  const python = join(PYPI_FOLDER, 'bin/python')
  if (!existsSync(join(PYPI_FOLDER, 'complete'))) return undefined
  return [python, [join(import.meta.dirname, 'mem0-pypi-client.py'), kind === 'pypi' ? 'sync' : 'async']]
}

/** Why tests of this kind cannot run; undefined when they can. Throws under CI, where they have to. */
export function whySkipped(kind: Mem0Kind): string | undefined {
  if (commandOf(kind) !== undefined) return undefined
  const reason = `mem0's ${kind} client is not installed; run: node test/support/mem0-clients.ts`
  if (process.env.CI !== undefined && process.env.CI !== '') throw new Error(reason)
  console.warn(`skipped: ${reason}`)
  return reason
}

/** What a call of a client came to. */
export interface ClientAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly value?: any
  /** The exception: its class, its code where it has one, its message. */
  readonly error?: { readonly name: string; readonly code: string | null; readonly message: string }
}

/** A client in a process of its own, whose telemetry is off and whose sockets may only lead to loopback. */
export interface RunningClient {
  /** Calls a method by its name. Named arguments are Python's. */
  call(method: string, args?: readonly unknown[], named?: Readonly<Record<string, unknown>>): Promise<ClientAnswer>
  stop(): Promise<void>
}

/** Starts a client of this kind, pointed at `host`. */
export function startClient(kind: Mem0Kind, host: string, apiKey = 'none'): RunningClient {
  const [program, args] = commandOf(kind) as readonly [string, readonly string[]]
  const home = mkdtempSync(join(tmpdir(), 'mneme-mem0-'))
  const child: ChildProcess = spawn(program, [...args, host, apiKey], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: home, MEM0_DIR: home, MEM0_TELEMETRY: 'false', PYTHONDONTWRITEBYTECODE: '1' },
  })
  let complaints = ''
  child.stderr?.on('data', (piece: Buffer) => {
    complaints = (complaints + piece.toString()).slice(-4000)
  })
  const waiting: ((answer: ClientAnswer) => void)[] = []
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line) as ClientAnswer))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  ended.then(() => {
    for (const answer of waiting.splice(0)) answer({ error: { name: 'Ended', code: null, message: complaints } })
  })
  return {
    call: (method, args = [], named = {}) =>
      new Promise((resolve) => {
        waiting.push(resolve)
        child.stdin?.write(`${JSON.stringify({ method, args, named })}\n`)
      }),
    stop: async () => {
      child.stdin?.end()
      await ended
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function install(): void {
  const run = (program: string, args: readonly string[]): void => {
    execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  }
  if (commandOf('npm') === undefined) {
    rmSync(NPM_FOLDER, { recursive: true, force: true })
    mkdirSync(NPM_FOLDER, { recursive: true })
    // Only the client is asked for: not the peers of mem0's own engine, and no install scripts.
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps']
    run('npm', ['install', '--prefix', NPM_FOLDER, NPM, ...quiet])
    mkdirSync(join(NPM_FOLDER, 'complete'))
  }
  if (commandOf('pypi') === undefined) {
    rmSync(PYPI_FOLDER, { recursive: true, force: true })
    run('python3', ['-m', 'venv', PYPI_FOLDER])
    run(join(PYPI_FOLDER, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', PYPI])
    mkdirSync(join(PYPI_FOLDER, 'complete'))
  }
}

if (import.meta.main) install()
