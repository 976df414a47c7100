/** Stores turn after turn with `durability: 'full'` and tells each that was acknowledged, until it is stopped. */
import { openMemory } from '../../src/doors/library/index.ts'

const memory = await openMemory({ path: process.argv[2]!, userId: 'one', durability: 'full' })
for (let at = 0; ; at += 1) {
  const turns = [{ role: 'user' as const, content: `Line ${at} about the pump.` }]
  await memory.conversations.store({ conversationId: 'c', turns })
  await new Promise<void>((heard) => process.send!(at, () => heard()))
}
