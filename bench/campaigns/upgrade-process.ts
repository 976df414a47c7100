/** Opens a file, which brings it to the newest schema. */
import { openMemory } from '../../src/doors/library/index.ts'

await new Promise<void>((heard) => process.send!('begun', () => heard()))
await (await openMemory({ path: process.argv[2]!, userId: 'mira' })).close()
process.exit(0)
