/** Unit vectors: what is a vector of use, and how alike are two? */
import { invalid } from './errors.ts'

/** Cosine of two unit vectors: the sum of products in double precision, cut to -1 … 1. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!
  return Math.max(-1, Math.min(1, sum))
}

/** Tolerance around 1 for the squared length of a vector that is left as it is. */
const UNIT_TOLERANCE = 1e-6

/** The shape that vectors must share to be compared: those of one model. */
interface VectorShape {
  readonly model: string
  readonly dimension: number
}

/** Throws `invalid_input` naming `field` for another dimension, NaN, infinite and zero vectors. */
export function checkVector(field: string, vector: Float32Array, { model, dimension }: VectorShape): Float32Array {
  if (vector.length !== dimension)
    throw invalid(
      field,
      `has ${vector.length} dimensions; the vectors of this database have ${dimension} (${model})`,
      `Embed with ${model} again, or choose the other model for the whole database, which then embeds everything anew.`,
    )
  let squares = 0
  for (const value of vector) squares += value * value
  if (!Number.isFinite(squares)) throw invalid(field, 'holds NaN or an infinite number', 'Embed the text again.')
  if (squares === 0) throw invalid(field, 'is zero and points nowhere', 'Pass a vector that the model made of a text.')
  if (Math.abs(squares - 1) < UNIT_TOLERANCE) return vector
  const length = Math.sqrt(squares)
  return vector.map((value) => value / length)
}
