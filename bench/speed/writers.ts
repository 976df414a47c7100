/** Eight processes write 2,000 turns each into one file: how many writes succeed at once, how many turns are lost? */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { openMemory } from '../../src/doors/library/index.ts'
import type { BenchOptions, Figure } from '../figure.ts'
import { freshPath } from './fill.ts'

const PROCESSES = 8
const WRITES = 2000

/** Half of the processes share one conversation, the others have one each. */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  const writes = Number(flags.writes ?? WRITES)
  const path = freshPath()
  await (await openMemory({ path })).close()
  const started = performance.now()
  const answers = await Promise.all(
    Array.from({ length: PROCESSES }, (_, index) =>
      finished(fork(new URL('./write-turns.ts', import.meta.url), [path, String(index), String(writes)])),
    ),
  )
  const seconds = (performance.now() - started) / 1000
  const succeeded = answers.reduce((sum, answer) => sum + answer.succeeded, 0)
  await using memory = await openMemory({ path })
  const { turns } = await memory.maintenance.stats({ allUsers: true })
  const n = PROCESSES * writes
  return [
    { bench: 'writers', figure: 'writes that succeeded at once', value: (succeeded / n) * 100, unit: '%', n },
    { bench: 'writers', figure: 'acknowledged turns lost', value: succeeded - turns, unit: 'turns', n },
    { bench: 'writers', figure: 'all processes together', value: succeeded / seconds, unit: 'turns/s', n },
  ]
}

async function finished(child: ChildProcess): Promise<{ succeeded: number }> {
  const [answer] = await once(child, 'message')
  await once(child, 'exit')
  return answer
}
