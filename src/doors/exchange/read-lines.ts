/** Bytes of a stream as lines, one at a time, or a look at its beginning. */

export interface Line {
  readonly number: number
  /** Without the line break; null when it was longer than allowed and was passed over. */
  readonly bytes: Uint8Array | null
}

const NEWLINE = 0x0a
const RETURN = 0x0d
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** The lines of a stream; LF and CRLF both end one, a byte order mark at the start is dropped. */
export async function* readLines(stream: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  let number = 0
  let parts: Uint8Array[] = []
  let held = 0
  let tooLong = false
  const take = (last: Uint8Array): Line => {
    number++
    const bytes =
      tooLong || held + last.length > maxBytes
        ? null
        : trimmed(parts.length === 0 ? last : Buffer.concat([...parts, last]), number)
    parts = []
    held = 0
    tooLong = false
    return { number, bytes }
  }
  for await (const chunk of stream) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      yield take(chunk.subarray(from, at))
      from = at + 1
    }
    if (from === chunk.length) continue
    held += chunk.length - from
    tooLong ||= held > maxBytes
    if (tooLong) parts = []
    else parts.push(chunk.subarray(from))
  }
  if (held > 0) yield take(new Uint8Array(0))
}

function trimmed(bytes: Uint8Array, number: number): Uint8Array {
  const marked = number === 1 && BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte)
  const from = marked ? BYTE_ORDER_MARK.length : 0
  const to = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length
  return bytes.subarray(from, Math.max(from, to))
}

export interface PeekedStream {
  readonly start: Uint8Array
  readonly stream: AsyncIterable<Uint8Array>
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
