/** A writer process that is going to be killed: tells its parent of every turn after it was acknowledged. */
import { openMemory } from '../../src/doors/library/index.ts'

const [path = '', name = '0'] = process.argv.slice(2)
const memory = await openMemory({ path, userId: 'one' })
for (let turn = 0; ; turn += 1) {
  const externalId = `${name}-${turn}`
  const content = `run ${name} stores sentence ${turn} about handleOrder${turn % 90}`
  await memory.conversations.store({ conversationId: 'chat', turns: [{ role: 'user', content, externalId }] })
  process.send?.(externalId)
  if (turn % 4 === 0) await new Promise((resolve) => setImmediate(resolve))
}
