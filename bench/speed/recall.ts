/** How long does a recall take? 100k turns of one user, 10k among 100 users, and 1M with hot words (`--million yes`). */
import { openMemory } from '../../src/interfaces/library/index.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { fill, freshPath } from './fill.ts'
import { hotQuery, query, seeded } from './synthetic.ts'

const QUESTIONS = 400
const WARM_UP = 50

interface Case {
  readonly name: string
  readonly users: number
  readonly turns: number
  readonly ask: (random: () => number) => string
}

const CASES: readonly Case[] = [
  { name: '100k turns of one user', users: 1, turns: 100_000, ask: query },
  { name: '10k turns among 100 users', users: 100, turns: 10_000, ask: query },
]
const MILLION: Case = { name: '1M turns of one user, hot words', users: 1, turns: 1_000_000, ask: hotQuery }

/** Measures each case; `--case 0|1|2` picks one. */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  const cases = flags.million === undefined ? CASES : [...CASES, MILLION]
  const chosen = flags.case === undefined ? cases : [[...CASES, MILLION][Number(flags.case)]!]
  const figures: Figure[] = []
  for (const one of chosen) figures.push(...(await measure(one)))
  return figures
}

async function measure({ name, users, turns, ask }: Case): Promise<readonly Figure[]> {
  await using memory = await openMemory({ path: freshPath() })
  const names = Array.from({ length: users }, (_, index) => `user-${index}`)
  await fill(memory, names, turns)
  const random = seeded(11)
  const taken: number[] = []
  for (let asked = -WARM_UP; asked < QUESTIONS; asked += 1) {
    const question = ask(random)
    const userId = names[Math.floor(random() * users)]!
    const started = performance.now()
    await memory.conversations.recall(question, { userId, limit: 10 })
    if (asked >= 0) taken.push(performance.now() - started)
  }
  const figure = (what: string, value: number): Figure => ({
    bench: 'recall',
    figure: `${what}, ${name}`,
    value,
    unit: 'ms',
    n: QUESTIONS,
  })
  return [figure('p50', quantile(taken, 0.5)), figure('p99', quantile(taken, 0.99))]
}
