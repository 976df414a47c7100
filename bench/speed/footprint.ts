/** What does it take? Bytes on disk for 1,000 turns and 10,000 memories of 150 characters, and memory while answering over 100k turns. */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { openMemory } from '../../src/doors/library/index.ts'
import type { BenchOptions, Figure } from '../figure.ts'
import { fill, freshPath } from './fill.ts'
import { query, seeded, turnText } from './synthetic.ts'

const MEGABYTE = 1024 * 1024
const QUESTIONS = 1000
const MEMORIES = 10_000

/** Needs a build. Memory is that of a process of its own which opens the database and answers 1,000 questions. */
export async function run(_: BenchOptions): Promise<readonly Figure[]> {
  const small = freshPath()
  const memory = await openMemory({ path: small })
  await fill(memory, ['one'], 1000)
  await memory.close()
  const remembered = freshPath()
  const memories = await openMemory({ path: remembered, thinking: false })
  const random = seeded(13)
  for (let made = 0; made < MEMORIES; made += 1) await memories.add(turnText(random), { userId: 'one', infer: false })
  await memories.close()
  const large = freshPath()
  const filled = await openMemory({ path: large })
  await fill(filled, ['one'], 100_000)
  await filled.close()
  const resident = Number(
    execFileSync(process.execPath, [new URL('./serve-questions.mjs', import.meta.url).pathname, large], {
      encoding: 'utf8',
      input: JSON.stringify(Array.from({ length: QUESTIONS }, () => query(random))),
    }),
  )
  const figure = (name: string, value: number, n: number): Figure => ({
    bench: 'footprint',
    figure: name,
    value: value / MEGABYTE,
    unit: 'MB',
    n,
  })
  return [
    figure('1,000 turns on disk', statSync(small).size, 1000),
    figure('10,000 memories on disk', statSync(remembered).size, MEMORIES),
    figure('100,000 turns on disk', statSync(large).size, 100_000),
    figure('resident memory after 1,000 questions over 100,000 turns', resident, 1000),
  ]
}
