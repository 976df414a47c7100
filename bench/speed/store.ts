/** What does storing one turn cost? Measured as a multiple of a bare one-row commit in the same run. */
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { openMemory } from '../../src/doors/library/index.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { freshPath } from './fill.ts'
import { seeded, turnText } from './synthetic.ts'

const TURNS = 20_000
const WARM_UP = 1000

/** Stores turns one by one, alternating with bare commits so that both meet the same machine. */
export async function run(_: BenchOptions): Promise<readonly Figure[]> {
  await using memory = await openMemory({ path: freshPath(), userId: 'one' })
  const bare = bareCommits()
  const random = seeded(3)
  const stored: number[] = []
  const committed: number[] = []
  for (let turn = -WARM_UP; turn < TURNS; turn += 1) {
    const content = turnText(random)
    let started = performance.now()
    await memory.conversations.store({
      conversationId: `chat-${Math.floor((turn + WARM_UP) / 100)}`,
      turns: [{ role: turn % 2 === 0 ? 'user' : 'assistant', content }],
    })
    if (turn >= 0) stored.push(performance.now() - started)
    started = performance.now()
    bare.commit(content)
    if (turn >= 0) committed.push(performance.now() - started)
    // A server has pauses; upkeep uses them.
    if (turn % 20 === 0) await setImmediate()
  }
  bare.close()
  const reference = quantile(committed, 0.5)
  const of = (figure: string, milliseconds: number): Figure => ({
    bench: 'store',
    figure,
    value: milliseconds,
    unit: 'ms',
    n: TURNS,
    reference: 'a bare one-row commit, p50',
    ratio: milliseconds / reference,
  })
  return [
    of('one turn, all indexes, p50', quantile(stored, 0.5)),
    of('one turn, all indexes, p99', quantile(stored, 0.99)),
    of('a bare one-row commit, p50', reference),
    of('a bare one-row commit, p99', quantile(committed, 0.99)),
  ]
}

function bareCommits(): { commit(text: string): void; close(): void } {
  const database = new DatabaseSync(freshPath('bare.db'))
  database.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)',
  )
  const [begin, insert, commit] = ['BEGIN IMMEDIATE', 'INSERT INTO t (text) VALUES (?)', 'COMMIT'].map((sql) =>
    database.prepare(sql),
  )
  return {
    commit: (text) => {
      begin!.run()
      insert!.run(text)
      commit!.run()
    },
    close: () => database.close(),
  }
}
