/** A writer is killed with SIGKILL at random moments: is every turn that it was told of still there? */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openMemory } from '../../src/doors/library/index.ts'
import type { BenchOptions, Figure } from '../figure.ts'
import { freshPath } from './fill.ts'
import { seeded } from './synthetic.ts'

const KILLS = 100
const LONGEST_MS = 120

/** `--kills N` for another number; the moments come from a seed (`--seed N`). */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  const kills = Number(flags.kills ?? KILLS)
  const random = seeded(Number(flags.seed ?? 17))
  const path = freshPath()
  await (await openMemory({ path })).close()
  const acknowledged = new Set<string>()
  for (let kill = 0; kill < kills; kill += 1) {
    const child = fork(new URL('./acknowledge-turns.ts', import.meta.url), [path, String(kill)])
    const exited = once(child, 'exit')
    child.on('message', (id) => acknowledged.add(String(id)))
    await once(child, 'message')
    setTimeout(() => child.kill('SIGKILL'), random() * LONGEST_MS)
    await exited
  }
  await using memory = await openMemory({ path, userId: 'one' })
  const present = new Set<string>()
  for (let offset = 0; ; offset += 10_000) {
    const { items } = await memory.conversations.turns('chat', { limit: 10_000, offset })
    for (const { externalId } of items) present.add(String(externalId))
    if (items.length < 10_000) break
  }
  const lost = [...acknowledged].filter((id) => !present.has(id)).length
  const findings = await memory.maintenance.verify()
  return [
    { bench: 'kill', figure: 'acknowledged turns lost', value: lost, unit: 'turns', n: acknowledged.size },
    {
      bench: 'kill',
      figure: 'checks of the file that failed',
      value: findings.filter(({ ok }) => !ok).length,
      unit: '',
      n: findings.length,
    },
  ]
}
