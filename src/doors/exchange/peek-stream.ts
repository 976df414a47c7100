/** Looks at the beginning of a stream without taking it away. */

/** The first bytes of a stream, and the same stream from its beginning. */
export interface PeekedStream {
  readonly start: Uint8Array
  readonly stream: AsyncIterable<Uint8Array>
  /** Gives the stream up when it is not going to be read. */
  close(): Promise<void>
}

/** Reads until `enough` says so, or `maxBytes` or the end are reached. */
export async function peekStream(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  enough: (chunk: Uint8Array) => boolean,
): Promise<PeekedStream> {
  const iterator = stream[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let found = false; !found && size < maxBytes; ) {
    const { done, value } = await iterator.next()
    if (done === true) break
    chunks.push(value)
    size += value.length
    found = enough(value)
  }
  const close = async (): Promise<void> => {
    await iterator.return?.()
  }
  return { start: Buffer.concat(chunks), stream: resumed(chunks, iterator), close }
}

async function* resumed(
  chunks: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}
