/** Opens the database named on the command line, answers 1,000 questions, and prints its resident memory in bytes. */
import { openMemory } from '../../src/interfaces/library/index.ts'
import { query, seeded } from './synthetic.ts'

const memory = await openMemory({ path: process.argv[2] ?? '' })
const random = seeded(13)
for (let asked = 0; asked < 1000; asked += 1) await memory.conversations.recall(query(random), { userId: 'one' })
process.stdout.write(String(process.memoryUsage().rss))
await memory.close()
