/** A process of its own that exports or imports a file, so that its memory can be measured: tells its parent the peak. */
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { openMemory } from '../../src/doors/library/index.ts'

const [task = '', path = '', file = ''] = process.argv.slice(2)
const memory = await openMemory({ path, userId: 'one' })
const started = performance.now()
if (task === 'export') {
  const out = createWriteStream(file)
  for await (const piece of memory.conversations.export()) if (!out.write(piece)) await once(out, 'drain')
  out.end()
  await once(out, 'finish')
} else await memory.conversations.import(createReadStream(file))
const seconds = (performance.now() - started) / 1000
await memory.close()
// maxRSS is in KiB.
process.send?.({ seconds, peakMb: process.resourceUsage().maxRSS / 1024 }, () => process.disconnect())
