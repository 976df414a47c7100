/**
 * A server in a process of its own, as `mneme serve` has it, log and reader threads included: `node rest-process.ts FILE`
 * prints its address, and answers until killed. Only its limit of requests a minute is out of the way.
 */

import { pinoLogger, serve } from '../../src/doors/cli/commands/serve.ts'
import { keepHeapSteady } from '../../src/doors/cli/small-heap.ts'
import { createBackground } from '../../src/doors/http/background-thread.ts'
import { createReaders, usualReaders } from '../../src/doors/http/reader-threads.ts'
import { openMemory } from '../../src/doors/library/index.ts'

keepHeapSteady()
const path = process.argv[2] ?? ''
const logger = pinoLogger('info')
const elsewhere = createBackground({ path }, logger)
const memory = elsewhere.over(await openMemory({ path, elsewhere, logger }))
const readers = createReaders({ path }, usualReaders(), logger)
const { url } = await serve({ memory, readers, logger, port: 0, version: 'bench', requestsPerMinute: 1_000_000_000 })
process.stdout.write(`${url}\n`)
process.on('message', (asked) => {
  if (asked !== 'used') return
  ;(globalThis as { gc?: () => void }).gc?.()
  const { user, system } = process.cpuUsage()
  process.send?.({ resident: process.memoryUsage.rss(), cpu: (user + system) / 1000 })
})
// A bench that was broken off leaves no server behind.
process.on('disconnect', () => process.exit())
