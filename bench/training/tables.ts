/** The files of tables in `data`, as `src/language` reads them. */
import { hashOf, RANK_BITS, RANK_MASK, tagged } from '../../src/language/count-tokens.ts'
import { HEADER_BYTES, layout, MAGIC, VERSION, type WordVectorTable } from '../../src/language/word-vectors.ts'

/** The bytes of a table. */
export function writeWordVectors({ pieces, dimensions, scales, codes }: WordVectorTable): Uint8Array {
  const vocabulary = Buffer.from(pieces.join('\n'))
  const { scalesAt, codesAt, bytes } = layout(pieces.length, dimensions, vocabulary.length)
  const file = Buffer.alloc(bytes)
  file.write(MAGIC, 0, 'latin1')
  for (const [at, number] of [VERSION, pieces.length, dimensions, vocabulary.length].entries())
    file.writeUInt32LE(number, 4 + at * 4)
  vocabulary.copy(file, HEADER_BYTES)
  for (const [at, scale] of scales.entries()) file.writeFloatLE(scale, scalesAt + at * 4)
  file.set(new Uint8Array(codes.buffer, codes.byteOffset, codes.length), codesAt)
  return file
}

/** Bytes of the file; `tokens` by rank. */
export function writeTokenTable(tokens: readonly Uint8Array[], pattern: string): Uint8Array {
  const slots = new Uint32Array(1 << RANK_BITS)
  for (const [rank, token] of tokens.entries()) {
    const hash = hashOf(token, 0, token.length)
    let slot = hash & RANK_MASK
    while (slots[slot] !== 0) slot = (slot + 1) & RANK_MASK
    slots[slot] = tagged(hash, rank + 1)
  }
  const bytes = Buffer.concat(tokens)
  const cut = Buffer.from(pattern)
  const head = Uint32Array.of(tokens.length, slots.length, bytes.length, cut.length)
  const lengths = Uint8Array.from(tokens, ({ length }) => length)
  return Buffer.concat([Buffer.from(head.buffer), Buffer.from(slots.buffer), lengths, bytes, cut])
}
