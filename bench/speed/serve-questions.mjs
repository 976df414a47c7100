/** Opens the database named on the command line with the built library, answers the questions read from standard input
 * (a JSON list), and prints its resident memory in bytes. */
import { text } from 'node:stream/consumers'
import { openMemory } from '../../dist/doors/library/index.js'

const memory = await openMemory({ path: process.argv[2] ?? '' })
for (const question of JSON.parse(await text(process.stdin)))
  await memory.conversations.recall(question, { userId: 'one' })
process.stdout.write(String(process.memoryUsage().rss))
await memory.close()
