/**
 * How does a table of word vectors lie in its file, little-endian? `MNWV` and counts (u32), vocabulary padded to four
 * bytes, then a scale (f32) and codes (i8) for each piece, whose products are the vectors.
 */
import { MnemeError } from '../domain/errors.ts'

/** A table of word vectors. */
export interface WordVectorTable {
  /** Wordpieces; those that continue a word begin with `##`. */
  readonly pieces: readonly string[]
  /** Numbers of each piece. */
  readonly dimensions: number
  /** The scale of each piece. */
  readonly scales: Float32Array
  /** dimensions for each piece. */
  readonly codes: Int8Array
}

const MAGIC = 'MNWV'
const VERSION = 1
const HEADER_BYTES = 20

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

/** Reads a table without copying the codes. Throws `not_found` for a file that is no table or only part of one. */
export function readWordVectors(file: Uint8Array, name: string): WordVectorTable {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== MAGIC || bytes.readUInt32LE(4) !== VERSION)
    throw damaged(name)
  const [count, dimensions, vocabulary] = [8, 12, 16].map((at) => bytes.readUInt32LE(at)) as [number, number, number]
  const { scalesAt, codesAt, bytes: whole } = layout(count, dimensions, vocabulary)
  if (bytes.length !== whole) throw damaged(name)
  return {
    pieces: bytes.toString('latin1', HEADER_BYTES, HEADER_BYTES + vocabulary).split('\n'),
    dimensions,
    // A copy, since a buffer that was read may begin anywhere; Node's machines are little-endian.
    scales: new Float32Array(Uint8Array.from(bytes.subarray(scalesAt, codesAt)).buffer),
    codes: new Int8Array(bytes.buffer, bytes.byteOffset + codesAt, count * dimensions),
  }
}

function layout(count: number, dimensions: number, vocabulary: number) {
  const scalesAt = HEADER_BYTES + Math.ceil(vocabulary / 4) * 4
  const codesAt = scalesAt + count * 4
  return { scalesAt, codesAt, bytes: codesAt + count * dimensions }
}

function damaged(name: string): MnemeError {
  return new MnemeError('not_found', `${name} is not a whole table of word vectors.`, {
    remedy: 'Install Mneme anew, or make the file with bench/training/word-vectors.ts.',
  })
}
