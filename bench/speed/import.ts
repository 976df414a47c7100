/** How quickly does a large history come in? An export of conversations of 50 turns, imported into a fresh file. */
import { openMemory } from '../../src/doors/library/index.ts'
import type { BenchOptions, Figure } from '../figure.ts'
import { fill, freshPath } from './fill.ts'

/** Imports 100,000 turns (`--turns N` for another number); all indexes and summaries are written. */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  const turns = Number(flags.turns ?? 100_000)
  const source = await openMemory({ path: freshPath(), userId: 'one' })
  await fill(source, ['one'], turns)
  const pieces: Uint8Array[] = []
  const encoder = new TextEncoder()
  for await (const piece of source.conversations.export()) pieces.push(encoder.encode(piece))
  await source.close()
  await using memory = await openMemory({ path: freshPath(), userId: 'one' })
  const started = performance.now()
  const report = await memory.conversations.import(stream(pieces), {}, { turnsTogether: 2000 })
  const stored = performance.now()
  await memory.idle()
  const done = performance.now()
  if (report.turnsAdded !== turns) throw new Error(`${report.turnsAdded} of ${turns} turns were imported`)
  const figure = (name: string, milliseconds: number): Figure => ({
    bench: 'import',
    figure: name,
    value: (turns / milliseconds) * 1000,
    unit: 'turns/s',
    n: turns,
  })
  return [
    figure('read, stored, with summaries', stored - started),
    figure('the same with all index segments merged', done - started),
  ]
}

async function* stream(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}
