/** Databases full of synthetic turns, made through the library's own doors. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { OpenMemory } from '../../src/doors/library/index.ts'
import { seeded, turnText } from './synthetic.ts'

const TURNS_A_CALL = 1000
const TURNS_A_CONVERSATION = 50
const START = Date.UTC(2026, 0, 1)

const paths: string[] = []
process.once('exit', () => {
  for (const path of paths) rmSync(dirname(path), { recursive: true, force: true })
})

/** A path in a fresh temporary folder, which goes with the process. */
export function freshPath(name = 'memory.db'): string {
  const path = join(mkdtempSync(join(tmpdir(), 'mneme-bench-')), name)
  paths.push(path)
  return path
}

/** Stores `turns` turns of each user, 50 a conversation, and waits until nothing is due. */
export async function fill(
  memory: OpenMemory,
  users: readonly string[],
  turns: number,
  say: (random: () => number) => string = turnText,
): Promise<void> {
  const random = seeded(7)
  for (const userId of users)
    for (let from = 0; from < turns; from += TURNS_A_CALL)
      for (let first = from; first < Math.min(turns, from + TURNS_A_CALL); first += TURNS_A_CONVERSATION)
        await memory.conversations.restore({
          userId,
          conversationId: `chat-${first / TURNS_A_CONVERSATION}`,
          turns: Array.from({ length: Math.min(TURNS_A_CONVERSATION, turns - first) }, (_, index) => ({
            role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
            content: say(random),
            createdAt: new Date(START + (first + index) * 60_000),
          })),
        })
  await memory.idle()
}
