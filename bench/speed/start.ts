/** From the start of a process to its first answer over 100k turns: the built command line, and the library alone, over memories too. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { openMemory } from '../../src/doors/library/index.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { fill, freshPath } from './fill.ts'
import { seeded, turnText } from './synthetic.ts'

const RUNS = 15
const TURNS = 100_000

/** Needs a build (`npm run build`). `--turns N`; `--memories N` are searched as well (default 0, as adding them takes a while). */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  const command = new URL('../../bin/memory_recall.js', import.meta.url).pathname
  if (!existsSync(new URL('../../dist/', import.meta.url))) throw new Error('Build first: npm run build')
  const turns = Number(flags.turns ?? TURNS)
  const path = freshPath()
  const memory = await openMemory({ path })
  await fill(memory, ['local'], turns)
  const memories = Number(flags.memories ?? 0)
  const random = seeded(11)
  for (let made = 0; made < memories; made += 1) await memory.add(turnText(random), { userId: 'local', infer: false })
  await memory.idle()
  await memory.close()
  const library = (
    ask: string,
  ): string => `import { openMemory } from ${JSON.stringify(new URL('../../dist/doors/library/index.js', import.meta.url).href)}
    const memory = await openMemory({ path: ${JSON.stringify(path)} })
    const { results } = await memory.${ask}('a plain question', { userId: 'local' })
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
    ...(memories === 0 ? ['conversations.recall'] : ['conversations.recall', 'search']).map((ask) =>
      figure(
        `library, process start to first ${ask}, p50`,
        quantile(times(['--input-type=module', '-e', library(ask)]), 0.5),
      ),
    ),
    figure('an empty Node process, p50', bare),
  ]
}
