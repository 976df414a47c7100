/**
 * One call over a connection of the SDK, with a message that Mneme encoded itself. The SDK's own methods copy vectors
 * several times, and write each request and each answer as JSON for a log that nobody reads.
 */
import type { SdkAnswer, SdkClient, SdkMethod, SdkService } from './sdk.ts'

/**
 * The answer as it was sent, undefined where this version of the SDK keeps its connections to itself. Rejects as gRPC
 * does; `called` makes an error of that.
 * @param encode makes the message, given how the SDK encodes one of this kind
 */
export async function callDirectly(
  { channelPool: pool }: SdkClient,
  method: 'Insert' | 'Search',
  encode: (serialize: SdkMethod['requestSerialize']) => Uint8Array,
  timeoutMs: number,
): Promise<SdkAnswer | undefined> {
  const service = await pool?.acquire()
  if (pool === undefined || service === undefined) return undefined
  try {
    return await send(service, service[method], encode, timeoutMs)
  } finally {
    await pool.release(service)
  }
}

function send(
  service: SdkService,
  { path, requestSerialize, responseDeserialize }: SdkMethod,
  encode: (serialize: SdkMethod['requestSerialize']) => Uint8Array,
  timeoutMs: number,
): Promise<SdkAnswer> {
  const bytes = encode(requestSerialize)
  return new Promise((resolve, reject) => {
    service.makeUnaryRequest(
      path,
      () => bytes,
      (answer) => unlogged(responseDeserialize(answer), answer.length),
      unlogged({ bytes }, bytes.length),
      { deadline: new Date(Date.now() + timeoutMs) },
      (error, answer) => {
        if (error !== null) reject(error)
        else resolve(answer ?? {})
      },
    )
  })
}

/** For the SDK's log: its length alone. */
function unlogged<T extends object>(message: T, length: number): T {
  return Object.defineProperty(message, 'toJSON', { value: () => `${length} bytes`, enumerable: false })
}
