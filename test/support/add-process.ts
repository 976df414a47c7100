/** The other process of a test: adds the same texts again and again at the same moment, and reports what became of each. */
import { once } from 'node:events'
import { openMemory } from '../../src/doors/library/index.ts'

const [path = '', times = '1', ...texts] = process.argv.slice(2)
await using memory = await openMemory({ path, userId: 'one' })
process.send?.('ready')
await once(process, 'message')
const said = Array.from({ length: Number(times) }, () => texts).flat()
const answers = await Promise.allSettled(said.map((text) => memory.add(text)))
const events = answers.flatMap((answer) =>
  answer.status === 'fulfilled' ? answer.value.results.map(({ event }) => event) : [String(answer.reason)],
)
await new Promise((resolve) => process.send?.(events, resolve))
process.disconnect?.()
