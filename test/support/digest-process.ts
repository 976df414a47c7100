/** Digests a memory file again and again, with something new each time, until it is killed. */
import { openMemory } from '../../src/doors/library/index.ts'

const [path = '', run = '0'] = process.argv.slice(2)
const memory = await openMemory({
  path,
  userId: 'ana',
  thinking: false,
  memoryFile: { dedupThreshold: 1, maxEntries: 100_000 },
})
for (let number = 0; ; number += 1) {
  await memory.add(`Run ${run} notes number ${number}: ${'我们的服务器'.repeat(number % 9)}`, {
    infer: false,
    importance: 2,
  })
  await memory.memoryFile.digest()
  process.send?.('digested')
}
