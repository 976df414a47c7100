/**
 * A program that knows nothing of Mneme: with Milvus's own SDK alone it reads the rows of a user, as often as it is asked.
 * Started as a process of its own with the address and, where one is asked for, the token.
 */
import { MilvusClient } from '@zilliz/milvus2-sdk-node'

const FIELDS = ['id', 'user_id', 'memory_type', 'ts', 'chat_id', 'who', 'text', 'hit_count', 'metadata', 'memory_id']
const [address, token] = process.argv.slice(2)

process.on('message', async ({ number, collection, user, consistency }) => {
  const client = new MilvusClient({
    address,
    ssl: false,
    logLevel: 'error',
    // Clients of one address share how long they wait before they connect again, which is two minutes at most.
    channelOptions: { 'grpc.use_local_subchannel_pool': 1, 'grpc.max_reconnect_backoff_ms': 1000 },
    ...(token === undefined ? {} : { token }),
  })
  try {
    await client.connectPromise
    const { data, status } = await client.query({
      collection_name: collection,
      filter: `user_id == ${JSON.stringify(user)}`,
      output_fields: FIELDS,
      consistency_level: consistency,
    })
    process.send({ number, data, failure: status.error_code === 'Success' ? undefined : status.reason })
  } catch (error) {
    process.send({ number, failure: String(error?.message ?? error) })
  } finally {
    await client.closeConnection()
  }
})
process.on('disconnect', () => process.exit())
