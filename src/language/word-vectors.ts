/** The meaning of an English text: the sum of wordpieces' vectors distilled from all-MiniLM-L6-v2; null for none. */
import { MnemeError } from '../domain/errors.ts'
import { dataBytes } from './package-file.ts'

/** Turns texts into codes. */
export interface WordVectors {
  readonly pieces: number
  /** The codes of a text, 256 of them; null when no word of it is known. */
  encode(text: string): Int8Array | null
}

/** The characters that are read; they bound the time for any text to a quarter of a millisecond. */
const READ_CHARACTERS = 1000
const FILE = 'word-vectors-en.bin'

let loaded: Promise<WordVectors> | undefined

/** The shipped table, read once a process. Rejects `not_found` when the file is missing or incomplete. */
export function loadWordVectors(): Promise<WordVectors> {
  loaded ??= dataBytes(FILE)
    .then((bytes) => wordVectorsOf(readWordVectors(bytes, `data/${FILE}`)))
    .catch((error: unknown) => {
      loaded = undefined
      throw error
    })
  return loaded
}

/** A table as something that turns texts into codes. */
export function wordVectorsOf({ pieces, codes, scales }: WordVectorTable): WordVectors {
  const vocabulary = wordpiecesOf(pieces)
  return {
    pieces: pieces.length,
    encode: (text) => {
      // The sum is in double precision: rounding each step to single precision took twice as long.
      const sum = new Float64Array(CODE_COUNT)
      for (const piece of splitWordpieces(text.slice(0, READ_CHARACTERS), vocabulary)) {
        const from = piece * CODE_COUNT
        const scale = scales[piece]!
        for (let at = 0; at < CODE_COUNT; at += 1) sum[at]! += scale * codes[from + at]!
      }
      return codesOf(sum)
    },
  }
}

export interface WordVectorTable {
  /** Wordpieces; those that continue a word begin with `##`. */
  readonly pieces: readonly string[]
  readonly dimensions: number
  readonly scales: Float32Array
  /** dimensions for each piece. */
  readonly codes: Int8Array
}

export const MAGIC = 'MNWV'
export const VERSION = 1
export const HEADER_BYTES = 20

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

/** Where the parts of a table begin. */
export function layout(count: number, dimensions: number, vocabulary: number) {
  const scalesAt = HEADER_BYTES + Math.ceil(vocabulary / 4) * 4
  const codesAt = scalesAt + count * 4
  return { scalesAt, codesAt, bytes: codesAt + count * dimensions }
}

function damaged(name: string): MnemeError {
  return new MnemeError('not_found', `${name} is not a whole table of word vectors.`, {
    remedy: 'Install Mneme anew, or make the file with bench/training/word-vectors.ts.',
  })
}

/** Numbers of the pieces by their letters. `starts` may begin a word, `rests` continue one (written `##ing`). */
interface Wordpieces {
  readonly starts: ReadonlyMap<string, number>
  readonly rests: ReadonlyMap<string, number>
  /** Letters of the longest piece. */
  readonly longest: number
}

const CONTINUES = '##'
/** BERT's own bound: a longer word is no word. */
const LONGEST_WORD = 100
const ASCII_WORD = /[a-z0-9]+/g
/** A pattern of whole words: one with a letter that no piece has, as in `straße`, must be unknown as a whole. */
const LATIN_WORD = /[\p{Script=Latin}\p{N}]+/gu
const ACCENT = /\p{Mn}+/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole range of ASCII is meant
const ALL_ASCII = /^[\x00-\x7f]*$/

/** The vocabulary of pieces in the order of their numbers. */
export function wordpiecesOf(pieces: readonly string[]): Wordpieces {
  const starts = new Map<string, number>()
  const rests = new Map<string, number>()
  let longest = 0
  // Plain loops: they halve the time until the first answer of a process.
  for (let number = 0; number < pieces.length; number += 1) {
    const piece = pieces[number]!
    if (piece.startsWith(CONTINUES)) rests.set(piece.slice(CONTINUES.length), number)
    else starts.set(piece, number)
    if (piece.length > longest) longest = piece.length
  }
  return { starts, rests, longest }
}

/** The numbers of the known pieces of a text, in their order. */
export function splitWordpieces(text: string, vocabulary: Wordpieces): readonly number[] {
  const lower = text.toLowerCase()
  const words = ALL_ASCII.test(lower)
    ? lower.match(ASCII_WORD)
    : lower.normalize('NFD').replace(ACCENT, '').match(LATIN_WORD)
  const found: number[] = []
  for (const word of words ?? []) appendPieces(word, vocabulary, found)
  return found
}

/** Appends the pieces of one word, or nothing when a part of it is no piece. */
function appendPieces(word: string, { starts, rests, longest }: Wordpieces, found: number[]): void {
  const whole = starts.get(word)
  if (whole !== undefined) {
    found.push(whole)
    return
  }
  if (word.length > LONGEST_WORD) return
  const before = found.length
  let from = 0
  while (from < word.length) {
    const pieces = from === 0 ? starts : rests
    let to = Math.min(word.length, from + longest)
    let piece: number | undefined
    for (; to > from; to -= 1) {
      piece = pieces.get(word.slice(from, to))
      if (piece !== undefined) break
    }
    if (piece === undefined) {
      found.length = before
      return
    }
    found.push(piece)
    from = to
  }
}

/** Numbers in the codes of a text. */
export const CODE_COUNT = 256
export const SIGN_BYTES = CODE_COUNT / 8
const LARGEST = 127

/** The direction of a vector as codes; null for a vector of zeros, which has none. */
export function codesOf(vector: Float32Array | Float64Array): Int8Array | null {
  let largest = 0
  for (let at = 0; at < vector.length; at += 1) largest = Math.max(largest, Math.abs(vector[at]!))
  if (largest === 0) return null
  const codes = new Int8Array(vector.length)
  const scale = LARGEST / largest
  for (let at = 0; at < codes.length; at += 1) codes[at] = Math.round(vector[at]! * scale)
  return codes
}

/** One bit per code, set where it is above zero; the first code is the lowest bit of the first byte. */
export function signBits(codes: Int8Array): Uint8Array {
  const bits = new Uint8Array(codes.length / 8)
  for (let at = 0; at < codes.length; at += 1) if (codes[at]! > 0) bits[at >> 3]! |= 1 << (at & 7)
  return bits
}

/** The Euclidean length of the codes. */
export function lengthOf(codes: Int8Array): number {
  let sum = 0
  for (let at = 0; at < codes.length; at += 1) sum += codes[at]! * codes[at]!
  return Math.sqrt(sum)
}
