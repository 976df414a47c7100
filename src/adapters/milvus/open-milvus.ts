/** Opens the connection to a Milvus. Nothing is loaded or connected before this is called. */
import type { VectorMirror } from '../../contracts/vector-mirror.ts'
import { called } from './call.ts'
import { MilvusVectorIndex } from './milvus-vector-index.ts'
import { type MilvusOptions, resolveMilvusOptions } from './options.ts'
import { loadSdk } from './sdk.ts'

/** Times that the SDK tries a call again by itself; what fails after is tried again later, or told. */
const RETRIES = 2
const RETRY_MS = 50

/** Rejects `unsupported` without the SDK, `vector_store_failed` with address, cause and remedy when nobody answers. */
export async function openMilvus(options: MilvusOptions): Promise<VectorMirror> {
  const resolved = resolveMilvusOptions(options)
  const { address, token, timeoutMs } = resolved
  const { MilvusClient } = await loadSdk()
  const place = {
    shown: address.shown,
    secrets: [token, token?.slice(token.indexOf(':') + 1), address.password].filter((secret) => secret !== undefined && secret !== '') as string[],
  }
  const client = new MilvusClient({
    address: address.host,
    ssl: address.ssl,
    timeout: timeoutMs,
    maxRetries: RETRIES,
    retryDelay: RETRY_MS,
    logLevel: 'error',
    telemetry: { enabled: false },
    ...(token === undefined ? {} : { token }),
    ...(address.username === undefined ? {} : { username: address.username, password: address.password ?? '' }),
    ...(address.database === undefined ? {} : { database: address.database }),
  })
  // What it says is asked below; unheard it would end the process.
  client.connectPromise.catch(() => {})
  try {
    const { version } = await called(place, 'be reached', timeoutMs, () => client.getVersion())
    return new MilvusVectorIndex(client, place, resolved, isLite(version) ? 'FLAT' : 'HNSW')
  } catch (error) {
    await client.closeConnection().catch(() => {})
    throw error
  }
}

/** Milvus Lite says milvus_lite-3.2.2; the server packed for Python says v2.3.5-lite and is a full one. */
function isLite(version: unknown): boolean {
  return typeof version === 'string' && version.startsWith('milvus_lite')
}
