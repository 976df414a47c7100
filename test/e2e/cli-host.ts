/**
 * Runs one command after another, as `cli-process.ts` asks, in a process that has loaded the program already. A command has
 * ended when it leaves nothing open that would keep a process of its own alive.
 */
import { setTimeout } from 'node:timers/promises'
import { main } from './cli-entry.ts'

/** A command as the host is asked to run it. */
export interface HostedCommand {
  readonly program: string
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

const mask = process.umask()
const written = { stdout: '', stderr: '' }
for (const name of ['stdout', 'stderr'] as const) {
  const stream = process[name]
  // Every command listens to it.
  stream.setMaxListeners(0)
  stream.write = ((piece: string | Uint8Array): boolean => {
    written[name] += typeof piece === 'string' ? piece : Buffer.from(piece).toString()
    return true
  }) as typeof stream.write
}

async function run({ program, words, cwd, env }: HostedCommand): Promise<void> {
  const open = process.getActiveResourcesInfo().length
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  await main(program, words)
  while (process.getActiveResourcesInfo().length > open) await setTimeout(1)
  process.send?.({ ...written, code: process.exitCode })
  Object.assign(written, { stdout: '', stderr: '' })
  process.exitCode = undefined
  process.umask(mask)
}

process.on('message', (command: HostedCommand) => void run(command))
