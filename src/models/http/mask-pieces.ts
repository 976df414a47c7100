/** Bytes that are handed on without the key in them, wherever it is cut in pieces; every other byte stays as it is. */

const MASK = '***'
/** A shorter one is no secret: a word such as "none", for servers that want some key. */
const SHORTEST_SECRET = 8

/** The same bytes with the key masked; null, or a key that is no secret: the pieces as they are. */
export async function* maskedPieces(pieces: AsyncIterable<Uint8Array>, key: string | null): AsyncGenerator<Uint8Array> {
  if (key === null || key.length < SHORTEST_SECRET) {
    yield* pieces
    return
  }
  // One character for each byte.
  const secret = Buffer.from(key).toString('latin1')
  let held = ''
  for await (const piece of pieces) {
    const text = (held + Buffer.from(piece).toString('latin1')).replaceAll(secret, MASK)
    const shown = Math.max(0, text.length - secret.length + 1)
    held = text.slice(shown)
    if (shown > 0) yield Buffer.from(text.slice(0, shown), 'latin1')
  }
  if (held !== '') yield Buffer.from(held, 'latin1')
}
