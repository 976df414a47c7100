/** The other process of a test with Milvus: writes memories one after the other, and says after each that it is kept. */
import { openMemory } from '../../src/doors/library/index.ts'
import { hashedVector } from './embedding-server.ts'

const [path = '', uri = '', collection = '', userId = '', name = '', times = '1000', token = ''] = process.argv.slice(2)
await using memory = await openMemory({
  path,
  userId,
  embedding: {
    model: 'test/bag',
    dimension: async () => 64,
    embed: async (texts) => texts.map((text) => hashedVector(text, 64)),
    close: async () => {},
  },
  vectorStore: { provider: 'milvus', uri, collection, timeoutMs: 10_000, ...(token === '' ? {} : { token }) },
})
for (let at = 0; at < Number(times); at += 1) {
  const { results } = await memory.add(`${name} wrote note ${at} about the harbour.`, { infer: false })
  process.send?.(results[0]?.id)
}
await memory.idle()
process.disconnect?.()
