import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshFolder } from '../../../test/support/folder.ts'

const PROGRAM = `import { open } from 'node:fs/promises'
  import { watchedWork } from '${new URL('./watched-work.ts', import.meta.url).href}'
  await watchedWork({ doing: 'writing', unit: 'bytes' }, () => {
    process.stdout.write('under way')
    return open(process.argv[1], 'w')
  })`

test.skipIf(process.platform === 'win32').for(['SIGINT', 'SIGTERM'] as const)(
  'a second %s ends work that waits for a pipe which nobody reads',
  async (signal) => {
    const pipe = join(freshFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, pipe], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    const ended = (): string | null => {
      child.kill(signal)
      return child.signalCode
    }
    await expect.poll(ended, { timeout: 20_000, interval: 100 }).toBe(signal)
  },
)
