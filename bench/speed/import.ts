/** How quickly does a large history come in? Restored conversations of 50 turns, all indexes and summaries written. */
import { openMemory } from '../../src/interfaces/library/index.ts'
import type { BenchOptions, Figure } from '../figure.ts'
import { freshPath } from './fill.ts'
import { seeded, turnText } from './synthetic.ts'

const TURNS_A_CONVERSATION = 50

/** Imports 100,000 turns (`--turns N` for another number). */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  const turns = Number(flags.turns ?? 100_000)
  const random = seeded(5)
  const texts = Array.from({ length: turns }, () => turnText(random))
  await using memory = await openMemory({ path: freshPath(), userId: 'one' })
  const started = performance.now()
  for (let first = 0; first < turns; first += TURNS_A_CONVERSATION)
    await memory.conversations.restore({
      conversationId: `chat-${first / TURNS_A_CONVERSATION}`,
      turns: texts.slice(first, first + TURNS_A_CONVERSATION).map((content, index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        content,
        createdAt: new Date(Date.UTC(2026, 0, 1) + (first + index) * 60_000),
      })),
    })
  const stored = performance.now()
  await memory.idle()
  const done = performance.now()
  const figure = (name: string, milliseconds: number): Figure => ({
    bench: 'import',
    figure: name,
    value: (turns / milliseconds) * 1000,
    unit: 'turns/s',
    n: turns,
  })
  return [
    figure('stored, summarised', stored - started),
    figure('stored, summarised, all index segments merged', done - started),
  ]
}
