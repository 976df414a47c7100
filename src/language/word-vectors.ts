/**
 * What is an English text about, without asking a model? The direction of the sum of its wordpieces' vectors, distilled
 * from all-MiniLM-L6-v2 (`bench/training/word-vectors.ts`) and loaded on first use; null without a known word.
 */
import { readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { MnemeError } from '../domain/errors.ts'
import { CODE_COUNT, codesOf } from './word-codes.ts'
import { readWordVectors, type WordVectorTable } from './word-vector-file.ts'
import { splitWordpieces, wordpiecesOf } from './wordpieces.ts'

/** Turns texts into codes: see `word-codes.ts`. */
export interface WordVectors {
  /** Pieces that are known. */
  readonly pieces: number
  /** The codes of a text, 256 of them; null when no word of it is known. */
  encode(text: string): Int8Array | null
}

/**
 * The characters that are read, as the beginning of a text tells its subject. They bound the time for any text to a
 * quarter of a millisecond.
 */
const READ_CHARACTERS = 1000
const FILE = join('data', 'word-vectors-en.bin')

let loaded: Promise<WordVectors> | undefined

/** The shipped table, read once a process. Rejects `not_found` when the file is missing or incomplete. */
export function loadWordVectors(): Promise<WordVectors> {
  loaded ??= readShipped().catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  return loaded
}

async function readShipped(): Promise<WordVectors> {
  // Sources and built files lie in different depths below the package.
  const file = join(dirname(findPackageJSON('.', import.meta.url) ?? '.'), FILE)
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new MnemeError('not_found', `${FILE} cannot be read.`, {
      remedy: 'Install Mneme anew: its folder data is missing.',
      place: file,
      cause,
    })
  })
  return wordVectorsOf(readWordVectors(bytes, FILE))
}

/** A table as something that turns texts into codes. */
export function wordVectorsOf(table: WordVectorTable): WordVectors {
  const vocabulary = wordpiecesOf(table.pieces)
  return {
    pieces: table.pieces.length,
    encode: (text) => {
      // The sum is in double precision: rounding each step to single precision took twice as long.
      const sum = new Float64Array(CODE_COUNT)
      for (const piece of splitWordpieces(text.slice(0, READ_CHARACTERS), vocabulary)) addPiece(table, piece, sum)
      return codesOf(sum)
    },
  }
}

function addPiece({ codes, scales }: WordVectorTable, piece: number, sum: Float64Array): void {
  const from = piece * CODE_COUNT
  const scale = scales[piece]!
  for (let at = 0; at < CODE_COUNT; at += 1) sum[at]! += scale * codes[from + at]!
}
