/** Opens the way to a Milvus. Nothing of its SDK is loaded before this is called. */
import type { VectorMirror } from '../../domain/contracts/vector-mirror.ts'
import { MilvusCollections } from './collections.ts'
import { MilvusVectorIndex } from './milvus-vector-index.ts'
import { type MilvusOptions, resolveMilvusOptions } from './options.ts'
import { loadSdk, type SdkClient } from './sdk.ts'

/** Time between pings; the SDK's own ten seconds are too often for some servers, which then end the connection. */
const KEEPALIVE_MS = 60_000
/**
 * Time for the answer to a ping before the connection and its calls are given up: gRPC's own default. A busy server
 * sometimes takes longer than the SDK's five seconds; calls have bounds of their own.
 */
const KEEPALIVE_ANSWER_MS = 20_000
/**
 * Longest pause of gRPC before it connects again, as its own two minutes would keep an answering server away. The
 * callers decide how often the server is asked.
 */
const RECONNECT_MS = 1000

/** Opens a Milvus without connecting yet. Rejects `unsupported` without the SDK, `invalid_input` for a bad option. */
export async function openMilvus(options: MilvusOptions): Promise<VectorMirror> {
  const resolved = resolveMilvusOptions(options)
  const { address, token, timeoutMs } = resolved
  const { MilvusClient } = await loadSdk()
  const secrets = [token, token?.slice(token.indexOf(':') + 1), address.password]
  const connect = (): SdkClient => {
    const client = new MilvusClient({
      address: address.host,
      ssl: address.ssl,
      timeout: timeoutMs,
      // The SDK's retry would send rows twice that had arrived; `call.ts` knows what may be tried again.
      maxRetries: 0,
      retryDelay: 1,
      logLevel: 'error',
      telemetry: { enabled: false },
      channelOptions: {
        'grpc.keepalive_time_ms': KEEPALIVE_MS,
        'grpc.keepalive_timeout_ms': KEEPALIVE_ANSWER_MS,
        'grpc.initial_reconnect_backoff_ms': RECONNECT_MS,
        'grpc.max_reconnect_backoff_ms': RECONNECT_MS,
      },
      ...(token === undefined ? {} : { token }),
      ...(address.username === undefined ? {} : { username: address.username, password: address.password ?? '' }),
      ...(address.database === undefined ? {} : { database: address.database }),
    })
    // The connection is checked by a call of our own; an unhandled rejection would end the process.
    client.connectPromise.catch(() => {})
    return client
  }
  const place = {
    shown: address.shown,
    secrets: secrets.filter((secret) => secret !== undefined).filter((secret) => secret !== ''),
  }
  return new MilvusVectorIndex(new MilvusCollections(connect, place, resolved))
}

/** Rejects as `openMilvus` would, without connecting to anything. */
export async function checkMilvus(options: MilvusOptions): Promise<void> {
  resolveMilvusOptions(options)
  await loadSdk()
}
