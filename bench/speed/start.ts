/** From the start of a process to its first answer over 100k turns: the built command line, and the library alone. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { openMemory } from '../../src/doors/library/index.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { fill, freshPath } from './fill.ts'

const RUNS = 15
const TURNS = 100_000

/** Needs a build (`npm run build`). */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  const command = new URL('../../bin/memory_recall.js', import.meta.url).pathname
  if (!existsSync(new URL('../../dist/', import.meta.url))) throw new Error('Build first: npm run build')
  const turns = Number(flags.turns ?? TURNS)
  const path = freshPath()
  const memory = await openMemory({ path })
  await fill(memory, ['local'], turns)
  await memory.close()
  const library = `import { openMemory } from ${JSON.stringify(new URL('../../dist/doors/library/index.js', import.meta.url).href)}
    const memory = await openMemory({ path: ${JSON.stringify(path)} })
    const { results } = await memory.conversations.recall('a plain question', { userId: 'local' })
    if (results === undefined) process.exit(1)
    process.exit(0)`
  const times = (words: readonly string[]): number[] =>
    Array.from({ length: RUNS }, () => {
      const started = performance.now()
      execFileSync(process.execPath, words, { stdio: 'ignore' })
      return performance.now() - started
    })
  const bare = quantile(times(['-e', '0']), 0.5)
  const figure = (name: string, value: number): Figure => ({
    bench: 'start',
    figure: name,
    value,
    unit: 'ms',
    n: RUNS,
    reference: 'an empty Node process',
    ratio: value / bare,
  })
  return [
    figure(
      'memory_recall, process start to end, p50',
      quantile(times([command, '--db', path, '--query', 'bao dano banr', '--ranking', 'hybrid']), 0.5),
    ),
    figure('library, process start to first answer, p50', quantile(times(['--input-type=module', '-e', library]), 0.5)),
    figure('an empty Node process, p50', bare),
  ]
}
