/** Weights as characters: the square root of each is rounded, so that small ones keep their shape. `weightOf` reads them. */
import { FIRST_DIGIT, LARGEST_DIGIT } from '../../src/thinking/write-decision/linear-model.ts'

/** One character a weight, and the largest weight of each answer. */
export function encodeWeights(
  table: Float32Array,
  heads: number,
  headOf: (weight: number) => number,
): { readonly digits: string; readonly scales: readonly number[] } {
  const largest = new Array<number>(heads).fill(1e-9)
  for (const [at, weight] of table.entries()) largest[headOf(at)] = Math.max(largest[headOf(at)]!, Math.abs(weight))
  const scales = largest.map((scale) => Number(scale.toPrecision(6)))
  return { digits: Array.from(table, (weight, at) => digitOf(weight, scales[headOf(at)]!)).join(''), scales }
}

/** The character that stands for a weight no larger than `scale`. */
export function digitOf(weight: number, scale: number): string {
  const digit = Math.round(Math.sign(weight) * Math.sqrt(Math.abs(weight) / scale) * LARGEST_DIGIT)
  return String.fromCharCode(FIRST_DIGIT + digit + LARGEST_DIGIT).replace('\\', '~')
}
