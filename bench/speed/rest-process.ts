/** A server in a process of its own, as users have it: `node rest-process.ts FILE` prints its address, and answers until killed. */
import { openMemory } from '../../src/interfaces/library/index.ts'
import { serve } from '../../src/interfaces/rest/serve.ts'

const memory = await openMemory({ path: process.argv[2] ?? ':memory:' })
const { url } = await serve({ memory, port: 0, version: 'bench', requestsPerMinute: 1_000_000_000 })
process.stdout.write(`${url}\n`)
process.on('message', (asked) => {
  if (asked === 'resident') {
    ;(globalThis as { gc?: () => void }).gc?.()
    process.send?.(process.memoryUsage().rss)
  }
})
