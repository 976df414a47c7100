/** A writer process: stores turns one by one and tells its parent how many were acknowledged. */
import { openMemory } from '../../src/doors/library/index.ts'

const [path = '', name = '0', writes = '0'] = process.argv.slice(2)
const memory = await openMemory({ path, userId: 'one' })
let succeeded = 0
for (let turn = 0; turn < Number(writes); turn += 1) {
  try {
    await memory.conversations.store({
      conversationId: Number(name) % 2 === 0 ? 'shared' : `own-${name}`,
      turns: [{ role: 'user', content: `writer ${name} says sentence number ${turn}`, externalId: `${name}-${turn}` }],
    })
    succeeded += 1
  } catch (error) {
    process.stderr.write(`${String(error)}\n`)
  }
}
await memory.close()
process.send?.({ succeeded }, () => process.disconnect())
