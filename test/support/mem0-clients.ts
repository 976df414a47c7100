/**
 * mem0's own clients (npm and PyPI), which `node test/support/mem0-clients.ts` installs in a folder that git ignores.
 * Tests skip without them, but fail under CI or MEM0_TESTS=required.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The versions that were read and are tested. */
const NPM = 'mem0ai@3.3.1'
const PYPI = 'mem0ai==2.2.1'
const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, '.venv/mem0-clients')
const NPM_FOLDER = join(FOLDER, `npm-${NPM.replace('@', '-')}`)
const PYPI_FOLDER = join(FOLDER, `pypi-${PYPI.replace('==', '-')}`)

/** Kinds of clients: the npm one, and the two of the PyPI package. */
export const MEM0_KINDS = ['npm', 'pypi', 'pypi-async'] as const
export type Mem0Kind = (typeof MEM0_KINDS)[number]

/** How clients of this kind are started; undefined where they are not installed. */
function commandOf(kind: Mem0Kind): readonly [string, readonly string[]] | undefined {
  const folder = kind === 'npm' ? NPM_FOLDER : PYPI_FOLDER
  if (!existsSync(join(folder, 'complete'))) return undefined
  if (kind !== 'npm') return [join(folder, 'bin/python'), [join(import.meta.dirname, 'mem0-pypi-client.py')]]
  const module = join(folder, 'node_modules/mem0ai/dist/index.mjs')
  return [process.execPath, [join(import.meta.dirname, 'mem0-npm-client.mjs'), module]]
}

/** Why tests of this kind cannot run; undefined when they can. Throws under CI, where they have to. */
export function whySkipped(kind: Mem0Kind): string | undefined {
  if (commandOf(kind) !== undefined) return undefined
  const reason = `mem0's ${kind} client is not installed; run: node test/support/mem0-clients.ts`
  if ((process.env.CI ?? '') !== '' || process.env.MEM0_TESTS === 'required') throw new Error(reason)
  console.warn(`skipped: ${reason}`)
  return reason
}

/** The outcome of a client's call. */
export interface ClientAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly value?: any
  /** The exception: its class, its code where it has one, its message. */
  readonly error?: { readonly name: string; readonly code: string | null; readonly message: string }
}

/** A client of mem0's. */
export interface Mem0Client {
  /** Calls a method by its name. Named arguments are Python's. */
  call(method: string, args?: readonly unknown[], named?: Readonly<Record<string, unknown>>): Promise<ClientAnswer>
}

/**
 * Clients in a process of their own, because Python's take seconds to start. Their telemetry is off, and their sockets may
 * only lead to loopback.
 */
export interface Mem0Process {
  client(kind: Mem0Kind, host: string, apiKey?: string): Mem0Client
  stop(): Promise<void>
}

/** Starts the process of these clients, which have to be installed. */
export function startClients(kind: Mem0Kind): Mem0Process {
  const [program, args] = commandOf(kind) as readonly [string, readonly string[]]
  const home = mkdtempSync(join(tmpdir(), 'mneme-mem0-'))
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: home, MEM0_DIR: home, MEM0_TELEMETRY: 'false' },
  })
  let complaints = ''
  child.stderr.on('data', (piece: Buffer) => {
    complaints = (complaints + piece.toString()).slice(-4000)
  })
  const waiting: ((answer: ClientAnswer) => void)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line) as ClientAnswer))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  ended.then(() => {
    for (const answer of waiting.splice(0)) answer({ error: { name: 'Ended', code: null, message: complaints } })
  })
  return {
    client: (kindOfClient, host, key = 'none') => ({
      call: (method, given = [], named = {}) =>
        new Promise((resolve) => {
          waiting.push(resolve)
          child.stdin.write(`${JSON.stringify({ kind: kindOfClient, host, key, method, args: given, named })}\n`)
        }),
    }),
    stop: async () => {
      child.stdin.end()
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
