/** The work of the SDK by itself, with as much in a message and as many on the way as Mneme has. */
import { wantedFields } from '../../src/store/milvus/collection.ts'
import type { MilvusServer } from '../../test/support/start-milvus.ts'
import { ownerOf, type Plan } from './milvus-plan.ts'

/** As Mneme sends them: store/sqlite/vector-outbox/mirror-rows.ts. */
const ROWS_A_MESSAGE = 1000
const MESSAGES_ON_THE_WAY = 3
/** Numbers of all vectors together that are inserted at most. */
const MOST_NUMBERS = 20_000 * 384

/** Rows that are inserted. */
export function rowsAlone({ count, dimension }: Plan): number {
  return Math.min(count, Math.floor(MOST_NUMBERS / dimension))
}

/** Vectors a second that the SDK's own insert brings in, with as much in a message and as many on the way. */
export async function insertedAlone(server: MilvusServer, plan: Plan, draw: () => Float32Array): Promise<number> {
  const { dimension } = plan
  const client = await server.client()
  const within = { collection_name: 'alone' }
  await client.createCollection({
    ...within,
    fields: wantedFields(dimension),
    enable_dynamic_field: true,
  })
  const index = { index_type: 'HNSW', metric_type: 'COSINE', params: { M: 16, efConstruction: 200 } }
  await client.createIndex({ ...within, field_name: 'vector', index_name: 'vector', ...index })
  await client.loadCollection(within)
  const rows = Array.from({ length: rowsAlone(plan) }, (_, at) => ({
    ...{
      user_id: ownerOf(at, plan),
      memory_type: 'semantic',
      ts: 1.8e12 + at,
      chat_id: `c${at % 100}`,
      who: 'user',
    },
    ...{ text: '', vector: Array.from(draw()), hit_count: 0, metadata: {} },
    ...{ memory_id: `m${at}`, vector_no: at, vector_model: 'bench', store_id: 'alone' },
  }))
  const began = performance.now()
  let next = 0
  const send = async (): Promise<void> => {
    while (next < rows.length) {
      const from = next
      next += ROWS_A_MESSAGE
      await client.insert({ ...within, data: rows.slice(from, from + ROWS_A_MESSAGE) })
    }
  }
  await Promise.all(Array.from({ length: MESSAGES_ON_THE_WAY }, send))
  const seconds = (performance.now() - began) / 1000
  await (client as unknown as { dropCollection(request: object): Promise<unknown> }).dropCollection(within)
  return rows.length / seconds
}
