/**
 * `node bench/training/word-vectors.ts --models DIR [--packages DIR]`: distils the word vectors of
 * `data/word-vectors-en.bin` from DIR/all-MiniLM-L6-v2. `--packages` names a folder where @huggingface/transformers is
 * installed, if that is not here.
 *
 * 1. Each English wordpiece goes through the model alone. Half of the mean of all is taken off; frequent pieces count less.
 * 2. The vectors are moved so that the sums over our own English messages point where the model puts those messages,
 *    singly and in pairs (a turn with its predecessor). What they share with no message stays where it was.
 * 3. The 256 directions in which they differ most are kept, in 8 bits.
 *
 * The same model and the same messages give the same file on the same kind of machine.
 */
import { writeFileSync } from 'node:fs'
import { codesOf } from '../../src/language/word-vectors.ts'
import { writeWordVectors } from './tables.ts'
import { fitToTexts } from './word-vectors/fit.ts'
import { openSentenceModel } from './word-vectors/model.ts'
import { principalDirections, project } from './word-vectors/principal.ts'
import { ownTexts } from './word-vectors/texts.ts'

const DIMENSIONS = 256
/** Punctuation, numbers above 9 in other scripts, and letters of other languages only cost room. */
const ENGLISH = /^(?:##)?[a-z0-9]+$/
/** All of the mean off, or nothing of it, was a little worse in turn recall on LoCoMo and REALTALK (development chats). */
const MEAN_SHARE = 0.5
/**
 * a in a / (a + p), Arora, Liang, Ma 2017 ("smooth inverse frequency"). The vocabulary is in the order of frequency, so
 * Zipf's law gives p from the rank.
 */
const FREQUENCY_SMOOTHING = 1e-3
/** Mandelbrot's shift of the rank. */
const RANK_SHIFT = 2.7

const models = option('models') ?? '../shared/models'
const packages = option('packages')
const model = await openSentenceModel(models, packages)
const kept = model.pieces.flatMap((piece, id) => (ENGLISH.test(piece) ? [id] : []))
say(`${kept.length} pieces`)

const alone = await model.pieceVectors(kept)
takeMeanOff(alone, model.dimensions)
weighByRank(alone, model.dimensions)

const texts = ownTexts()
say(`${texts.length} texts`)
const numberOf = new Map(kept.map((id, number) => [id, number]))
const tokens = texts.map((text) => model.tokens(text))
const bags = tokens.map((ids) => ids.flatMap((id) => numberOf.get(id) ?? []))
const targets = await model.textVectors(tokens)
const report = fitToTexts(alone, bags, targets, model.dimensions)
say(`squared error on the texts: ${report.before.toFixed(3)} → ${report.after.toFixed(3)}`)

const directions = principalDirections(alone, model.dimensions, DIMENSIONS)
const vectors = project(alone, model.dimensions, directions, DIMENSIONS)
const codes = new Int8Array(kept.length * DIMENSIONS)
const scales = new Float32Array(kept.length)
for (let piece = 0; piece < kept.length; piece += 1) {
  const vector = vectors.subarray(piece * DIMENSIONS, (piece + 1) * DIMENSIONS)
  scales[piece] = vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / 127
  codes.set(codesOf(vector) ?? new Int8Array(DIMENSIONS), piece * DIMENSIONS)
}
const file = writeWordVectors({ pieces: kept.map((id) => model.pieces[id]!), dimensions: DIMENSIONS, scales, codes })
writeFileSync(new URL('../../data/word-vectors-en.bin', import.meta.url), file)
say(`data/word-vectors-en.bin: ${file.length} bytes`)
await model.close()

function takeMeanOff(rows: Float32Array, width: number): void {
  const mean = new Float64Array(width)
  const count = rows.length / width
  for (let at = 0; at < rows.length; at += 1) mean[at % width]! += (MEAN_SHARE * rows[at]!) / count
  for (let at = 0; at < rows.length; at += 1) rows[at]! -= mean[at % width]!
}

function weighByRank(rows: Float32Array, width: number): void {
  const count = rows.length / width
  const frequencies = Float64Array.from({ length: count }, (_, rank) => 1 / (rank + 1 + RANK_SHIFT))
  const all = frequencies.reduce((sum, frequency) => sum + frequency, 0)
  for (let at = 0; at < rows.length; at += 1) {
    const frequency = frequencies[Math.floor(at / width)]! / all
    rows[at]! *= FREQUENCY_SMOOTHING / (FREQUENCY_SMOOTHING + frequency)
  }
}

function option(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
