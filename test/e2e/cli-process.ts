/** Runs the real command line as a child process in a folder of its own. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HostedCommand } from './cli-host.ts'

const ENTRY = fileURLToPath(new URL('./cli-entry.ts', import.meta.url))
const HOST = fileURLToPath(new URL('./cli-host.ts', import.meta.url))
const BUNDLED = process.env.MNEME_BUNDLED_CLI
/** Where programs keep what they compiled, so that the next one starts sooner. */
export const COMPILED =
  BUNDLED === undefined ? join(tmpdir(), 'mneme-cli-compile-cache') : join(BUNDLED, '../../compiled')

/** How a program ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<NodeJS.ProcessEnv>
  readonly input?: string | Uint8Array
}

/** An empty folder below the system's temporary one. */
export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'mneme-cli-'))
}

/** What waits forever ends with no code, before the test does. */
const MOST_MS = 240_000

/**
 * Runs `memory_store`, or `mneme` with its words, to its end. What has an input or settings of Node has a process of its own,
 * and so has what runs beside another; the rest share one that has loaded the program.
 */
export function run(program: string, words: readonly string[], options: RunOptions): Promise<Ended> {
  const { NODE_OPTIONS: _, ...inherited } = process.env
  const env: NodeJS.ProcessEnv = {
    ...inherited,
    MNEME_DB: '',
    NODE_COMPILE_CACHE: COMPILED,
    NO_COLOR: '1',
    ...options.env,
  }
  const isAlone = options.input !== undefined || Object.keys(options.env ?? {}).some((name) => name.startsWith('NODE_'))
  if (isAlone || isHostBusy) return runAlone(program, words, { ...options, env })
  return runHosted({ program, words, cwd: options.cwd, env })
}

let host: ChildProcess | undefined
let isHostBusy = false

function runHosted(command: HostedCommand): Promise<Ended> {
  host ??= fork(HOST, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [], env: command.env })
  const asked = host
  // It ends with this process, which it keeps from nothing.
  asked.unref()
  asked.channel?.unref()
  isHostBusy = true
  return new Promise<Ended>((resolve) => {
    const over = setTimeout(() => asked.kill('SIGKILL'), MOST_MS)
    const end = (ended: Ended): void => {
      clearTimeout(over)
      asked.off('message', end).off('exit', gone)
      isHostBusy = false
      resolve(ended)
    }
    const gone = (code: number | null): void => {
      host = undefined
      end({ code, stdout: '', stderr: '' })
    }
    asked.on('message', end).on('exit', gone).send(command)
  })
}

function runAlone(program: string, words: readonly string[], { cwd, env, input }: RunOptions): Promise<Ended> {
  const child = spawn(process.execPath, [ENTRY, program, ...words], { cwd, timeout: MOST_MS, env })
  const out: Buffer[] = []
  const error: Buffer[] = []
  child.stdout.on('data', (chunk) => out.push(chunk))
  child.stderr.on('data', (chunk) => error.push(chunk))
  // A program that ends without reading its input closes the pipe.
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => {
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(error).toString() })
    })
  })
}

/** Runs a program that must succeed and returns its JSON. */
export async function answer(program: string, words: readonly string[], options: RunOptions): Promise<Json> {
  const { code, stdout, stderr } = await run(program, words, options)
  if (code !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

/** A JSON object as a test looks at it. */
export interface Json {
  readonly [name: string]: JsonValue
}
export type JsonValue = string | number | boolean | null | Json | readonly JsonValue[]

/** The objects of a list in an answer. */
export function objects(value: JsonValue | undefined): readonly Json[] {
  if (!Array.isArray(value)) throw new TypeError('not a list')
  return value
}
